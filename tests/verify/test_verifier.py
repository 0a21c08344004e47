"""Verdicts on a repository whose tests mislead in every way we know: one run, read from many sides."""

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from verify_zoo import write_zoo

from agents.code.units import read_units
from agents.code.verify import Judged, Verifier
from agents.execution.sandbox import open_sandbox
from kg.config import load_settings

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Judged]:
    """Every function of the zoo, by its name."""
    folder = tmp_path_factory.mktemp("zoo")
    write_zoo(folder)
    codebase = read_units(folder)
    units = [u for u in codebase.units if u.role == "source" and u.kind in {"function", "class"}]
    settings = load_settings().replace(verify__test_seconds=5.0)
    verifier = Verifier(folder, codebase, open_sandbox(settings, "bubblewrap"), settings)
    found = {one.judgement.code.partition("#")[2]: one for one in verifier.judge(units)}
    assert {"clamp", "square", "one"} <= found.keys()
    return found


@pytest.mark.parametrize(
    ("symbol", "kind"),
    [
        ("clamp", "repository"),
        ("mean", "repository"),
        ("sign", "repository"),
        ("rot", "doctest"),
        ("norm", "replay"),
        ("cube", "repository"),
        ("halves", "repository"),
    ],
)
def test_a_test_that_would_notice_verifies(judged: Mapping[str, Judged], symbol: str, kind: str) -> None:
    judgement = judged[symbol].judgement
    assert (judgement.verdict, judgement.kind) == ("verified", kind), judgement.reason
    assert 2 * judgement.killed >= judgement.mutants > 0
    assert judgement.killed_by_assertion >= 1
    assert judgement.execution is not None
    assert judgement.execution.log == sha256(judged[symbol].log).hexdigest()
    assert judgement.execution.backend == "bubblewrap"
    assert "network" in judgement.execution.enforced
    assert judged[symbol].imported
    assert judged[symbol].reached


def test_a_textbook_definition_verifies_and_is_no_reach_of_the_repository(judged: Mapping[str, Judged]) -> None:
    judgement = judged["forward_fill"].judgement
    assert (judgement.verdict, judgement.kind) == ("verified", "property"), judgement.reason
    assert judgement.killed_by_assertion >= 1
    assert "imputed(unit, 'forward', " in judgement.test
    assert not judged["forward_fill"].reached


def test_a_definition_helps_where_the_tests_of_the_repository_are_weak(judged: Mapping[str, Judged]) -> None:
    judgement = judged["zero_imputation"].judgement
    assert (judgement.verdict, judgement.kind) == ("verified", "property"), judgement.reason
    assert judged["zero_imputation"].reached


def test_agreeing_with_a_definition_does_not_outweigh_a_failing_test(judged: Mapping[str, Judged]) -> None:
    judgement = judged["interpolate"].judgement
    assert (judgement.verdict, judgement.failure, judgement.kind) == ("failed", "assertion", "repository"), (
        judgement.reason
    )


@pytest.mark.parametrize(
    ("symbol", "reason"),
    [
        ("area", "test too weak"),
        ("triple", "passes whether its assertion"),
        ("double", "no test of the repository reaches it"),
        ("untested", "no test of the repository reaches it"),
        ("compute_f1", "no test of the repository reaches it"),
        ("Table", "no test of the repository reaches it"),
        ("half", "the process of tests/test_exiting.py::test_half ended before the test did"),
        ("square", "the process of tests/test_forged.py::test_square ended before the test did"),
        ("one", "nothing here runs tests of c code"),
    ],
)
def test_a_test_that_proves_nothing_does_not_verify(judged: Mapping[str, Judged], symbol: str, reason: str) -> None:
    judgement = judged[symbol].judgement
    assert judgement.verdict == "unverified"
    assert reason in judgement.reason


