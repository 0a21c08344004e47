"""A scripted model on loopback, and settings whose profiles lead there without waiting between tries."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import scripted
from servers.model import ModelServer

from agents.llm import LLM
from kg.config import Settings


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def settings(server: ModelServer, tmp_path: Path) -> Settings:
    """One profile, ``strict``: JSON by schema, streamed, with a price of 1 and 2 per million tokens."""
    return scripted(server.base_url, tmp_path)


@pytest.fixture
def make(settings: Settings) -> Callable[..., LLM]:
    """A client of the profile, changed in some fields; ``limits`` are settings of the group, ``run`` a name."""

    def made(run: str = "run", limits: dict[str, Any] | None = None, **fields: Any) -> LLM:
        profile = settings.llm.profiles["strict"].model_copy(update=fields)
        changes = {f"llm__{key}": value for key, value in (limits or {}).items()}
        return LLM(settings.replace(llm__profiles={"strict": profile}, **changes), run=run)

    return made
