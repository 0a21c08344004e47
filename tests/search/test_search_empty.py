"""Search on a graph that holds nothing."""

import pytest
from click.testing import CliRunner
from search_samples import search

from kg.cli.search import search_techniques
from kg.embeddings import Embedder
from kg.store import Store

pytestmark = pytest.mark.db


def test_an_empty_graph_answers_nothing_and_says_why(store: Store, embedder: Embedder) -> None:
    result = search(store, embedder, "techniques", "bloom filter")
    assert result.hits == ()
    assert result.searched == 0
    output = CliRunner().invoke(search_techniques, ["bloom", "filter"], catch_exceptions=False).stdout
    assert output == "The graph holds no techniques yet; `xkg ingest paper` brings some.\n"
