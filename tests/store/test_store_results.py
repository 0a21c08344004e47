"""Every query that returns something has one result model, with its columns."""

import pytest
from pydantic import ValidationError

import cypher
from kg.errors import DatabaseError
from kg.results import ConceptRow, result_models
from kg.store import Store

MODELS = result_models()
RETURNING = sorted(name for name, query in cypher.queries().items() if query.returns)


@pytest.mark.parametrize("name", RETURNING)
def test_a_query_and_its_model_agree(name: str) -> None:
    assert name in MODELS, f"{name} needs a model in kg/results/"
    assert tuple(MODELS[name].model_fields) == cypher.query(name).returns
    assert MODELS[name].__doc__


def test_no_model_is_of_no_query() -> None:
    assert sorted(MODELS) == RETURNING


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
