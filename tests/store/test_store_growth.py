"""What a write or a query costs does not grow with what it does not touch: no claim of many is read for one more."""

from collections.abc import Iterator
from typing import Any

import pytest
from store_records import entry
from test_store_citations import TITLE, citing

import cypher
from benchmarks.query_plans import LEFT_OUT, WHOLE, Sample, given, growing
from kg.connection import Connection
from kg.store import Store, Transaction
from kg.write import write_paper


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The queries that are run, with their parameters."""
    seen: list[tuple[str, dict[str, Any]]] = []
    run = Transaction.run

    def noted(self: Transaction, name: str, /, **params: Any) -> list[dict[str, Any]]:
        seen.append((name, params))
        return run(self, name, **params)

    monkeypatch.setattr(Transaction, "run", noted)
    yield seen


def works(connection: Connection) -> list[dict[str, Any]]:
    rows, _, _ = connection.driver.execute_query(
        "MATCH (p:CitedWork) RETURN p {.id, .title, .year, .authors, .doi, .title_key} AS p ORDER BY p.id",
        database_=connection.database,
    )
    return [row["p"] for row in rows]


@pytest.mark.db
def test_what_others_say_in_the_same_words_is_not_read_for_one_more(
    store: Store, connection: Connection, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    for name in "abc":
        write_paper(store, citing(f"local:{name}", entry("x", TITLE, year=2013)))
    before = works(connection)
    asked.clear()
    write_paper(store, citing("local:d", entry("other", TITLE, year=2013)))
    assert "write/read_claims" not in [name for name, _ in asked]
    assert works(connection) == before
    write_paper(store, citing("local:d", entry("other", TITLE, year=2014, doi="10.1234/abc")))
    assert "write/read_claims" in [name for name, _ in asked]
    assert [(work["id"], work["year"]) for work in works(connection)] == [("doi:10.1234/abc", 2014)]


@pytest.mark.db
def test_a_work_is_what_is_said_of_it_now_when_a_paper_says_what_another_says(
    store: Store, connection: Connection
) -> None:
    less, more = entry("x", TITLE, year=2013), entry("x", TITLE, year=2012, doi="10.1234/abc")
    write_paper(store, citing("local:a", less))
    alone = works(connection)
    write_paper(store, citing("local:b", more))
    assert works(connection) != alone
    write_paper(store, citing("local:b", less))
    assert works(connection) == alone


def test_every_query_has_parameters_to_be_profiled_with() -> None:
    names = [f"local:p3#t/t{i}" for i in range(4)] + [f"folder:r3@c:m0.py#f{i}" for i in range(8)] + ["local:p3"]
    sample = Sample(3, {name: f"e{name}" for name in names}, ["r1"], ["concept"], [0.0] * 384)
    for name, query in cypher.queries().items():
        if not name.startswith(LEFT_OUT):
            assert given(query, sample).keys() == set(query.params), name
    assert WHOLE.keys() <= cypher.queries().keys()


def test_what_grows_is_what_hits_more_for_the_same_rows_or_scans() -> None:
    def told(hits: int, rows: int, *scans: str) -> dict[str, Any]:
        return {"hits": hits, "rows": rows, "scans": list(scans)}

    small = {name: told(1_000, 10) for name in ("same", "linear", "more rows", "scan", "graph/count_all")}
    large = {
        "same": told(1_500, 10), "linear": told(100_000, 10), "more rows": told(100_000, 1_000),
        "scan": told(1_000, 10, "NodeByLabelScan"), "graph/count_all": told(100_000, 10, "AllNodesScan"),
    }  # fmt: skip
    assert growing(small, large) == {
        "linear": {"hits": [1_000, 100_000], "rows": [10, 10], "scans": []},
        "scan": {"hits": [1_000, 1_000], "rows": [10, 10], "scans": ["NodeByLabelScan"]},
    }
