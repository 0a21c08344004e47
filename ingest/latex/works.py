"""What bibliography entries of every format share: identifiers, years, names."""

import re

from bibtexparser.middlewares.names import split_multiple_persons_names

from ingest.latex.detex import readable

__all__ = ["arxiv_id", "doi_of", "person_names", "year_of"]

_ARXIV_ID = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?![\d.]*\d)"
_ARXIV = re.compile(
    rf"(?:arxiv(?:\.org)?(?:[\s:./{{}}~\\]|abs|pdf|preprint|e-?prints?|arxiv|bibinfo|eprint|href|url)*|\babs/){_ARXIV_ID}",
    re.IGNORECASE,
)
_BARE_ARXIV = re.compile(rf"(?:arxiv:)?\s*{_ARXIV_ID}", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s{}\"<>,;|\\]*[^\s{}\"<>,;|\\.)\]]")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_MAX_AUTHORS = 500


def arxiv_id(text: str, *, bare: bool = False) -> str | None:
    """The arXiv id that `text` names; with `bare` it may be nothing but an id (an eprint field)."""
    found = (_BARE_ARXIV.fullmatch(text.strip()) if bare else None) or _ARXIV.search(text)
    return found["id"].lower() if found else None


def doi_of(text: str) -> str | None:
    """The DOI in `text`, without resolver."""
    found = _DOI.search(text.replace("\\_", "_").replace("{_}", "_").replace("\\", ""))
    return found[0] if found else None


def year_of(text: str) -> int | None:
    """The last year in `text` that a publication can have."""
    found = _YEAR.findall(text)
    return int(found[-1]) if found else None


def person_names(text: str) -> tuple[str, ...]:
    """The names of a BibTeX author field as "First Last"; "others" is left out."""
    names = []
    for one in split_multiple_persons_names(text)[:_MAX_AUTHORS]:
        last, _, first = readable(one).partition(",")
        junior, _, given = first.partition(",")
        name = f"{given.strip()} {last.strip()} {junior.strip()}" if given else f"{first.strip()} {last.strip()}"
        name = re.sub(r"\s+", " ", name).strip()
        if name and name.lower() != "others":
            names.append(name)
    return tuple(names)
