"""What is told of a program when its agent is done with it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agents.loops.departing import departures
from agents.loops.ends import Halt, Shown
from agents.loops.guards import coverage
from agents.loops.reply import Analysis
from agents.loops.work import Work
from agents.tools import Envelope
from agents.tools.proving import prove
from kg.errors import InputError

__all__ = ["ENTRY", "ended_with", "lacking", "shown"]

ENTRY = "main.py"
"""What an agent's program is started by, unless its plan names another file."""
SOME = 5


def shown(work: Work, entry: str, ran: Envelope) -> Shown:
    """What is shown of the program whose entry point `entry` has `ran`; a step of the trajectory."""

    def proven() -> dict[str, Any]:
        try:
            return prove(work.runner, entry).value()
        except InputError as error:
            return {"error": error.what}

    result = work.trajectory.do("workspace", "verdicts", {"entry": entry}, proven).result
    if "error" in result:
        return Shown(lacking=(str(result["error"]),))
    return Shown(
        tests=_counts(test["outcome"] for test in result["tests"]),
        written=len(result["tests"]) + len(result["not_run"]),
        reaching=len(_reaching(result)),
        verdicts=_counts(one["verdict"] for one in result["verdicts"]),
        unverified=tuple(_said(one) for one in result["verdicts"] if one["verdict"] != "verified"),
        lacking=tuple(lacking(result, str((ran.data or {}).get("text", "")))),
    )


def _counts(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))


def _reaching(result: Mapping[str, Any]) -> list[Any]:
    return [test for test in result["tests"] if test["outcome"] == "passed" and test["reached"]]


def lacking(result: Mapping[str, Any], printed: str) -> Iterator[str]:
    """Why a proof, as JSON, proves nothing of a program that has `printed` that: in sentences, none if it does."""
    tests, program, verdicts = result["tests"], result["program"], result["verdicts"]
    if failing := [test for test in tests if test["outcome"] not in ("passed", "skipped")]:
        yield f"by the sandbox's own report tests did not pass: {_some(map(_outcome, failing))}"
    if result["not_run"]:
        yield f"tests were written and not run: {_some(result['not_run'])}"
    if not tests and not result["not_run"]:
        yield "there is no test"
    elif not _reaching(result):
        yield "no passed test calls a function or class of the program"
    if program["outcome"] != "passed":
        yield f"the program did not come to its last statement: {_outcome(program)}"
    elif not program["reached"]:
        yield "the program calls none of its functions and classes"
    if not printed.strip():
        yield "the program printed nothing"
    if _reaching(result) and not any(one["verdict"] == "verified" for one in verdicts):
        said = _some(map(_said, verdicts))
        yield f"no function or class is verified, so that a wrong one would be noticed: {said}"


def _said(one: Mapping[str, Any]) -> str:
    return f"{one['file']} {one['symbol']}: {one['verdict']}: {one['reason']}"[:400]


def _outcome(test: Mapping[str, Any]) -> str:
    return ": ".join(filter(None, (test["id"], test["outcome"], test["message"])))


def _some(words: Iterable[str]) -> str:
    """The first few."""
    said = list(words)
    return "; ".join(said[:SOME]) + (f" and {len(said) - SOME} more" if len(said) > SOME else "")


def ended_with(
    work: Work, halt: Halt, ledger: Mapping[str, Sequence[str]], specified: Mapping[str, Analysis], found: Shown | None
) -> Halt:
    """The end with what is told of every program: requirements, copies, departures from the specification, what is
    shown."""
    texts = work.runner.workspace.texts()
    halt.end = halt.end.model_copy(
        update={
            "coverage": coverage(ledger, list(texts)),
            "copies": work.guards.copies(texts),
            "departures": tuple(departures(specified, texts)),
            "shown": found,
        }
    )
    return halt
