"""When a job has come to its end, by what its process says."""

import pytest

from agents.execution.harness.inside.supervise import came_to_its_end

RUN = ["start a", "end a", "start b", "raised b", "end b", "pytest", "values", "finished"]


def ended(kind: str, *events: str) -> bool:
    told = [dict(zip(("event", "test"), event.split(), strict=False)) for event in events]
    return bool(came_to_its_end({"kind": kind}, told))


def test_whole_runs_have_ended() -> None:
    assert ended("tests", "collected", *RUN)
    assert ended("tests", "collected", "pytest", "finished")
    assert ended("tests", "collect x", "pytest", "finished")
    assert ended("import", "import", "finished")


@pytest.mark.parametrize(
    "events",
    [
        RUN[:-1],
        [*RUN, "finished"],
        [*RUN, "exit"],
        [*RUN, "end a"],
        [*RUN[:5], "finished"],
        [*RUN[:5], "finished", "pytest"],
        [*RUN[:5], "pytest", "pytest", "finished"],
        [*RUN[:4], "pytest", "finished"],
        ["start a", "end a", "end a", "pytest", "finished"],
        ["end a", "pytest", "finished"],
        ["start a", "pytest", "end a", "finished"],
        ["start a", "exit", "end a", "pytest", "finished", "exit"],
    ],
)
def test_runs_that_were_cut_or_told_by_others_have_not(events: list[str]) -> None:
    assert not ended("tests", *events)


def test_other_jobs_say_so_once_and_last() -> None:
    assert not ended("import", "import")
    assert not ended("import", "finished", "import")
    assert not ended("import", "finished", "finished")
