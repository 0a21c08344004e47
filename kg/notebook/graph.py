"""The graph as a notebook asks it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from kg.cli.show_text import papers_text
from kg.config import Settings, load_settings
from kg.lookup import find_node
from kg.notebook.nodes import Code, Listed, Paper, Technique
from kg.notebook.session import Session
from kg.results.show import ListedPaper
from kg.search import SearchKind, search_kinds
from kg.search.believing import believed
from kg.search.results import Hit
from kg.similar import SimilarPaper, SimilarTechnique, similar_papers, similar_techniques

__all__ = ["Graph", "open_graph"]


class Graph:
    """A graph that is only read; a context manager that closes it.

    Papers, techniques and code are named by an id, its end, or a name, as in the show commands. InputError where that
    means none or several: its sentence has the nearest.
    """

    def __init__(self, settings: Settings, *, unlicensed: bool = False) -> None:
        self._session = Session(settings, unlicensed=unlicensed)

    def close(self) -> None:
        """Close the connection; the server stays as it is."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        settings = self._session.settings
        return f"<Graph at {settings.neo4j.uri or settings.home}>"

    @property
    def papers(self) -> Listed[ListedPaper]:
        """The papers that were ingested."""
        rows = self._session.rows(ListedPaper, cited=False)
        return Listed(rows, "" if rows else papers_text(rows))

    def paper(self, named: str) -> Paper:
        """One paper."""
        return Paper(self._session, find_node(self._session.store, "Paper", named))

    def technique(self, named: str) -> Technique:
        """One technique."""
        return Technique(self._session, find_node(self._session.store, "Technique", named))

    def code(self, named: str) -> Code:
        """One piece of code."""
        return Code(self._session, find_node(self._session.store, "Code", named))

    def search(self, query: str, kind: SearchKind = "techniques", *, limit: int = 10) -> Listed[Hit]:
        """What answers a query, best first; empty where nothing is near."""
        session = self._session
        found = search_kinds(session.store, session.embedder, (kind,), query, limit=limit)
        (result,) = believed(session.store, session.settings, found)
        told = f"Nothing so written; looked for “{result.spelling}”." if result.spelling else ""
        return Listed(
            map(session.shown, result.hits), told if result.hits else f"Nothing near among {result.searched} {kind}."
        )

    def similar(
        self, named: str | Technique | Paper, *, limit: int = 10
    ) -> Listed[SimilarTechnique] | Listed[SimilarPaper]:
        """Techniques of other papers like one, or papers like one: `named` is a technique's name, or one of ours."""
        thing = self.technique(named) if isinstance(named, str) else named
        told = f"Nothing is like {thing.id}."
        if isinstance(thing, Paper):
            papers = similar_papers(self._session.store, thing.id, limit)
            return Listed(papers, "" if papers else told)
        techniques = similar_techniques(self._session.store, thing.id, limit)
        return Listed(techniques, "" if techniques else told)


def open_graph(changes: Mapping[str, Any], *, unlicensed: bool = False) -> Graph:
    """The graph of the settings as they are now, and of `changes` (see `Settings.replace`). Raises InputError."""
    load_settings.cache_clear()
    given = {key: Path(value).expanduser() if key == "home" else value for key, value in changes.items()}
    return Graph(load_settings().replace(**given), unlicensed=unlicensed)
