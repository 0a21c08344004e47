"""Tests that excuse a unit: it is not what they hold it against, and they skip themselves, or keep it to themselves."""

import ast
from collections.abc import Collection, Iterator

from agents.code.verify.possible import last

__all__ = ["asserts", "keeps_to_itself", "results_of", "skips_by"]

_LEAVES = {"skip", "xfail", "skipTest", "SkipTest", "skipped"}
_FAILS = {"fail", "exit"}
_NOTICED = {"AssertionError", "Exception", "BaseException", "failureException"}


def skips_by(test: ast.AST, names: Collection[str]) -> bool:
    """Whether a test leaves by skipping where a result of one of `names` is not what it holds it against, be it by a
    condition or by an assertion that it catches."""
    results = results_of(test, names)
    for node in ast.walk(test):
        parts: list[ast.stmt] = []
        if isinstance(node, ast.If) and _speaks(node.test, names, results):
            parts = node.body + node.orelse
        elif isinstance(node, ast.Try) and asserts(node.body, names, results):
            parts = [part for one in node.handlers if _catches(one) for part in one.body]
        if any(map(_leaves, parts)):
            return True
    return False


def keeps_to_itself(test: ast.AST, names: Collection[str]) -> int:
    """The line of an assertion of a result of one of `names` after which a test goes on when it does not hold; 0
    without any. What is tried several times may fail in some of these."""
    results = results_of(test, names)
    again = {part for node in ast.walk(test) if isinstance(node, ast.For | ast.While) for part in ast.walk(node)}
    for node in (node for node in ast.walk(test) if node not in again):
        if isinstance(node, ast.Try):
            kept = any(_catches(one) and not any(map(_fails, one.body)) for one in node.handlers)
        elif isinstance(node, ast.With):
            kept = any(_suppresses(item.context_expr) for item in node.items)
        else:
            continue
        if kept and (line := asserts(node.body, names, results)):
            return line
    return 0


def results_of(test: ast.AST, names: Collection[str]) -> set[str]:
    """Variables that a call of one of `names` gives values to."""
    assigned = [node for node in ast.walk(test) if isinstance(node, ast.Assign) and _calls(node.value, names)]
    return {
        part.id
        for node in assigned
        for target in node.targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    }


def _calls(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(part, ast.Call) and last(part.func) in names for part in ast.walk(node))


def _speaks(node: ast.AST, names: Collection[str], results: Collection[str]) -> bool:
    """Whether an expression holds a result against something. That there is none says what is missing, not what is
    wrong."""
    compared = [
        part for part in ast.walk(node)
        if (isinstance(part, ast.Compare) and not isinstance(part.ops[0], ast.Is | ast.IsNot))
        or (isinstance(part, ast.Call) and last(part.func) in {"isclose", "allclose", "array_equal"})
    ]  # fmt: skip
    return any(
        _calls(part, names) or any(isinstance(one, ast.Name) and one.id in results for one in ast.walk(part))
        for part in compared
    )


def asserts(body: list[ast.stmt], names: Collection[str], results: Collection[str]) -> int:
    """The line of an assertion of a result of one of `names`; 0 without any."""
    for part in _parts(body):
        asserted: list[ast.AST] = [part.test] if isinstance(part, ast.Assert) else []
        if isinstance(part, ast.Call) and last(part.func).lower().startswith("assert"):
            asserted += part.args
        if asserted and any(
            _calls(one, names) or any(isinstance(name, ast.Name) and name.id in results for name in ast.walk(one))
            for one in asserted
        ):
            return int(getattr(part, "lineno", 0))
    return 0


def _parts(body: list[ast.stmt]) -> Iterator[ast.AST]:
    return (part for statement in body for part in ast.walk(statement))


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is for assertions that do not hold."""
    if handler.type is None:
        return True
    return any(last(node) in _NOTICED for node in getattr(handler.type, "elts", [handler.type]))


def _leaves(statement: ast.stmt) -> bool:
    return any(last(part.func) in _LEAVES for part in ast.walk(statement) if isinstance(part, ast.Call))


def _fails(statement: ast.stmt) -> bool:
    """Whether a handler hands on what it catches, in whatever way, or says that a test leaves (see `skips_by`)."""
    return _leaves(statement) or any(
        isinstance(part, ast.Raise | ast.Assert)
        or (isinstance(part, ast.Call) and (last(part.func) in _FAILS or last(part.func).lower().startswith("assert")))
        for part in ast.walk(statement)
    )


def _suppresses(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and last(node.func) == "suppress"
        and any(last(argument) in _NOTICED for argument in node.args)
    )
