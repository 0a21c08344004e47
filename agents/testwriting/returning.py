"""Whether a test broke before any call of the unit had come back: only then may a model be told how it broke."""

import ast
import secrets
from collections.abc import Collection, Sequence

from agents.code.verify.running import Source, TestRun, changed
from agents.code.verify.session import Session, raised_of
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["unreturned"]

_BEFORE = """
class {mark}(BaseException):
    pass


def {mark}_never(function):
    import functools

    @functools.wraps(function)
    def called(*args, **kwargs):
        function(*args, **kwargs)
        raise {mark}

    return called
"""


def unreturned(
    unit: CodeUnit, text: str, session: Session, source: Source, runs: Sequence[TestRun], each: float
) -> Collection[str]:
    """The ids of those `runs` that end with an error of the same kind where no call of `unit`, a function or method of
    the file `text`, ever comes back: whatever they say of it, they say nothing of a result."""
    mark = f"_{secrets.token_hex(8)}"
    never = _never(unit, text, mark)
    if never is None or not runs:
        return ()
    kinds: dict[str, str] = {}
    for result in changed(session, {source: runs}, f"repo/{unit.file}", never, each):
        for event in result.of("end"):
            if raised := raised_of(event.get("raised")):
                kinds[str(event.get("test"))] = raised.types[0]
    return {run.id for run in runs if run.raised and kinds.get(run.id) == run.raised.types[0] != mark}


def _never(unit: CodeUnit, text: str, mark: str) -> str | None:
    """The file in which calls of the unit raise where they would come back; None where it can't be told which these
    are."""
    try:
        tree = parse(text)
    except NotPython3:
        return None
    scope: list[ast.stmt] = tree.body
    *owners, name = unit.symbol.split(".")
    for owner in owners:
        scope = next((node.body for node in scope if isinstance(node, ast.ClassDef) and node.name == owner), [])
    found = [node for node in scope if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(found) != 1:
        return None
    found[0].decorator_list.append(ast.Name(f"{mark}_never", ast.Load()))
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    others = [node for node in tree.body if node not in future]
    tree.body = [*future, *parse(_BEFORE.format(mark=mark)).body, *others]
    return ast.unparse(ast.fix_missing_locations(tree))
