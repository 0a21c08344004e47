"""The evidence for a pair of technique and unit, as a stack of matrices techniques × units."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ingest.ground.expand import expand
from ingest.ground.fields import UnitFields
from ingest.ground.index import CodeIndex
from ingest.ground.query import Query, weighted
from ingest.ground.soft import similar_words
from ingest.ground.words import split_identifier, surface_words, words
from kg.models.code import CodeUnit
from kg.words import stem

__all__ = ["FEATURES", "Embeds", "Evidence", "gather"]

FEATURES = ("phrase", "sentence", "window", "near_phrase", "near_sentence", "says", "made_of", "context", "letters")
"""What each layer of `Evidence.layers` measures."""

MAX_EMBEDDED = 500
"""Units of one repository that are embedded at most, as long as each query keeps its `FEWEST_EMBEDDED` best."""
FEWEST_EMBEDDED = 12

Floats = NDArray[np.float64]


class Embeds(Protocol):
    """The part of an embedder that grounding needs: texts to L2-normalised rows."""

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]: ...


class Evidence:
    """`layers[f, q, u]`: feature f of unit u for query q, each between 0 and 1 but not yet comparable.

    ``same_name[q, u]`` is the likeness of the names, 1 where they are the same; `embedded` are the rows that have
    embedding views: those of other units are 0 in the layers `says`, `made_of` and `context`.
    """

    def __init__(self, layers: Floats, same_name: Floats, embedded: NDArray[np.int64]) -> None:
        self.layers = layers
        self.same_name = same_name
        self.embedded = embedded

    def shares(self) -> Floats:
        """Each layer divided by its maximum over the units, query by query: layers[f, q, u] in [0, 1]."""
        top = self.layers.max(axis=2, keepdims=True) if self.layers.size else self.layers
        return np.divide(self.layers, top, out=np.zeros_like(self.layers), where=top > 1e-9)


def _split(symbol: str) -> str:
    return " ".join(split_identifier(symbol))


def says(unit: CodeUnit) -> str:
    """Name, split name, file and documentation, at most 900 characters."""
    return f"{unit.symbol}: {_split(unit.symbol)}. {unit.file}. {unit.docstring}"[:900]


def made_of(unit: CodeUnit, fields: UnitFields) -> str:
    """Split name, comments (300 characters), and the distinct identifiers and calls, at most 700 characters."""
    comments = " ".join(fields.comments.split())[:300]
    return f"{_split(unit.symbol)}. {comments} {' '.join(fields.identifiers)}"[:700]


def _soft_layers(index: CodeIndex, texts: list[list[str]], embedder: Embeds) -> list[Floats]:
    surface = {stem(w): w for text in texts for phrase in text for w in surface_words(phrase)}
    terms = sorted(surface)
    code = embedder.embed([index.soft.vocabulary[t] for t in index.soft.terms])
    similar = similar_words(embedder.embed([surface[t] for t in terms]), code)
    matches = {t: index.soft.match(similar[row]) for row, t in enumerate(terms)}
    return [np.array([index.soft.score(weighted(phrase), matches) for phrase in text]) for text in texts]


def _best(layers: Sequence[Floats], count: int) -> NDArray[np.int64]:
    """Rows among the best `count` of any query by the sum of max-normalised layers; fewer than `count` of each query
    where all queries together would name more than `MAX_EMBEDDED` rows."""
    total = np.sum([layer / np.maximum(layer.max(axis=1, keepdims=True), 1e-9) for layer in layers], axis=0)
    if total.shape[1] <= count:
        return np.arange(total.shape[1])
    order = np.argsort(-total, axis=1, kind="stable")
    chosen = np.unique(order[:, :count])
    while len(chosen) > MAX_EMBEDDED and count > FEWEST_EMBEDDED:
        count = max(FEWEST_EMBEDDED, count * 3 // 4)
        chosen = np.unique(order[:, :count])
    return chosen


def gather(index: CodeIndex, queries: Sequence[Query], paper: str, embedder: Embeds, embed_best: int = 40) -> Evidence:
    """All evidence for `queries`; `paper` is the paper's readable text, for its words.

    Of large repositories only units among the `embed_best` of some query by words and names are embedded.
    """
    paper_stems = frozenset(words(paper))
    phrases = [" ".join((q.phrase, *q.aliases)) for q in queries]
    expanded = []
    for phrase in phrases:
        extra = expand(phrase, index.terms, index.names, paper_stems)
        expanded.append(weighted(phrase) | extra)
    bm25 = index.bm25f.score
    lexical = [
        np.array([bm25(terms) for terms in expanded]),
        np.array([bm25(weighted(q.sentence)) for q in queries]),
        np.array([bm25(weighted(q.window)) for q in queries]),
    ]
    soft = _soft_layers(index, [phrases, [q.sentence for q in queries]], embedder)
    letters = np.array([index.ngrams.score(surface_words(phrase)) for phrase in phrases])
    rows = _best([*lexical, *soft, letters], embed_best)
    phrase_vectors = embedder.embed([q.phrase for q in queries])
    context_vectors = embedder.embed([f"{q.phrase}. {q.phrase}. {q.window}"[:1_600] for q in queries])
    view_a = embedder.embed([says(index.units[r]) for r in rows])
    view_b = embedder.embed([made_of(index.units[r], index.fields[r]) for r in rows])
    neural = np.zeros((3, len(queries), len(index.units)))
    neural[0][:, rows] = phrase_vectors @ view_a.T
    neural[1][:, rows] = phrase_vectors @ view_b.T
    neural[2][:, rows] = context_vectors @ view_a.T
    layers = np.stack([*lexical, *soft, *np.maximum(neural, 0.0), letters])
    same_name = np.array(
        [np.max([index.by_name.likeness(name) for name in (q.phrase, *q.aliases)], axis=0) for q in queries]
    )
    return Evidence(layers, same_name, rows)
