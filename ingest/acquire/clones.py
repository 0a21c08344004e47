"""Repositories on GitHub: facts by the API, files by git at one pinned commit, kept in the cache."""

import re
import shutil
from pathlib import Path

from ingest.acquire.forbidden import check_names, check_repository
from ingest.acquire.git import GitError, run_git
from ingest.acquire.github_api import Described, describe, find_commit
from ingest.acquire.identifiers import GithubRef, parse_github
from ingest.acquire.models import RepositorySource
from ingest.acquire.objects import RepositoryLimits, write_files
from kg.blacklist import open_blacklist
from kg.caching import building, load, locked, save
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.files import folder_size
from kg.models.code import Repository
from kg.models.paper import Model
from kg.retrying import Again, Unreachable, patiently

__all__ = ["acquire_clone"]

_FULL = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_SHORT = re.compile(r"[0-9a-f]{7,39}")
_GONE = re.compile(r"not found|could not read Username|terminal prompts disabled|Authentication failed", re.IGNORECASE)
_PASSING = re.compile(
    r"HTTP (429|5\d\d)|returned error: (429|5\d\d)|timed out|early EOF|unexpected disconnect|hung up|reset by peer|"
    r"RPC failed|transfer closed",
    re.IGNORECASE,
)
_UNREACHABLE = re.compile(r"Connection refused|Failed to connect|Could not (resolve|connect)", re.IGNORECASE)


class _Pinned(Model):
    """What a ref stood for when it was first asked for."""

    full_name: str
    commit: str


class _Kept(Model):
    """All of a RepositorySource but the place of the cache, which may move."""

    repository: Repository
    warnings: tuple[str, ...]


def acquire_clone(ref: GithubRef, settings: Settings, *, refresh: bool = False) -> RepositorySource:
    """The files of `ref` at the commit it stands for; once fetched, without any request until `refresh`.

    If the API can't be asked (rate limit, outage) git alone decides, and a warning says that the licence is not known;
    where a blacklist is in force it must be asked, at least once. Raises InputError (gone, private, empty, too large,
    no such commit, forbidden), RemoteError or ServiceError.
    """
    guarded = bool(open_blacklist(settings))
    home = settings.cache / "repositories"
    with locked(settings.cache, f"github:{ref.full_name.lower()}"):
        note = home / ref.full_name.lower() / "refs" / f"{(ref.at or 'HEAD').replace('/', '%')}.json"
        if not refresh and (pinned := load(note, _Pinned)):
            place = _place(home, pinned)
            kept = load(place / "repository.json", _Kept)
            if kept and not (guarded and kept.repository.forked_from is None):
                check_names((pinned.full_name,), settings, ask=True)
                return _checked(place, kept, settings)
        facts, warnings = _facts(ref, settings, needed=guarded)
        check_names((facts.full_name, *(facts.forked_from or ())), settings, ask=True)
        present = parse_github(facts.full_name) or ref
        pinned = _Pinned(full_name=present.full_name, commit=_resolve(present, ref.at, settings))
        kept = _Kept(
            repository=Repository(
                id=f"github:{pinned.full_name}",
                name=pinned.full_name,
                url=facts.html_url,
                commit=pinned.commit,
                licence=facts.licence,
                forked_from=facts.forked_from,
            ),
            warnings=warnings,
        )
        place = _place(home, pinned)
        with building(place) as new:
            (new / "files").mkdir()
            left_out = _fetch(present, pinned.commit, new, settings)
            kept = kept.model_copy(update={"warnings": (*warnings, *left_out)})
            _checked(new, kept, settings)
            save(new / "repository.json", kept)
        save(note, pinned)
    return RepositorySource(folder=place / "files", repository=kept.repository, warnings=kept.warnings)


def _checked(place: Path, kept: _Kept, settings: Settings) -> RepositorySource:
    """What is kept at `place`, unless the blacklist forbids it."""
    source = RepositorySource(folder=place / "files", repository=kept.repository, warnings=kept.warnings)
    check_repository(source, settings)
    return source


def _place(home: Path, pinned: _Pinned) -> Path:
    return home / pinned.full_name.lower() / pinned.commit


