"""Every result model has the columns of its query."""

import pytest

import cypher
from kg.results import result_models

MODELS = result_models()


@pytest.mark.parametrize("name", sorted(MODELS))
def test_model_and_query_agree(name: str) -> None:
    assert tuple(MODELS[name].model_fields) == cypher.query(name).returns
