"""What a verdict rests on, in words: the test, its mutants, the execution and how it was confined."""

from collections.abc import Iterator

from kg.models.execution import ending
from kg.results.show import ShownCode, ShownExecution, ShownOpenTest

__all__ = ["KINDS", "strength", "verdict_lines"]

MOST_SURVIVORS = 8
MIB = 1024 * 1024

KINDS = {
    "repository": "tests of its repository",
    "doctest": "examples of its docstring",
    "replay": "its repository's programs, run again",
    "property": "what its name, its docstring or its paper promises",
    "imported": "the test that came with it",
    "written": "a test that a language model wrote from what the paper says",
}
"""Kinds of tests, as people say."""


def strength(kind: str | None, mutants: int, killed: int) -> str:
    """How strong the test was: "8 of 12 mutants noticed by tests of its repository"; "" if there was none."""
    if kind is None:
        return ""
    tests = KINDS.get(kind, kind)
    return f"{killed} of {mutants} mutants noticed by {tests}" if mutants else tests


def verdict_lines(code: ShownCode, doubt: str = "") -> Iterator[str]:
    """The verdict, why, why it is not to be believed, and what was run for it; a line for an importer's claim."""
    yield f"verdict: {code.verdict}" + (f" ({code.verdict_reason})" if code.verdict_reason else "")
    if doubt:
        yield f"  NOT FOUNDED: {doubt}; `xkg code verify ID --force` runs it here"
    if code.failure_class:
        yield f"  failed by: {code.failure_class}" + (f" at {code.failure_line}" if code.failure_line else "")
    if tested := strength(code.test_kind, code.mutants, code.killed):
        yield f"  test: {tested}" + (f", {code.killed_by_assertion} by an assertion" if code.mutants else "")
    if code.test_model and code.test_state not in {None, "not asked"}:
        by = f"{code.test_model} (prompt {(code.test_prompt or '')[:12]}, run {code.test_run}), not by the authors"
        yield f"  a test was asked for, and {code.test_state}: {by}"
    yield from map(_opened, code.test_opened)
    for survivor in code.survivors[:MOST_SURVIVORS]:
        yield f"  not noticed: {survivor}"
    if left := len(code.survivors) - MOST_SURVIVORS:
        yield from [f"  not noticed: {left} more (--json shows them)"] if left > 0 else []
    current = [execution for execution in code.executions if execution.current]
    for execution in current:
        yield from _execution(execution)
    if before := len(code.executions) - len(current):
        yield f"  {before} earlier executions (--json shows them)"
    if code.claimed_pass_exec is not None:
        said = "runs" if code.claimed_pass_exec else "does not run"
        yield f"  its source claims that it {said}; that is a claim"


def _opened(one: ShownOpenTest) -> str:
    done = f"{'withdrawn' if one.withdrawn else 'kept'} ({'holds' if one.held else 'does not hold'})"
    quotes = ", ".join(f"“{quote}”" for quote in one.quotes)
    what = "about something else" if one.elsewhere else "open"
    return f"  called {what} by a reading without code or results, {done}: {one.test}, of {quotes}: {one.why}"


def _execution(execution: ShownExecution) -> Iterator[str]:
    ended = ending(execution.exit_code, execution.signal, execution.limit)
    seconds = f" in {execution.wall_s:.1f} s" if execution.wall_s is not None else ""
    memory = f", {execution.peak_memory / MIB:.0f} MB" if execution.peak_memory else ""
    yield f"  run on {execution.date} by {execution.backend}{seconds}{memory}: {ended}"
    yield f"  enforced: {'; '.join(execution.enforced) or 'nothing'}"
    if execution.waived:
        yield f"  NOT enforced: {', '.join(execution.waived)}"
    packages = ", ".join(execution.packages or []) or "no packages"
    strategy = f" ({execution.strategy})" if execution.strategy else ""
    yield f"  environment {(execution.environment or '')[:12]}: Python {execution.python}, {packages}{strategy}"
    yield f"  log {execution.log} (--log prints it)"
