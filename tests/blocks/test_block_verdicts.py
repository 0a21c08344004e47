"""Blocks whose test means what it says, and the verdict that each deserves."""

import pytest
from block_samples import ASSERTS, IMPLEMENTATION, Judge, load

from agents.code.verify.blocks import Block, judge_block
from agents.execution.environments import Environment, EnvironmentFailed
from agents.execution.sandbox import Sandbox, SandboxError, open_sandbox
from kg.config import Settings
from kg.verdicts import sha256_of

pytestmark = pytest.mark.sandbox

GOOD = load("good.txt")
DECEIT = load("deceits.txt")["counts its runs"]


@pytest.mark.parametrize("name", GOOD)
def test_a_test_that_tells_right_from_wrong_verifies(judge: Judge, name: str) -> None:
    judgement = judge(GOOD[name])
    assert judgement.verdict == "verified", judgement.reason
    assert judgement.kind == "imported"
    assert judgement.mutants == 8
    assert 4 <= judgement.killed <= 8
    assert 1 <= judgement.killed_by_assertion <= judgement.killed
    assert len(judgement.survivors) == judgement.mutants - judgement.killed


def test_the_execution_is_of_the_very_block(
    bare: Environment, block_sandbox: Sandbox, block_settings: Settings
) -> None:
    block = Block(id="b", implementation=IMPLEMENTATION, test=ASSERTS + "print('said')")
    judged = judge_block(block, bare, block_sandbox, block_settings)
    execution = judged.judgement.execution
    assert execution is not None
    assert execution.code_sha256 == sha256_of(block.implementation)
    assert execution.test_sha256 == sha256_of(block.test)
    assert (execution.exit_code, execution.signal, execution.limit) == (0, None, None)
    assert execution.environment == bare.id
    assert execution.backend == "bubblewrap"
    assert execution.enforced["network"]
    assert judged.log.startswith(b"said\n")
    assert b"by an assertion of the test: AssertionError" in judged.log
    assert not any(line.rstrip().endswith(b":") for line in judged.log.splitlines()), judged.log.decode()
    again = judge_block(block, bare, block_sandbox, block_settings).judgement
    assert again.execution is not None
    assert again.execution.id == execution.id
    assert (again.verdict, again.killed, again.survivors) == (
        "verified",
        judged.judgement.killed,
        judged.judgement.survivors,
    )


@pytest.mark.dockerd
def test_docker_judges_alike(bare: Environment, block_settings: Settings, docker_settings: Settings) -> None:
    sandbox = open_sandbox(docker_settings, "docker")
    for test, verdict in ((ASSERTS, "verified"), (DECEIT, "unverified"), ("mean([])", "failed")):
        block = Block(id="b", implementation=IMPLEMENTATION, test=test)
        judgement = judge_block(block, bare, sandbox, block_settings).judgement
        assert judgement.verdict == verdict, judgement.reason
        assert judgement.execution is not None
        assert judgement.execution.backend == "docker"


WEAK = {
    "prints": "print(mean([1, 2]), clip(1, 2, 3))",
    "asserts a constant": "assert True\nassert (mean([1, 2]) == 7, 'a tuple is always true')",
    "asserts little": "assert clip(1, 0, 2) == 1",
    "asserts that there is something": "for values in ([1], [1, 2], [1, 2, 3]):\n    assert mean(values) is not None\n"
    "assert all(isinstance(clip(x, 1, 2), (int, float)) for x in (0, 1.5, 3))",
    "imports": "import math",
    "is never called": "def test_mean():\n    assert mean([1, 2, 3]) == 2",
    "compares with itself": "assert mean([1, 2, 3]) == mean([1, 2, 3]) and clip(1, 0, 2) == clip(1, 0, 2)",
}


@pytest.mark.parametrize("name", WEAK)
def test_a_test_that_can_hardly_fail_is_too_weak(judge: Judge, name: str) -> None:
    judgement = judge(WEAK[name])
    assert judgement.verdict == "unverified"
    assert judgement.reason.startswith("test too weak")
    assert judgement.failure is None
    assert judgement.mutants == 8


def test_without_a_test_only_the_implementation_is_run(judge: Judge) -> None:
    judgement = judge("")
    assert (judgement.verdict, judgement.reason) == ("unverified", "no test: the implementation alone runs to its end")
    assert judge("  \n", "def f(:\n  pass").failure == "syntax"


def test_an_assertion_of_the_implementation_is_none_of_the_test(judge: Judge) -> None:
    code = "def half(x):\n    y = x / 2\n    assert y * 2 == x\n    return y\n"
    judgement = judge("half(3)\nhalf(4)\nhalf(5)\n", code)
    assert judgement.verdict == "unverified"
    assert judgement.killed_by_assertion == 0


def test_what_could_not_be_had_is_the_reason(
    bare: Environment, block_sandbox: Sandbox, block_settings: Settings
) -> None:
    block = Block(id="b", implementation="x = 1", test="assert x == 1")
    no_wheels = EnvironmentFailed("no wheels of foo", remedy="build them")
    for environment, sandbox, told in (
        (no_wheels, block_sandbox, "no wheels of foo"),
        (bare, SandboxError("no sandbox works here"), "no sandbox works here"),
    ):
        judged = judge_block(block, environment, sandbox, block_settings)
        assert judged.judgement.verdict == "unverified"
        assert told in judged.judgement.reason
        assert judged.judgement.failure is None
        assert judged.judgement.execution is None
        assert judged.log == b""


def test_a_parameter_that_no_test_sees_is_named(judge: Judge) -> None:
    guided = "def guided(eps_cond, eps_uncond, scale):\n    return (2 + scale) * eps_cond - scale * eps_uncond\n"
    at_zero = "assert guided(1, 3, 0) == 2\nassert guided(-7, 1, 0) == -14\n"
    judgement = judge(at_zero, guided)
    assert judgement.verdict == "unverified"
    assert "`eps_uncond` is left out" in judgement.reason
    assert judge(f"{at_zero}assert guided(3, 1, 2) == 10\nassert guided(1, 4, 1) == -1\n", guided).verdict == "verified"


def test_its_time_ends(bare: Environment, block_sandbox: Sandbox, block_settings: Settings) -> None:
    settings = block_settings.replace(verify__block_total_seconds=4.0, verify__block_seconds=3.0)
    slow = "import time\ntime.sleep(1.5)\n" + ASSERTS
    block = Block(id="b", implementation=IMPLEMENTATION, test=slow)
    judgement = judge_block(block, bare, block_sandbox, settings).judgement
    assert judgement.verdict == "unverified"
    assert "its time was over" in judgement.reason
