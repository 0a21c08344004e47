"""Tests that say something of a unit and never hold it to that: they are skipped or left out whatever happens, or what
they mean to assert is always true. They are run once as they are meant, and what fails then denies the unit."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.code.verify.excusing import asserts, results_of
from agents.code.verify.possible import last
from agents.code.verify.running import Source, TestRun
from agents.code.verify.session import raised_of, repository_path
from agents.execution.harness import JobResult
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["MEANT", "Meant", "as_meant", "denied"]

MEANT = "as meant: "
"""Begins the names of the jobs that run them."""
_UNSURE = re.compile(
    r"(?i)flak|random|seed|version|platform|windows|linux|macos|darwin|\bos\b|gpu|cuda|network|online|download|install"
    r"|precision|rounding|environ|getoption|requires?\b|need|import|update|outdated|obsolete|deprecat|old|api\b|refactor"
    r"|support|implement|\byet\b|future|planned|\bwip\b|feature"
)
"""Of reasons to skip a test: that it may fail for what is none of the unit's, or says what is meant no more, or not
before something is added."""
_WORD = re.compile(r"[^\W\d]\w*")
_LEFT_OUT = re.compile(r"(?m)^def pytest_(?:collection_modifyitems|itemcollected|deselected)\b(?:.*\n?(?:[ \t].*|\n)*)")
_HELPERS = """
def xkg_meant(got, want):
    if isinstance(want, (str, bytes)) or (type(got).__name__.startswith("bool") and not isinstance(want, bool)):
        return bool(got)
    return xkg_same(got, want)


def xkg_same(got, want):
    numbers = isinstance(got, (int, float)) and isinstance(want, (int, float))
    if not numbers and type(got) is not type(want) and "approx" not in type(want).__name__.lower():
        return True
    if isinstance(got, (list, tuple)) and isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(xkg_same(one, other) for one, other in zip(got, want))
    if numbers and (isinstance(got, float) or isinstance(want, float)):
        return got == want or got != got or abs(got - want) <= 0.01 * abs(want) + 1e-6
    return xkg_all(got == want)


def xkg_all(found):
    return found is None or bool(found.all() if hasattr(found, "all") else found)
