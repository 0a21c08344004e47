"""Papers on the user's own disk: a folder, an archive, or a .tex file."""

import errno
import os
import re
from pathlib import Path

from ingest.acquire.archives import Kind, sniff, unpack
from ingest.acquire.folders import check_main, folder_slug, hash_file, hash_files, walk_files
from ingest.acquire.identifiers import ArxivId, parse_arxiv
from ingest.acquire.models import PaperSource
from kg.caching import building, load, locked, save
from kg.config import Settings, check_outside
from kg.errors import InputError
from kg.models.ids import slug as make_slug
from kg.models.paper import Model
from kg.models.record import PaperMeta

__all__ = ["acquire_local_paper", "existing", "has_latex"]

_TEX_NAMES = re.compile(r"\.(tex|ltx|latex)$", re.IGNORECASE)
_GIVE = "give a folder with .tex files, a .tar.gz or .zip of them, or a .tex file"


class _Opened(Model):
    """What is remembered of an unpacked archive."""

    kind: Kind
    warnings: tuple[str, ...]


def existing(ref: str, folder: Path = Path()) -> Path | None:
    """The file or folder on this disk that `ref`, as seen from `folder`, names, or None.

    Of the ways to one folder the path without links is given, for a source's name is made from it; a file keeps its
    name, as what belongs to it lies beside the link.
    """
    if not ref.strip():
        return None
    try:
        path = folder.absolute() / Path(ref).expanduser()
        if not os.path.lexists(path):
            return None
        return path.resolve() if path.is_dir() else path.parent.resolve() / path.name
    except (OSError, ValueError, RuntimeError):
        return None


def has_latex(folder: Path) -> bool:
    """Whether a .tex file is somewhere in `folder`."""
    return any(_TEX_NAMES.search(path) for path, _ in walk_files(folder))


def acquire_local_paper(
    path: Path, settings: Settings, *, main: str | None = None, arxiv: str | None = None, slug: str | None = None
) -> PaperSource:
    """The paper at `path`: a folder (read where it is), an archive (unpacked into the cache), or a .tex file.

    A .tex file stands for the folder it lies in, with itself as root, since its parts and bibliography lie there too.
    Raises InputError for what is missing, unreadable, empty, a PDF, or has no .tex file, or not the `main` asked for,
    and for a folder that holds this run's settings.
    """
    try:
        kind = _kind(path)
    except OSError as error:
        reason = "is a link to nothing" if error.errno == errno.ENOENT else f"can't be read: {error.strerror}"
        raise InputError(f"{path} {reason}", remedy="check its name and permissions") from error
    warnings: tuple[str, ...] = ()
    if kind == "folder":
        check_outside(path)
        folder, sha256 = path, hash_files(path)
    elif kind == "tex":
        check_outside(path.parent)
        folder, main = path.parent, main or path.name
        sha256, warnings = _hash_tex(path)
    else:
        sha256 = hash_file(path)
        folder, warnings = _open_archive(path, sha256, settings)
    _check(path, folder, main)
    found = _arxiv_id(arxiv) if arxiv else None
    return PaperSource(
        folder=folder,
        main=main,
        meta=PaperMeta(
            id=f"arxiv:{found.id}" if found else f"local:{make_slug(slug) if slug else folder_slug(path)}",
            version=f"v{found.version}" if found and found.version else f"sha256-{sha256[:16]}",
            arxiv_id=found.id if found else None,
            url=f"https://arxiv.org/abs/{found}" if found else "",
        ),
        source_sha256=sha256,
        warnings=warnings,
    )


def _arxiv_id(text: str) -> ArxivId:
    if found := parse_arxiv(text):
        return found
    raise InputError(f"{text!r} is not an arXiv id", remedy="write it like 1706.03762 or hep-th/9901001v2")


def _kind(path: Path) -> str:
    if path.is_dir():
        return "folder"
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is neither a file nor a folder", remedy=_GIVE)
    with path.open("rb") as file:
        kind = sniff(file.read(1024))
    if kind in {"gzip", "tar", "zip"}:
        return "archive"
    if kind == "empty" and path.stat().st_size < 1024:
        raise InputError(f"{path} is empty", remedy=_GIVE)
    if _TEX_NAMES.search(path.name) and kind in {"tex", "unknown", "html"}:
        return "tex"
    what = {"pdf": "a PDF", "postscript": "PostScript", "html": "a web page", "tex": "not named .tex"}.get(
        kind, "no archive and no .tex"
    )
    raise InputError(f"{path} is {what}; only LaTeX sources can be read", remedy=_GIVE)


def _hash_tex(path: Path) -> tuple[str, tuple[str, ...]]:
    """The hash of a .tex file's folder; of the file alone where the folder is plainly not the paper's."""
    try:
        return hash_files(path.parent), ()
    except InputError as error:
        return hash_file(path), (f"{error.what}: only {path.name} itself enters the source's hash",)


def _open_archive(path: Path, sha256: str, settings: Settings) -> tuple[Path, tuple[str, ...]]:
    place = settings.cache / "archives" / sha256
    with locked(settings.cache, f"archive {path.name}"):
        opened = load(place / "archive.json", _Opened)
        if opened is None:
            with building(place) as new:
                (new / "source").mkdir()
                opened = _Opened(**unpack(path, new / "source", path.name)._asdict())
                if opened.kind not in {"tar", "zip", "tex"}:
                    what = {"pdf": "only a PDF", "empty": "nothing"}.get(opened.kind, "no LaTeX")
                    raise InputError(f"{path} holds {what}", remedy=_GIVE)
                save(new / "archive.json", opened)
    return place / "source", opened.warnings


def _check(path: Path, folder: Path, main: str | None) -> None:
    if main is not None:
        check_main(folder, main, str(path))
    elif not has_latex(folder):
        pdf = any(name.lower().endswith(".pdf") for name, _ in walk_files(folder))
        raise InputError(f"{path} has no .tex file" + (", only a PDF" if pdf else ""), remedy=_GIVE)
