"""The target's references, ranked by what the target does with them: a sentence of its method that builds on a work
says more than ten that mention it."""

import re
from collections import defaultdict
from collections.abc import Sequence

from ingest.corpus.models import Reference
from ingest.extract.outline import outline
from ingest.extract.sentences import Sentence, sentences
from ingest.latex import ParsedPaper
from ingest.latex.reading import text_of
from kg.models.paper import BibEntry
from kg.models.technique import Technique
from kg.words import stems
from kg.write.citations import cited_works

__all__ = ["rank_references"]

_BUILDS_ON = re.compile(
    r"""\b(buil[dt]s?|building|based|rel(y|ies|ying)|improv\w+)\s+(up)?on\b
    |\b(adapt|extend|follow|generali[sz]|modif|adopt|inherit|reus|employ|appl|borrow|implement)\w*\b
    |\b(inspired|motivated)\s+by\b|\busing\b|\b(we|our|is|are)\s+(also\s+)?us(e|es|ed)\b|\bvariant\s+of\b|\bsimilar(ly)?\s+to\b""",
    re.VERBOSE | re.IGNORECASE,
)
_METHOD = ("method",)
_WEIGHTS = {"cited": 0.4, "in_method": 1.0, "builds_on": 1.2, "overlap": 2.0}
"""By hand, and few: a word more in the method counts as much as two and a half elsewhere."""
_MOST = 4
"""Sentences of one kind beyond which more say no more."""
_QUOTE = 400


def rank_references(parsed: ParsedPaper, techniques: Sequence[Technique]) -> list[Reference]:
    """Every work that the paper cites, the best first; `techniques` are the paper's own."""
    citing = _citing(parsed)
    entries = {entry.key: entry for entry in reversed(parsed.doc.bibliography)}
    found = []
    for work in cited_works(parsed.doc):
        said = sorted({s.start: s for key in work.keys for s in citing[key]}.items())
        found.append(_reference(sorted(work.keys), entries, [s for _, s in said], techniques, work.arxiv_id))
    return sorted(found, key=lambda reference: (-reference.score, reference.title, reference.keys))


def _citing(parsed: ParsedPaper) -> dict[str, list[Sentence]]:
    """The sentences that cite each key."""
    keys: dict[int, tuple[str, ...]] = {}
    for citation in parsed.doc.citations:
        start = parsed.flat.locate(citation.file, citation.start)
        if start is not None:
            keys[start] = citation.keys
    found: dict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences(parsed.reading, outline(parsed.reading)):
        for token in sentence.tokens:
            for key in keys.get(token.start, ()) if token.kind == "cite" else ():
                found[key].append(sentence)
    return found


def _reference(
    keys: Sequence[str], entries: dict[str, BibEntry], said: Sequence[Sentence], techniques: Sequence[Technique],
    arxiv: str | None,
) -> Reference:  # fmt: skip
    entry = entries[keys[0]]
    title = next((entries[key].title for key in keys if entries[key].title), "")
    words = stems(title)
    overlaps = {t.name: len(words & stems(t.name)) / len(stems(t.name)) for t in techniques if stems(t.name)}
    shared = tuple(name for name, share in overlaps.items() if share >= 0.5)
    method = [s for s in said if s.role in _METHOD and not s.appendix]
    builds = [s for s in said if s.role != "related" and _BUILDS_ON.search(text_of(s.tokens))]
    figures = {
        "cited": len(said), "in_method": len(method), "builds_on": len(builds),
        "overlap": round(max(overlaps.values(), default=0.0), 3),
    }  # fmt: skip
    score = sum(weight * min(_MOST, figures[name]) for name, weight in _WEIGHTS.items())
    telling = sorted(said, key=lambda s: (s not in builds, s not in method, s.start))
    return Reference(
        keys=tuple(keys), title=title, year=entry.year, arxiv=arxiv, score=round(score, 3), shared=shared,
        quote=text_of(telling[0].tokens)[:_QUOTE] if telling else "", **figures,
    )  # fmt: skip