"""
"""What was meant, with all the room that it may have been meant to have."""


@dataclass(frozen=True)
class Meant:
    """The `text` of a file of tests as they are meant, and the ids of those that are run so, without parameters."""

    source: Source
    text: str
    tests: tuple[str, ...]


def as_meant(
    unit: CodeUnit, passing: Iterable[TestRun], runs: Sequence[TestRun], units: Mapping[str, CodeUnit],
    text_of: Callable[[str], str],
) -> list[Meant]:  # fmt: skip
    """The files in which tests of nothing but `unit` are to be run as they are meant; `runs` are all of the
    repository, `passing` those that pass and reach it."""
    members = [other for name, other in units.items() if name.startswith(f"{unit.id}.")]
    names = {one.name for one in members or [unit] if not one.name.startswith("_")}
    others = {other.name for other in units.values() if other.role != "test"} - {*unit.symbol.split(".")}
    others -= {one.name for one in members}
    sources = {file: run.source for run in runs if (file := run.id.partition("::")[0]) != run.id}
    known: dict[str, set[str]] = {}
    for run in runs:
        known.setdefault(run.unit, set()).add(run.outcome)
    reaching = {run.unit for run in passing}
    tests: dict[str, list[CodeUnit]] = {}
    for one in (one for one in units.values() if one.name.startswith("test")):
        tests.setdefault(one.file, []).append(one)
    found = []
    for file, source in sorted(sources.items()):
        text = text_of(file) if file in tests and source.kind == "repository" else ""
        if not names & {*_WORD.findall(text)}:
            continue
        try:
            tree = parse(text)
            meant = _Meant(names, results_of(tree, names))
            tree = meant.visit(tree)
            written = ast.unparse(ast.fix_missing_locations(tree))
        except (NotPython3, RecursionError):  # nested too deeply to be read: it says nothing, and ends nothing
            continue
        nodes = {(node.name, node.end_lineno): node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        out = _is_left_out(file, text_of, units)
        asked = []
        for test in tests[file]:
            node = nodes.get((test.name, test.end_line))
            if node is None or any(last(part) in others for part in ast.walk(node) if _is_name(part)):
                continue
            ended = known.get(test.id, set())
            left = out and (not ended or (ended == {"skipped"} and "skip" not in text))
            aside = (left or id(node) in meant.run) and "passed" not in ended
            aside = aside and bool(asserts(node.body, names, results_of(node, names)))
            if aside or (meant.changed and test.id in reaching):
                asked.append("::".join([file, *test.symbol.split(".")]))
        if asked:
            found.append(Meant(source, written + "\n" + _HELPERS, tuple(asked)))
    return found


def _is_name(part: ast.AST) -> bool:
    return isinstance(part, ast.Name | ast.Attribute)


def _is_left_out(file: str, text_of: Callable[[str], str], units: Mapping[str, CodeUnit]) -> bool:
    """Whether a conftest for a file leaves tests out, without asking where it runs."""
    places = {one.file for one in units.values() if one.file.rpartition("/")[2] == "conftest.py"}
    around = [text_of(place) for place in places if file.startswith(place.removesuffix("conftest.py"))]
    hooks = [found[0] for text in around for found in _LEFT_OUT.finditer(text)]
    return bool(hooks) and not any(_UNSURE.search(hook.replace("pytest_deselected", "")) for hook in hooks)


class _Meant(ast.NodeTransformer):
    """Makes tests what they are meant to be: `changed` says that an assertion was made of what is none, `run` holds
    functions that are skipped whatever happens."""

    def __init__(self, names: Collection[str], results: Collection[str]) -> None:
        self.names, self.results = names, results
        self.changed, self.run, self.around = False, set[int](), False

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """What marks all of a file."""
        return self._unskipped(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """What marks all of a class."""
        return self._unskipped(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """What marks a test, or leaves it before anything is tried."""
        return self._unskipped(node)

    def _unskipped(self, node: ast.Module | ast.ClassDef | ast.FunctionDef) -> ast.AST:
        body = [one for one in node.body if not _skips(one, isinstance(node, ast.FunctionDef))]
        marks = [] if isinstance(node, ast.Module) else [one for one in node.decorator_list if not _is_skip(one)]
        before, skipped = self.around, len(body) < len(node.body)
        if not isinstance(node, ast.Module):
            skipped = skipped or len(marks) < len(node.decorator_list)
            node.decorator_list = marks
        node.body = body or node.body
        self.around = before or skipped
        if self.around and isinstance(node, ast.FunctionDef):
            self.run.add(id(node))
        self.generic_visit(node)
        self.around = before
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """What is tried within may be tried for what it raises."""
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """The same."""
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """A tuple is always true."""
        if isinstance(node.test, ast.Tuple) and node.test.elts and not _is_message(node.test.elts[0]):
            parts = [part for part in node.test.elts if not _is_message(part)]
            if all(isinstance(part, ast.Compare | ast.BoolOp | ast.Call) for part in parts):
                return self._assert(node, "xkg_all", [ast.BoolOp(ast.And(), parts) if len(parts) > 1 else parts[0]])
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A comparison that nobody looks at, and `assertTrue` of two values."""
        value = node.value
        if isinstance(value, ast.Call) and last(value.func) in {"assertTrue", "assert_"} and len(value.args) > 1:
            return self._assert(node, "xkg_meant", value.args[:2]) if not _is_message(value.args[1]) else node
        close = isinstance(value, ast.Call) and last(value.func) in {"allclose", "isclose", "array_equal"}
        sides = value.args[:2] if close and isinstance(value, ast.Call) else []
        if isinstance(value, ast.Compare) and len(value.ops) == 1 and isinstance(value.ops[0], ast.Eq):
            sides = [value.left, *value.comparators]
        if sum(any(map(self._is_result, ast.walk(side))) for side in sides) != 1:
            return node  # two results may be compared to see that they can be
        return self._assert(node, "xkg_all", [value]) if close else self._assert(node, "xkg_same", sides)

    def _is_result(self, part: ast.AST) -> bool:
        if isinstance(part, ast.Call):
            return last(part.func) in self.names
        return isinstance(part, ast.Name) and part.id in self.results

    def _assert(self, node: ast.stmt, by: str, given: list[ast.expr]) -> ast.AST:
        self.changed = True
        return ast.copy_location(ast.Assert(ast.Call(ast.Name(by, ast.Load()), given, [])), node)


def _is_skip(node: ast.expr) -> bool:
    """Whether a mark skips whatever happens, and not for what lies outside."""
    return last(node.func if isinstance(node, ast.Call) else node) == "skip" and not _UNSURE.search(ast.unparse(node))


def _skips(node: ast.stmt, first: bool) -> bool:
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "pytestmark" and _is_skip(node.value)
    leaves = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Expr) else None
    named = last(leaves.func if isinstance(leaves, ast.Call) else leaves) if leaves is not None else ""
    return first and named in {"skip", "skipTest", "SkipTest"} and not _UNSURE.search(ast.unparse(node))


def _is_message(node: ast.expr) -> bool:
    """Whether it is a text, as far as it shows."""
    if isinstance(node, ast.BinOp):
        return _is_message(node.left) or _is_message(node.right)
    if isinstance(node, ast.Call):
        return last(node.func) in {"format", "str", "repr", "join", "dedent"}
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def denied(
    unit: CodeUnit, results: Mapping[str, JobResult], passing: Collection[str], unsteady: Collection[str] = ()
) -> str:  # fmt: skip
    """What tests say of a unit that fail when they are run as they are meant, of which some are `passing` as they are
    and some `unsteady`; "" if there are none."""
    for event in (event for name, one in results.items() if name.startswith(MEANT) for event in one.of("end")):
        raised, test = raised_of(event.get("raised")), str(event.get("test"))
        frames = raised.frames if raised is not None and "AssertionError" in raised.types else ()
        ours = [path for file, _, _ in frames if (path := repository_path(file))]
        reach = [place for place in event.get("reach") or () if isinstance(place, list) and len(place) == 3]
        within = any(place[0] == unit.file and unit.line <= int(place[1]) <= unit.end_line for place in reach)
        if within and test not in unsteady and ours and ours[-1] == test.partition("::")[0]:
            how = "and compares without asserting it" if test in passing else "and is skipped or left out"
            return f"its repository denies it: {test} says something else of it, {how}"
    return ""
