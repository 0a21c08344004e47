"""Every attempt is contained on every backend, and is known to notice where it is not.

`pytest tests/escapes -m sandbox` attacks bubblewrap, `-m dockerd` Docker; the controls need neither.
"""

import pytest
from escapes_left import Left, still_left
from escapes_run import Attempt, Outcome, run_control
from escapes_scene import Scene
from escapes_table import ATTEMPTS, BACKENDS, POLLED, attempts_on

from agents.execution.sandbox import Sandbox

Round = tuple[dict[str, Outcome], Left, Left]
FEWEST, FEWEST_ABOUT_LIMITS = 90, 30


MADE = [
    pytest.param(backend.values[0], attempt, marks=backend.marks, id=f"{backend.values[0]}-{attempt.name}")
    for backend in (*BACKENDS, POLLED)
    for attempt in ATTEMPTS
    if attempt.about_limits or backend is not POLLED
]


@pytest.mark.parametrize(("sandbox", "attempt"), MADE, indirect=["sandbox"], scope="session")  # else a round for each
def test_attempt_is_contained(attempt: Attempt, round_of: Round) -> None:
    outcome = round_of[0][attempt.name]
    assert outcome.verdict == "contained", outcome.why


def test_enough_was_tried_and_all_of_it_is_proven(sandbox: Sandbox, round_of: Round) -> None:
    outcomes = round_of[0].values()
    assert len(outcomes) == len(attempts_on(sandbox)) >= FEWEST_ABOUT_LIMITS
    assert len(ATTEMPTS) >= FEWEST
    assert {o.attempt: (o.verdict, o.why) for o in outcomes if o.verdict != "contained"} == {}


def test_nothing_is_left_of_all_the_runs(sandbox: Sandbox, round_of: Round) -> None:
    _, before, after = round_of
    assert still_left(before, after, containers=sandbox.name == "docker") == {}


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "attempt", [a for a in ATTEMPTS if not a.control.startswith("no:")], ids=lambda attempt: attempt.name
)
def test_control_escapes_where_nothing_contains_it(attempt: Attempt, scene: Scene, is_root: bool) -> None:
    """Without a sandbox the same probe, judged in the same way, is an escape; else it would prove nothing."""
    if attempt.control in ("root", "nobody") and not is_root:
        pytest.skip("only root can do this on the host")
    outcome = run_control(attempt, scene)
    if attempt.control == "kernel" and outcome.verdict == "contained":
        pytest.skip(f"this kernel can't be asked for it: {outcome.why}")
    assert outcome.verdict == "escaped", outcome.why
