"""A small graph of our own making: two imported JSON graphs and one paper with a repository."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from search_samples import HITTERS, SAMPLING, repository_paper

from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.opening import open_store
from kg.store import Store
from kg.write import write_paper
from kg.xkg_json import read_graph


@pytest.fixture(scope="module")
def graph_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two JSON graphs."""
    folder = tmp_path_factory.mktemp("graphs")
    for name, value in (("sampling.json", SAMPLING), ("hitters.json", HITTERS)):
        (folder / name).write_text(json.dumps(value, indent=2, ensure_ascii=False), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def filled(
    server_settings: Settings,
    _session_connection: Connection,
    _schema: frozenset[str],
    embedder: Embedder,
    graph_files: Path,
) -> Iterator[Store]:
    """A graph with all three papers, made once for the tests of a module, which only read it."""
    _session_connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
    records = [read_graph(file) for file in sorted(graph_files.iterdir())] + [repository_paper()]
    with open_store(server_settings) as opened:
        for record in records:
            write_paper(opened, record.model_copy(update={"vectors": embed_record(record, embedder)}))
        opened.read("schema/await_indexes", seconds=60)
        yield opened
