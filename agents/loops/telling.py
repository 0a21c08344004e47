"""What a run did, for people and as JSON."""

import json
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Any

from agents.loops.ends import End
from agents.loops.runs import RunFolder
from agents.loops.spending import Spending
from agents.loops.trajectory import Step
from agents.tools.workspace import Workspace

__all__ = ["ended", "report", "told"]

WIDTH = 110


def report(folder: RunFolder) -> dict[str, Any]:
    """All of it, for JSON: configuration, end, spending, the nodes that were shown and how often, files, steps."""
    steps = folder.steps()
    spent, end = Spending(folder), folder.end()
    return {
        "run": folder.config.model_dump(mode="json"),
        "end": end.model_dump(mode="json") if end else None,
        "spent": {
            "calls": spent.calls, "kept_answers": spent.kept, "unanswered": spent.unanswered,
            "tokens_in": spent.tokens_in, "tokens_out": spent.tokens_out,
            "cost": None if spent.cost is None else f"{spent.cost:f}",
        },
        "seconds": round(sum(step.seconds for step in steps), 1),
        "shown": dict(Counter(node for step in steps for node in step.nodes)),
        "folder": str(folder.workspace),
        "files": _files(folder),
        "steps": [step.model_dump(mode="json") for step in steps],
    }  # fmt: skip


def ended(folder: RunFolder, end: End | None) -> str:
    """How a run ended and what it left."""
    return "\n".join([*_head(folder, end), *_left(folder)])


def told(folder: RunFolder) -> str:
    """A run step by step, and how it ended."""
    steps = folder.steps()
    lines = [*_head(folder, folder.end()), "", "Steps"]
    for step in steps:
        lines += textwrap.wrap(f"{step.number:4} {_step(step)}", WIDTH, subsequent_indent=" " * 8)
    shown = Counter(node for step in steps for node in step.nodes)
    lines += ["", "Shown of the graph"] + [f"  {times} × {node}" for node, times in sorted(shown.items())]
    return "\n".join([*lines, *([] if shown else ["  nothing"]), "", *_left(folder)])


def _head(folder: RunFolder, end: End | None) -> Iterator[str]:
    config = folder.config
    without = f", without {', '.join(config.without)}" if config.without else ""
    yield f"{config.agent} on {config.paper}{without}: run {config.id}"
    if end is None:
        yield "not ended: it goes on, or was killed; `xkg agent resume` goes on with it"
        return
    yield f"{end.state}: {end.why}"
    yield from textwrap.wrap(end.said, WIDTH, initial_indent="  ", subsequent_indent="  ")
    if end.coverage:
        yield f"requirements of the paper with all of their files: {end.coverage.with_files} of {end.coverage.total}"
        yield from (f"  missing: {one}" for one in end.coverage.missing)
    if end.shown:
        tests = ", ".join(f"{count} {outcome}" for outcome, count in end.shown.tests.items()) or "none"
        yield f"tests by the sandbox's report: {tests}; {end.shown.reaching} of them call the program"
    if end.verdicts:
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in end.verdicts.items())
        yield f"functions and classes by the agent's own tests: {verdicts}"
    yield from (f"departs from the specification: {one}" for one in end.departures)
    yield from (f"copied: {one}" for one in end.copies)


def _left(folder: RunFolder) -> Iterator[str]:
    yield f"cost: {Spending(folder)}"
    yield f"files in {folder.workspace}:"
    for path, lines in _files(folder).items():
        yield f"  {path} ({lines} lines)"


def _files(folder: RunFolder) -> dict[str, int]:
    if not folder.workspace.is_dir():
        return {}
    return {path: len(text.splitlines()) for path, text in Workspace(folder.workspace).texts().items()}


def _step(step: Step) -> str:
    data = step.result.get("data") or {}
    error = step.result.get("error")
    if step.kind == "model":
        return f"model   {step.name}: {step.tokens_in} tokens in, {step.tokens_out} out{', kept' * step.cached}"
    if step.kind == "end":
        return f"end     {step.name}: {step.result['why']}"
    asked = json.dumps(step.asked, ensure_ascii=False)
    if step.name == "workspace_edit" and not error:
        asked = ", ".join(str(edit["path"]) for edit in step.asked.get("edits", ()))
    asked = asked if len(asked) < 300 else f"{asked[:300]} …"
    if error:
        return f"{step.kind:9} {step.name} {asked}: {error['kind']}: {error['message']}"
    if step.name == "verdicts":
        verdicts = (one["verdict"] for one in step.result.get("verdicts", ()))
        return f"{step.kind:9} verdicts: {dict(Counter(verdicts))}"
    state = f": {data['state']}{' – ' + str(data['message']) if 'message' in data else ''}" if "state" in data else ""
    nodes = f": {len(step.nodes)} nodes" if step.nodes else ""
    return f"{step.kind:9} {step.name} {asked}{state}{nodes}"
