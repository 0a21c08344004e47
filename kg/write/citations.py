"""Cited works: one node each, whoever cites it and however it is spelled.

Every citing paper's word on a work is kept on its CITES edge (title, authors, year, arXiv id, DOI, bibliography keys).
A work that nobody has ingested is a CitedWork whose properties follow from those words alone, so that
it looks the same whichever paper came first.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kg.models.ids import bounded, slug, title_key
from kg.models.paper import BibEntry, PaperDoc
from kg.results.write import KnownPaper

__all__ = ["Work", "cited_works", "known_as", "stub_id", "stub_properties"]

ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(v\d+)?$", re.IGNORECASE)
DOI = re.compile(r"10\.\d{4,9}/\S+")
ARXIV_DOI = "10.48550/arxiv."


@dataclass
class Work:
    """One cited work as one paper describes it; `key` is its title key."""

    arxiv_id: str | None
    doi: str | None
    key: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    keys: set[str] = field(default_factory=set)

    def claim(self) -> dict[str, Any]:
        """Properties of the CITES edge."""
        return {
            "keys": sorted(self.keys),
            "title": self.title or None,
            "authors": list(self.authors) or None,
            "year": self.year,
            "arxiv_id": self.arxiv_id,
            "doi": self.doi,
            "title_key": self.key or None,
        }

    def same_as(self, other: "Work") -> bool:
        """Whether two entries of one bibliography are one work."""
        if self.arxiv_id and other.arxiv_id:
            return self.arxiv_id == other.arxiv_id
        return bool(self.doi and self.doi == other.doi) or bool(self.key and self.key == other.key)


def _arxiv_id(entry: BibEntry) -> str | None:
    doi = (entry.doi or "").lower()
    text = entry.arxiv or (doi.removeprefix(ARXIV_DOI) if doi.startswith(ARXIV_DOI) else "")
    match = ARXIV.search(text.strip())
    return match[1].lower() if match else None


def _doi(entry: BibEntry) -> str | None:
    match = DOI.search((entry.doi or "").lower())
    return bounded(match[0].rstrip(".,;")) if match and not match[0].startswith(ARXIV_DOI) else None


def cited_works(doc: PaperDoc) -> list[Work]:
    """The works a document cites, each once, those without title, arXiv id and DOI left out.

    Bibliography entries that no citation names are left out too, unless the document cites all (``\\nocite{*}``).
    """
    cited = {key for citation in doc.citations for key in citation.keys}
    works: list[Work] = []
    names: dict[tuple[str, str | None], Work] = {}
    for entry in sorted(doc.bibliography, key=lambda e: (e.key, e.file, e.start)):
        if entry.key not in cited and "*" not in cited:
            continue
        work = _work(entry)
        goes_by = [("key", work.key or None), ("doi", work.doi), ("arxiv", work.arxiv_id)]
        if not any(name for _, name in goes_by):
            continue
        same = [names[name] for name in goes_by if name[1] and name in names and names[name].same_as(work)]
        known = same[0] if same else work
        if known is work:
            works.append(work)
        known.keys |= work.keys
        known.arxiv_id, known.doi = known.arxiv_id or work.arxiv_id, known.doi or work.doi
        for name in goes_by:
            names.setdefault(name, known)
    return works


def _work(entry: BibEntry) -> Work:
    key = title_key(entry.title, entry.year)
    return Work(_arxiv_id(entry), _doi(entry), key, entry.title, entry.authors, entry.year, {entry.key})


def known_as(work: Work, papers: Iterable[KnownPaper]) -> list[KnownPaper]:
    """Papers of the graph that are this work: the best first (ingested, then by strength of id, then by id)."""
    found = [
        paper
        for paper in papers
        if work.arxiv_id in paper.arxiv_ids
        or ((work.doi in paper.dois or (work.key in paper.title_keys)) and not _other_arxiv(work, paper))
    ]
    return sorted(found, key=lambda p: (_other_arxiv(work, p), p.label != "Paper", _strength(p.id), p.id))


def _other_arxiv(work: Work, paper: KnownPaper) -> bool:
    return bool(work.arxiv_id and paper.arxiv_ids and work.arxiv_id not in paper.arxiv_ids)


def _strength(paper: str) -> int:
    return ("arxiv", "doi", "local").index(paper.split(":", 1)[0])


def stub_id(claims: Sequence[dict[str, Any]]) -> str:
    """Id of a work that is only cited, from all that is said of it."""
    said = stub_properties(claims)
    if said["arxiv_id"]:
        return f"arxiv:{said['arxiv_id']}"
    if said["doi"]:
        return f"doi:{said['doi'].replace('#', '%23')}"
    return f"local:cited-{slug(said['title_key'], limit=1000)}"


def stub_properties(claims: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Properties of a CitedWork: those of its fullest description, the order of citing papers aside."""

    def fullness(claim: dict[str, Any]) -> tuple[Any, ...]:
        missing = sum(not claim.get(name) for name in ("title", "authors", "year", "arxiv_id", "doi"))
        return missing, claim.get("title") or "", claim.get("year") or 0, claim.get("authors") or []

    best = min(claims, key=fullness)
    arxiv_ids = sorted({c["arxiv_id"] for c in claims if c.get("arxiv_id")})
    dois = sorted({c["doi"] for c in claims if c.get("doi")})
    title = best.get("title") or next((c["title"] for c in sorted(claims, key=fullness) if c.get("title")), "")
    arxiv_id, doi = next(iter(arxiv_ids), None), next(iter(dois), None)
    return {
        "name": title or arxiv_id or doi,
        "title": title,
        "authors": best.get("authors"),
        "year": best.get("year"),
        "arxiv_id": arxiv_id,
        "doi": doi,
        "title_key": title_key(title, best.get("year")) or None,
        "status": "cited",
    }
