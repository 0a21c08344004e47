"""What a model is told of an original and of what became of it, beside the texts themselves."""

import ast
import re
from collections.abc import Collection, Iterator
from difflib import unified_diff

from agents.code.modules.check import inspect_files
from agents.execution.syntax import NotPython3, parse
from agents.rewrite.task import Task

__all__ = ["changed", "undefined"]

LONG = 16_000
"""Characters of what differs that are shown at most."""
SHORT = 5
"""Lines of a definition that is shown whole, though the module has none of its name."""
_NEWLINE = re.compile(r"\r\n|\r|\n")
"""What ends a line for `ast`, which knows fewer than `str.splitlines`."""


def undefined(task: Task) -> tuple[str, ...]:
    """Names that the original takes and that nothing binds: where they are met it raises a NameError."""
    return tuple(dict.fromkeys(one.what for one in inspect_files(task.module.files) if one.kind == "name"))


def changed(task: Task, source: str) -> str:
    """The unified difference between the original and a module, "" if there is none; of the original what the module
    defines too, if with other underscores around its name, stands in its order, and of what it does not, the head, as
    of members that a class of the module lacks."""
    made = _parts(source)
    wanted, members = [name.strip("_") for name, _ in made], dict[str, set[str]]()
    for name, text in made:
        members.setdefault(name, set()).update(node.name for node in _members(text))
    parts = [part for path, text in task.module.files.items() if path.endswith(".py") for part in _parts(text)]
    order = {name: number for number, name in reversed([*enumerate(wanted)]) if name}
    parts = sorted(parts, key=lambda part: order.get(part[0].strip("_"), len(wanted) if part[0] else -1))
    parts = [
        (name, _thinned(text, members.get(name)) if not name or name.strip("_") in order else _head(name, text))
        for name, text in parts
    ]
    before, after = (_NEWLINE.split("\n".join(text for _, text in found)) for found in (parts, made))
    lines = unified_diff([*map(str.rstrip, before)], [*map(str.rstrip, after)], "original", "module", lineterm="", n=2)
    text = "\n".join([*lines, ""]).lstrip("\n")
    return text if len(text) <= LONG else f"{text[:LONG]}\n…\n"


def _head(name: str, text: str) -> str:
    """A definition in one line, with how long it is."""
    lines = text.strip("\n").split("\n")
    head = next((line for line in lines if re.search(rf"\b{re.escape(name)}\b", line)), lines[0])
    return text if len(lines) < SHORT else f"\n{head} … {len(lines)} lines"


def _members(text: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of a class, of the text of one, in their order."""
    try:
        body = parse(text).body
    except NotPython3:  # lines of which two statements share one
        return []
    inside = body[-1].body if body and isinstance(body[-1], ast.ClassDef) else []
    return [node for node in inside if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _thinned(text: str, kept: Collection[str] | None) -> str:
    """A class without the bodies of those members that are not `kept`, where any are."""
    if not kept:
        return text
    lines = _NEWLINE.split(text)
    for node in reversed(_members(text)):
        end = node.end_lineno or node.lineno
        if node.name not in kept and end - node.lineno + 1 >= SHORT:
            lines[node.lineno - 1 : end] = [f"{lines[node.lineno - 1]} … {end - node.lineno + 1} lines"]
    return "\n".join(lines)


def _parts(text: str) -> list[tuple[str, str]]:
    """The statements at the top of a file with the lines before them, each under the name that it defines or ""."""
    try:
        body = parse(text).body
    except NotPython3:
        return [("", text)]
    lines, found, last = _NEWLINE.split(text), list[tuple[str, str]](), 0
    for node in body:
        end = node.end_lineno or last
        if end > last:
            found.append((next(_bound(node), ""), "\n".join(lines[last:end])))
            last = end
    return found


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
