"""Papers from arXiv: metadata, e-print in whatever shape, and a cache that then needs no network."""

import re
from pathlib import Path

from ingest.acquire.archives import DamagedError, Unpacked, sniff, unpack
from ingest.acquire.arxiv_meta import fetch_meta
from ingest.acquire.folders import check_main, hash_file
from ingest.acquire.http import Missing, Pace, download
from ingest.acquire.identifiers import ArxivId
from ingest.acquire.limits import LIMITS
from ingest.acquire.local import has_latex
from ingest.acquire.models import PaperSource, PaperStatus, SourceFacts
from kg.blacklist import open_blacklist
from kg.caching import building, load, locked, save
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.models.paper import Model
from kg.models.record import PaperMeta

__all__ = ["acquire_arxiv"]

_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)
_NO_LATEX = {"postscript": "PostScript", "html": "HTML", "unknown": "of an unknown kind"}


class _Newest(Model):
    """The version an id without one stands for."""

    version: int


def acquire_arxiv(paper: ArxivId, settings: Settings, *, main: str | None = None, refresh: bool = False) -> PaperSource:
    """The paper `paper` at one version: the one it names, else the newest when it was first asked for (or `refresh`).

    A paper of which arXiv has only a PDF, or a source that is no LaTeX, comes with metadata, `folder` None and its
    status. Once fetched it is read from `settings.cache` without any request. Raises InputError (unknown, withdrawn,
    hostile), RemoteError (arXiv does not answer as it should) or ServiceError (disk full).
    """
    home = settings.cache / "arxiv" / paper.id.replace("/", "_")
    with locked(settings.cache, f"arXiv:{paper.id}"):
        version = paper.version
        if version is None and not refresh and (newest := load(home / "newest.json", _Newest)):
            version = newest.version
        kept = load(home / f"v{version}" / "paper.json", SourceFacts) if version and not refresh else None
        if kept is None:
            kept, version = _fetch(paper._replace(version=version), home, settings)
            if paper.version is None:
                save(home / "newest.json", _Newest(version=version))
    assert version is not None  # noqa: S101 -- told by arXiv or by the cache in either branch
    return _source(kept, home / f"v{version}" / "source", paper._replace(version=version), main)


def _source(kept: SourceFacts, folder: Path, paper: ArxivId, main: str | None) -> PaperSource:
    if main and kept.status == "ok":
        check_main(folder, main, f"the e-print of {paper}")
    return PaperSource(**{**dict(kept), "main": main or kept.main}, folder=folder if kept.status == "ok" else None)


def _fetch(paper: ArxivId, home: Path, settings: Settings) -> tuple[SourceFacts, int]:
    pace = Pace(settings, "arxiv")
    meta, version, warnings = fetch_meta(paper, settings, pace)
    open_blacklist(settings).refuse(f"the paper {paper}", meta.id, f"doi:{meta.doi}")
    pinned = paper._replace(version=version)
    url = f"{settings.arxiv.eprint.rstrip('/')}/{pinned}"
    try:
        with building(home / f"v{version}") as new:
            eprint = new / "eprint"
            download(url, eprint, settings, pace, what=f"the e-print of {pinned}", limit=LIMITS.compressed)
            kept = _open(eprint, new, pinned, meta, warnings)
            save(new / "paper.json", kept)
            eprint.unlink()
    except Missing as error:
        if _WITHDRAWN.search(meta.comment):
            raise _withdrawn(pinned) from error
        raise InputError(
            f"arXiv has no source of {pinned}", where=str(error), remedy="try another version, or a local folder"
        ) from error
    return kept, version


def _withdrawn(paper: ArxivId) -> InputError:
    earlier = (
        f"give an earlier version, such as {paper._replace(version=paper.version - 1)}"
        if paper.version and paper.version > 1
        else "there is no earlier version to read"
    )
    return InputError(f"{paper} was withdrawn by its authors", remedy=earlier)


def _open(eprint: Path, new: Path, paper: ArxivId, meta: PaperMeta, warnings: tuple[str, ...]) -> SourceFacts:
    with eprint.open("rb") as file:
        kind = sniff(file.read(1024))
    if kind in {"empty", "html", "unknown"}:
        what = {"empty": "nothing", "html": "a web page"}.get(kind, "something unknown")
        raise RemoteError(f"arXiv sent {what} instead of the e-print of {paper}", remedy="run again later")
    folder = new / "source"
    folder.mkdir()
    try:
        unpacked = unpack(eprint, folder, f"the e-print of {paper}")
    except DamagedError as error:
        raise RemoteError(error.what, remedy="run again to fetch it once more") from error
    if unpacked.kind == "tex" and b"%auto-ignore" in (folder / "main.tex").read_bytes()[:200]:
        raise _withdrawn(paper)
    status, notes = _status(unpacked, folder, paper)
    return SourceFacts(
        meta=meta,
        status=status,
        main="main.tex" if unpacked.kind == "tex" else None,
        source_sha256=hash_file(eprint),
        warnings=(*warnings, *unpacked.warnings, *notes),
    )


def _status(unpacked: Unpacked, folder: Path, paper: ArxivId) -> tuple[PaperStatus, tuple[str, ...]]:
    if unpacked.kind == "pdf":
        return "pdf-only", (f"arXiv has only a PDF of {paper}: its metadata is kept, there is no LaTeX to read",)
    if unpacked.kind in _NO_LATEX:
        return "no-latex", (f"the source of {paper} is {_NO_LATEX[unpacked.kind]}: there is no LaTeX to read",)
    if not has_latex(folder):
        return "no-latex", (f"the source of {paper} has no .tex file: there is no LaTeX to read",)
    return "ok", ()
