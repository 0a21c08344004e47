"""Every query that is read has one result model, with its columns; one that only writes needs none."""

import pytest
from pydantic import ValidationError
from store_samples import result_models

import cypher
from kg.errors import DatabaseError
from kg.results.concept import ConceptRow
from kg.store import Store

MODELS = result_models()
READ = {
    name
    for name, query in cypher.queries().items()
    if query.access == "read" and query.returns and not name.startswith("browser/")
}
"""Without the saved queries that Neo4j Browser runs: their rows are read by people."""


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_query_and_its_model_agree(name: str) -> None:
    assert tuple(MODELS[name].model_fields) == cypher.query(name).returns
    assert MODELS[name].__doc__


def test_what_is_read_has_a_model() -> None:
    assert set(MODELS) >= READ


def test_a_column_more_less_or_of_another_type_is_refused() -> None:
    row = {"id": "x", "name": "X", "aliases": [], "curated": False, "techniques": 1, "papers": 1}
    assert ConceptRow.model_validate(row).name == "X"
    for wrong in (row | {"more": 1}, {"id": "x"}, row | {"name": 5}):
        with pytest.raises(ValidationError):
            ConceptRow.model_validate(wrong)


@pytest.mark.db
def test_a_node_that_another_program_made_wrong_is_told(store: Store) -> None:
    node = {"label": "Concept", "properties": {"id": "x", "name": 5, "aliases": []}}
    store.write("write/create_nodes", rows=[node])
    with pytest.raises(DatabaseError, match=r"concept/list_concepts: name of 'x'"):
        store.rows(ConceptRow)
