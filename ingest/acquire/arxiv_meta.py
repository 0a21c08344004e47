"""What arXiv says of a paper: its query API, and OAI-PMH for the licence, which the API lacks."""

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from ingest.acquire.http import Pace, answer
from ingest.acquire.identifiers import ArxivId, parse_arxiv
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.models.record import PaperMeta
from kg.retrying import Again, patiently

__all__ = ["feed_entries", "fetch_meta"]

_LICENCE = re.compile(rb"<license>\s*([^<\s]{1,200})\s*</license>")
_ATOM = {"": "http://www.w3.org/2005/Atom", "arxiv": "http://arxiv.org/schemas/atom"}


def fetch_meta(paper: ArxivId, settings: Settings, pace: Pace) -> tuple[PaperMeta, int, tuple[str, ...]]:
    """arXiv's words on `paper`, the number of the version they are on, and warnings.

    Raises InputError for an id that arXiv does not know, RemoteError if arXiv can't be asked or talks nonsense.
    """
    query = {"id_list": str(paper), "max_results": "1"}
    feed = patiently(settings, f"arXiv's metadata of {paper}", lambda: _query(query, settings, pace))
    entry = feed.find("entry", _ATOM)
    if entry is None:
        raise InputError(f"arXiv knows no paper {paper}", remedy="check the id, and the version if you gave one")
    named = _text(entry, "id")
    if "/api/errors" in named:
        raise InputError(f"arXiv refuses the id {paper}: {_text(entry, 'summary')}", remedy="check the id")
    found = parse_arxiv(named)
    if found is None or found.version is None or found.id != paper.id:
        raise RemoteError(f"arXiv answered with {named!r} when asked for {paper}", remedy="try again later")
    licence, warnings = _licence(found, settings, pace)
    return _meta(found, entry, licence), found.version, warnings


def feed_entries(query: Mapping[str, str], what: str, settings: Settings, pace: Pace) -> tuple[PaperMeta, ...]:
    """The papers of arXiv's answer to a query, each at the version that is its newest, without licence.

    Raises RemoteError if arXiv can't be asked, refuses the query or talks nonsense.
    """
    found = []
    for entry in patiently(settings, what, lambda: _query(query, settings, pace)).iterfind("entry", _ATOM):
        named = _text(entry, "id")
        if "/api/errors" in named:
            raise RemoteError(f"arXiv refuses the query: {_text(entry, 'summary')}", where=settings.arxiv.api)
        paper = parse_arxiv(named)
        if paper and paper.version:
            found.append(_meta(paper, entry, None))
    return tuple(found)


def _query(query: Mapping[str, str], settings: Settings, pace: Pace) -> ElementTree.Element:
    """arXiv's feed. An error is an entry of one, too, and tells more than its status."""
    response, content = answer(settings.arxiv.api, "arXiv's feed", pace=pace, params=query)
    if b"<feed" not in content[:4096]:
        if response.status_code != 200:
            raise RemoteError(
                f"arXiv refused with HTTP {response.status_code}", where=settings.arxiv.api, remedy="try again later"
            )
        kind = response.headers.get("Content-Type", "of unknown type").partition(";")[0]
        raise Again(f"the answer is {kind}, a page and not a feed")
    try:
        return ElementTree.fromstring(content)  # noqa: S314 -- expat bounds what entities expand to
    except ElementTree.ParseError as error:
        raise Again("the feed was cut short, or is none") from error


def _texts(entry: ElementTree.Element, path: str) -> Iterator[str]:
    return (" ".join((found.text or "").split()) for found in entry.iterfind(path, _ATOM))


def _text(entry: ElementTree.Element, path: str) -> str:
    return next(_texts(entry, path), "")


def _meta(found: ArxivId, entry: ElementTree.Element, licence: str | None) -> PaperMeta:
    published = _text(entry, "published")[:4]
    return PaperMeta(
        id=f"arxiv:{found.id}",
        title=_text(entry, "title"),
        abstract=_text(entry, "summary"),
        authors=tuple(_texts(entry, "author/name")),
        year=int(published) if published.isdecimal() else None,
        version=f"v{found.version}",
        arxiv_id=found.id,
        doi=_text(entry, "arxiv:doi") or None,
        licence=licence,
        url=f"https://arxiv.org/abs/{found}",
        categories=tuple(category.get("term", "") for category in entry.iterfind("category", _ATOM)),
        comment=_text(entry, "arxiv:comment"),
    )


def _licence(found: ArxivId, settings: Settings, pace: Pace) -> tuple[str | None, tuple[str, ...]]:
    if not settings.arxiv.oai:
        return None, ()

    def ask() -> bytes:
        query = {"verb": "GetRecord", "metadataPrefix": "arXivRaw", "identifier": f"oai:arXiv.org:{found.id}"}
        response, content = answer(settings.arxiv.oai, "arXiv's licence record", pace=pace, params=query)
        if response.status_code != 200 or b"<OAI-PMH" not in content:
            raise RemoteError(f"it was refused with HTTP {response.status_code}")
        return content

    try:
        body = patiently(settings, "arXiv's licence record", ask, tries=2)
    except RemoteError as error:
        return None, (f"the licence of {found} is not known: {error.what}",)
    match = _LICENCE.search(body)
    return (match[1].decode("utf-8", "replace") if match else None), ()
