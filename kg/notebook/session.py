"""An open graph as a notebook may see it."""

import weakref
from contextlib import ExitStack
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from kg.config import Settings
from kg.embeddings import Embedder, open_embedder
from kg.errors import DatabaseError, InputError
from kg.licences import may_pass_on
from kg.migrations import pending
from kg.opening import open_store
from kg.results import Row
from kg.search.believing import believed
from kg.store import Store

__all__ = ["Session"]

R = TypeVar("R", bound=Row)
M = TypeVar("M", bound=BaseModel)

TEXTS: dict[str, Any] = {"implementation": "", "test": "", "documentation": "", "module": None, "snippet": "",
                         "test_left_out": "", "test_opened": [], "survivors": [], "quotes": [],
                         "rewrite": None}  # fmt: skip
"""Fields of views of code that hold its text or parts of it, and what stands there where that is withheld."""


class Session:
    """Opens the graph of `settings` when it is first asked; closed by `close`, or when nobody holds it any more."""

    def __init__(self, settings: Settings, *, unlicensed: bool = False) -> None:
        self.settings, self.unlicensed = settings, unlicensed
        self._stack = ExitStack()
        self._closing = weakref.finalize(self, self._stack.close)

    def close(self) -> None:
        """Close the connection; the server stays as it is."""
        self._closing()

    @property
    def store(self) -> Store:
        """The graph. Raises InputError once it is closed, DatabaseError if it can't be reached or is not up to date:
        who only reads brings no schema up to date."""
        if not self._closing.alive:
            raise InputError("this graph was closed", remedy="open it again with `kg.open()`")
        return self._store

    @cached_property
    def _store(self) -> Store:
        with ExitStack() as stack:
            store = stack.enter_context(open_store(self.settings, migrate=False))
            if todo := pending(store):
                raise DatabaseError(
                    f"the graph is new or older than this program ({len(todo)} migrations are pending)",
                    remedy="`xkg db migrate` brings it up to date, and `xkg ingest paper` papers into it",
                )
            self._stack.push(stack.pop_all())
        return store

    @cached_property
    def embedder(self) -> Embedder:
        """The model that queries are embedded with, loaded for the first of them."""
        return open_embedder(self.settings)

    def rows(self, model: type[R], /, **params: Any) -> list[R]:
        """Rows of a result model, as they may be shown."""
        return [self.shown(row) for row in believed(self.store, self.settings, self.store.rows(model, **params))]

    def withholds(self, code: object) -> bool:
        """Whether the text of `code`, any view of it that tells licence and origin, may not be shown."""
        told = hasattr(code, "licence") and hasattr(code, "origin")
        return told and not self.unlicensed and not may_pass_on(code.licence, code.origin)  # type: ignore[attr-defined]  # it has

    def shown(self, row: M) -> M:
        """`row` without text that may not be shown."""
        if not self.withholds(row):
            return row
        return row.model_copy(update={name: TEXTS[name] for name in TEXTS.keys() & type(row).model_fields.keys()})
