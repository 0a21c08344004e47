"""The tests that are held against mutants: those about the unit, not the quickest; and when they do."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from agents.code.mutants import Mutant, Raised
from agents.code.verify import running
from agents.code.verify.choosing import nearest
from agents.code.verify.noticing import Attribution, Notice, Noticed, noticed
from agents.code.verify.reasons import weak_reason
from agents.code.verify.running import Source
from agents.code.verify.weighing import Trial, WeighedTests, _steady, _textual, least_share, weight_of
from agents.code.verify.weight import Weight, weakness
from agents.execution.harness import BatchRun, JobResult
from agents.execution.harness.harness import Ended
from agents.execution.sandbox import LimitName, Result
from kg.config import Settings
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


def test_one_function_with_many_parameters_leaves_room_for_others() -> None:
    many = [(f"t.py::test_stretch[{i}]", 0.1, 1) for i in range(20)]
    found = [run.id for run in nearest(UNIT, runs(*many, ("t.py::test_a", 0.2, 1), ("t.py::test_b", 0.2, 1)), 10)]
    assert found[:6] == [*(f"t.py::test_stretch[{i}]" for i in (0, 10, 11)), "t.py::test_a", "t.py::test_b",
                         "t.py::test_stretch[12]"]  # fmt: skip
    assert len(found) == 12


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


def test_tests_of_which_a_model_wrote_any_must_notice_more() -> None:
    of_repository = [*runs(("t.py::test_stretch", 1.0, 1))]
    written = replace(of_repository[0], source=Source("tau/t.py", "written"))
    limits = Settings().verify
    assert least_share(limits, of_repository) == limits.share == 0.5
    assert (
        least_share(limits, [written]) == least_share(limits, [*of_repository, written]) == limits.written_share == 0.6
    )
    strict = Settings().replace(verify__share=0.9).verify
    assert least_share(strict, [written]) == 0.9, "never less than of others"


def weight(by_assertion: int, by_crash: int, survived: int, untried: int = 0) -> Weight:
    hows = [Noticed.ASSERTION] * by_assertion + [Noticed.CRASH] * by_crash + [Noticed.NOT] * survived
    found = {Mutant("operator", at, f"line {at}: x", ""): Notice(how) for at, how in enumerate(hows)}
    return Weight(found, untried)


@pytest.mark.parametrize(
    ("found", "of_repository", "of_block"),
    [
        (weight(3, 3, 2), None, None),
        (weight(1, 5, 2), "too few killed", "too few killed"),
        (weight(2, 5, 3), None, "too few by assertions"),
        (weight(2, 3, 3), None, "too few by assertions"),
        (weight(0, 8, 0), "no assertion", "no assertion"),
        (weight(2, 1, 5), "too few killed", "too few killed"),
        (weight(4, 0, 0, untried=4), None, "too little time"),
        (weight(3, 0, 0, untried=5), "too little time", "too little time"),
        (weight(2, 0, 0), None, None),
        (weight(1, 0, 1), "too few killed", "too few killed"),
        (weight(2, 0, 1), None, None),
        (weight(1, 1, 0), None, None),
        (weight(1, 0, 0), None, None),
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
    assert noticed(result).how == how


@pytest.mark.parametrize(("limit", "survivors"), [(None, 2), ("memory", 1)])
def test_a_mutant_whose_run_is_lost_counts_as_not_noticed_unless_a_limit_ended_it(
    limit: LimitName | None, survivors: int
) -> None:
    changes = [Mutant("operator", at, f"line {at}: x", "") for at in range(4)]
    ends = ("died", "lost", "skipped", "finished")
    jobs = [JobResult(f"mutant {at}", end, status=int(end == "died")) for at, end in enumerate(ends)]
    jobs[1] = replace(jobs[1], limit=limit)
    result = Result(
        exit_code=0, limit=limit, stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    found = weight_of(changes, BatchRun({job.id: job for job in jobs}, result, 1.0))
    assert (len(found.survivors), found.untried, found.killed) == (survivors, 1, 0)


@pytest.mark.parametrize(
    ("ended", "tests", "known"), [("finished", ("t",), True), ("finished", (), False), ("lost", ("t",), False)]
)
def test_what_ends_a_change_did_not_end_the_run_without_one(ended: Ended, tests: tuple[str, ...], known: bool) -> None:
    plain, eater = JobResult("unchanged 0", ended, status=0), JobResult("mutant 0", "lost", limit="memory")
    result = Result(
        exit_code=None, limit="memory", stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    batch = BatchRun({job.id: job for job in (plain, eater)}, result, 1.0)
    assert (WeighedTests(tests, Weight({}), batch).unchanged is plain) == known


@pytest.mark.parametrize(
    ("frames", "counts"),
    [
        ("tests/t.py test_a", True),
        ("tests/t.py test_a, /lib/numpy/testing.py assert_allclose", True),
        ("tests/t.py test_a, tests/helpers.py same", True),
        ("tests/t.py test_a, m/stretch.py get", False),
        ("tests/t.py test_a, m/stretch.py get, m/u.py check", False),
        ("tests/t.py test_a, m/testing.py assert_close", True),
        ("tests/t.py test_a, m/other.py compute", False),
        ("tests/t.py test_a, m/stretch.py get, tests/t.py back", True),
        ("/work/tau/test_script_0.py test_script, run.py <module>", True),
        ("/work/tau/test_script_0.py test_script, m/stretch.py <module>", True),
        ("m/stretch.py test_get", True),
        ("", True),
    ],
)
def test_only_assertions_of_the_test_count(frames: str, counts: bool) -> None:
    places = [each.split() for each in frames.split(", ") if each]
    whole = tuple((file if file.startswith("/") else f"/work/repo/{file}", 1, name) for file, name in places)
    raised = Raised(("AssertionError",), "", whole)
    assert Attribution(UNIT, {"get"}, {"repo/tests/t.py"}).asserts(raised) is counts


def test_a_crash_by_the_name_that_was_taken_away_tells_nothing() -> None:
    raised = {"types": ["UnboundLocalError", "NameError"], "message": "x"}
    event = {"event": "end", "test": "t", "outcome": "failed", "raised": raised}
    result = JobResult("m", "finished", (event,), 1)
    assert noticed(result, taken_away=True).how == Noticed.VOID
    assert noticed(result).how == Noticed.CRASH
    void = Weight({Mutant("dropped", 1, "x", ""): Notice(Noticed.VOID)})
    assert (void.mutants, weakness(void, 0.5)) == (0, "no mutants")


def test_crashes_count_only_beside_two_changes_that_assertions_notice() -> None:
    none, operator = Mutant("none", 1, "a", ""), Mutant("operator", 2, "b", "")
    crashes = {Mutant("constant", at, "c", ""): Notice(Noticed.CRASH) for at in range(3, 7)}
    asserted = Notice(Noticed.ASSERTION)
    assert Weight({none: asserted, **crashes}).killed == 1
    assert Weight({none: asserted, operator: asserted, **crashes}).killed == 6
    other = Mutant("none", 9, "d", "")
    assert Weight({none: asserted, other: asserted, **crashes}).killed == 2
    assert Weight({none: asserted, **crashes}, wrong={"shift": asserted}).killed == 6
    looked_at = Weight(crashes, wrong={"shift": asserted, "lower": asserted})
    assert (looked_at.mutants, looked_at.killed, looked_at.by_assertion) == (5, 5, 1)
    assert weakness(looked_at, 0.5) is None
    assert weakness(Weight(crashes, wrong={"shift": asserted}), 0.5) == "too few killed"
    assert weakness(Weight({operator: asserted}, slow=True, unwatchable=True), 0.5) == "slow"
    assert weakness(Weight({none: asserted}), 0.5) == "existence only"
    assert weakness(Weight({operator: asserted}), 0.5) is None


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"blind": True}, "blind"),
        ({"wrong": {"shift": Notice(Noticed.NOT)}}, "wrong results pass"),
        ({"inert": True}, "inert"),
        ({"only_made": True}, "only made"),
        ({"methods": {"a": Notice(Noticed.NOT)}}, "few methods"),
        ({"methods": {"a": Notice(Noticed.NOT), "b": Notice(Noticed.CRASH)}}, None),
        ({"refuted": ("sums to one: 3.0",)}, "refuted"),
    ],
)
def test_noticing_mutants_is_not_enough(more: dict[str, Any], why: str | None) -> None:
    found = replace(weight(4, 0, 0), **more)
    assert weakness(found, 0.5) == why
    assert weakness(found, 0.5, stub=True) == "stub"


def test_a_run_that_had_not_its_time_says_nothing() -> None:
    ends = ({"event": "end", "test": "t.py::test_a", "outcome": "passed"}, {"event": "finished"})
    whole = JobResult("unchanged 0", "finished", ends, 0)
    cut = JobResult("unchanged 1", "cut", ({"event": "start", "test": "t.py::test_a"},), -9)
    mutant = Mutant("constant", 1, "1 is 2", "text")
    result = Result(
        exit_code=0, limit=None, stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    batch = BatchRun({one.id: one for one in (whole, cut, replace(cut, id="mutant 0"))}, result, 1.0)
    assert _steady(batch, list(runs(("t.py::test_a", 1.0, 1)))) == ({"t.py::test_a"}, set())
    assert weight_of([mutant], batch).untried == 1


@pytest.mark.parametrize(("ended", "said"), [("unchanged 1", "limit of memory ended"), ("mutant 0", "flaky")])
def test_only_what_ended_a_run_without_a_change_ended_the_tests(ended: str, said: str) -> None:
    passed = ({"event": "end", "test": "t.py::test_a", "outcome": "passed"}, {"event": "finished"})
    jobs = [JobResult("unchanged 0", "finished", passed, 0), JobResult(ended, "lost", limit="memory")]
    jobs += [JobResult("unchanged 2", "finished", ({"event": "finished"},), 0)]
    result = Result(
        exit_code=None, limit="memory", stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    batch = BatchRun({job.id: job for job in jobs}, result, 1.0)
    steady, flaky = _steady(batch, list(runs(("t.py::test_a", 1.0, 1))))
    assert (steady, flaky) == (set(), {"t.py::test_a"})
    assert said in weak_reason(WeighedTests((), Weight({}), batch, tuple(flaky)), [], 0.5)


def test_what_fails_whenever_the_text_is_another_judges_the_text() -> None:
    result = Result(
        exit_code=0, limit=None, stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    tests = [running.TestRun(f"t.py::{name}", Source("repo/t.py"), "passed", 0.1, frozenset()) for name in "abcd"]
    passed = {"unchanged 0": "abcd", "unchanged 1": "ac", "unchanged 2": "abd", "unchanged 3": "a"}
    end = {"event": "end", "outcome": "failed"}
    ends = {
        name: tuple(
            end | {"test": f"t.py::{one}"} | ({"outcome": "passed"} if one in letters else {})
            | ({"limit": "timeout"} if one == "d" and one not in letters else {})
            for one in "abcd"
        )
        for name, letters in passed.items()
    }  # fmt: skip
    jobs = {name: JobResult(name, "finished", (*events, {"event": "finished"}), 0) for name, events in ends.items()}
    batch = BatchRun(jobs, result, 1.0)
    assert _textual(batch, tests) == {"t.py::b"}, "c fails at times, d takes too long"
    assert _steady(batch, tests)[0] == {"t.py::a"}
    weighed = WeighedTests((), Weight({}), batch, ("t.py::c",), textual=("t.py::b",))
    assert "t.py::b fails when only the text of the unit is another one" in weak_reason(weighed, [], 0.5)


def test_a_person_reads_why_crashes_and_limits_did_not_count() -> None:
    ways = (Noticed.CRASH, Noticed.CRASH, Noticed.TIMEOUT, Noticed.NOT)
    tried = {Mutant("dropped", n, f"line {n}: it is dropped", str(n)): Notice(how) for n, how in enumerate(ways)}
    result = Result(
        exit_code=0, limit=None, stdout="", stderr="", wall_s=1.0, cpu_s=1.0, enforced={}, backend="bubblewrap"
    )
    weighed = WeighedTests(("t.py::test_a",), Weight(tried), BatchRun({}, result, 1.0))
    assert weak_reason(weighed, [], 0.5) == (
        "test too weak: 0 of 4 mutants killed by t.py::test_a, none by an assertion of a test; 3 more crashed or met a "
        "limit, which counts only where assertions notice two other changes: assert what it returns, or leaves behind"
    )


def test_what_a_helper_of_a_module_is_given_is_no_parameter_of_the_unit() -> None:
    text = "def scaled(x, factor):\n    return x * factor\n\n\ndef unit(x, factor):\n    return scaled(x, 2) + factor\n"
    lines = len(text.splitlines())
    whole = UNIT.model_copy(
        update={"kind": "function", "symbol": "unit", "name": "unit", "end_line": lines, "text": text}
    )
    (run,) = runs(("t.py::test_a", 0.1, 1))

    def parameters(unit: CodeUnit) -> set[int]:
        found = Trial(unit, text, [run], {}, 40).mutants
        assert {2, 6} <= {mutant.line for mutant in found}
        return {mutant.line for mutant in found if mutant.kind == "parameter"}

    assert parameters(whole) == {6}
    assert {mutant.line for mutant in Trial(whole, text, [run], {}, 2).mutants} == {6}, "the unit itself comes first"
    assert parameters(whole.model_copy(update={"text": text[:-1]})) == {2, 6}, "several units of a file"


def test_a_test_alone_has_the_time_in_which_others_compiled_for_it_before() -> None:
    (quick,) = runs(("t.py::test_a", 0.1, 1))

    def limit(before: float) -> float:
        trial = Trial(UNIT, "def f():\n    return 1\n", [replace(quick, since_begin=before)], {}, 4)
        return float(trial.jobs(120, 30)[0].options["each"])

    assert [limit(0.1), limit(25.0), limit(4000.0)] == [10, 50, 60], "never more than half of the unit's time"


def test_files_of_one_name_are_not_weighed_together() -> None:
    found = [
        running.TestRun(
            f"{folder}/t.py::test_stretch_{number}", Source(f"repo/{folder}/t.py"), "passed", 0.1, frozenset({UNIT.id})
        )
        for folder in ("a", "b")
        for number in range(2)
    ]
    assert [run.id for run in nearest(UNIT, found, 10)] == ["a/t.py::test_stretch_0", "a/t.py::test_stretch_1"]
