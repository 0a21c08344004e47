"""A search with judgement: a task taken apart, looked up, and its hits filtered, ordered and explained by a model."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from agents.llm import (
    LLM,
    BrokenReply,
    BudgetExceeded,
    ModelError,
    ModelUnavailable,
    PromptTooLong,
    ReplayMiss,
)
from agents.llm.ledger import Usage
from agents.retrieval.checks import Sorted, queries_of, sort
from agents.retrieval.reply import Decomposition, Reranking
from agents.retrieval.results import (
    Dropped,
    Failure,
    FailureKind,
    Found,
    JudgedSearch,
    Query,
    Seen,
    State,
    Step,
)
from agents.retrieval.shown import Shown, show
from kg.config import Settings
from kg.embeddings import Embedder
from kg.errors import XkgError
from kg.results.search import HitText
from kg.search import THRESHOLD, SearchKind, SearchResult, search_kinds
from kg.search.believing import believed
from kg.search.filters import EVERYTHING, Only, still
from kg.search.results import CodeHit, TechniqueHit
from kg.store import Store

__all__ = ["judged_search"]

KINDS: tuple[SearchKind, ...] = ("techniques", "code")
INSTRUCTIONS = 3_000
"""Tokens of the second question beside the task and the hits."""
CHARACTERS_A_TOKEN = 3
"""Of formulas and code."""
LEAST, MOST = 1_000, 60_000
"""Characters of all hits in one question."""
READ = 4_000
"""Characters of a text that are read from the graph: more than is shown, for white space counts here."""

M = TypeVar("M", bound=BaseModel)
KINDS_OF_FAILURE: dict[type[XkgError], FailureKind] = {
    BudgetExceeded: "limit reached",
    ModelUnavailable: "model not available",
    BrokenReply: "broken reply",
    ReplayMiss: "answer not kept",
    PromptTooLong: "prompt too long",
}
"""The failures after which hits are still worth showing; another (no key, no such profile) is the user's to mend."""


def judged_search(
    store: Store, settings: Settings, embedder: Embedder, llm: LLM, task: str, *, techniques: int | None = None,
    limit: int = 3, threshold: float = THRESHOLD, only: Only = EVERYTHING,
) -> JudgedSearch:  # fmt: skip
    """The hits for `task` and up to `techniques` techniques that it needs (the setting's number if None), as judged.

    `limit` are hits of each kind for each query; `threshold` and `only` as in `search_kinds`. Two calls at most: none
    where the graph holds nothing, no second one without hits. What a model's failure leaves is in the result; raises
    ProfileError and the errors of `search_kinds`.
    """
    return _Search(store, settings, embedder, llm, limit, threshold, only).run(
        store.blacklist.mask(task), settings.search.techniques if techniques is None else techniques
    )


