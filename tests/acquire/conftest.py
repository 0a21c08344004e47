"""A scripted host on loopback, and settings that lead all requests there without waiting between them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from servers.scripted import ScriptedServer

from kg.config import Settings


@pytest.fixture
def host() -> Iterator[ScriptedServer]:
    with ScriptedServer().running() as server:
        yield server


@pytest.fixture
def settings(host: ScriptedServer, tmp_path: Path) -> Settings:
    return Settings().replace(
        cache=tmp_path / "cache",
        arxiv__api=f"{host.url}/api/query",
        arxiv__eprint=f"{host.url}/e-print",
        arxiv__oai=f"{host.url}/oai",
        arxiv__interval=0,
        github__api=host.url,
        github__git=host.url,
        github__token=None,
        network__retry_wait=0.01,
        network__retry_total=5,
    )
