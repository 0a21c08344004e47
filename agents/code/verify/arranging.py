"""What is set by a call around tests, in a conftest or in what runs beside the tests of a file: the state of a library,
or of the repository, that code computes by. Users have it as it was made.

Only what honest suites hardly ever set counts, and only against code that speaks of it: seeds, filters of warnings and
how much is logged are everybody's to set, and what a test sets itself it shows.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.code.verify.meddling import dotted, imported
from agents.code.verify.possible import last
from agents.execution.syntax import NotPython3, parse

__all__ = ["Arranged", "arranged"]

_HINT = re.compile(
    r"setfirstweekday|getcontext|setcontext|DefaultContext|register|seterr|set_printoptions|setlocale|tzset|disable"
    r"|\.set\(|__defaults__|__kwdefaults__|__code__|\.(?:append|extend|insert|clear|pop|remove|reverse|sort)\("
    r"|\+=|\] *=(?!=)"
)
_DECIMAL = r"\b(?:[Dd]ecimal|getcontext|localcontext|quantize)\b"
_CALLS = {
    "calendar.setfirstweekday": r"\b(?:Calendar|calendar|firstweekday|monthcalendar|weekheader)\b",
    "codecs.register_error": r"\b(?:decode|encode|open|read_text|write_text)\(|\b(?:str|bytes)\([^()]+,",
    "decimal.setcontext": _DECIMAL,
    "gc.disable": r"\bgc\b|\bisenabled\b",
    "locale.setlocale": r"\b(?:locale|localeconv|strcoll|strxfrm|strftime|atof)\b",
    "numpy.seterr": r"\b(?:ArithmeticError|FloatingPointError|geterr|seterrcall)\b",
    "numpy.set_printoptions": r"\b(?:array2string|array_repr|array_str|get_printoptions)\b|\b(?:repr|str)\(",
    "time.tzset": r"\b(?:asctime|astimezone|ctime|fromtimestamp|localtime|mktime|tzname|time\.(?:alt|time)zone)\b",
}
"""What sets the state of a library, with how code is written that computes by it."""
_UNIVERSAL = re.compile(r"^(?:UTC|GMT|Etc/\w+|UTC0|GMT0)$")
_ERRORS = {"backslashreplace", "ignore", "namereplace", "replace", "strict", "surrogateescape", "xmlcharrefreplace"}
_PARTS = {"__code__", "__defaults__", "__kwdefaults__"}
_LISTED = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
_AROUND = ("setup", "setUp", "teardown", "tearDown", "pytest_")
"""Beginnings of the names of functions that nobody asks for."""


@dataclass(frozen=True)
class Arranged:
    """What is set, for people; a pattern for the text of code that `reads` it; and for what is `made` in the repository
    in a certain way (a pattern for its text), the name as an import would have it."""

    told: str
    reads: str
    owner: str = ""
    made: str = ""


def arranged(text: str, everywhere: bool) -> tuple[Arranged, ...]:
    """What a file sets around tests: `everywhere` in a conftest, in others only beside the tests."""
    try:
        tree = parse(text) if _HINT.search(text) else ast.Module([], [])
    except NotPython3:
        return ()
    called = imported(tree)
    parts = [
        part for one in tree.body for around in ([one] if everywhere else _around(one)) for part in ast.walk(around)
    ]
    found: list[Arranged] = []
    for part in parts:
        told = (
            f"line {getattr(part, 'lineno', 0)}: {ast.unparse(part)[:80]}"
            if isinstance(part, ast.stmt | ast.expr)
            else ""
        )
        found += [Arranged(told, reads) for reads in _of_library(part, parts, called)]
        found += [Arranged(told, *read) for read in _of_repository(part, called)]
    return tuple(found)


def _around(node: ast.stmt) -> Iterator[ast.stmt]:
    """The parts of a file of tests that run around them."""
    if isinstance(node, ast.ClassDef):
        for one in node.body:
            yield from _around(one)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node.name.startswith(_AROUND) or "autouse" in "".join(map(ast.unparse, node.decorator_list)):
            yield node
    else:
        yield node


def _meant(node: ast.AST, called: dict[str, str]) -> str:
    """A dotted name as an import would have it."""
    first, dot, rest = dotted(node).partition(".")
    return f"{called[first]}{dot}{rest}" if first in called else ""


def _of_library(node: ast.AST, around: list[ast.AST], called: dict[str, str]) -> Iterator[str]:
    """How code is written that reads what a node sets of a library."""
    if isinstance(node, ast.Assign | ast.AugAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            owner = target.value if isinstance(target, ast.Attribute) else None
            owner = owner.func if isinstance(owner, ast.Call) else owner
            if owner is not None and _meant(owner, called) in {"decimal.getcontext", "decimal.DefaultContext"}:
                yield _DECIMAL
    name = _meant(node.func, called) if isinstance(node, ast.Call) else ""
    if isinstance(node, ast.Call) and name in _CALLS and not _is_usual(name, node, around):
        yield _CALLS[name]


def _is_usual(name: str, node: ast.Call, around: list[ast.AST]) -> bool:
    """Whether it is set as many do: to universal time, to what arrays looked like once, or to an error of one's own."""
    texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    if name == "time.tzset":
        values = [
            part.value for part in around if isinstance(part, ast.Assign) and "'TZ'" in ast.unparse(part.targets[0])
        ]
        return bool(values) and all(_UNIVERSAL.match(str(getattr(value, "value", ""))) for value in values)
    if name == "codecs.register_error":
        return isinstance(node.args[0], ast.Constant) and node.args[0].value not in _ERRORS if node.args else False
    if name == "locale.setlocale":
        return bool({"C", "POSIX"} & set(map(str, texts)))
    if name == "numpy.seterr":
        return not {"raise", "call"} & set(map(str, texts))
    return name == "numpy.set_printoptions" and [word.arg for word in node.keywords] == ["legacy"]


def _of_repository(node: ast.AST, called: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Names of the repository's whose state a node sets, and how what bears such a name is made."""
    owner, made = None, ""
    if isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        owner = next((one.value for one in targets if isinstance(one, ast.Attribute) and one.attr in _PARTS), None)
        made = r"\bdef +{0}\b"
        if owner is None:
            owner, made = _changed(targets, isinstance(node, ast.AugAssign)), _LIST
    elif isinstance(node, ast.Attribute) and node.attr == "register":
        owner, made = node.value, r"singledispatch(?:method)?\b.*\n(?:@.*\n)*(?:async +)?def +{0}\b"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "set":
            owner, made = node.func.value, r"(?m)^{0}\b.*=.*\bContextVar\("
        elif node.func.attr in _LISTED:
            owner, made = node.func.value, _LIST
    name = _meant(owner, called) if owner is not None else ""
    if name and owner is not None:
        yield rf"\b(?:{re.escape(last(owner))}|{re.escape(name.rpartition('.')[2])})\b", name, made


def _changed(targets: Sequence[ast.expr], grows: bool) -> ast.expr | None:
    """What an assignment changes without binding its name again: by one of its places, or at its end."""
    placed = [one.value for one in targets if isinstance(one, ast.Subscript)]
    return next(iter(placed or (targets if grows else ())), None)


_LIST = r"(?m)^{0}\b[^=\n]*= *(?:\[|list\(|deque\(|collections\.deque\()"
"""Of hooks and tables, each of which is at its place: what is kept by names may have some more."""
