"""Every feature that runs code gives the same answer on every backend: imports, verdicts, a person's statements."""

import sys
from pathlib import Path

import pytest

from agents.code.modules import Module
from agents.code.units import read_units
from agents.code.verify import Verifier
from agents.code.verify.blocks import Block, judge_block
from agents.execution.environments import Environment, EnvironmentSpec, build_environment
from agents.execution.harness import run_unit
from agents.execution.sandbox import Limits, RunSpec, Sandbox
from benchmarks.importing import import_modules
from kg.config import Settings, load_settings

MEAN = """\
def mean(values):
    total = 0
    for value in values:
        total += value
    return total / len(values)
"""
TELLS = "assert mean([1, 2, 3]) == 2 and mean([5]) == 5 and mean([-4, 4]) == 0\n"
VERDICTS = {TELLS: "verified", "mean([1, 2, 3])\n": "unverified", "assert mean([1, 2, 3]) == 3\n": "failed"}


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load_settings().replace(verify__block_seconds=20.0, verify__block_total_seconds=240.0, verify__mutants=8)


@pytest.fixture(scope="module")
def environment(settings: Settings) -> Environment:
    """Without packages."""
    python = ".".join(map(str, sys.version_info[:2]))
    return build_environment(EnvironmentSpec(python=python, strategy="no packages"), settings)


def test_modules_import_or_say_why_not(sandbox: Sandbox, environment: Environment) -> None:
    texts = {"good": "def f():\n    pass\n", "bad": "f = nowhere\n", "gone": "import os; os._exit(0)\n"}
    modules = [
        Module(unit=name, language="python", import_name=f"pkg.{name}", symbol="f", files={f"pkg/{name}.py": text})
        for name, text in texts.items()
    ]
    said = {module.unit: error for module, error in import_modules(modules, sandbox, environment)}
    assert said["good"] == ""
    assert said["bad"].startswith("NameError: name 'nowhere' is not defined")
    assert said["gone"].startswith("SystemExit: the process ended by itself")


@pytest.mark.parametrize("test", VERDICTS, ids=VERDICTS.values())
def test_blocks_are_judged(test: str, sandbox: Sandbox, environment: Environment, settings: Settings) -> None:
    judged = judge_block(Block(id="b", implementation=MEAN, test=test), environment, sandbox, settings).judgement
    assert judged.verdict == VERDICTS[test], judged.reason
    assert judged.execution is not None
    assert judged.execution.backend == sandbox.name


def test_units_of_a_repository_are_judged(sandbox: Sandbox, settings: Settings, tmp_path: Path) -> None:
    weak = "def halve(value):\n    return value / 2\n"
    (tmp_path / "means.py").write_text(MEAN + weak)
    calls = "from means import halve, mean\n\n\ndef test_mean():\n    {}\ndef test_halve():\n    halve(3)\n"
    (tmp_path / "test_means.py").write_text(calls.format(TELLS))
    codebase = read_units(tmp_path)
    units = [unit for unit in codebase.units if unit.id.startswith("means.py#")]
    judged = {one.judgement.code: one.judgement for one in Verifier(tmp_path, codebase, sandbox, settings).judge(units)}
    verdicts = {code: judgement.verdict for code, judgement in judged.items()}
    assert verdicts == {"means.py#mean": "verified", "means.py#halve": "unverified"}, judged
    execution = judged["means.py#mean"].execution
    assert execution is not None
    assert execution.backend == sandbox.name


def test_statements_run_on_a_unit(sandbox: Sandbox) -> None:
    files, argv = run_unit("pkg.means", "mean")
    files |= {"pkg/means.py": MEAN.encode()}
    statements = ("import os", "print(mean([1, 2]), os.getcwd(), os.path.exists('/root/.bashrc'))")
    result = sandbox.run(RunSpec(argv=(*argv, *statements), files=files, limits=Limits(wall=20)))
    assert (result.exit_code, result.stdout) == (0, "1.5 /work False\n"), result.stderr
