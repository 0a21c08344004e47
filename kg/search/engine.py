"""One query on its way: candidates of vectors, words and names, the graph around the hits, the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kg.embeddings import Embedder
from kg.errors import InputError
from kg.results.search import CandidateRow, Fitting, Neighbour, SearchState
from kg.search.describe import SPECS, Spec
from kg.search.filters import EVERYTHING, Only
from kg.search.rank import Candidate, chosen, help_within_papers, lift_named
from kg.search.results import Evidence, SearchKind, SearchResult, Strength, Via
from kg.search.terms import Coverage, Naming, informative, lucene_query, name_query, terms, weights
from kg.store import Transaction

__all__ = ["Asked", "Engine", "ask"]

DEPTH = 40
"""Candidates taken from each list."""
NARROWED = 1000
"""The same where only some of them are wanted."""
TEXT_FETCH = 400
"""Full-text matches looked through to find DEPTH that are no rewrites that failed."""
CHARACTERS = 20_000
"""Of a section's text, in which words are looked for."""
SPELLED = 3
"""Letters of what is a word and no symbol."""
NOTHING_SAID = 5.0
"""Stands for that share where a query has no word that says anything: only what is so called is found."""
MUCH = 500
"""Nodes in which the words of a field are at home."""
TELLING = 0.99
"""Coverage of all words of a query that are not common."""
SOURCES = 10
"""Best hits whose neighbours are looked at."""


