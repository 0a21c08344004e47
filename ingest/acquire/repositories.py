"""One door for repositories, wherever they are."""

from ingest.acquire.checkouts import acquire_local_repository
from ingest.acquire.identifiers import parse_github
from ingest.acquire.local import existing
from ingest.acquire.models import RepositorySource
from kg.config import Settings
from kg.errors import InputError

__all__ = ["acquire_repository"]


def acquire_repository(
    ref: str,
    settings: Settings,
    *,
    origin: str | None = None,
    slug: str | None = None,
    refresh: bool = False,
) -> RepositorySource:
    """The files of the repository that `ref` names: a folder, owner/name, with @commit, or an address on GitHub.

    What exists on the disk is a folder; an address always means GitHub. `origin` and `slug` name a local folder.
    A ref without commit is the commit that was newest when it was first fetched, until `refresh` asks again.

    Raises InputError (no such repository or commit, empty, too large), RemoteError (GitHub unreachable or refusing,
    after retries) or ServiceError (disk full).
    """
    if path := existing(ref):
        return acquire_local_repository(path, origin=origin, slug=slug)
    found = parse_github(ref)
    if not found:
        raise InputError(
            f"{ref!r} is neither an existing folder nor a repository on GitHub",
            remedy="write owner/name, owner/name@commit or its address; clone others yourself and give the folder",
        )
    from ingest.acquire.clones import acquire_clone

    return acquire_clone(found, settings, refresh=refresh)
