"""Where git says that the files of a folder came from: remotes, fetches, logs and the repositories it borrows from."""

import contextlib
import os
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ingest.acquire.git import GitError, run_git

__all__ = ["git_origins", "read_start"]

_LARGEST = 1_000_000
"""Bytes of a file that are looked through."""
_SECONDS = 10.0
_NOTES = ("config", "config.worktree", "FETCH_HEAD", "remotes/**/*", "branches/**/*", "logs/**/*")
"""The files of a repository in which it is told, line by line, where something came from."""
_REWRITES = re.compile(r"url\.(?P<base>.*)\.(?P<word>insteadof|pushinsteadof)", re.DOTALL)


def read_start(path: Path) -> str:
    """The first million bytes of a file as text; nothing if it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _lines(path: Path) -> Iterator[str]:
    """All lines of a file, in parts where one is longer than a million characters; none if it can't be read."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with path.open(encoding="utf-8", errors="replace") as file:
                while line := file.readline(_LARGEST):
                    yield line.rstrip("\n")


def git_origins(folder: Path) -> Iterator[tuple[str, str]]:
    """Where it stands and the text of all that git keeps of origins in `folder`, its submodules and work trees.

    A text is a line as it is written, a value as git reads it, an address that git's ``insteadOf`` and
    ``pushInsteadOf`` make of one, or the path of borrowed objects, also with its links resolved. Raises InputError if
    there is something to be read and git is not installed.
    """
    for place, folders, files in os.walk(folder):
        if ".git" not in (*folders, *files):
            continue
        folders[:] = [name for name in folders if name != ".git"]
        home = Path(place, ".git")
        if home.is_file() and (named := re.match(r"gitdir:\s*(.+)", read_start(home))):
            home = home.parent / named[1].strip()
        common = _common(home)
        modules = (config.parent for config in common.glob("modules/**/config"))
        for one in dict.fromkeys((home, common, *common.glob("worktrees/*"), *modules)):
            yield from _told(one)


def _common(home: Path) -> Path:
    """The repository whose configuration `home` shares: another one where `home` is a work tree's."""
    return home / (read_start(home / "commondir").strip() or ".")


def _told(home: Path) -> Iterator[tuple[str, str]]:
    files = (_common(home) / "config", home / "config.worktree")
    settings = [pair for file in files for pair in _configured(home, file)]
    rules: dict[str, list[tuple[str, str]]] = {}
    for key, value in settings:
        if found := _REWRITES.fullmatch(key):
            rules.setdefault(found["word"], []).append((value, found["base"]))
    notes = (file for pattern in _NOTES for file in home.glob(pattern))
    written = ((f".git/{file.relative_to(home).parts[0]}", line) for file in notes for line in _lines(file))
    for shown, text in chain(((".git/config", value) for _, value in settings), written):
        yield shown, text
        for word in dict.fromkeys((text, *text.split())) if rules else ():
            yield from ((shown, address) for kind in rules.values() if (address := _rewritten(word, kind)))
    for line in _lines(home / "objects/info/alternates"):
        yield ".git/objects/info/alternates", line
        yield ".git/objects/info/alternates", os.path.realpath(home / "objects" / line.replace("\0", ""))


def _rewritten(address: str, rules: list[tuple[str, str]]) -> str:
    """`address` with the base of the longest of the prefixes (prefix, base) that it begins with, as git does it."""
    prefix, base = max(
        (rule for rule in rules if address.startswith(rule[0])), key=lambda rule: len(rule[0]), default=("", "")
    )
    return base and base + address[len(prefix) :]


def _configured(home: Path, file: Path) -> list[tuple[str, str]]:
    """The keys and values of a configuration `file` and what it includes; none where git itself can't read it."""
    if not file.is_file():
        return []
    arguments = (f"--git-dir={home}", "config", f"--file={file}", "--includes", "--null", "--list")
    try:
        listing = run_git(*arguments, seconds=_SECONDS).decode("utf-8", "replace")
    except GitError:
        return []
    pairs = (entry.partition("\n") for entry in listing.split("\0"))
    return [(key, value) for key, _, value in pairs]
