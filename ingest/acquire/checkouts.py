"""Repositories on the user's own disk."""

import hashlib
import os
from pathlib import Path

from ingest.acquire.folders import folder_slug, hash_files, is_executable, is_junk, walk_files
from ingest.acquire.git import GitError, run_git
from ingest.acquire.identifiers import GithubRef, parse_github
from ingest.acquire.models import RepositorySource
from kg.config import check_outside
from kg.errors import InputError
from kg.models.code import Repository
from kg.models.ids import slug as make_slug

__all__ = ["acquire_local_repository"]


def acquire_local_repository(path: Path, *, origin: str | None = None, slug: str | None = None) -> RepositorySource:
    """The repository in the folder `path`, read where it is.

    `origin` ("owner/name@commit") is the user's word on where it came from and is believed. Otherwise the commit is
    HEAD where `path` is the top of a git work tree in which nothing differs from it, else ``sha256-`` and the hash of
    its files; the id comes from git's remote "origin" if that is on GitHub, else from `slug` or the folder's name.
    Raises InputError for a missing, unreadable or empty folder, one that holds this run's settings, or a malformed
    `origin`.
    """
    if not path.is_dir():
        what = "is not a folder" if path.exists() else "does not exist"
        raise InputError(f"repository {path} {what}", remedy="give a folder, owner/name or an address on GitHub")
    check_outside(path)
    if next(walk_files(path), None) is None:
        raise InputError(f"repository {path} is empty", remedy="give the folder that holds the code")
    if origin:
        found = parse_github(origin)
        if not found or not found.at:
            raise InputError(f"origin {origin!r} is not owner/name@commit", remedy="correct it")
        return _source(path, found, found.at, ())
    if not (path / ".git").exists():
        return _source(path, None, f"sha256-{hash_files(path, modes=True)}", (), slug)
    try:
        remote = _remote(path)
        head, difference = _head(path)
    except GitError as error:
        warning = f"{path} has a .git that git can't read ({error.message}): its files are hashed instead"
        return _source(path, None, f"sha256-{hash_files(path, modes=True)}", (warning,), slug)
    if difference:
        warning = f"{path} differs from its commit {head[:12]} ({difference}): its files are hashed instead"
        return _source(path, remote, f"sha256-{hash_files(path, modes=True)}", (warning,), slug)
    return _source(path, remote, head, (), slug)


def _source(
    path: Path, github: GithubRef | None, commit: str, warnings: tuple[str, ...], slug: str | None = None
) -> RepositorySource:
    if github:
        repository = Repository(
            id=f"github:{github.full_name}",
            name=github.full_name,
            url=f"https://github.com/{github.full_name}",
            commit=commit,
        )
    else:
        name = make_slug(slug) if slug else folder_slug(path)
        repository = Repository(id=f"folder:{name}", name=name, commit=commit)
    return RepositorySource(folder=path, repository=repository, warnings=warnings)


def _git(path: Path, *arguments: str) -> bytes:
    return run_git(f"--git-dir={path / '.git'}", f"--work-tree={path}", *arguments)


def _remote(path: Path) -> GithubRef | None:
    try:
        url = _git(path, "config", "--local", "--get", "remote.origin.url").decode("utf-8", "replace").strip()
    except GitError:
        return None
    found = parse_github(url) if ":" in url else None
    return found and found._replace(at=None)


def _head(path: Path) -> tuple[str, str]:
    """HEAD's commit, and how the folder differs from it ("" if it does not).

    Blobs are hashed here and not by ``git status``, which would run the filters that the folder's own configuration
    names.
    """
    head = _git(path, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    present = {name for name, _ in walk_files(path)}
    tracked = set()
    for entry in filter(None, _git(path, "ls-tree", "-r", "-z", "--full-tree", head).split(b"\0")):
        facts, _, raw = entry.partition(b"\t")
        mode, _, blob = facts.decode().split()
        name = os.fsdecode(raw)
        tracked.add(name)
        regular = mode in {"100644", "100755"} and not any(is_junk(part) for part in name.split("/"))
        if regular and not (name in present and _same(path / name, mode, blob)):
            return head, f"{name} has changed"
    ignored = _git(path, "ls-files", "-z", "--others", "--ignored", "--exclude-standard").split(b"\0")
    unknown = present - tracked - {os.fsdecode(raw) for raw in ignored}
    return head, f"{min(unknown)} is not in it" if unknown else ""


def _same(file: Path, mode: str, blob: str) -> bool:
    """Whether a file is what git has of it; whether it is executable counts, whatever the folder's configuration says
    of that."""
    if is_executable(file.stat()) != (mode == "100755"):
        return False
    digest = hashlib.new("sha1" if len(blob) == 40 else "sha256", usedforsecurity=False)
    digest.update(b"blob %d\0" % file.stat().st_size)
    with file.open("rb") as content:
        while block := content.read(1 << 20):
            digest.update(block)
    return digest.hexdigest() == blob
