"""Code that asks whether it is tested, for the date (see `dating`), or where it runs (see `surroundings`), and so may
do other things where nobody looks.

Only what decides counts: a comparison or a question to the environment that names a test runner, frames whose names
are compared with a test's, a place of the sandbox. What starts tests, or speaks of them, asks nothing.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from agents.code.verify.spelling import spelled
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["Questions", "asks"]

_RUNNER = re.compile(r"\b_?pytest\b|\bpy\.test\b|\bunittest\b|PYTEST_|\b_pytest|_called_from_test|^nose2?$")
_SANDBOX = re.compile(r"^/(?:work|in)/?$|/work/repo|/in/harness|\bXKG_WORK\b|\bxkg_inside\b")
_OF_A_TEST = re.compile(r"(?i)(^|[^a-z])_?(py|unit)?tests?([^a-z]|$)|conftest|_pytest")
_ENVIRONMENT = {
    "argv", "environ", "environb", "find_spec", "getenv", "modules", "orig_argv", "_called_from_test", "import_module",
    "__import__", "get_terminal_size", "cmdline",
}  # fmt: skip
_FRAMES = {"_getframe", "currentframe", "extract_stack", "getouterframes", "walk_stack", "_current_frames"}
_HINTS = (*_ENVIRONMENT, *_FRAMES, "stack", "/work", '/in"', "/in'", "/in/", "XKG", "xkg")
"""What holds none of these asks nothing."""
_QUESTIONS = {
    "__contains__", "count", "endswith", "find", "find_spec", "fullmatch", "get", "getattr", "getenv", "hasattr",
    "index", "match", "search", "startswith", "intersection", "isdisjoint", "issubset", "__getitem__",
}  # fmt: skip
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WORD = re.compile(r"[^\W\d]\w*")


def asks(used: Collection[CodeUnit], files: Iterable[str], questions: Callable[[str], "Questions"]) -> str:
    """Where a unit asks whether it is tested, with the line (``path:line: text``); empty if it does not.

    `used` are the unit and what it calls, `files` those in which names that these use may be bound, `questions` gives
    what a file asks.
    """
    words = {word for unit in used for word in _WORD.findall(unit.text)}
    lines: dict[str, list[CodeUnit]] = defaultdict(list)
    for unit in used:
        lines[unit.file].append(unit)
    listed = [each for file in sorted(files) if (each := questions(file)).found]
    for each in listed:
        words |= each.words_behind(words)
    for each in listed:
        for node, function, statement in each.found:
            if function is not None:
                first = function.lineno
                asked = any(unit.line <= first <= unit.end_line for unit in lines[each.file])
            else:
                asked = bool(_bound(statement) & words)
            if asked:
                return each.shown(node)
    return ""


@dataclass(frozen=True)
class Questions:
    """What a file asks: of each function, and of each statement outside of all, what `find` finds, if the file holds
    one of `hints` at all."""

    file: str
    text: str
    find: Callable[[ast.AST], Iterator[ast.AST]] = field(default_factory=lambda: _questions)
    hints: tuple[str, ...] = _HINTS

    @cached_property
    def tree(self) -> ast.Module:
        try:
            return spelled(parse(self.text)) if any(word in self.text for word in self.hints) else ast.Module([], [])
        except NotPython3:
            return ast.Module([], [])

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """Those outside of all functions, of a class each by itself."""
        found, waiting = [], list(self.tree.body)
        while waiting:
            statement = waiting.pop()
            if isinstance(statement, ast.ClassDef):
                waiting += statement.body
            elif not isinstance(statement, _Function):
                found.append(statement)
        return found

    @cached_property
    def found(self) -> list[tuple[ast.AST, _Function | None, ast.AST]]:
        """Each question with the outermost function that it stands in, or the statement outside of all."""
        functions = _outermost(self.tree)
        found: list[tuple[ast.AST, _Function | None, ast.AST]] = []
        for function in functions:
            found += [(node, function, function) for node in self.find(function)]
        for statement in self.statements:
            found += [(node, None, statement) for node in self.find(statement)]
        return sorted(found, key=lambda one: getattr(one[0], "lineno", 0))

    def words_behind(self, words: set[str]) -> set[str]:
        """Names that the values of names among `words` are made of, outside of functions."""
        known = set(words)
        while (
            more := {word for statement in self.statements if _bound(statement) & known for word in _names(statement)}
            - known
        ):
            known |= more
        return known

    def shown(self, node: ast.AST) -> str:
        """A question for people."""
        line = getattr(node, "lineno", 1)
        return f"{self.file}:{line}: {self.text.splitlines()[line - 1].strip()[:100]}"


def _outermost(tree: ast.Module) -> list[_Function]:
    found: list[_Function] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, _Function):
                found.append(child)
            else:
                waiting.append(child)
    return found


def _questions(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a function that ask, or of a statement outside of all functions."""
    names = _names(scope)
    of_environment = bool(names & _ENVIRONMENT)
    of_frames = bool(names & _FRAMES) or {"inspect", "stack"} <= names
    waiting: list[tuple[ast.AST, bool]] = [(scope, False)]
    while waiting:
        node, asking = waiting.pop()
        if isinstance(node, _Function) and not isinstance(scope, _Function):
            continue
        text = _text(node)
        if text is not None:
            runner = (of_environment or text == "_called_from_test") and asking and _RUNNER.search(text)
            if runner or (of_frames and asking and _OF_A_TEST.search(text)) or _SANDBOX.search(text):
                yield node
            continue
        if isinstance(node, ast.Attribute) and node.attr == "_called_from_test" and isinstance(node.ctx, ast.Load):
            yield node
        if isinstance(node, ast.comprehension | ast.For) and _goes_through_modules(node.iter):
            yield node.iter
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Call):
            asking = getattr(node.func, "attr", getattr(node.func, "id", "")) in _QUESTIONS
        elif isinstance(node, ast.Compare | ast.Subscript | ast.Match):
            asking = True
        elif isinstance(node, ast.stmt):
            asking = False
        waiting += [(child, asking) for child in ast.iter_child_nodes(node)]


