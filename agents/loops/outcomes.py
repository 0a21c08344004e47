"""What is told of a program when its agent is done with it."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agents.code.verify.copies import common
from agents.loops.ends import Covered, Shown
from agents.loops.reply import Plan
from agents.loops.work import Work
from agents.tools import Envelope
from agents.tools.proving import prove
from kg.errors import InputError

__all__ = ["ENTRY", "coverage", "lacking", "shown", "taken_from"]

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
        reaching=len(_reaching(result)),
        verdicts=_counts(one["verdict"] for one in result["verdicts"]),
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
        said = _some(f"{one['symbol']}: {one['reason']}" for one in verdicts)
        yield f"no function or class is verified, so that a wrong one would be noticed: {said}"


def _outcome(test: Mapping[str, Any]) -> str:
    return ": ".join(filter(None, (test["id"], test["outcome"], test["message"])))


def _some(words: Iterable[str]) -> str:
    """The first few."""
    said = list(words)
    return "; ".join(said[:SOME]) + (f" and {len(said) - SOME} more" if len(said) > SOME else "")


def coverage(plan: Plan, there: Sequence[str]) -> Covered:
    """Which of the requirements of a plan have all of their files among those that are there."""
    missing = []
    for one in plan.requirements:
        files = [file.path for file in plan.files if one.id in file.requirements]
        if not files or set(files) - set(there):
            missing.append(f"{one.id}: {one.text}"[:300])
    total = len(plan.requirements)
    return Covered(total=total, met=total - len(missing), missing=tuple(missing))


def taken_from(source: str, shown: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """By the id of code that was shown, the names of definitions in `source` that are copies of it, whatever their
    variables are called."""
    found = {}
    for pair in shown:
        code = pair.get("code") or {}
        if names := common(source, textwrap.dedent(str(code.get("text", "")))):
            found[str(code["id"])] = names
    return found
