"""What is told of a program when its agent is done with it."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

from agents.code.verify.copies import common
from agents.loops.ends import Covered
from agents.loops.reply import Plan
from agents.loops.work import Work
from kg.errors import InputError

__all__ = ["ENTRY", "coverage", "taken_from", "verdict_counts"]

ENTRY = "main.py"
"""What an agent's program is started by, unless its plan names another file."""


def verdict_counts(work: Work) -> dict[str, int]:
    """How many functions and classes have which verdict, by the agent's own tests: whether those notice wrong ones."""

    def judged() -> dict[str, Any]:
        try:
            return {"verdicts": [[one.file, one.symbol, one.verdict] for one in work.runner.verdicts()]}
        except InputError as error:
            return {"verdicts": [], "error": error.what}

    result = work.trajectory.do("workspace", "verdicts", {}, judged).result
    return dict(sorted(Counter(verdict for _, _, verdict in result["verdicts"]).items()))


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
