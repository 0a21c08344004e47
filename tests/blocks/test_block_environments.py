"""Which environment a block gets, from an index that is a folder of wheels."""

import os
import sys
from pathlib import Path

import pytest

from agents.code.verify.blocks import Block, plan_environments
from agents.execution.environments import Environment, EnvironmentFailed
from kg.config import Settings, load_settings

sys.path.insert(0, str(Path(__file__).parent.parent / "environments"))

from environment_index import Index


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A cache of its own; einops, tqdm and dill are to be had, and a torchinfo that is larger than allowed."""
    index = Index(tmp_path / "wheels")
    for name in ("einops", "tqdm", "dill"):
        index.wheel(name)
    index.wheel("torchinfo", files={"torchinfo.py": os.urandom(1_500_000).hex()})
    for name in ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(index.folder))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    return load_settings().replace(
        cache=tmp_path / "cache", execution__torch_index=False, execution__environment_limit_mb=1
    )


def block(name: str, implementation: str) -> Block:
    return Block(id=name, implementation=implementation, requirements=("whatever-the-file-says",))


def packages(planned: Environment | EnvironmentFailed) -> set[str]:
    assert isinstance(planned, Environment), planned
    return set(planned.packages)


def test_common_needs_are_met_together_and_rare_ones_apart(settings: Settings) -> None:
    planned = plan_environments(
        [
            block("a", "import einops"),
            block("b", "import einops.layers, tqdm"),
            block("c", "from tqdm import tqdm\nimport of_its_own"),
            block("d", "import dill, os"),
            block("e", "import os\nimport not_on_any_index"),
            block("f", "import broken ("),
        ],
        settings,
    )
    assert packages(planned["a"]) == packages(planned["b"]) == packages(planned["c"]) == {"einops", "tqdm"}
    assert planned["a"] == planned["b"] == planned["c"]
    assert packages(planned["d"]) == {"dill"}
    assert isinstance(planned["e"], Environment)
    assert "whatever-the-file-says" not in {name for one in "abcdef" for name in packages(planned[one])}


def test_what_can_not_be_had_is_told_to_each_block_that_needs_it(settings: Settings) -> None:
    planned = plan_environments([block("a", "import torchinfo, einops"), block("b", "import einops")], settings)
    assert isinstance(planned["a"], EnvironmentFailed)
    assert "MB" in str(planned["a"])
    assert packages(planned["b"]) == {"einops"}
