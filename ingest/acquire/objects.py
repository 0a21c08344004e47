"""A commit's files out of git's object store, byte for byte and without a checkout.

No filter, hook, attribute or link of the repository comes into play, and no path leads outside.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ingest.acquire.git import GitError, run_git
from ingest.acquire.members import escapes
from kg.errors import InputError

__all__ = ["RepositoryLimits", "write_files"]

_BATCH = 32_000_000
_NAMED = 5


class RepositoryLimits(NamedTuple):
    """Bounds of a repository: bytes in all, bytes of one file (larger ones are left out), files, seconds."""

    total: int
    seconds: float
    file: int = 20_000_000
    files: int = 50_000


class _Blob(NamedTuple):
    path: str
    hash: str
    size: int


def write_files(git_dir: Path, commit: str, folder: Path, name: str, limits: RepositoryLimits) -> tuple[str, ...]:
    """Write the files of `commit` below `folder` (which exists); returns warnings on what was left out.

    Links, submodules and files above the limit are left out. Raises InputError for an empty commit, one beyond the
    limits, or one with hostile paths, GitError if git fails.
    """
    blobs, left = _listed(git_dir, commit, name, limits)
    if sum(blob.size for blob in blobs) > limits.total or len(blobs) > limits.files:
        raise InputError(
            f"{name} at {commit[:12]} has {len(blobs):,} files of {sum(b.size for b in blobs) / 1e6:.0f} MB, more than "
            f"{limits.files:,} files or {limits.total / 1e6:.0f} MB",
            remedy="raise XKG_REPOSITORY_LIMIT_MB, or clone it yourself and give the folder that matters",
        )
    if not blobs:
        raise InputError(f"{name} at {commit[:12]} has no files", remedy="name the branch or commit that has the code")
    for batch in _batches(blobs):
        _write(git_dir, batch, folder, limits)
    return tuple(_sentences(name, left))


def _listed(
    git_dir: Path, commit: str, name: str, limits: RepositoryLimits
) -> tuple[list[_Blob], dict[str, list[str]]]:
    listing = run_git(
        f"--git-dir={git_dir}", "ls-tree", "-r", "-l", "-z", "--full-tree", commit, seconds=limits.seconds
    )
    blobs: list[_Blob] = []
    left: dict[str, list[str]] = {}
    for entry in filter(None, listing.split(b"\0")):
        facts, _, raw = entry.partition(b"\t")
        mode, kind, blob, size = facts.decode().split()
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError:
            path = raw.decode("latin-1")
        parts = path.split("/")
        if escapes(path) or any(part.lower() == ".git" or part in {"", "."} for part in parts):
            raise InputError(f"{name} was refused: its path {path!r} leads outside", remedy="don't trust it")
        if kind == "commit":
            left.setdefault("submodules are not fetched", []).append(path)
        elif mode == "120000":
            left.setdefault("links are not followed", []).append(path)
        elif int(size) > limits.file:
            left.setdefault(f"files above {limits.file / 1e6:.0f} MB are left out", []).append(path)
        elif len(path) > 1000 or max(len(part.encode()) for part in parts) > 255:
            left.setdefault("paths too long are left out", []).append(path[:80])
        else:
            blobs.append(_Blob(path, blob, int(size)))
    return blobs, left


def _batches(blobs: Sequence[_Blob]) -> Iterator[list[_Blob]]:
    batch: list[_Blob] = []
    size = 0
    for blob in blobs:
        if batch and size + blob.size > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(blob)
        size += blob.size
    if batch:
        yield batch


def _write(git_dir: Path, batch: Sequence[_Blob], folder: Path, limits: RepositoryLimits) -> None:
    asked = "".join(f"{blob.hash}\n" for blob in batch).encode()
    answer = run_git(f"--git-dir={git_dir}", "cat-file", "--batch", stdin=asked, seconds=limits.seconds)
    place = 0
    for blob in batch:
        end = answer.find(b"\n", place)
        head = answer[place:end].split()
        if len(head) != 3 or head[0].decode() != blob.hash or int(head[2]) != blob.size:
            raise GitError(f"the object of {blob.path} is missing")
        target = folder / blob.path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(answer[end + 1 : end + 1 + blob.size])
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise InputError(
                f"{blob.path!r} is both a file and a folder in this commit", remedy="don't trust it"
            ) from error
        place = end + blob.size + 2


def _sentences(name: str, left: dict[str, list[str]]) -> Iterator[str]:
    for reason, paths in left.items():
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        yield f"{name}: {reason}: {', '.join(paths[:_NAMED])}{more}"