def _facts(ref: GithubRef, settings: Settings, *, needed: bool) -> tuple[Described, tuple[str, ...]]:
    """What GitHub says of `ref`, and warnings. Where it is `needed`, RemoteError if the API can't be asked."""
    try:
        facts = describe(ref, settings)
        if needed and facts.forked_from is None:
            raise InputError(
                f"{ref.full_name} is a fork, and GitHub does not say of what",
                remedy="look for its origin; with a blacklist in force it can't be fetched",
            )
    except RemoteError as error:
        if needed:
            raise
        unknown = Described(full_name=ref.full_name, html_url=f"https://github.com/{ref.full_name}")
        return unknown, (f"the licence of {ref.full_name} was not asked: {error.what}",)
    warnings = []
    if facts.full_name.lower() != ref.full_name.lower():
        warnings.append(f"{ref.full_name} is now called {facts.full_name}")
    if facts.licence is None:
        warnings.append(f"{facts.full_name} has no licence that GitHub knows: its code stays in the local graph")
    return facts, tuple(warnings)


def _url(ref: GithubRef, settings: Settings) -> str:
    return f"{settings.github.git.rstrip('/')}/{ref.full_name}.git"


def _git(ref: GithubRef, settings: Settings, *arguments: str, git_dir: Path | None = None, limit: int = 0) -> bytes:
    """git against GitHub, tried again where that may help; failures as sentences."""

    def check() -> None:
        if git_dir and limit and folder_size(git_dir / "objects" / "pack") > limit:
            raise InputError(
                f"{ref.full_name} is larger than {limit / 1e6:.0f} MB",
                remedy="raise XKG_REPOSITORY_LIMIT_MB, or clone it yourself and give the folder",
            )

    def attempt() -> bytes:
        try:
            return run_git(
                *([f"--git-dir={git_dir}"] if git_dir else []),
                *arguments,
                protocol=settings.github.git.partition(":")[0],
                token=settings.github.token,
                host=settings.github.git,
                seconds=settings.github.repository_seconds,
                check=check,
            )
        except GitError as error:
            if _GONE.search(error.message):
                raise InputError(
                    f"GitHub has no repository {ref.full_name}, or it is private",
                    remedy="check the name; for a private one set GITHUB_TOKEN",
                ) from error
            if _UNREACHABLE.search(error.message):
                raise Unreachable(error.message) from error
            if _PASSING.search(error.message):
                raise Again(error.message) from error
            raise

    return patiently(settings, f"cloning {ref.full_name}", attempt, tries=3)


def _resolve(ref: GithubRef, at: str | None, settings: Settings) -> str:
    """The full hash of what `at` names: a commit, or a tag or branch (of an address, the longest that there is)."""
    if at and _FULL.fullmatch(at.lower()):
        return at.lower()
    parts = at.split("/") if at else []
    names = ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
    patterns = [
        pattern for name in names for pattern in (f"refs/tags/{name}^{{}}", f"refs/tags/{name}", f"refs/heads/{name}")
    ]
    try:
        listing = _git(ref, settings, "ls-remote", _url(ref, settings), *(patterns or ["HEAD"])).decode(
            "utf-8", "replace"
        )
    except GitError as error:
        raise RemoteError(f"{ref.full_name} can't be read: {error.message}", remedy="run again later") from error
    found = {name: commit for commit, _, name in (line.partition("\t") for line in listing.splitlines())}
    for pattern in patterns or ["HEAD"]:
        if pattern in found and _FULL.fullmatch(found[pattern]):
            return found[pattern]
    if at is None:
        raise InputError(f"{ref.full_name} is empty", remedy="name another repository")
    if _SHORT.fullmatch(parts[0].lower()) and (commit := find_commit(ref, parts[0], settings)):
        return commit
    raise InputError(f"{ref.full_name} has no commit, tag or branch {at!r}", remedy="check it, or leave it out")


def _fetch(ref: GithubRef, commit: str, new: Path, settings: Settings) -> tuple[str, ...]:
    git_dir = new / "git"
    limits = RepositoryLimits(
        total=settings.github.repository_limit_mb * 1_000_000, seconds=settings.github.repository_seconds
    )
    try:
        run_git("init", "--quiet", "--bare", "--template=", str(git_dir))
        _git(
            ref, settings, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-gc",
            _url(ref, settings), commit, git_dir=git_dir, limit=limits.total,
        )  # fmt: skip
        warnings = write_files(git_dir, commit, new / "files", ref.full_name, limits)
    except GitError as error:
        if re.search(
            r"not our ref|no such (remote )?ref|couldn't find remote ref|unadvertised", error.message, re.IGNORECASE
        ):
            raise InputError(f"{ref.full_name} has no commit {commit}", remedy="check it, or leave it out") from error
        raise RemoteError(f"{ref.full_name} can't be cloned: {error.message}", remedy="run again later") from error
    shutil.rmtree(git_dir)
    return warnings
