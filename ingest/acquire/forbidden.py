"""Whether a repository is one that the blacklist forbids, or a copy that says so or is equal to one.

Its id and address tell, and what it was forked from; what its folder's git leads to; what its README and package
files say it is a copy of; and whether it is at the commit, or has the files, of a forbidden one in the cache.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.acquire.folders import hash_files
from ingest.acquire.github_api import describe
from ingest.acquire.identifiers import GithubRef, parse_github
from ingest.acquire.models import RepositorySource
from ingest.acquire.origins import git_origins, read_start
from kg.blacklist import open_blacklist
from kg.caching import load, save
from kg.config import Settings
from kg.errors import InputError
from kg.files import disk_errors
from kg.models.paper import Model

__all__ = ["check_names", "check_repository"]

_TELLING = re.compile(
    r"readme.*|(pyproject|cargo|project)\.toml|setup\.(py|cfg)|citation\.cff|codemeta\.json|package\.json|description"
    r"|pkg-info|\.gitmodules",
    re.IGNORECASE,
)
_COPY = re.compile(
    r"fork|mirror|clon|cop(y|i)|moved|migrat|archiv|upload|official|original|implement|reproduc|based|adapted|derived"
    r"|taken|borrowed|port(ed|s)?\b|source|url|home|repositor|badge|submodule|install",
    re.IGNORECASE,
)
"""Words with which a text beside an address says that this is what the address leads to, or holds it."""


class _Present(Model):
    """What a repository of the blacklist is called on GitHub now."""

    full_name: str


def check_names(names: Sequence[str], settings: Settings, *, ask: bool) -> None:
    """Raise InputError if one of `names` (a repository's own on GitHub, then those it was forked from) is forbidden.

    A list may hold a former name: with `ask`, GitHub is asked what each of its repositories is called now, once, for
    the answer is kept in the cache. Raises RemoteError if it can't be asked.
    """
    blacklist = open_blacklist(settings)
    blacklist.refuse(names[0], *names)
    for entry in blacklist.entries:
        ref = parse_github(entry.repository)
        if ref and _present(ref, settings, ask).casefold() in map(str.casefold, names):
            blacklist.refuse(f"{names[0]}, once {entry.repository},", entry.repository)


def _present(ref: GithubRef, settings: Settings, ask: bool) -> str:
    note = settings.cache / "repositories" / ref.full_name / "present.json"
    known = load(note, _Present)
    if known is None and ask:
        try:
            known = _Present(full_name=describe(ref, settings).full_name)
        except InputError:  # gone, private, or on another host
            known = _Present(full_name=ref.full_name)
        with disk_errors(settings.cache):
            note.parent.mkdir(parents=True, exist_ok=True)
            save(note, known)
    return known.full_name if known else ref.full_name


def check_repository(source: RepositorySource, settings: Settings) -> None:
    """Raise InputError for a repository that the blacklist forbids, or that is a copy of one; see the module."""
    blacklist = open_blacklist(settings)
    if not blacklist:
        return
    repository, folder = source.repository, source.folder
    blacklist.refuse(repository.id, repository.id, repository.url)
    check_names((repository.name, *(repository.forked_from or ())), settings, ask=False)
    for place, text in (*git_origins(folder), *_claims(folder)):
        blacklist.refuse(f"{repository.id}, whose {place} names another,", text)
    for entry in blacklist.entries:
        known = (settings.cache / "repositories" / entry.repository).glob("*/files") if entry.repository else ()
        for files in sorted(known):
            if repository.commit == files.parent.name or hash_files(folder) == hash_files(files):
                blacklist.refuse(f"{repository.id}, which is the same as another,", entry.repository)


def _claims(folder: Path) -> Iterator[tuple[str, str]]:
    """The lines of README and package files that say what this is, each with the line before it."""
    for file in sorted(folder.iterdir()):
        if file.is_file() and not file.is_symlink() and _TELLING.fullmatch(file.name):
            former = ""
            for line in read_start(file).splitlines():
                if _COPY.search(f"{former} {line}"):
                    yield file.name, line
                former = line
