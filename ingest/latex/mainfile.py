"""Which .tex file is the paper? arXiv's own note first, else the candidate that looks most like the whole paper."""

import json
import re
from pathlib import Path, PurePosixPath

from ingest.latex.flatten import flatten
from ingest.latex.folder import Folder, is_junk
from kg.errors import InputError

__all__ = ["choose_main", "tex_files"]

MAX_CANDIDATES = 40
_SUFFIXES = {".tex", ".ltx", ".latex"}
_CLASS = re.compile(r"\\document(?:class|style)\s*(?:\[[^\]]*\])?\s*\{\s*([^}\s]*)")
_MAIN_NAMES = re.compile(
    r"^(main|ms|paper|article|manuscript|arxiv|root|final|camera.?ready)|(main|paper|arxiv)$", re.IGNORECASE
)
_SIDE_NAMES = re.compile(
    r"suppl?|appendix|rebuttal|response|reply|cover|letter|poster|slides|talk|template|sample|example|instructions|guide"
    r"|bare_|old|backup|draft|notes|test|figure|abstract|highlights",
    re.IGNORECASE,
)
_SIDE_CLASSES = {
    "letter",
    "beamer",
    "standalone",
    "subfiles",
    "minimal",
    "tikzposter",
    "beamerposter",
    "cv",
    "moderncv",
}
_YAML_SOURCE = re.compile(r"^\s*-?\s*(filename|usage)\s*:\s*[\"']?([^\"'\n#]+?)[\"']?\s*$", re.MULTILINE)


def tex_files(folder: Path) -> list[str]:
    """All TeX files below `folder`, hidden ones and links that lead outside left out; shallow ones first."""
    root = folder.resolve()
    found = []
    for path in sorted(folder.rglob("*")):
        relative = PurePosixPath(path.relative_to(folder).as_posix())
        if (
            path.suffix.lower() in _SUFFIXES
            and not is_junk(relative)
            and path.is_file()
            and path.resolve().is_relative_to(root)
        ):
            found.append(relative.as_posix())
    return sorted(found, key=lambda name: (name.count("/"), name))


def _from_readme(folder: Path) -> str | None:
    """The top-level file that arXiv's 00README names, in any of its formats."""
    for path in sorted(folder.glob("00README*")):
        try:
            text = path.read_bytes()[:100_000].decode("utf-8", "replace")
        except OSError:
            continue
        if path.suffix == ".json":
            try:
                sources = json.loads(text).get("sources", [])
                pairs = [(str(s.get("filename", "")), str(s.get("usage", ""))) for s in sources]
            except (ValueError, AttributeError, TypeError, RecursionError):
                continue
        elif path.suffix in (".yaml", ".yml"):
            pairs, name = [], ""
            for key, value in _YAML_SOURCE.findall(text):
                name = value if key == "filename" else name
                pairs += [(name, value)] if key == "usage" else []
        else:
            words = [line.split() for line in text.splitlines()]
            pairs = [(line[0], line[1].removesuffix("file")) for line in words if len(line) == 2]
        for name, usage in pairs:
            if usage == "toplevel":
                return name
    return None


def _score(folder: Folder, name: str, included: set[str]) -> tuple[float, str] | None:
    """How much `name` looks like the paper; None when it is no document of its own."""
    scan = folder.masked(name).scan
    document_class = _CLASS.search(scan)
    if not document_class:
        return None
    flat, _ = flatten(folder, name)
    begin = flat.scan.find("\\begin{document}")
    if begin < 0:
        return None
    included.update(source.path for source in flat.files[1:])
    path = PurePosixPath(name)
    body = flat.scan[begin:]
    score = min(len(body), 60_000) / 60_000
    score += 0.8 * bool(re.search(r"\\(?:section|chapter)\b", body)) + 0.4 * ("\\cite" in body)
    score += 0.3 * ("\\title" in flat.scan) + 0.3 * ("abstract" in flat.scan.lower())
    score += 1.0 * (folder.root / path.with_suffix(".bbl")).is_file()
    score += 0.8 * bool(_MAIN_NAMES.search(path.stem)) - 1.5 * bool(_SIDE_NAMES.search(path.stem))
    score -= 2.0 * (document_class[1].lower() in _SIDE_CLASSES) + 0.5 * (len(path.parts) - 1)
    return score, name


def choose_main(folder: Folder, main: str | None = None) -> str:
    """The main file, relative to the folder; `main` overrides. Raises InputError when there is none to be had."""
    root = folder.root
    if main is not None:
        try:
            found = folder.resolve(main, ("",), ("", ".tex"))
        except PermissionError:
            found = None
        if found is None:
            raise InputError(
                f"there is no main file {main!r}", where=str(root), remedy="name one inside the source folder"
            )
        return found
    files = tex_files(root)
    if not files:
        raise InputError(
            "the folder holds no .tex file", where=str(root), remedy="give the folder of the paper's LaTeX source"
        )
    if (named := _from_readme(root)) and named in files:
        return named
    scored: list[tuple[float, str]] = []
    included: set[str] = set()
    for name in files[:MAX_CANDIDATES]:
        try:
            scored += [item] if (item := _score(folder, name, included)) else []
        except OSError:
            continue
    top = [item for item in scored if item[1] not in included] or scored
    if top:
        return max(top, key=lambda item: (item[0], item[1]))[1]
    return max(files, key=lambda name: ((root / name).stat().st_size, name))