@pytest.mark.parametrize(
    ("symbol", "failure", "line"),
    [
        ("fetch", "network needed", "zoo/network.py:5"),
        ("rows", "missing data or weights", "zoo/data.py:2"),
        ("place", "GPU needed", "zoo/gpu.py:2"),
        ("add", "assertion", "tests/test_wrong.py:5"),
        ("wait", "timeout", "zoo/hanging.py:3"),
        ("use", "missing module", "zoo/missing.py:1"),
        ("shout", "syntax", "zoo/python2.py:2"),
    ],
)
def test_what_fails_says_why_and_where(judged: Mapping[str, Judged], symbol: str, failure: str, line: str) -> None:
    judgement = judged[symbol].judgement
    assert (judgement.verdict, judgement.failure) == ("failed", failure), judgement.reason
    assert judgement.line is not None
    assert judgement.line.rpartition(":")[0] == line.rpartition(":")[0]
    assert judgement.execution is not None
    assert judgement.execution.log == sha256(judged[symbol].log).hexdigest()


def test_no_reason_ends_empty(judged: Mapping[str, Judged]) -> None:
    assert judged["vanish"].judgement.verdict != "verified"
    for name, one in judged.items():
        assert not re.search(r"(^|[:(,;]|\bNone\b.?)\s*$", one.judgement.reason), (name, one.judgement.reason)


def test_a_missing_module_says_why_it_is_missing(judged: Mapping[str, Judged]) -> None:
    judgement = judged["use"].judgement.reason
    assert judgement.endswith("no distribution is known that provides a_module_that_nobody_has")


def test_a_file_of_tests_that_a_change_keeps_from_loading_has_noticed_it(judged: Mapping[str, Judged]) -> None:
    judgement = judged["halves"].judgement
    assert not [one for one in judgement.survivors if "found.append(number)" in one], judgement.survivors
    assert re.search(rb"found\.append.*\n(.*\n)*?.*IndexError", judged["halves"].log)


def test_what_can_never_be_collected_has_noticed_nothing(judged: Mapping[str, Judged]) -> None:
    judgement = judged["thirds"].judgement
    assert (judgement.verdict, judgement.killed) == ("unverified", 0), judgement.reason


def test_survivors_are_told_to_a_person(judged: Mapping[str, Judged]) -> None:
    judgement = judged["area"].judgement
    assert "also passes where it returns numbers that are too large" in judgement.reason
    assert "tests/test_weak.py::test_area" in judgement.reason


def test_the_log_shows_the_test_run(judged: Mapping[str, Judged]) -> None:
    assert b"unchanged 1: finished" in judged["clamp"].log
    assert b"1 passed" in judged["clamp"].log


def test_an_empty_repository_has_no_verdicts(tmp_path: Path) -> None:
    settings = load_settings()
    verifier = Verifier(tmp_path, read_units(tmp_path), open_sandbox(settings, "bubblewrap"), settings)
    assert list(verifier.judge([])) == []


def test_a_refused_configuration_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nminversion = 99\n")
    (tmp_path / "conftest.py").write_text("import a_plugin_that_nobody_has\n")
    (tmp_path / "m.py").write_text("def double(value):\n    return value * 2\n")
    (tmp_path / "test_m.py").write_text("from m import double\n\n\ndef test_double():\n    assert double(3) == 6\n")
    settings, codebase = load_settings(), read_units(tmp_path)
    units = [unit for unit in codebase.units if unit.symbol == "double"]
    (judgement,) = Verifier(tmp_path, codebase, open_sandbox(settings, "bubblewrap"), settings).judge(units)
    assert judgement.judgement.verdict == "verified", judgement.judgement.reason


def test_a_package_that_cannot_be_imported_is_the_reason_not_that_its_module_stands_alone(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("raise OSError('the runtime is not installed')\n")
    (package / "kinds.py").write_text("Number = float\n")
    double = "def double(value: Number) -> Number:\n    return value * 2\n"
    (package / "m.py").write_text(f"from __future__ import annotations\nfrom .kinds import Number\n\n\n{double}")
    settings, codebase = load_settings(), read_units(tmp_path)
    units = [unit for unit in codebase.units if unit.symbol == "double"]
    (judged,) = Verifier(tmp_path, codebase, open_sandbox(settings, "bubblewrap"), settings).judge(units)
    assert judged.judgement.verdict == "failed"
    assert "the runtime is not installed" in judged.judgement.reason
    assert "relative import" not in judged.judgement.reason
