"""What a run that goes on is told from its record, and how it is found: without a graph."""

from pathlib import Path
from typing import Any, cast

import pytest

from agents.loops import End, Limits, RunConfig, RunFolder, Trajectory
from agents.loops.asking import Asking
from agents.loops.drafting import Drafting
from agents.loops.ends import Covered, Stopped
from agents.loops.reply import Analysis, Mended, Plan, Written
from agents.loops.runs import find_run, runs
from agents.loops.trajectory import digest
from kg.config import Settings, load_settings
from kg.errors import InputError


def record(path: Path, many: int) -> None:
    trajectory = Trajectory(path)
    for _ in range(many):
        asked = {"stage": "s", "inputs": digest({})}
        trajectory.do("model", "ask", asked, lambda: {"text": '{"cause": "c", "changes": []}'})


def test_limits_do_not_hold_for_what_was_done(tmp_path: Path) -> None:
    record(tmp_path / "t.jsonl", 3)
    asking = Asking(cast("Any", None), Trajectory(tmp_path / "t.jsonl"), Limits(steps=1, seconds=1e-9), "local:a")
    assert [asking.ask("ask", {}, Mended, "s").cause for _ in range(3)] == ["c"] * 3
    with pytest.raises(Stopped):
        asking.ask("ask", {}, Mended, "s")


@pytest.mark.parametrize(("kept", "text"), [({"form": "block"}, "a = 1\n"), ({"form": "prompt"}, "b"), ({}, "b")])
def test_what_was_done_is_read_in_the_form_it_was_asked_for(tmp_path: Path, kept: dict[str, str], text: str) -> None:
    reply, path = '```python\na = 1\n```\n{"text": "b"}', tmp_path / "t.jsonl"
    asked = {"stage": "s", "inputs": digest({})}
    Trajectory(path).do("model", "ask", asked, lambda: {"text": reply, **kept})
    asking = Asking(cast("Any", None), Trajectory(path), Limits(), "local:a")
    assert asking.ask("ask", {}, Written, "s").text == text


def test_the_end_of_what_is_told_again_is_said_once(tmp_path: Path) -> None:
    path, said = tmp_path / "t.jsonl", list[str]()
    first = Trajectory(path, lambda: said.append("new"))
    for name in "ab":
        first.do("model", name, {}, lambda: {"text": ""})
    first.end(End(state="stopped", why="steps"))
    assert said == ["new"]
    again = Trajectory(path, lambda: said.append("told"))
    with pytest.raises(InputError, match="not be there any more"):
        again.check_told()
    for name in "abc":
        again.do("model", name, {}, lambda: {"text": ""}, lambda: said.append("again"))
    again.check_told()
    assert said == ["new", "again", "again", "told"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings().replace(home=tmp_path)


def test_one_damaged_run_hides_no_other(settings: Settings) -> None:
    config = RunConfig(id="", paper="local:a", agent="basic")
    whole = RunFolder.make(settings, config)
    for number, text in enumerate(('{"id": "x"', '{"id": "x", "agent": "gone"}')):
        folder = settings.home / "runs" / f"9999010{number}T000000Z-abcdef"
        folder.mkdir()
        (folder / "run.json").write_text(text)
    assert [run.config.id for run in runs(settings)] == [whole.config.id]
    for name in (whole.config.id, whole.config.id[:8], "last", whole.config.node):
        assert find_run(settings, name).config == whole.config
    with pytest.raises(InputError, match="no run of an agent"):
        find_run(settings, "99990100")
    with pytest.raises(InputError, match="several runs; there are: 99990100T000000Z-abcdef, 99990101"):
        find_run(settings, "9999")
    for none in ("", "x"):
        with pytest.raises(InputError, match="there is no run"):
            find_run(settings, none)


def test_an_end_of_an_earlier_form_is_read() -> None:
    end = End.model_validate({"state": "done", "why": "w", "coverage": {"total": 3, "met": 2, "missing": ["R1"]}})
    assert end.coverage == Covered(total=3, with_files=2, missing=("R1",))
    assert End.model_validate(end.model_dump(mode="json")) == end


def drafting(room: int, texts: dict[str, str]) -> Drafting:
    """In a folder with these files, for a model with so much room."""
    made = type("_", (), {})
    work: Any = made()
    work.asking, work.runner = made(), made()
    work.asking.room, work.runner.workspace = room, made()
    work.runner.workspace.texts = lambda: texts
    return Drafting(work)


def test_what_a_repair_is_told_has_a_limit() -> None:
    plan = Plan.model_construct(overview="o")
    files = {f"part_{number}.py": f"# {number}\n" + "x = 1\n" * 500 for number in range(9)}
    specified = {path: Analysis(steps=tuple(f"{path}: step {n} {'x' * 200}" for n in range(5))) for path in files}
    report = "failed at part_7.py:3, called by part_2.py"
    whole = drafting(1_000_000, files).program(plan, specified, report)
    assert {one["path"]: one["text"] for one in whole["files"]} == files
    room = 20_000
    told = drafting(room, files).program(plan, specified, f"{'x' * room}{report}")
    assert sum(len(one["text"]) for part in ("files", "specifications") for one in told[part]) < room
    assert len(told["report"]) <= room
    for part in ("files", "specifications"):
        assert [one["path"] for one in told[part]] == list(files)
        shown = {one["path"] for one in told[part] if "too long to be shown" not in one["text"]}
        assert {"part_2.py", "part_7.py"} <= shown < files.keys()
