"""What a run of written tests on the original shows."""

from pathlib import Path
from typing import Any

import pytest

from agents.execution.harness import JobResult
from agents.rewrite.records import held_of

TEST, REPOSITORY, TORCH = "/work/tau/test_made.py", "/work/repo/model.py", "/env/lib/site-packages/torch/cuda.py"


def ended(*files: str) -> JobResult:
    raised = {
        "types": ["AssertionError", "Exception"],
        "message": "Torch not compiled with CUDA enabled",
        "frames": [[file, 3, "f"] for file in files],
    }
    events: list[dict[str, Any]] = [
        {"event": "start", "test": "t::test_one"},
        {"event": "raised", "test": "t::test_one", "raised": raised},
    ]
    return JobResult("t", "finished", tuple(events))


@pytest.mark.parametrize(
    ("files", "contradicted"),
    [
        ((TEST,), True),
        ((TEST, "/env/lib/site-packages/numpy/testing.py"), True),
        ((TEST, REPOSITORY), False),
        ((TEST, REPOSITORY, TORCH), False),
    ],
)
def test_an_assertion_is_the_test_s_where_nothing_of_the_repository_is_on_its_way(
    files: tuple[str, ...], contradicted: bool
) -> None:
    found = held_of(ended(*files), {"test_one"}, Path(REPOSITORY).name)
    assert (found[0] == "test_one", found[1] == "") == (contradicted, contradicted), found
