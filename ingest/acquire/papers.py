"""One door for papers, wherever they are."""

from ingest.acquire.identifiers import parse_arxiv
from ingest.acquire.local import acquire_local_paper, existing
from ingest.acquire.models import PaperSource
from kg.config import Settings
from kg.errors import InputError

__all__ = ["acquire_paper"]


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

    Raises InputError (unknown id, withdrawn, nothing to read, a hostile archive) or RemoteError (arXiv unreachable or
    talking nonsense, after retries) or ServiceError (disk full).
    """
    if path := existing(ref):
        return acquire_local_paper(path, settings, main=main, arxiv=arxiv, slug=slug)
    found = parse_arxiv(ref)
    if not found:
        raise InputError(
            f"{ref!r} is neither an existing file or folder nor an arXiv id",
            remedy="check the path, or write the id like 1706.03762 or hep-th/9901001v2",
        )
    from ingest.acquire.arxiv_source import acquire_arxiv

    return acquire_arxiv(found, settings, main=main, refresh=refresh)
