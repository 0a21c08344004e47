"""`kg.open()`: whose graph it is, when it is opened, and that it is only read."""

from pathlib import Path

import pytest

import kg
from kg.connection import Connection
from kg.errors import DatabaseError, InputError
from kg.store import Store


def test_nothing_is_opened_before_it_is_asked() -> None:
    graph = kg.open(uri="bolt://127.0.0.1:1", username="u", password="secret")
    assert repr(graph) == "<Graph at bolt://127.0.0.1:1>"
    with pytest.raises(DatabaseError):
        graph.paper("x")


def test_settings_are_those_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:2")
    assert repr(kg.open()) == "<Graph at bolt://127.0.0.1:2>"
    monkeypatch.delenv("NEO4J_URI")
    assert repr(kg.open(home=str(tmp_path))) == f"<Graph at {tmp_path}>"
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("XKG_SERVER_IDLE_MINUTES", "never")
    with pytest.raises(InputError, match=r"server\.idle_minutes"):
        kg.open()
    monkeypatch.undo()
    kg.open()


@pytest.mark.db
def test_a_graph_without_a_schema_is_left_as_it_is(blank_connection: Connection) -> None:
    with kg.open() as graph, pytest.raises(DatabaseError, match="`xkg db migrate` brings it up to date"):
        _ = graph.papers
    assert blank_connection.driver.execute_query("MATCH (n) RETURN n").records == []


@pytest.mark.db
def test_an_empty_graph_says_so(store: Store) -> None:
    with kg.open() as graph:
        assert "holds no papers yet" in graph.papers._repr_html_()
        with pytest.raises(InputError, match="the graph has no paper 'x'"):
            graph.paper("x")
