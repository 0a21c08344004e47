"""Which files of a repository are read, and within which limits. Links are never followed."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from kg.errors import InputError

__all__ = ["LANGUAGES", "Limits", "SourceFilePath", "source_files", "walk_repository"]

LANGUAGES = {
    ".py": "python", ".ipynb": "notebook",
    ".c": "c", ".h": "header", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp", ".hh": "cpp", ".hpp": "cpp",
    ".hxx": "cpp", ".cu": "cuda", ".cuh": "cuda", ".go": "go", ".java": "java",
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript", ".ts": "typescript",
    ".tsx": "tsx", ".jl": "julia", ".r": "r", ".rs": "rust", ".m": "matlab",
    ".cs": "csharp", ".lua": "lua", ".scala": "scala",
    ".f": "fortran", ".for": "fortran", ".f90": "fortran", ".f95": "fortran", ".f03": "fortran", ".f08": "fortran",
}  # fmt: skip
"""File extension, in lower case → grammar; "header" is decided by content, "notebook" by its metadata."""

_SKIPPED_FOLDERS = {
    "__pycache__", "node_modules", "venv", "env", "CVS", ".git", ".hg", ".svn", ".bzr", ".venv", ".env", ".tox", ".nox",
    ".eggs", ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", ".idea",
    ".vscode", ".github", ".gitlab", ".circleci", ".dvc", ".ssh", ".aws", ".npm", ".conda", ".gnupg", ".local",
}  # fmt: skip
"""Of installed packages, caches, tools that look at a repository from outside, and what a home folder holds."""
_ENVIRONMENT = ("pyvenv.cfg", "conda-meta")
"""What stands at the top of an environment, whatever its name."""


@dataclass(frozen=True)
class Limits:
    """What is read of a repository: `file_bytes` per source file, `notebook_bytes` per notebook (their outputs are
    not read but count), at most `files` source files with `total_bytes` and `units` units, folders at most `depth`
    levels deep."""

    file_bytes: int = 1_500_000
    notebook_bytes: int = 20_000_000
    files: int = 20_000
    total_bytes: int = 200_000_000
    units: int = 200_000
    depth: int = 64


@dataclass(frozen=True)
class SourceFilePath:
    """A regular file with source code: where it is, its path in the repository, and its key in `LANGUAGES`' values."""

    location: Path
    path: str
    grammar: str
    size: int


def source_files(folder: Path, limits: Limits, warnings: list[str]) -> Iterator[SourceFilePath]:
    """Source files below `folder` in order of their paths; what a limit leaves out is told in `warnings`.

    Hidden folders, byte-code and installed packages are passed over. Raises InputError if `folder` is no folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder", remedy="give the folder of a repository")
    count = total = 0
    for location, path, size in walk_repository(folder, limits, warnings):
        if any(part.startswith(".") for part in path.split("/")[:-1]):
            continue
        grammar = LANGUAGES.get(location.suffix.lower())
        if grammar is None:
            continue
        allowed = limits.notebook_bytes if grammar == "notebook" else limits.file_bytes
        if size > allowed:
            warnings.append(f"{path}: {size:,} bytes are more than the limit of {allowed:,}; skipped")
            continue
        count, total = count + 1, total + size
        if count > limits.files or total > limits.total_bytes:
            reached = (
                f"{limits.files:,} source files" if count > limits.files else f"{limits.total_bytes:,} bytes of source"
            )
            warnings.append(f"{path}: the limit of {reached} is reached; the rest is skipped")
            return
        yield SourceFilePath(location, path, grammar, size)


def walk_repository(
    folder: Path, limits: Limits, warnings: list[str], links: dict[str, str] | None = None
) -> Iterator[tuple[Path, str, int]]:
    """Regular files below `folder` with their paths in it and sizes: the one walk of repositories.

    Version control, caches, byte-code and installed packages are passed over, and links: those that lead to what is
    walked here are put into `links`, with where they lead to as seen from their own folder.
    """
    pending: list[tuple[str, int]] = [("", 0)]
    while pending:
        relative, depth = pending.pop()
        try:
            with os.scandir(folder / relative) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            warnings.append(f"{shown(relative)}: {error.strerror}; skipped")
            continue
        folders: list[tuple[str, int]] = []
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            if entry.is_dir(follow_symlinks=False):
                if _passed_over(Path(entry.path)):
                    continue
                if depth >= limits.depth:
                    warnings.append(f"{shown(path)}: deeper than {limits.depth} folders; skipped")
                    continue
                folders.append((path, depth + 1))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path), shown(path), entry.stat(follow_symlinks=False).st_size
            elif links is not None and len(links) < limits.files and (target := _inner_target(folder, path)):
                links[path] = target
        pending += reversed(folders)


def _passed_over(folder: Path) -> bool:
    return folder.name in _SKIPPED_FOLDERS or any(os.path.lexists(folder / mark) for mark in _ENVIRONMENT)


def _inner_target(folder: Path, path: str) -> str:
    """Where a link leads to, whether anything is there or not, relative to its own folder; empty if that is outside of
    `folder`, or passed over."""
    root, link = folder.resolve(), folder / path
    try:
        target = link.resolve()
        parts = target.relative_to(root).parts
    except (OSError, RuntimeError, ValueError):
        return ""
    folders = [target.parents[above] for above in range(len(parts) - 1)] + [target] * target.is_dir()
    if "\ufffd" in shown(path) or any(map(_passed_over, folders)):
        return ""
    return os.path.relpath(target, root / PurePosixPath(path).parent) if parts else ""


def shown(path: str) -> str:
    """A path as valid text: bytes of a file name that are no UTF-8 become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")
