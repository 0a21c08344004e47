"""Every query file keeps its contract, and runs on a real server."""

import re
from typing import Any

import neo4j
import pytest
from pydantic import ValidationError
from store_records import paper
from store_samples import Samples, fill, result_models

import cypher
from kg.connection import Connection
from kg.models.paper import Section
from kg.results.show import ShownPaper
from kg.store import Store
from kg.write import write_paper

MODELS = result_models()
IN_THE_GRAPH = (neo4j.graph.Entity, neo4j.graph.Path)
"""What only Browser is given: elsewhere rows hold plain values."""


def used_params(query: cypher.Query) -> set[str]:
    """Parameters that the statement really mentions."""
    return set(re.findall(r"\$([A-Za-z_][A-Za-z0-9_]*)", cypher.COMMENT.sub("", query.text)))


@pytest.mark.parametrize("name", sorted(cypher.queries()))
def test_contract_agrees_with_the_statement(name: str) -> None:
    query = cypher.queries()[name]
    assert used_params(query) == set(query.params)
    assert query.purpose


@pytest.mark.db
@pytest.mark.parametrize("topic", sorted({name.split("/")[0] for name in cypher.queries()}))
def test_queries_run_as_declared(topic: str, store: Store, connection: Connection) -> None:
    fill(store)
    samples = Samples(store)
    wrong = {}
    for query in cypher.queries().values():
        if query.name.startswith(f"{topic}/"):
            try:
                complaint = _complaint(query, list(samples.of(query.params)), connection)
            except (neo4j.exceptions.Neo4jError, ValidationError) as error:
                complaint = str(error)
            if complaint:
                wrong[query.name] = complaint
    assert wrong == {}


def _complaint(query: cypher.Query, samples: list[dict[str, Any]], connection: Connection) -> str:
    """Plan the query, run it with each of the samples and roll back; what of its contract or model is not true."""
    access = neo4j.READ_ACCESS if query.access == "read" else neo4j.WRITE_ACCESS
    schema = query.name.startswith("schema/") and not query.returns
    rows: list[dict[str, Any]] = []
    with connection.driver.session(database=connection.database, default_access_mode=access) as session:
        with session.begin_transaction() as tx:
            kind = tx.run(f"EXPLAIN {query.text}", samples[0]).consume().query_type
        if not schema and (kind == "r") != (query.access == "read"):
            return f"declared {query.access}, is {kind}"
        for params in samples:
            with session.begin_transaction() as tx:
                result = tx.run(query.text, params)
                columns = tuple(result.keys())
                rows += [dict(record.items()) for record in result]
                tx.rollback()
            if columns != query.returns:
                return f"returns {columns}"
    for row in rows:
        if query.name in MODELS:
            MODELS[query.name].model_validate(row)
        if not query.name.startswith("browser/") and any(isinstance(value, IN_THE_GRAPH) for value in row.values()):
            return "returns a node, an edge or a path"
    return "no row to see what it returns" if query.returns and not rows else ""


def test_a_file_without_contract_is_refused() -> None:
    for text in ("", "MATCH (n) RETURN n", "// purpose.\n// params:\n// access: read\nRETURN 1 AS x"):
        with pytest.raises(ValueError, match=r"x/y"):
            cypher.parse_query("x/y", text)


@pytest.mark.parametrize(
    "name", ["nothing", "../migrations/0001_identity", "write/../write/take_lock", "write/nothing"]
)
def test_an_unknown_name_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        cypher.query(name)


def test_parameters_in_comments_do_not_count() -> None:
    text = "// p.\n// params: a\n// returns: x\n// access: read\n// about $b\nRETURN $a AS x"
    assert used_params(cypher.parse_query("x/y", text)) == {"a"}


@pytest.mark.db
def test_sections_are_told_in_the_order_of_the_paper(store: Store) -> None:
    record = paper()
    listed = [
        Section(
            id=f"s{n}",
            file="main.tex",
            start=10 * n,
            end=10 * n + 9,
            number=str(n),
            title=f"T{n}",
            level=1,
            parent=None,
        )
        for n in range(1, 12)
    ]
    listed.insert(
        1, Section(id="s1.1", file="main.tex", start=15, end=19, number="1.1", title="In", level=2, parent="s1")
    )
    doc = record.doc.model_copy(update={"sections": tuple(listed)})
    write_paper(store, record.model_copy(update={"doc": doc}))
    (shown,) = store.rows(ShownPaper, id=record.paper.id)
    assert [one.number for one in shown.sections] == [one.number for one in listed]