@dataclass(frozen=True)
class Asked:
    """A query with what the graph says of its words; `guessed` if it is how what was asked may be meant.

    `matched` keeps what was found of one kind, since other kinds are reached from the same nodes.
    """

    text: str
    vector: list[float]
    model_id: str
    state: SearchState
    guessed: bool = False
    matched: dict[tuple[SearchKind, int, tuple[str, ...]], list[CandidateRow]] = field(default_factory=dict)

    @cached_property
    def naming(self) -> Naming:
        """Which nodes it names."""
        return Naming(self.text)

    def coverage(self, spec: Spec) -> Coverage:
        """How much of it a text holds, by how common its words are among the nodes of one kind."""
        total = self.state.totals[spec.kind]
        counts = [count for count in self.state.frequencies if count.index == spec.text_index]
        frequencies = {f.word: max(f.documents, total // 2) if f.common else f.documents for f in counts}
        return Coverage(weights(frequencies, total), informative(total))

    @cached_property
    def foreign(self) -> float:
        """The share of its words that stand nowhere in the graph, less as long as little stands there at all."""
        if not terms(self.text):
            return NOTHING_SAID
        words = {word for word in terms(self.text) if len(word) >= SPELLED and word.isalpha()}
        known = {count.word for count in self.state.frequencies if count.documents}
        share = len(words - known) / len(words) if words else 0.0
        return share * min(1.0, sum(self.state.totals.values()) / MUCH)


def ask(transaction: Transaction, embedder: Embedder, text: str, *, guessed: bool = False) -> Asked:
    """`text` as a query. Raises InputError if the graph's vectors are of another model."""
    indexes = [spec.text_index for spec in SPECS.values()]
    (state,) = transaction.rows(SearchState, indexes=indexes, words=list(terms(text)))
    if state.model_id not in (None, embedder.model_id):
        raise InputError(
            f"this graph's vectors are of the model {state.model_id}, not of {embedder.model_id}",
            remedy="set embedding_model to the graph's model, or use another graph (XKG_HOME)",
        )
    return Asked(text, [float(x) for x in embedder.embed([text])[0]], embedder.model_id, state, guessed)


class Engine:
    """One search in one read transaction; see kg.search.search_kinds for the parameters. How deep the lists are that it
    takes hits from hangs on `limit` alone: pages of one size are parts of one answer."""

    def __init__(
        self,
        transaction: Transaction,
        kind: SearchKind,
        asked: Asked,
        *,
        limit: int,
        threshold: float,
        only: Only = EVERYTHING,
    ) -> None:
        self._transaction, self._asked, self._threshold, self._only = transaction, asked, threshold, only
        self._limit = limit
        self._query, self._vector = asked.text, asked.vector
        self._spec = SPECS[kind]
        self._evidence_spec = SPECS["code" if kind == "techniques" else "techniques"]
        self._coverage = {spec.kind: asked.coverage(spec) for spec in (self._spec, self._evidence_spec)}
        self._names: dict[str, str] = {}

    @cached_property
    def found(self) -> Sequence[tuple[Candidate, Strength]]:
        """All hits, best first: of them each page is a part."""
        found = self._direct(self._spec, NARROWED if self._only else max(DEPTH, self._limit + 1))
        self._widen(found)
        if self._spec.kind == "techniques":
            lift_named(found.values(), self._threshold)
        if self._only:
            rows = self._transaction.rows(Fitting, ids=list(found), only=self._only.model_dump())
            found = {row.id: found[row.id] for row in rows}
        return chosen(found.values(), self._threshold, sure=not self._asked.guessed)

    def result(self, after: int = 0) -> SearchResult:
        """The answer with the hits behind the first `after`."""
        end = after + self._limit
        return SearchResult(
            kind=self._spec.kind,
            query=self._query,
            model_id=self._asked.model_id,
            threshold=self._threshold,
            searched=self._asked.state.totals[self._spec.kind],
            hits=tuple(self._hits(self.found[after:end], after)),
            next_cursor=end if len(self.found) > end else None,
        )

    def _direct(self, spec: Spec, depth: int = DEPTH) -> dict[str, Candidate]:
        """What vector, words and names find."""
        verdicts = self._only.verdicts if spec is self._spec else ()
        key = (spec.kind, depth, tuple(verdicts))
        if key not in self._asked.matched:
            self._asked.matched[key] = self._transaction.rows(
                CandidateRow,
                vector_index=spec.vector_index,
                text_index=spec.text_index,
                vector=self._vector,
                query=lucene_query(self._query),
                name_query=name_query(self._query),
                depth=depth,
                fetch=max(TEXT_FETCH, depth),
                characters=CHARACTERS,
                first=DEPTH,
                verdicts=list(verdicts),
            )
        found = {row.id: self._candidate(spec, row) for row in self._asked.matched[key]}
        if spec.kind == "techniques":
            help_within_papers(found.values())
        return found

    def _candidate(self, spec: Spec, row: CandidateRow | Neighbour) -> Candidate:
        self._names[row.id] = row.name
        covered = self._coverage[spec.kind].of("\n".join(row.texts))
        found = Candidate(
            row.id, row.name, row.kind, row.role, row.cosine, coverage=covered, foreign=self._asked.foreign
        )
        if isinstance(row, CandidateRow):
            found.context, found.text_score, found.aliases = row.context, row.score, tuple(row.aliases)
            if self._asked.naming.exact(row.name, row.aliases):
                found.named = "exactly"
            elif self._tells(spec, row):
                found.named = "in part"
        return found

    def _tells(self, spec: Spec, row: CandidateRow) -> bool:
        """Whether the name holds all words of the query, and they are none that many nodes have; of an acronym it is
        enough that the text does."""
        cover = self._coverage[spec.kind].of
        if self._asked.naming.whole(row.name, row.aliases):
            return cover("\n".join((row.name, *row.aliases))) > TELLING
        return self._asked.naming.is_acronym and cover("\n".join(row.texts)) > TELLING

    def _widen(self, found: dict[str, Candidate]) -> None:
        """Look along the graph from the best hits; adds to `found`, and hands on their relevance."""
        sources = {c.id: c for c in _best(self._direct(self._evidence_spec), self._threshold)}
        params: dict[str, Any] = {"techniques": list(sources)}
        if self._spec.kind == "techniques":
            mine = {c.id: c for c in _best(found, self._threshold)}
            params = {"techniques": list(mine), "code": list(sources)}
            sources |= mine
        if self._spec.kind == "sections":
            params["characters"] = CHARACTERS
        if not sources:
            return
        given = {name: source.relevance for name, source in sources.items()}
        for row in self._transaction.rows(self._spec.related, vector=self._vector, **params):
            candidate = found.get(row.id) or self._candidate(self._spec, row)
            if candidate.inherit(row.relation, row.source, given[row.source], row.strength, self._threshold):
                found[candidate.id] = candidate

    def _hits(self, found: Sequence[tuple[Candidate, Strength]], after: int) -> list[Any]:
        ids = [candidate.id for candidate, _ in found]
        rows = {row.id: row for row in self._transaction.rows(self._spec.described, ids=ids)} if ids else {}
        return [
            self._spec.make_hit(
                rows[candidate.id], rank=rank, score=round(candidate.relevance, 6), strength=strength,
                evidence=self._evidence(candidate),
            )
            for rank, (candidate, strength) in enumerate(found, after + 1)
        ]  # fmt: skip

    def _evidence(self, candidate: Candidate) -> Evidence:
        related = sorted(candidate.related.items(), key=lambda item: (-item[1][1], item[0]))
        via = tuple(
            Via(relation=relation, id=source, name=self._names.get(source, source), strength=strength)
            for source, (relation, strength) in related[:3]
        )
        return Evidence(
            cosine=None if candidate.cosine is None else round(candidate.cosine, 4),
            context=None if candidate.context is None else round(candidate.context, 4),
            text_score=None if candidate.text_score is None else round(candidate.text_score, 3),
            coverage=round(candidate.coverage, 3),
            named=candidate.named,
            relevance=round(candidate.relevance, 4),
            vector_rank=candidate.vector_rank,
            text_rank=candidate.text_rank,
            via=via,
            why=_why(candidate, via),
        )


def _best(found: Mapping[str, Candidate], threshold: float) -> list[Candidate]:
    """The relevant ones from which the graph is looked along."""
    return [candidate for candidate, strength in chosen(found.values(), threshold, SOURCES) if strength == "strong"]


def _why(candidate: Candidate, via: Sequence[Via]) -> str:
    parts = {"exactly": ["so called"], "in part": ["named in part"], "": []}[candidate.named]
    if candidate.cosine is not None:
        parts.append(f"meaning {candidate.cosine:.2f} (#{candidate.vector_rank})")
    if candidate.text_score is not None:
        parts.append(f"words {candidate.coverage:.0%} (#{candidate.text_rank})")
    if via:
        parts.append(f"{via[0].relation} {via[0].name!r}")
    return ", ".join(parts)
