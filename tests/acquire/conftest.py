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
    return Settings(
        cache=tmp_path / "cache",
        arxiv_api=f"{host.url}/api/query",
        arxiv_eprint=f"{host.url}/e-print",
        arxiv_oai=f"{host.url}/oai",
        arxiv_interval=0,
        github_api=host.url,
        github_git=host.url,
        github_token=None,
        retry_wait=0.01,
        retry_total=5,
    )
