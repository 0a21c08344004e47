"""The extractor's features: signals that name something, what is chosen, and how the tree is grown."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from benchmarks.ablation.feature import Feature, replaced
from ingest.extract.candidates import SOURCES
from ingest.extract.describing import inside_of, places
from ingest.extract.merge import merge

__all__ = ["FEATURES"]


def _without_signal(source: str) -> Callable[[], AbstractContextManager[None]]:
    def fewer(candidates: Any, acronyms: Any) -> Any:
        return merge([candidate for candidate in candidates if candidate.source != source], acronyms)

    return replaced("ingest.extract.structural", "merge", fewer)


def _unallotted(items: Any, plan: Any, sentences: Any, _: Any) -> dict[int, list[int]]:
    """Every item has the sentences that tell most of it, whoever else has them too."""
    return {id(item): list(places(item, sentences, inside_of(item, plan, sentences), plan)) for item in items}


def _switches() -> Iterator[tuple[str, str, str, object]]:
    """What the feature is, and the module, the name in it and what stands there while the feature is off."""
    yield "chosen: steps that cover paragraphs", "structural", "cover", lambda *_: []
    yield "chosen: unlike one another", "selecting", "LIKENESS", 0.0
    yield "chosen: spread over the paper", "selecting", "CROWDING", 0.0
    yield "tree: strong parts stand at the top", "tree", "opened", lambda top: top
    yield "tree: strays are left out", "tree", "is_stray", lambda _: False
    yield "tree: the paper's own name is the root", "tree", "rooted", lambda top: top
    yield "tree: titles that only come back to an item", "folding", "said_again", lambda *_: None
    yield "tree: titles that join two items", "folding", "joins", lambda *_: False
    yield "tree: repeated names are aliases", "structural", "folded", lambda items, *_: list(items)
    yield "refused: only repeated", "admitting", "is_only_repeated", lambda _: False
    yield "refused: only stressed", "admitting", "is_only_stressed", lambda *_: False
    yield "refused: bare nouns", "admitting", "is_bare_noun", lambda _: False
    yield "refused: clauses", "admitting", "is_clause", lambda _: False
    yield "refused: said in passing", "admitting", "is_said_in_passing", lambda _: False
    yield "refused: headings of objects", "admitting", "is_object", lambda _: False
    yield "refused: words for things", "admitting", "is_term", lambda _: False
    yield "refused: fields", "admitting", "is_field", lambda _: False
    yield "refused: titles of trials", "structural", "names_task", lambda *_: False
    yield "refused: steps nobody asserts", "steps", "asserted", lambda *_: True
    yield "refused: what proofs tell", "structural", "proofs", lambda _: []
    yield "refused: no sentence of its own", "structural", "allot", _unallotted
    yield "findings: theorems", "structural", "findings", lambda _: []
    yield "names: initials of titles", "structural", "spelled", lambda *_: {}
    yield "names: acronyms spelled out", "structural", "acronyms", lambda _: {}


FEATURES = (
    *(Feature(f"signal: {source}", "techniques", _without_signal(source)) for source in SOURCES),
    *(
        Feature(name, "techniques", replaced(f"ingest.extract.{module}", attribute, off))
        for name, module, attribute, off in _switches()
    ),
)
