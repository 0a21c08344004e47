"""What stands behind every call of a tool: the graph as this agent may see it, and how much an answer may have."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, TypeVar

from agents.tools.envelope import LEAST_TOKENS, LIMIT_TOKENS
from kg.config import Settings
from kg.embeddings import Embedder, open_embedder
from kg.errors import InputError, ServiceError
from kg.excluding import Excluded
from kg.licences import may_pass_on
from kg.opening import open_store, revive
from kg.search import SearchKind, SearchResult, search_kinds
from kg.search.believing import believed
from kg.search.filters import EVERYTHING, Only, still
from kg.store import Store

__all__ = ["NOTHING_EXCLUDED", "Context", "open_context"]

NOTHING_EXCLUDED = Excluded()

T = TypeVar("T")


class Context:
    """Made by whoever starts an agent; no argument of a tool changes it.

    `store` is the graph without what its blacklist and `exclusions` keep from this agent: the queries themselves leave
    that out. With `unlicensed`, code whose source states no licence is shown with its text. `limit_tokens` are those
    of one answer. `workspace` is what tools for an agent's own folder work on.
    """

    def __init__(
        self, store: Store, settings: Settings, embedder: Embedder, exclusions: Excluded = NOTHING_EXCLUDED, *,
        limit_tokens: int = LIMIT_TOKENS, unlicensed: bool = False, workspace: Any = None,
    ) -> None:  # fmt: skip
        if limit_tokens < LEAST_TOKENS:
            raise InputError(
                f"an answer can't be told in {limit_tokens} tokens", remedy=f"allow {LEAST_TOKENS} or more"
            )
        self.store = store.guarded(exclusions.from_(store))
        self.settings, self.embedder, self.exclusions = settings, embedder, exclusions
        self.limit_tokens, self.unlicensed, self.workspace = limit_tokens, unlicensed, workspace

    def with_limit(self, limit_tokens: int) -> "Context":
        """The same with other tokens for an answer."""
        other = copy(self)
        other.limit_tokens = limit_tokens
        return other

    def search(
        self, kind: SearchKind, query: str, *, limit: int, after: int = 0, only: Only = EVERYTHING
    ) -> SearchResult:
        """The hits of one kind, with the verdicts that are believed here."""
        return still(self.believed(self.claimed(kind, query, limit=limit, after=after, only=only)), only)

    def claimed(
        self, kind: SearchKind, query: str, *, limit: int, after: int = 0, only: Only = EVERYTHING
    ) -> SearchResult:
        """The hits of one kind, with verdicts as the graph has them: not for telling."""
        return search_kinds(self.store, self.embedder, (kind,), query, limit=limit, only=only, after=after)[0]

    def believed(self, shown: T) -> T:
        """What is shown, with no verdict that this home does not bear out."""
        return believed(self.store, self.settings, shown)

    def revive(self) -> bool:
        """Start a local server that has gone, so that the next question finds one; whether it is there."""
        try:
            return revive(self.settings)
        except ServiceError:
            return False

    def may_show(self, licence: str | None, origin: str | None) -> bool:
        """Whether the text of code may be shown."""
        return self.unlicensed or may_pass_on(licence, origin)


@contextmanager
def open_context(settings: Settings, exclusions: Excluded = NOTHING_EXCLUDED, **options: Any) -> Iterator[Context]:
    """The context of an agent on the graph of these settings; `options` as those of `Context`. Raises InputError for
    an exclusion that names nothing, and the errors of `open_store`."""
    embedder = open_embedder(settings)
    with open_store(settings) as store:
        yield Context(store, settings, embedder, exclusions, **options)
