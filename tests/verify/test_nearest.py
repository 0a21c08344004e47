"""The tests that are held against mutants: those about the unit, not the quickest."""

from collections.abc import Iterable

from agents.code.verify import running
from agents.code.verify.running import Source
from agents.code.verify.weighing import nearest
from kg.models.code import CodeUnit

UNIT = CodeUnit(
    id="m/stretch.py#StretchMove", file="m/stretch.py", symbol="StretchMove", name="StretchMove", kind="class",
    language="python", start=0, end=9, line=1, end_line=9,
)  # fmt: skip


def runs(*given: tuple[str, float, int]) -> Iterable[running.TestRun]:
    for name, seconds, others in given:
        units = frozenset({UNIT.id, *(f"other{i}" for i in range(others))})
        yield running.TestRun(name, Source("repo/t.py"), "passed", seconds, units)


def test_names_decide_before_speed_and_few_units_before_many() -> None:
    found = runs(("t.py::test_smoke", 0.1, 9), ("t.py::test_other", 0.2, 3), ("t.py::test_normal_stretch", 3.0, 9))
    assert [run.id for run in nearest(UNIT, found, 10)] == [
        "t.py::test_normal_stretch", "t.py::test_other", "t.py::test_smoke",
    ]  # fmt: skip


def test_time_bounds_the_choice_but_one_is_always_there() -> None:
    found = list(runs(("t.py::test_stretch", 30.0, 1), ("t.py::test_a", 1.0, 1)))
    assert [run.id for run in nearest(UNIT, found, 10)] == ["t.py::test_stretch"]
    assert len(nearest(UNIT, runs(*((f"t.py::test_{i}", 0.1, 1) for i in range(50))), 10)) == 12


def test_tests_that_fail_or_do_not_reach_it_are_not_chosen() -> None:
    failed = running.TestRun("t.py::test_stretch", Source("repo/t.py"), "failed", 0.1, frozenset({UNIT.id}))
    elsewhere = running.TestRun("t.py::test_stretch_b", Source("repo/t.py"), "passed", 0.1, frozenset())
    assert nearest(UNIT, [failed, elsewhere], 10) == []


def test_the_tests_of_a_class_call_its_methods_between_them() -> None:
    given = [("t.py::test_stretch_a", "get"), ("t.py::test_stretch_b", "get"), ("t.py::test_zzz", "put")]
    found = [
        running.TestRun(name, Source("repo/t.py"), "passed", 1.0, frozenset({UNIT.id, f"{UNIT.id}.{method}"}))
        for name, method in given
    ]
    assert [run.id for run in nearest(UNIT, found, 2)] == ["t.py::test_stretch_a", "t.py::test_zzz"]
