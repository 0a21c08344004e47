"""Where tests of a repository can come from: its test files, the examples in its texts, its scripts that assert."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt

from agents.code.units import CodeBase
from agents.code.units.source import decode
from agents.code.verify.discover import TestFile
from agents.code.verify.layout import Layout
from agents.code.verify.running import Source
from agents.execution.syntax import NotPython3, parse

__all__ = ["PAGE", "README", "fences", "script_test", "sources"]

FILES = 40
"""Files with doctests, and scripts that assert, that are tried at most (each)."""
_PYTHON = {"python", "py", "python3"}
PAGE = re.compile(r"(?i)docs?/.*\.(md|rst|txt)$")
"""A page of a repository's documentation, whose examples many a CI runs as tests."""
_IMPORTED = re.compile(r"(?m)^[ \t]*(?:>>>|\.\.\.) +(?:from|import) +(\w+)")
README = re.compile(r"(?i)readme\.(md|rst|txt)$")


def sources(
    folder: Path, codebase: CodeBase, layout: Layout, tests: Sequence[TestFile]
) -> tuple[list[Source], dict[str, str]]:
    """Sources, the best first, and the test files that had to be written for them (path below ``/work`` → text)."""
    found = [Source(f"repo/{test.path}") for test in tests if test.path in layout.known]
    written: dict[str, str] = {}
    examples = sorted(
        {u.file for u in codebase.units if u.language == "python" and ">>> " in u.docstring and u.file in layout.known}
    )
    found += [Source(f"repo/{file}", "doctest", ("--doctest-modules",)) for file in examples[:FILES]]
    for number, name in enumerate(path for path in layout.files if README.match(path)):
        text = decode((folder / name).read_bytes())[0]
        if ">>> " in text:
            found.append(Source(f"repo/{name}", "doctest", (f"--doctest-glob={name}",)))
        blocks = [block for language, block, _ in fences(text) if language in _PYTHON and _asserts(block)]
        if blocks:
            written[f"tau/test_readme_{number}.py"] = _readme_test(name, blocks)
            found.append(Source(f"tau/test_readme_{number}.py", "doctest"))
    for name in _shown_in_documentation(folder, layout):
        found.append(Source(f"repo/{name}", "doctest", (f"--doctest-glob={PurePosixPath(name).name}",)))
    scripts = [file for file in layout.files if file.endswith(".py") and _is_script(folder, file)]
    scripts = [file for file in scripts if file not in {test.path for test in tests}]
    for number, file in enumerate(scripts[:FILES]):
        path = f"tau/test_script_{number}.py"
        written[path] = script_test(file, decode((folder / file).read_bytes())[0])
        found.append(Source(path, "replay"))
    return found, written


def _shown_in_documentation(folder: Path, layout: Layout) -> list[str]:
    """The pages of a repository's documentation with examples at the prompt that import something of its own."""
    pages = [path for path in layout.files if PAGE.match(path)]
    own = {name.partition(".")[0] for path in layout.imports for name in layout.module_names(path)}
    found = []
    for path in pages:
        text = decode((folder / path).read_bytes())[0]
        if own & set(_IMPORTED.findall(text)):
            found.append(path)
    return sorted(found)[:FILES]


def fences(text: str) -> Iterator[tuple[str, str, int]]:
    """Fenced blocks of a Markdown text: the language each names, its text, and the line (1-based) that opens it."""
    for token in MarkdownIt("zero").enable("fence").parse(text):
        if token.type == "fence" and token.map:
            yield next(iter(re.findall(r"\w+", token.info)), ""), token.content, token.map[0] + 1


_SCRIPT = '''\
"""Runs a script of the repository, whose own assertions judge."""

import os
import runpy
import sys
import traceback

LAST = {last}


def test_script():
    path = os.path.join(os.environ["XKG_WORK"], "repo", {file!r})
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    os.chdir(folder)
    sys.argv = [path]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        lines = [line for frame, line in traceback.walk_tb(end.__traceback__) if frame.f_code.co_filename == path]
        assert not end.code and lines and lines[0] >= LAST, "it left before its end"
'''


def script_test(file: str, text: str) -> str:
    """A file with one test, which runs the script `file` and passes if it comes to its last statement."""
    return _SCRIPT.format(file=file, last=_last_line(_tree(text)))


def _last_line(tree: ast.Module) -> int:
    """The line where the last statement of a script begins, of a main block that of its own; 0 without any."""
    if not tree.body:
        return 0
    last = tree.body[-1]
    return last.body[-1].lineno if isinstance(last, ast.If) else last.lineno


_README_TEST = '''\
"""The examples of the README that assert something."""

import os

NAMES = {{}}

with open(os.path.join(os.environ["XKG_WORK"], "repo", {name!r}), "rb"):
    pass  # what a verdict rests on is what its run has opened
'''


def _readme_test(name: str, blocks: Sequence[str]) -> str:
    """A block may build on the names of those before it."""
    parts = [_README_TEST.format(name=name)]
    for number, block in enumerate(blocks[:FILES]):
        parts.append(f"\n\ndef test_block_{number}():\n    exec(compile({block!r}, 'README', 'exec'), NAMES)\n")
    return "".join(parts)


def _asserts(text: str) -> bool:
    """Whether code asserts anything of its own."""
    return "assert" in text and any(_is_assertion(node) for node in ast.walk(_tree(text)))


def _is_assertion(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Assert)
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return "assert" in called.lower()


def _is_script(folder: Path, file: str) -> bool:
    """Whether a file does something when it is run, and asserts."""
    if PurePosixPath(file).name in {"setup.py", "conftest.py", "__init__.py"}:
        return False
    text = decode((folder / file).read_bytes())[0]
    acting = (ast.Expr, ast.For, ast.With, ast.Assert)
    return _asserts(text) and any(_is_main(node) or isinstance(node, acting) for node in _tree(text).body[1:])


def _is_main(node: ast.stmt) -> bool:
    """``if __name__ == "__main__"``."""
    return isinstance(node, ast.If) and any(getattr(part, "id", "") == "__name__" for part in ast.walk(node.test))


def _tree(text: str) -> ast.Module:
    """The syntax tree, an empty one for what is not Python 3."""
    try:
        return parse(text)
    except NotPython3:
        return ast.Module([], [])
