"""One sandbox and one environment without packages for all blocks."""

import pytest
from block_samples import IMPLEMENTATION, Judge

from agents.code.verify.blocks import Block, judge_block
from agents.execution.environments import Environment, EnvironmentSpec, build_environment
from agents.execution.sandbox import Sandbox, open_sandbox
from kg.config import Settings, load_settings
from kg.models.execution import Judgement


@pytest.fixture(scope="session")
def block_settings(_own_environment: None) -> Settings:
    return load_settings().replace(verify__block_seconds=20.0, verify__block_total_seconds=240.0, verify__mutants=8)


@pytest.fixture(scope="session")
def bare(block_settings: Settings) -> Environment:
    return build_environment(EnvironmentSpec(python="3.11", strategy="no packages"), block_settings)


@pytest.fixture(scope="session")
def block_sandbox(block_settings: Settings) -> Sandbox:
    return open_sandbox(block_settings, "bubblewrap")


@pytest.fixture
def judge(bare: Environment, block_sandbox: Sandbox, block_settings: Settings) -> Judge:
    """Judge a block, by default with IMPLEMENTATION and few seconds."""

    def judged(
        test: str, implementation: str = IMPLEMENTATION, seconds: float = 20.0, total: float = 240.0
    ) -> Judgement:
        block = Block(id="block", implementation=implementation, test=test)
        settings = block_settings.replace(verify__block_seconds=seconds, verify__block_total_seconds=total)
        return judge_block(block, bare, block_sandbox, settings).judgement

    return judged
