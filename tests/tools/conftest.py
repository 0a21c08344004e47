"""The examples and a graph of another project in one graph: of two of the repositories one is as good as verified, and
its documentation was held against it, and of one nobody has stated a licence."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from e2e.command import EXAMPLES

import xkg
from agents.tools import NOTHING_EXCLUDED, Context, Envelope, Excluded, call, tokens
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.models.execution import WrittenTest
from kg.store import Store
from kg.verdicts import open_logs

for folder in ("search", "verdicts"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))

from judgements import verify  # noqa: E402
from search_samples import SAMPLING  # noqa: E402

RESERVOIR, HITTERS, PAGERANK = "local:reservoir", "local:heavy-hitters", "local:pagerank"
VERIFIED = "streamsample/reservoir.py#Reservoir"
UNLICENSED = "hitters/countmin.py#CountMin"
CLAIMED = "streamsample/merge.py#merge_reservoirs"


QUERY = "uniform sample of a stream"
TECHNIQUE = f"{RESERVOIR}#t/reservoir-sampling"


@dataclass(frozen=True)
class Asking:
    """Asks tools as one agent."""

    context: Context

    def __call__(self, name: str, **arguments: Any) -> Envelope:
        given = call(self.context, name, arguments)
        assert tokens(given.text()) <= self.context.limit_tokens, given.text()
        return given

    def data(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        given = self(name, **arguments)
        assert given.ok, given.error
        assert given.data is not None
        return given.data

    def pages(self, name: str, **arguments: Any) -> list[Envelope]:
        """All pages of an answer; each is another, and there is an end."""
        found = [self(name, **arguments)]
        while (cursor := found[-1].next_cursor) is not None:
            assert len(found) < 200
            assert found[-1].truncated
            found.append(self(name, **{**arguments, "cursor": cursor}))
        return found


def answerable(ask: Asking) -> dict[str, dict[str, Any]]:
    """Arguments for every tool to which this graph has an answer."""
    section = ask.data("find_sections", query="reservoir sampling", paper=RESERVOIR)["sections"][0]["id"]
    return {
        "paper_plan": {"paper": RESERVOIR},
        "similar_papers": {"paper": RESERVOIR},
        "find_sections": {"query": QUERY},
        "read_section": {"section": section},
        "find_techniques": {"query": QUERY},
        "get_technique": {"technique": TECHNIQUE},
        "concepts": {"technique": TECHNIQUE},
        "get_code": {"code": VERIFIED},
        "find_code": {"query": QUERY},
        "find_verified_code": {"need": QUERY},
        "why_hit": {"query": QUERY, "id": TECHNIQUE},
        "unknown": {"needs": [QUERY]},
    }


@pytest.fixture(scope="package")
def tool_graph(
    server_settings: Settings, emptied: Callable[[], Connection], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Made once for the tests of this folder, which only read it."""
    connection = emptied()
    run("ingest", "corpus", EXAMPLES / "corpus.toml", "--jobs", "1")
    blocks = tmp_path_factory.mktemp("blocks") / "sampling.json"
    blocks.write_text(json.dumps(SAMPLING))
    run("import", "xkg-json", blocks)
    store = Store(connection)
    held = WrittenTest(state="holds", model="scripted-1", prompt="0" * 64, run="run")
    verify(store, connection, open_logs(server_settings), _id(connection, VERIFIED), written=held)
    for ending, change in (
        (UNLICENSED, "c.licence = null"),
        (CLAIMED, "c.verdict = 'verified', c.verdict_reason = 'says who'"),
    ):
        query = f"MATCH (c:Code) WHERE c.id ENDS WITH $ending SET {change}"
        connection.driver.execute_query(query, ending=f":{ending}")
    store.read("schema/await_indexes", seconds=60)
    yield store


def run(*words: str | Path) -> None:
    """A command in this process: it has the model and the libraries loaded."""
    result = CliRunner().invoke(xkg.cli, [*map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def _id(connection: Connection, ending: str) -> str:
    rows, _, _ = connection.driver.execute_query(
        "MATCH (c:Code) WHERE c.id ENDS WITH $ending RETURN c.id AS id", ending=f":{ending}"
    )
    (row,) = rows
    return str(row["id"])


@pytest.fixture(scope="package")
def asking(tool_graph: Store, server_settings: Settings, embedder: Embedder) -> Callable[..., Asking]:
    """Makes agents: what each may not see, and the options of a context."""

    def made(exclusions: Excluded = NOTHING_EXCLUDED, **options: Any) -> Asking:
        return Asking(Context(tool_graph, server_settings, embedder, exclusions, **options))

    return made


@pytest.fixture(scope="package")
def ask(asking: Callable[..., Asking]) -> Asking:
    """An agent who may see all."""
    return asking()
