"""How Python code learns of files what no record of a run tells: that they are there, or not, without opening one.

A record tells which files were opened (agents.execution.harness.inputs). What asks for names, what fails or succeeds by
them, another program that is run, and an opening whose failure is caught may tell that a file is absent; of that there
is no trace. So the text is asked, by the words that do so: more are found than there are, which costs a run.
"""

import re

__all__ = ["ASKS_FOR_MODES", "ASKS_FOR_SIZES", "asks_for_names"]

_OF_OS = (
    rb"(?:access|chdir|chmod|chown|exec[lv]\w*|f?walk|getxattr|lchmod|lchown|link|listxattr|mkfifo|mknod|pathconf|popen|"
    rb"posix_spawnp?|readlink|remove|removedirs|removexattr|renames?|replace|rmdir|setxattr|spawn\w+|statvfs|symlink|"
    rb"system|truncate|unlink|utime)\b"
)
"""Functions of `os` that do one thing where a file is and another where none is, or let a program do so."""
_OF_ERRORS = rb"\b(?:OSError|IOError|EnvironmentError|Exception|BaseException)\b"
_NAMES = (
    rb"\b(?:l?exists|is_?(?:file|dir|link|symlink|mount)|listdir|scandir|iterdir|r?glob|fnmatch)\b",
    rb"\b(?:(?:FileNotFound|FileExists|NotADirectory|IsADirectory)Error|ENOENT|EEXIST|O_EXCL)\b",
    rb"\b(?:os|posix)\s*\.\s*" + _OF_OS,
    rb"\bfrom\s+(?:os|posix)\s+import\b(?:\s*\([^)]{0,500}|[^\n]{0,200})\b" + _OF_OS,
    rb"\bimport\s+posix\b|\bos\s+as\s|\bgetattr\(\s*os\b",
    rb"\b(?:mkdir|makedirs)\((?![^\n]{0,200}exist_ok\s*=\s*True)",
    rb"\.(?:touch|rmdir|unlink|hardlink_to|link_to|symlink_to|samefile|readlink|l?chmod)\(",
    rb"\bPath\([^()\n]{0,200}\)\.(?:rename|replace)\(|\b(?:resolve|realpath)\([^\n]{0,200}strict",
    rb"\bsubprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)\b",
    rb"\bfrom\s+subprocess\s+import\b|\bsubprocess\s+as\s|\bcreate_subprocess_(?:exec|shell)\b|\bpty\.spawn\b",
    rb"\bshutil\.(?:which|move|rmtree|chown)\b|\bfrom\s+shutil\s+import\b[^\n]{0,200}\b(?:which|move|rmtree|chown)\b",
    rb"\bsqlite3\s*\.\s*connect\((?!\s*[\"']:memory:[\"'])|\bfrom\s+sqlite3\s+import\b",
    rb"\b(?:shelve|dbm(?:\.\w+)?)\.open\b|\bctypes\.(?:CDLL|PyDLL|cdll|pythonapi)\b",
    rb"\bopen\([^\n]{0,200}[\"'][ax][bt+]*[\"']",
)
_ASKS = re.compile(b"|".join(_NAMES))
_OPENS = re.compile(rb"\bopen\(|\bread_(?:text|bytes)\(")
_CATCHES = re.compile(rb"\bexcept\b\s*(?::|[^:\n]{0,200}" + _OF_ERRORS + rb")|\bsuppress\([^)]{0,200}" + _OF_ERRORS)
ASKS_FOR_SIZES = re.compile(rb"\.l?stat\(|\b(getsize|getmtime|st_size|st_mtime\w*)\b")
"""How it learns more of files than their names."""

ASKS_FOR_MODES = re.compile(
    rb"\b(?:access|which|X_OK|st_mode|subprocess|create_subprocess_\w+|pty\.spawn|"
    rb"os\s*\.\s*(?:system|popen|exec\w+|spawn\w+|posix_spawnp?))\b"
)
"""How it learns which of them are executable."""


def asks_for_names(code: bytes) -> bool:
    """Whether code may learn that a file is there, or not, without opening it."""
    return bool(_ASKS.search(code) or (_OPENS.search(code) and _CATCHES.search(code)))
