"""A scripted model on loopback, and a client of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from answers import SAID, settings_of, write_repository
from servers.model import ModelServer

from agents.code.units import read_units
from agents.code.verify import Judged, Verifier
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.testwriting import TestWriter as Writer
from kg.verdicts.specification import Specification


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


@pytest.fixture
def judge(server: ModelServer, tmp_path: Path) -> Callable[..., Judged]:
    """`judge(replies…)`: the verdict on ``gini``, with these replies, where the paper says `text`, and `changed` leads
    from a text in its file to another; what is kept of the model is kept `at` a place of its own."""

    def run(
        *replies: Any, text: str = SAID, changed: tuple[str, str] = ("", ""), at: str = "", replay: str = "record",
        **limits: Any,
    ) -> Judged:  # fmt: skip
        folder = tmp_path / f"repository{len(list(tmp_path.iterdir()))}"
        write_repository(folder)
        file = folder / "measures/core.py"
        file.write_text(file.read_text().replace(*changed, 1))
        known = settings_of(server, tmp_path / at, **limits)
        profile = known.llm.profiles["strict"].model_copy(update={"replay": replay})
        known = known.replace(llm__profiles={"strict": profile})
        codebase = read_units(folder)
        unit = next(unit for unit in codebase.units if unit.symbol == "gini")
        verifier = Verifier(folder, codebase, open_sandbox(known, "bubblewrap"), known)
        server.requests.clear()
        server.say(*replies)
        writer = Writer(LLM(known, "strict", run="run"), {unit.id: Specification(paper="local:p", text=text)})
        return verifier.judging([unit], more=writer)(unit)

    return run
