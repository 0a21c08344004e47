"""A scripted model on loopback, and a client of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from answers import settings_of
from servers.model import ModelServer

from agents.llm import LLM


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def llm(server: ModelServer, folder: Path) -> LLM:
    return LLM(settings_of(server, folder), "strict", run="run")
