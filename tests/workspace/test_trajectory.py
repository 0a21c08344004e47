"""The record of a run: steps are told again, never done twice, and a run that would be another is no longer it."""

from pathlib import Path

import pytest

from agents.loops import End, Trajectory
from agents.loops.planning import completed, in_writing_order, objections
from agents.loops.reply import Change, Plan, Written
from kg.errors import InputError


def test_what_is_recorded_is_told_and_not_done(tmp_path: Path) -> None:
    done: list[int] = []

    def work() -> dict[str, object]:
        done.append(len(done))
        return {"data": {"id": "local:a#t/b", "text": "local:a"}, "nodes": ["local:a#t/b"], "tokens_in": 3}

    first = Trajectory(tmp_path / "t.jsonl")
    step = first.do("graph", "find", {"query": "a"}, work)
    assert (step.nodes, step.tokens_in) == (("local:a#t/b",), 3)
    assert step.result == {"data": {"id": "local:a#t/b", "text": "local:a"}}
    first.end(End(state="stopped", why="steps"))
    again, changed = Trajectory(tmp_path / "t.jsonl"), []
    assert again.replaying
    assert again.do("graph", "find", {"query": "a"}, work, lambda: changed.append(1)) == step
    assert (done, changed) == ([0], [1])
    assert not again.replaying
    assert again.do("graph", "find", {"query": "b"}, work).number == 2
    assert done == [0, 1]


def test_a_line_that_was_not_finished_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    Trajectory(path).do("model", "ask", {}, lambda: {"text": "a"})
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    again = Trajectory(path)
    assert len(again.steps) == 1
    assert path.read_bytes() == whole


def test_another_step_than_the_recorded_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    Trajectory(path).do("model", "ask", {"inputs": "a"}, lambda: {"text": "a"})
    with pytest.raises(InputError, match="begin a new run"):
        Trajectory(path).do("model", "ask", {"inputs": "b"}, lambda: {"text": "b"})
    path.write_text("no step\n")
    with pytest.raises(InputError, match="no record"):
        Trajectory(path)


def plan(
    *files: tuple[str, tuple[str, ...], tuple[str, ...]], entry: str = "a.py", ids: tuple[str, ...] = ("R",)
) -> Plan:
    return Plan.model_validate(
        {
            "overview": "o", "requirements": [{"id": one, "text": "t"} for one in ids], "entry": entry,
            "files": [{"path": path, "purpose": "p", "requirements": serves, "needs": needs}
                      for path, serves, needs in files],
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("```python\nx = 1\n```\n", "x = 1\n"),
        ("x = '```'\n", "x = '```'\n"),
        ("```\na\n```\nand\n```\nb\n```", "```\na\n```\nand\n```\nb\n```"),
    ],
)
def test_a_fence_around_a_whole_file_is_none_of_it(said: str, text: str) -> None:
    assert Written(text=said).text == text
    assert Change(path="a.py", new=said).new == text


def test_a_plan_in_the_order_of_needs() -> None:
    good = plan(("test_a.py", (), ("a.py",)), ("a.py", ("R",), ("b.py",)), ("b.py", (), ()))
    assert objections(good) == []
    assert [file.path for file in in_writing_order(good)] == ["b.py", "a.py", "test_a.py"]


def test_a_plan_is_completed_where_that_needs_no_guess() -> None:
    lacking = plan(("a.py", ("R", "gone"), ("b.py", "no.py")), ("b.py", (), ()), ids=("R", "S"))
    done = completed(lacking)
    assert objections(done) == []
    assert [file.path for file in in_writing_order(done)] == ["b.py", "a.py", "test_program.py"]
    assert done.ledger == {"R: t": ("a.py", "test_program.py"), "S: t": ("a.py", "test_program.py")}
    whole = plan(("a.py", ("R",), ()), ("test_a.py", (), ("a.py",)))
    assert completed(whole) == whole


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (plan(("../a.py", ("R",), ()), entry="../a.py"), "no path"),
        (plan(("/a.py", ("R",), ()), entry="/a.py"), "no path"),
        (plan(("a.py", ("R",), ()), entry="b.py"), "none of the files"),
        (plan(("a.py", ("R",), ())), "no file is a test"),
        (plan(("a.py", (), ())), "no file serves"),
        (plan(("a.py", ("R", "S"), ())), "no requirement"),
        (plan(("a.py", ("R",), ("b.py",))), "no file of the plan"),
        (plan(("a.py", ("R",), ("b.py",)), ("b.py", (), ("a.py",))), "circle"),
        (plan(("a.py", ("R",), ()), ("A.py", (), ())), "same path"),
        (completed(plan(("a.py", ("R",), ()), entry="b.py")), "none of the files"),
        (plan(("a.py", ("R",), ()), ids=("R", "R")), "same id"),
    ],
)
def test_plans_that_cannot_be_carried_out(bad: Plan, complaint: str) -> None:
    assert any(complaint in one for one in objections(bad))