def _goes_through_modules(node: ast.expr) -> bool:
    """Whether all modules that are loaded are looked at: one of them may be a test runner's, whatever it is called."""
    looked_at = (part for part in ast.walk(node) if isinstance(part, ast.Attribute) and part.attr == "modules")
    return any(getattr(part.value, "id", "") == "sys" for part in looked_at)


def _text(node: ast.AST) -> str | None:
    """The text of a literal, also one that is put together of several."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_text(node.left), _text(node.right)]
    elif isinstance(node, ast.JoinedStr):
        parts = [_text(part) for part in node.values]
    else:
        return None
    return None if None in parts else "".join(filter(None, parts))


def _bound(statement: ast.AST) -> set[str]:
    """Names that a statement binds, of modules and objects as well; those that it binds by a text count as all."""
    found: set[str] = set()
    for part in ast.walk(statement):
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Store):
            found.add(getattr(part, "id", getattr(part, "attr", "")))
        elif isinstance(part, _DEFINITIONS):
            found.add(part.name)
        elif isinstance(part, ast.alias):
            found.add(part.asname or part.name.partition(".")[0])
        elif (
            isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.slice, ast.Constant)
        ):
            found.add(str(part.slice.value))
        elif isinstance(part, ast.Call) and getattr(part.func, "id", "") == "setattr" and len(part.args) > 1:
            found.add(_text(part.args[1]) or "")
    return found - {""}


def _names(scope: ast.AST) -> set[str]:
    found = set()
    for part in ast.walk(scope):
        found |= {getattr(part, "id", ""), getattr(part, "attr", "")}
        if isinstance(part, ast.alias):
            found |= {part.name, part.asname or ""}
    return found - {""}
