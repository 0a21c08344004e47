"""The run's own server."""

import pytest

from kg.connection import Connection

pytestmark = pytest.mark.db


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_finds_an_empty_graph(connection: Connection, turn: int) -> None:
    count = "MATCH (n) WHERE NOT n:Migration RETURN count(n) AS nodes"
    assert connection.driver.execute_query(count).records[0]["nodes"] == 0
    connection.driver.execute_query("CREATE (:Paper {id: 'left behind'})")
    if turn == 1:
        connection.driver.execute_query("CREATE INDEX stray FOR (n:Stray) ON (n.id)")


def test_a_blank_database_has_no_schema(blank_connection: Connection) -> None:
    found = blank_connection.driver.execute_query("SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN type")
    assert found.records == []
