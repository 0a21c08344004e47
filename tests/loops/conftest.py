"""The examples in a graph of the run's Neo4j, one piece of code as good as verified, and a scripted model."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.command import EXAMPLES, Cli
from servers.model import ModelServer

from agents.loops import End, Limits, RunConfig, RunFolder, start_run
from kg.config import LlmPrice, LlmProfile, Settings
from kg.connection import Connection
from kg.store import Store
from kg.verdicts import open_logs

sys.path.insert(0, str(Path(__file__).parent.parent / "verdicts"))

from judgements import verify

TARGET = "local:heavy-hitters"
VERIFIED = "streamsample/reservoir.py#Reservoir"


@pytest.fixture(scope="module")
def example_settings(server_settings: Settings, emptied: Callable[[], Connection]) -> Settings:
    """Of a graph with the examples, made once for the tests of a file."""
    connection = emptied()
    cli = Cli({**os.environ, "XKG_HOME": str(server_settings.home)})
    cli.run("ingest", "corpus", EXAMPLES / "corpus.toml", "--jobs", "1")
    rows, _, _ = connection.driver.execute_query(
        "MATCH (c:Code) WHERE c.id ENDS WITH $ending RETURN c.id AS id", ending=f":{VERIFIED}"
    )
    verify(Store(connection), connection, open_logs(server_settings), rows[0]["id"])
    return server_settings


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def settings(example_settings: Settings, server: ModelServer, tmp_path: Path) -> Settings:
    """The same with a scripted model, and answers kept for this test alone."""
    profile = LlmProfile(model="scripted", base_url=server.base_url, timeout=20, replies=tmp_path / "replies")
    return example_settings.replace(
        network__retry_wait=0.01, network__retry_total=5, verify__mutants=2, llm__profile="it",
        llm__profiles={"it": profile}, llm__prices={"scripted": LlmPrice(input=1, output=2)},
    )  # fmt: skip


Replicate = Callable[..., tuple[RunFolder, End]]


@pytest.fixture
def replicate(settings: Settings) -> Replicate:
    """`replicate(agent)`: a run of it on the paper about heavy hitters."""

    def made(agent: str, limits: dict[str, Any] | None = None, **more: Any) -> tuple[RunFolder, End]:
        config = {"id": "", "paper": TARGET, "agent": agent, "limits": Limits(**(limits or {}))}
        changes = {name: more.pop(name) for name in [*more] if name.startswith("llm__")}
        return start_run(settings.replace(**changes), RunConfig.model_validate({**config, **more}))

    return made
