"""Where a repository's tests are, what its code imports from outside, and when it was written."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath

from agents.code.units import CodeBase
from agents.code.units.imports import ImportResolver
from agents.code.units.source import decode
from agents.code.verify.layout import Layout
from agents.execution.environments import is_known, is_standard
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["TestFile", "date_of", "is_test", "outside_imports", "sets_variables", "test_files"]

_WORD = re.compile(r"\w+")
_SETS = re.compile(rb"\benviron\b|\bputenv\b")
_PYTEST_ENV = re.compile(r"(?m)^\[(tool:)?pytest\][^\[]*^env\s*=|^\[tool\.pytest_env\]|^env\s*=\s*\[\s*$")
_TEST_BASE = re.compile(r"(^|\.)(TestCase|\w*TestCase)$")


@dataclass(frozen=True)
class TestFile:
    """A file that holds tests. `mentions` counts names of the asked units in it."""

    path: str
    mentions: int


def test_files(codebase: CodeBase, units: Iterable[CodeUnit]) -> list[TestFile]:
    """Python files with test functions or classes, whatever they are called; those that name asked units first."""
    words: dict[str, set[str]] = defaultdict(set)
    holding = set()
    for unit in codebase.units:
        if unit.language != "python" or not unit.file.endswith(".py"):
            continue
        words[unit.file].update(_WORD.findall(unit.text))
        words[unit.file].update(part for name in unit.imports for part in name.split("."))
        if is_test(unit):
            holding.add(unit.file)
    asked = {part for unit in units for part in (*unit.symbol.split("."), PurePosixPath(unit.file).stem)}
    found = [TestFile(file, len(words[file] & asked)) for file in holding if PurePosixPath(file).name != "conftest.py"]
    return sorted(found, key=lambda f: (-f.mentions, f.path))


def is_test(unit: CodeUnit) -> bool:
    """Whether a unit is a test, or a class of tests, by its name."""
    if unit.kind == "class":
        return any(_TEST_BASE.search(base) for base in unit.bases)
    if unit.kind == "function":
        return unit.name.startswith("test") and "." not in unit.symbol
    owner = unit.symbol.rpartition(".")[0]
    return unit.kind == "method" and unit.name.startswith("test") and owner.startswith("Test")


def outside_imports(layout: Layout, files: Iterable[str]) -> list[str]:
    """Dotted third-party names that `files`, and all files of the repository that they import, import."""
    imports = layout.imports
    resolver = ImportResolver(imports, is_known)
    pending, seen, outside = sorted(files), set(), set()
    while pending:
        file = pending.pop()
        if file in seen:
            continue
        seen.add(file)
        package = str(PurePosixPath(file).parent / "__init__.py")
        pending += [package] if package in imports else []
        for name in imports.get(file, ()):
            if name.startswith(".") or resolver.module(file, name) or resolver.within(file, name):
                pending += sorted(resolver.targets(file, name))
            elif not is_standard(name):
                outside.add(name)
    return sorted(outside)


def date_of(folder: Path) -> date | None:
    """The date of the repository's last commit, None without git."""
    if not (folder / ".git").exists():
        return None
    git = subprocess.run(
        ["git", "-C", str(folder), "log", "-1", "--format=%cs"], capture_output=True, text=True, check=False
    )
    return date.fromisoformat(git.stdout.strip()) if git.returncode == 0 and git.stdout.strip() else None


def sets_variables(folder: Path, files: Iterable[str]) -> bool:
    """Whether a module of the repository sets an environment variable when it is loaded, or its pytest configuration
    does."""
    for path in files:
        name = PurePosixPath(path).name
        if path in {"pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"}:
            if _PYTEST_ENV.search(decode((folder / path).read_bytes())[0]):
                return True
        elif name.endswith(".py") and name != "setup.py":
            data = (folder / path).read_bytes()
            if _SETS.search(data) and _sets(decode(data)[0]):
                return True
    return False


def _sets(text: str) -> bool:
    try:
        pending: list[ast.AST] = [*parse(text).body]
    except NotPython3:
        return False
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and any(getattr(part, "id", "") == "__name__" for part in ast.walk(node.test)):
            pending += node.orelse
            continue
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Subscript) and _is_environ(target.value) for target in targets):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of_environ = _is_environ(node.func.value) and node.func.attr in {"setdefault", "update"}
            if of_environ or node.func.attr == "putenv":
                return True
        pending += ast.iter_child_nodes(node)
    return False


def _is_environ(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "environ"
