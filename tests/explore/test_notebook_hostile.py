"""Text of papers and code stays text in a notebook, too."""

import re
from collections.abc import Iterator

import pytest
from explore_samples import seen
from judgements import ask
from test_explore_hostile import HOSTILE, poison

import kg
from kg.config import Settings
from kg.connection import Connection
from kg.notebook import Graph
from kg.store import Store

pytestmark = pytest.mark.db

OURS = re.compile(r"br|(b|div|span) style=[-a-z0-9#:; ]+")
"""What no page of `xkg explore` has: there is no style sheet in a notebook."""


def _everything(graph: Graph, connection: Connection, text: str) -> Iterator[object]:
    yield from (graph.papers, graph.search(text), graph.search("sampling"))
    yield from (graph.search("sampling", kind) for kind in ("code", "papers", "sections"))
    for paper in ask(connection, "MATCH (n:Paper) RETURN n.id"):
        yield from ((found := graph.paper(paper)), found.techniques, graph.similar(found))
    for technique in ask(connection, "MATCH (n:Technique) RETURN n.id"):
        found = graph.technique(technique)
        yield from (found, found.code, found.likely, found.candidates, graph.similar(found))
    for code in ask(connection, "MATCH (n:Code) RETURN n.id"):
        yield graph.code(code)


@pytest.mark.parametrize("text", [" ".join(HOSTILE), "\x1b[2J\u202etxt.exe"], ids=["markup", "control"])
def test_hostile_text_stays_text(text: str, small: Store, connection: Connection, server_settings: Settings) -> None:
    poison(connection, text, server_settings, small)
    told = 0
    with kg.open() as graph:
        for shown in _everything(graph, connection, text):
            html = shown._repr_html_()
            page = seen(html)
            assert [one for one in page.foreign if not OURS.fullmatch(one)] == []
            assert html.startswith('<div class="tex2jax_ignore mathjax_ignore">')
            assert not set("\x1b\u202e") & set(html)
            told += HOSTILE[0] in page.text or "txt.exe" in page.text
    assert told > 10
