"""What jobs reported of calls and tests: the code that ran may have written it, so that its form is looked at first."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from agents.code.mutants import Raised, classify
from agents.code.verify.noticing import ASSERTIONS
from agents.code.verify.running import passing
from agents.code.verify.session import raised_of, repository_path
from agents.execution.harness import JobResult
from agents.rewrite.fidelity import Outcome

__all__ = ["held_of", "is_trace", "outcomes", "traceback_text"]

FRAMES, LINE, MESSAGE = 12, 200, 1500
NESTED = 60
"""Levels of what is told of a value: each container is an object that holds a list."""
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")


def held_of(result: JobResult, wanted: Collection[str], file: str) -> tuple[str, str]:
    """Of a run of the test functions `wanted` the first test that an assertion of its own ended, and why not all of
    them could be run to their end, each with a call of what is in `file`; "" for what is not so.

    What code of the repository raised or called is none of the test's own, as little as a library's complaint to it.
    """
    for event in result.of("raised"):
        raised = raised_of(event.get("raised"))
        places = [file for file, _, _ in raised.frames] if raised and ASSERTIONS & set(raised.types) else []
        if places and not any("/repo/" in place for place in places):
            return str(event.get("test")).rpartition("::")[2], ""
    ran, held = {str(event.get("test")) for event in result.of("start")}, passing(result)
    if result.ended == "finished" and ran == held and {_function(name) for name in held} == set(wanted):
        apart = (event for event in result.of("end") if file not in _called(event.get("reach")))
        return "", next((f"{str(event.get('test')).rpartition('::')[2]} does not call it" for event in apart), "")
    first = next((found for e in result.of("raised") if (found := raised_of(e.get("raised")))), None)
    return "", classify(first, locate=repository_path).message if first else f"the run of its tests: {result.ended}"


def _called(reach: object) -> set[str]:
    """The files of the functions that a test called."""
    return {str(item[0]) for item in reach if isinstance(item, list) and item} if isinstance(reach, list) else set()


def _function(test: str) -> str:
    """The name of a test's function."""
    return test.rpartition("::")[2].partition("[")[0]


def traceback_text(raised: Raised | None, files: Mapping[str, str]) -> str:
    """An exception with the frames of its traceback that say something, and their lines where these are of `files`."""
    if raised is None:
        return ""
    lines = []
    for file, line, function in raised.frames[-FRAMES:]:
        path = repository_path(file)
        text = files.get(path or "", "").split("\n")
        lines.append(f"  {path or file.rpartition('site-packages/')[2]}, line {line}, in {function}")
        lines += [f"    {text[line - 1].strip()[:LINE]}"] if 0 < line <= len(text) else []
    message = _ADDRESS.sub("0x…", raised.message)[:MESSAGE]
    return "\n".join([*lines, f"{raised.types[0]}: {message}"])


def is_trace(trace: object) -> bool:
    """Whether what a job reported is a trace of calls."""
    if not isinstance(trace, dict) or not isinstance(trace.get("steps"), list):
        return False
    steps = [*trace["steps"], *([trace["new"]] if trace.get("new") is not None else [])]
    return bool(trace["steps"]) and all(
        isinstance(step, list)
        and len(step) == 3
        and all(isinstance(part, str) for part in step)
        and all(map(_is_json, step[1:]))
        for step in steps
    )


def outcomes(event: Mapping[str, Any]) -> list[Outcome]:
    found: list[Outcome] = []
    for step in event.get("steps") or ():
        whole = isinstance(step, list) and len(step) == 2 and all(isinstance(part, str) for part in step)
        found.append((step[0], step[1]) if whole and _is_json(step[1]) else ("lost", "null"))
    return found


def _is_json(text: str) -> bool:
    """Whether it is JSON that is nested no deeper than our own."""
    try:
        waiting = [(json.loads(text), 0)]
    except (ValueError, RecursionError):
        return False
    while waiting:
        told, depth = waiting.pop()
        if depth > NESTED:
            return False
        parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
        waiting += ((part, depth + 1) for part in parts)
    return True
