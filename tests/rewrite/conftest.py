"""A small repository prepared once, and a scripted model that is asked for its modules."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rewrite.samples import scene
from servers.model import ModelServer

from agents.code.modules import Slicer
from agents.code.units import read_units
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.rewrite import Rewrite, Task, Trials, rewrite
from kg.config import LlmProfile, load_settings


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture(scope="session")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    """The repository's environment and tests, found once."""
    folder = scene(tmp_path_factory.mktemp("calm"))
    codebase = read_units(folder)
    units = [unit for unit in codebase.units if unit.role == "source" and unit.kind in {"function", "class"}]
    settings = load_settings().replace(verify__mutants=6)
    scratch = tmp_path_factory.mktemp("scratch") / "copy"
    return Trials(folder, codebase, units, open_sandbox(settings, "bubblewrap"), settings, scratch)


@pytest.fixture
def task(trials: Trials) -> Callable[..., Task]:
    """`task(symbol)`: what is asked for one unit."""

    def made(symbol: str = "smooth", **more: Any) -> Task:
        unit = next(unit for unit in trials.units if unit.symbol == symbol)
        module = Slicer(trials.folder).stored(unit)
        assert module is not None
        about = {"names": ("triangular smoothing",), "definitions": ("A moving average under a triangle.",)}
        return Task(unit, module, f"technique_{symbol.lower()}.py", **{**about, **more})

    return made


@pytest.fixture
def run(server: ModelServer, trials: Trials, tmp_path: Path) -> Callable[..., Rewrite]:
    """`run(task)`: the rewrite that comes of the server's script."""

    def made(task: Task, **more: Any) -> Rewrite:
        profile = LlmProfile(model="scripted", base_url=server.base_url, timeout=20, replies=tmp_path / "replies")
        limits = more.pop("limits", {})
        settings = load_settings().replace(
            home=tmp_path / "home",
            llm__profiles={"it": profile},
            **{f"llm__{key}": value for key, value in limits.items()},
        )
        return rewrite(task, LLM(settings, "it", run="run"), trials, paper="local:calm", **more)

    return made
