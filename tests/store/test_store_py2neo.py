"""The optional py2neo adapter, where py2neo is installed; and its one sentence where it is not."""

import sys

import pytest
from store_records import paper

from kg.config import Settings
from kg.errors import InputError
from kg.py2neo_adapter import py2neo_graph
from kg.store import Store
from kg.write import write_paper


def test_without_py2neo_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py2neo", None)
    with pytest.raises(InputError, match="pip install"):
        py2neo_graph(Settings())


@pytest.mark.db
@pytest.mark.filterwarnings("ignore")
def test_a_graph_answers(store: Store, server_settings: Settings) -> None:
    pytest.importorskip("py2neo", reason="the py2neo extra is not installed")
    write_paper(store, paper(1))
    graph = py2neo_graph(server_settings)
    try:
        assert graph.run("MATCH (p:Paper {status: 'ingested'}) RETURN p.id").evaluate() == "arxiv:2001.00001"
    finally:
        graph.service.connector.close()
