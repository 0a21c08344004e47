"""What kind of failure a failure is: from the exception that ended it, or from the limit that did.

The exception comes as a record of the harness (`Raised`), or is read from the last traceback in stderr.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from kg.models.execution import FailureClass

__all__ = ["Failure", "Raised", "classify", "raised_from", "unplaced"]


@dataclass(frozen=True)
class Raised:
    """An exception: its type with its bases (most special first, "ModuleNotFoundError"), its message, and the
    (file, line, function) of each frame of its traceback, outermost first."""

    types: tuple[str, ...]
    message: str
    frames: tuple[tuple[str, int, str], ...] = ()

    @property
    def said(self) -> str:
        """Type and message in one line, never empty: foreign code may leave out either."""
        name = " ".join(self.types[0].split()) or "an exception without a name"
        message = " ".join(self.message.split())[:300]
        return f"{name}: {message}" if message else name


@dataclass(frozen=True)
class Failure:
    """`line` is ``path:line`` in the code's own files, None if the traceback reaches none; `message` one line, never
    empty."""

    kind: FailureClass
    line: str | None
    message: str


_FRAME = re.compile(r'^\s*File "([^"\n]{1,500})", line (\d{1,7})(?:, in (\S{1,200}))?', re.M)
_LAST = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Failed|[A-Z]\w*))(?::\s?(.*))?$", re.M)
_LINE = re.compile(r"\bline \d+|(?<=\.py):\d+")
_NETWORK = re.compile(
    r"(?i)name resolution|name or service not known|network is unreachable|max retries exceeded|connection refused"
    r"|failed to establish a new connection|no address associated|couldn't connect to|urlopen error"
    r"|getaddrinfo failed|offline mode|HTTPS?ConnectionPool|cannot send a request|connection error"
)
_GPU = re.compile(
    r"(?i)\bcuda\b|nvidia|\bnvml|libcud|cudnn|no gpu|gpu (is )?(required|not (found|available))|\brocm\b"
    r"|triton is not|flash.?attn|\.cuda\(|hip error"
)
_DATA = re.compile(
    r"(?i)no such file|does not exist|not found at|can't load (the|tokenizer|config)|is not a local folder"
    r"|does not appear to have a file|resource .{0,80} not found|unable to load weights|checkpoint .{0,60}not found"
    r"|can't find model|can't find file|cannot find (the )?file|missing data|incorrect path_or_model_id"
    r"|unable to open file"
)
_VERSION = re.compile(
    r"(?i)^module '[\w.]+' has no attribute|^cannot import name|was removed in|has been removed|no longer supported"
    r"|no longer available|compiled (against|using)|binary incompatib|numpy\.core\.multiarray|_ARRAY_API"
    r"|requires (a )?different|is incompatible with|version conflict|but you have|expired deprecation"
    r"|use of .{0,60} is not supported in this version|descriptors cannot be created|^numpy\.\w+ size changed"
)
_NO_PYTHON_2 = re.compile(
    r"^name '(unicode|xrange|raw_input|basestring|long|unichr|reduce|file|execfile)' is not defined"
)
_OLD_CALL = re.compile(
    r"(got an )?unexpected keyword argument|takes (from )?\d+ .*positional arguments?|has no attribute"
)

_RULES: tuple[tuple[FailureClass, frozenset[str], re.Pattern[str] | None], ...] = (
    ("GPU needed", frozenset({"AssertionError"}), re.compile("(?i)not compiled with (cuda|rocm)")),
    ("assertion", frozenset({"AssertionError", "Failed"}), None),
    ("syntax", frozenset({"SyntaxError"}), None),
    ("GPU needed", frozenset({"OutOfMemoryError"}), re.compile("(?i)cuda")),
    ("memory", frozenset({"MemoryError", "OutOfMemoryError"}), None),
    ("memory", frozenset(), re.compile("(?i)unable to allocate|can't allocate memory|out of memory")),
    ("missing module", frozenset({"ModuleNotFoundError"}), None),
    ("GPU needed", frozenset(), _GPU),
    ("network needed", frozenset({"gaierror", "herror", "URLError", "ConnectionError", "ConnectError"}), None),
    ("network needed", frozenset(), _NETWORK),
    ("version conflict", frozenset(), _VERSION),
    ("version conflict", frozenset({"NameError"}), _NO_PYTHON_2),
    ("missing data or weights", frozenset({"LookupError", "OSError", "RuntimeError", "ValueError"}), _DATA),
)
"""The first that fits decides: names of the exception or its bases (none: any), and what its message says."""

_BY_TYPE: dict[str, FailureClass] = {
    "ContextualVersionConflict": "version conflict",
    "VersionConflict": "version conflict",
    "DistributionNotFound": "missing module",
    "ImportError": "missing module",
    "FileNotFoundError": "missing data or weights",
    "TimeoutExpired": "timeout",
    "TimeoutError": "timeout",
}


def unplaced(text: str) -> str:
    """What is said of a failure without the numbers of lines: the same where code has only moved."""
    return _LINE.sub("line", text)


def raised_from(stderr: str) -> Raised | None:
    """The exception of the last traceback in `stderr`, None if there is none."""
    at = stderr.rfind("Traceback (most recent call last)")
    if at < 0:
        at = stderr.rfind('  File "')
        if at < 0:
            return None
    text = stderr[at:][:200_000]
    frames = tuple((match[1], int(match[2]), match[3] or "") for match in _FRAME.finditer(text))
    last = None
    for match in _LAST.finditer(text):
        last = match
    if last is None:
        return None
    name = last[1].rpartition(".")[2]
    return Raised((name, *_bases(name)), (last[2] or "").strip(), frames)


def _bases(name: str) -> tuple[str, ...]:
    """Names of the builtin bases of a builtin exception; those of others can't be known from a text."""
    import builtins

    kind = getattr(builtins, name, None)
    return tuple(base.__name__ for base in kind.__mro__[1:-2]) if isinstance(kind, type) else ()


