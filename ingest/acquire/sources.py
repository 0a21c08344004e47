"""One door for papers and one for repositories, wherever they are."""

from ingest.acquire.checkouts import acquire_local_repository
from ingest.acquire.forbidden import check_repository
from ingest.acquire.identifiers import parse_arxiv, parse_github
from ingest.acquire.local import acquire_local_paper, existing
from ingest.acquire.models import PaperSource, RepositorySource
from kg.blacklist import open_blacklist
from kg.config import Settings
from kg.errors import InputError

__all__ = ["acquire_paper", "acquire_repository"]


def acquire_paper(
    ref: str,
    settings: Settings,
    *,
    main: str | None = None,
    arxiv: str | None = None,
    slug: str | None = None,
    refresh: bool = False,
) -> PaperSource:
    """The sources of the paper that `ref` names: a path, or an arXiv id or address.

    What exists on the disk is a path; "arXiv:1706.03762" always means arXiv. `main` names the root .tex file, `arxiv`
    the arXiv id of a local paper, `slug` a local paper's own name (default: made from its path). An arXiv id without
    version is the version that was newest when it was first fetched, until `refresh` asks again.

    Raises InputError (unknown id, withdrawn, forbidden, nothing to read, a hostile archive) or RemoteError (arXiv
    unreachable or talking nonsense, after retries) or ServiceError (disk full).
    """
    blacklist, path = open_blacklist(settings), existing(ref)
    blacklist.refuse(f"the paper {ref}", ref, arxiv or "", str(path or ""), f"local:{slug or ''}")
    if path:
        return acquire_local_paper(path, settings, main=main, arxiv=arxiv, slug=slug)
    found = parse_arxiv(ref)
    if not found:
        ingested = ref.startswith("local:")
        raise InputError(
            f"{ref!r} is neither an existing file or folder nor an arXiv id",
            remedy=f"this reads LaTeX; to see a paper that was ingested: xkg paper show {ref}"
            if ingested
            else "check the path, or write the id like 1706.03762 or hep-th/9901001v2",
        )
    from ingest.acquire.arxiv_source import acquire_arxiv

    source = acquire_arxiv(found, settings, main=main, refresh=refresh)
    blacklist.refuse(f"the paper {ref}", f"doi:{source.meta.doi}")
    return source


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

    Raises InputError (no such repository or commit, forbidden, empty, too large), RemoteError (GitHub unreachable or
    refusing, after retries) or ServiceError (disk full).
    """
    path = existing(ref)
    open_blacklist(settings).refuse(f"the repository {ref}", ref, origin or "", str(path or ""))
    if path:
        source = acquire_local_repository(path, origin=origin, slug=slug)
        check_repository(source, settings)
        return source
    found = parse_github(ref)
    if not found:
        raise InputError(
            f"{ref!r} is neither an existing folder nor a repository on GitHub",
            remedy="write owner/name, owner/name@commit or its address; clone others yourself and give the folder",
        )
    from ingest.acquire.clones import acquire_clone

    return acquire_clone(found, settings, refresh=refresh)
