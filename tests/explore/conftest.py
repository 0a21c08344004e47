"""The pages of a small graph, asked without a network."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from explore_samples import ADDRESS
from starlette.testclient import TestClient

from explore.app import make_app
from explore.pages import Pages
from kg.config import Settings
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.store import Store
from kg.write import write_paper

sys.path += [str(Path(__file__).parent.parent / folder) for folder in ("store", "verdicts")]


@pytest.fixture
def small(store: Store, embedder: Embedder) -> Store:
    """Two papers with code."""
    from store_records import paper

    for number in (1, 2):
        record = paper(number)
        write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
    store.read("schema/await_indexes", seconds=60)
    return store


@pytest.fixture
def client(small: Store, server_settings: Settings, embedder: Embedder) -> Iterator[TestClient]:
    """Whoever looks at a graph that is only read."""
    pages = Pages(small, server_settings, embedder)
    with TestClient(make_app(pages, hosts={"127.0.0.1:7480"}), base_url=ADDRESS) as asking:
        yield asking


@pytest.fixture
def curator(small: Store, server_settings: Settings, embedder: Embedder) -> Iterator[TestClient]:
    """A curator."""
    pages = Pages(small, server_settings, embedder, "the-form-token")
    with TestClient(make_app(pages, hosts={"127.0.0.1:7480"}, curator="me"), base_url=ADDRESS) as asking:
        yield asking