def classify(
    raised: Raised | None = None,
    *,
    limit: str | None = None,
    stderr: str = "",
    locate: Callable[[str], str | None] = lambda _: None,
) -> Failure:
    """The class and place of a failure.

    `limit` is the sandbox's or the harness's limit that ended the run, if one did. Without `raised`, the last traceback
    of `stderr` serves. `locate` gives the path in the repository of a file that a traceback names, None for foreign
    ones.
    """
    raised = raised or raised_from(stderr)
    line = _place(raised, locate)
    if limit is not None:
        return Failure(_by_limit(limit), line, f"the limit of {limit} was reached")
    if raised is None:
        last = next((text.strip() for text in reversed(stderr.splitlines()) if text.strip()), "it ended without a word")
        if re.search(r"(?i)segmentation fault|core dumped", last):
            return Failure("other error", None, last[:300])
        return Failure("memory" if "MemoryError" in stderr[-2000:] else "other error", None, last[:300])
    return Failure(_by_exception(raised, locate), line, raised.said)


def _by_limit(limit: str) -> FailureClass:
    if limit in {"wall", "cpu", "timeout"}:
        return "timeout"
    return "memory" if limit == "memory" else "other error"


def _by_exception(raised: Raised, locate: Callable[[str], str | None]) -> FailureClass:
    types = {name.rpartition(".")[2] for name in raised.types}
    for kind, names, message in _RULES:
        if (not names or types & names) and (message is None or message.search(raised.message)):
            return kind
    for name in raised.types:
        if found := _BY_TYPE.get(name.rpartition(".")[2]):
            return found
    old = types & {"TypeError", "AttributeError"} and _OLD_CALL.search(raised.message)
    return "version conflict" if old and _foreign_end(raised, locate) else "other error"


def _foreign_end(raised: Raised, locate: Callable[[str], str | None]) -> bool:
    """Whether the traceback passes through the code's own files and ends in a library's: its interface was misused."""
    places = [locate(file) is not None for file, _, _ in raised.frames]
    return any(places) and not places[-1]


def _place(raised: Raised | None, locate: Callable[[str], str | None]) -> str | None:
    for file, line, _ in reversed(raised.frames if raised else ()):
        if (path := locate(file)) is not None:
            return f"{path}:{line}"
    return None