class _Search:
    def __init__(
        self, store: Store, settings: Settings, embedder: Embedder, llm: LLM, limit: int, threshold: float, only: Only
    ) -> None:
        self._store, self._settings, self._embedder, self._llm = store, settings, embedder, llm
        self._limit, self._threshold, self._only = limit, threshold, only
        self._prompts: dict[Step, str] = {}
        self._usage: list[Usage] = []
        self._failures: list[Failure] = []
        self._dropped: list[Dropped] = []
        self._calls = 0

    def run(self, task: str, most: int) -> JudgedSearch:
        queries = [Query(name=task, text=task)]
        results = [self._found(task)]  # refuses a task that is none before anything is spent
        searched = {result.kind: result.searched for result in results[0]}
        if most and any(searched.values()):
            inputs = {"most": most, "task": task}
            if said := self._ask("decompose", inputs, Decomposition):
                more, dropped = queries_of(said, task, most, self._clean)
                queries += more
                self._dropped += dropped
                results += [self._found(query.text) for query in more]
        seen = _merged(results)
        result = self._judged(task, queries[1:], seen) if seen and self._may_go_on else None
        state: State = "nothing found" if not seen else "judged" if result else "not judged"
        result = result or Sorted(unjudged=seen)
        return JudgedSearch(
            task=task, state=state, queries=tuple(queries), kept=result.kept, rejected=result.rejected,
            unjudged=result.unjudged, dropped=(*self._dropped, *result.dropped), failures=tuple(self._failures),
            searched=searched, model=self._llm.profile.model, calls=self._calls,
            prompts=dict(self._prompts), tokens_in=sum(used.tokens_in for used in self._usage),
            tokens_out=sum(used.tokens_out for used in self._usage),
        )  # fmt: skip

    @property
    def _may_go_on(self) -> bool:
        """Whether the second question may fare better than the first: a broken reply says nothing of the next."""
        return all(failure.kind == "broken reply" for failure in self._failures)

    def _found(self, text: str) -> tuple[SearchResult, ...]:
        found = search_kinds(
            self._store, self._embedder, KINDS, text, limit=self._limit, threshold=self._threshold, only=self._only
        )
        return tuple(still(result, self._only) for result in believed(self._store, self._settings, found))

    def _judged(self, task: str, techniques: Sequence[Query], seen: tuple[Seen, ...]) -> Sorted | None:
        """The hits as the model judges them, None without an answer."""
        shown = self._shown(seen, task)
        told = "\n".join(f"{one.name}: {one.text}" for one in techniques) or "(none)"
        said = self._ask("rerank", {"task": task, "techniques": told, "hits": shown.text}, Reranking)
        return sort(said, shown, seen[len(shown.hits) :], self._clean) if said else None

    def _shown(self, seen: Sequence[Seen], task: str) -> Shown:
        profile = self._llm.profile
        tokens = profile.context_tokens - profile.max_output_tokens - INSTRUCTIONS
        room = max(LEAST, min(MOST, tokens * CHARACTERS_A_TOKEN - len(task)))
        rows = self._store.rows(HitText, ids=[one.hit.id for one in seen], characters=READ)
        return show(seen, {row.id: row for row in rows}, room)

    def _ask(self, step: Step, inputs: dict[str, object], schema: type[M]) -> M | None:
        self._calls += 1
        try:
            answer = self._llm.ask(step, inputs, schema, stage=step)
        except tuple(KINDS_OF_FAILURE) as error:
            fault = error.fault if isinstance(error, ModelError) else None
            kind = KINDS_OF_FAILURE[type(error)]
            self._failures.append(Failure(step=step, kind=kind, fault=fault, message=str(error)))
            return None
        self._prompts[step] = answer.prompt_sha256
        self._usage.append(answer.usage)
        return answer.value

    def _clean(self, text: str) -> str:
        """On one line, and without what the blacklist forbids: a model may know it from elsewhere."""
        return self._store.blacklist.mask(" ".join(text.split()))


def _merged(results: Sequence[Sequence[SearchResult]]) -> tuple[Seen, ...]:
    """Each hit once, for the query in which it is nearest, those that most queries find high up first."""
    hits: dict[str, list[tuple[int, TechniqueHit | CodeHit]]] = {}
    for number, found in enumerate(results):
        for result in found:
            for hit in result.hits:
                if isinstance(hit, TechniqueHit | CodeHit):
                    hits.setdefault(hit.id, []).append((number, hit))
    order = sorted(hits, key=lambda name: (-sum(hit.score for _, hit in hits[name]), name))
    return tuple(_seen(hits[name]) for name in order)


def _seen(found: Sequence[tuple[int, TechniqueHit | CodeHit]]) -> Seen:
    nearest = max(found, key=lambda one: (one[1].evidence.relevance, -one[0]))[1]
    return Seen(
        hit=nearest,
        found=tuple(
            Found(
                query=number,
                rank=hit.rank,
                score=hit.score,
                relevance=hit.evidence.relevance,
                cosine=hit.evidence.cosine,
            )
            for number, hit in found
        ),
    )
