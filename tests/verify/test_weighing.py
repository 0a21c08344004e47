"""The tests that are held against mutants: those about the unit, not the quickest; and when they do."""

from collections.abc import Iterable

import pytest

from agents.code.mutants import Mutant
from agents.code.verify import running
from agents.code.verify.running import Source
from agents.code.verify.weighing import Noticed, Weight, nearest, noticed, weakness, weight_of
from agents.execution.harness import BatchRun, JobResult
from agents.execution.sandbox import LimitName, Result
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


def weight(by_assertion: int, by_crash: int, survived: int, untried: int = 0) -> Weight:
    hows = [Noticed.ASSERTION] * by_assertion + [Noticed.CRASH] * by_crash + [Noticed.NOT] * survived
    return Weight({Mutant("operator", at, f"line {at}: x", ""): how for at, how in enumerate(hows)}, untried)


@pytest.mark.parametrize(
    ("found", "of_repository", "of_block"),
    [
        (weight(3, 3, 2), None, None),
        (weight(1, 5, 2), None, "too few by assertions"),
        (weight(0, 8, 0), "no assertion", "no assertion"),
        (weight(2, 1, 5), "too few killed", "too few killed"),
        (weight(4, 0, 0, untried=4), None, "too little time"),
        (weight(3, 0, 0, untried=5), "too little time", "too little time"),
        (weight(2, 0, 0), None, None),
        (weight(0, 0, 0), "no mutants", "no mutants"),
    ],
)
def test_well_enough_is_one_rule_and_stricter_for_tests_of_unknown_origin(
    found: Weight, of_repository: str | None, of_block: str | None
) -> None:
    assert weakness(found, 0.5) == of_repository
    assert weakness(found, 0.5, imported=True) == of_block


@pytest.mark.parametrize(
    ("result", "how"),
    [
        (JobResult("m", "finished", status=0), Noticed.NOT),
        (JobResult("m", "finished", status=3), Noticed.CRASH),
        (JobResult("m", "lost"), Noticed.NOT),
        (JobResult("m", "died", status=1), Noticed.CRASH),
        (JobResult("m", "timeout", status=-9), Noticed.TIMEOUT),
        (JobResult("m", "died", ({"event": "script", "check": True},), 1), Noticed.ASSERTION),
        (JobResult("m", "finished", ({"event": "end", "limit": "timeout"},), 0), Noticed.TIMEOUT),
        (
            JobResult("m", "finished", ({"event": "end", "outcome": "failed", "raised": {"types": ["Failed"]}},), 0),
            Noticed.ASSERTION,
        ),
    ],
)
def test_a_mutant_is_noticed_by_what_ended_its_run(result: JobResult, how: Noticed) -> None:
    assert noticed(result) == how


@pytest.mark.parametrize(("limit", "survivors", "untried"), [(None, 2, 1), ("memory", 1, 2)])
def test_a_mutant_whose_run_is_lost_counts_as_not_noticed_unless_a_limit_ended_all(
    limit: LimitName | None, survivors: int, untried: int
) -> None:
    changes = [Mutant("operator", at, f"line {at}: x", "") for at in range(4)]
    ends = ("died", "lost", "skipped", "finished")
    jobs = [JobResult(f"mutant {at}", end, status=int(end == "died")) for at, end in enumerate(ends)]
    result = Result(
        exit_code=0, limit=limit, stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    found = weight_of(changes, BatchRun({job.id: job for job in jobs}, result, 1.0))
    assert (found.killed, len(found.survivors), found.untried) == (1, survivors, untried)
