"""What is read from a repository before anything runs: roots, names, tests, imports, definitions, arguments."""

import ast
from pathlib import Path

import pytest

from agents.code.mutants import Raised
from agents.code.units import read_units
from agents.code.verify import discover, running
from agents.code.verify.arguments import arguments
from agents.code.verify.definitions import definition_tests
from agents.code.verify.discover import outside_imports
from agents.code.verify.layout import Layout, lay_out
from agents.code.verify.preparing import Import
from agents.code.verify.sources import sources

FILES = {
    "setup.py": "from setuptools import setup\n\nsetup(\n    name='some-thing',\n)\n",
    "src/thing/__init__.py": "from .thing_version import __version__\nfrom thing.core import one\n",
    "src/thing/core.py": "import numpy\nimport scipy.stats\nfrom . import helper\n\n\ndef one(x): return 1\n",
    "src/thing/helper.py": "def test_of_fit(x):\n    return x\n",
    "tests/test_core.py": "import pytest\nfrom thing.core import one\n\n\ndef test_one():\n    assert one([1]) == 1\n",
    "tests/other.py": "import unittest\n\n\nclass Other(unittest.TestCase):\n    def test_it(self):\n        pass\n",
    "run/job.py": "import common\n\nassert common.ready()\nprint(common.ready())\n",
    "run/common.py": "def ready():\n    return True\n",
    "README.md": "```python\nassert 1 + 1 == 2\n```\n\n```python\nprint(1)\n```\n",
    "data/table.bin": "x" * 100,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    return tmp_path


@pytest.fixture
def layout(folder: Path) -> Layout:
    return lay_out(folder, 10)


def test_links_stay_out_and_what_is_too_large(folder: Path, layout: Layout) -> None:
    assert layout.files == tuple(sorted(FILES))
    (folder / "data" / "large.bin").write_bytes(b"x" * 11_000_000)
    less = lay_out(folder, 10)
    assert less.files == layout.files


def test_modules_have_the_names_that_the_code_uses(layout: Layout) -> None:
    assert layout.module_names("src/thing/core.py")[0] == "thing.core"
    assert layout.module_names("src/thing/__init__.py")[0] == "thing"
    assert "src" in layout.roots


def test_tests_are_found_whatever_the_file_is_called(folder: Path) -> None:
    codebase = read_units(folder)
    unit = next(unit for unit in codebase.units if unit.symbol == "one")
    found = [test.path for test in discover.test_files(codebase, [unit])]
    assert found[0] == "tests/test_core.py"
    assert set(found) == {"tests/test_core.py", "tests/other.py", "src/thing/helper.py"}


def test_imports_are_followed_through_the_repository(layout: Layout) -> None:
    assert outside_imports(layout, ["tests/test_core.py"]) == ["numpy", "pytest", "scipy.stats"]
    assert outside_imports(layout, ["run/job.py"]) == []


def test_examples_count_where_they_show_a_session(folder: Path) -> None:
    (folder / "Readme.md").write_text("```python\nassert 1 + 1 == 2\n```\n\n>>> 1 + 1\n2\n")
    (folder / "src" / "thing" / "core.py").write_text('def one(x):\n    """>>> one(2)\n    1\n    """\n    return 1\n')
    codebase, layout = read_units(folder), lay_out(folder, 10)
    found, _ = sources(folder, codebase, layout, discover.test_files(codebase, []))
    doctests = {source.path: source.arguments for source in found if source.kind == "doctest" and source.arguments}
    assert doctests == {
        "repo/src/thing/core.py": ("--doctest-modules",),
        "repo/Readme.md": ("--doctest-glob=Readme.md",),
    }


def test_scripts_and_readmes_count_only_if_they_assert(folder: Path, layout: Layout) -> None:
    codebase = read_units(folder)
    found, written = sources(folder, codebase, layout, discover.test_files(codebase, []))
    kinds = {source.path: source.kind for source in found}
    assert kinds["tau/test_readme_0.py"] == "doctest"
    assert "print(1)" not in written["tau/test_readme_0.py"]
    assert "'repo', 'README.md'" in written["tau/test_readme_0.py"].replace('"', "'"), (
        "its run opens what it was made from"
    )
    assert [source.kind for source in found if "run/job.py" in written.get(source.path, "")] == ["replay"]
    assert not any("thing/core.py" in text for text in written.values())


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("def f(x): return x", "array('', (4, 3), 'normal')"),
        ("def f(im):\n    a, b, c, d = im.shape\n    return a", "array('', (2, 3, 6, 6), 'normal')"),
        ("def f(d): return d['a'] / d['b']", "{'a': 3, 'b': 5}"),
    ],
)
def test_arguments_fit_the_body(text: str, first: str) -> None:
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert next(iter(arguments(function, text, "normal", []))).replace("'numpy'", "''") == first


def test_entries_take_the_shapes_that_the_text_names() -> None:
    text = (
        "def f(batch):\n    values = batch['values']  # of shape (batch, stream, channels)\n"
        "    return batch['time'].clone(), values\n"
    )
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    (given, *_) = arguments(function, text, "missing", ["torch"])
    assert "'values': array('torch', (3, 6, 2), 'missing')" in given


def test_shapes_are_read_from_lists_in_the_docstring() -> None:
    text = "(a) d['time'] will be a tensor of shape (batch, 1)\n(b) x, of shape (n, d)\n"
    function = ast.parse("def f(d): return d['time'] + d['x']").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = next(iter(arguments(function, text, "normal", [])))
    assert given.replace("'numpy'", "''") == "{'time': array('', (4, 1), 'time'), 'x': array('', (4, 3), 'normal')}"


def test_only_names_of_definitions_are_tested(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "def zero_impute(x):\n    return x\n\n\ndef step(x):\n    return x\n\n\ndef interpolate(x, y):\n    return x\n"
    )
    made = definition_tests(tmp_path, read_units(tmp_path).units, {"m.py": Import("m.py", "name", "m")})
    assert list(made.sources.values()) == ["m.py#zero_impute"]
    assert all(compile(text, "tau", "exec") for text in made.texts.values())


@pytest.mark.parametrize(
    ("types", "curable"),
    [
        (("SystemExit",), False),
        (("ModuleNotFoundError", "ImportError"), True),
        (("FileNotFoundError", "OSError"), False),
    ],
)
def test_only_what_an_environment_can_mend_is_tried_again(types: tuple[str, ...], curable: bool) -> None:
    assert Import("m.py", "statements", raised=Raised(types, "No such file")).curable is curable


def test_what_has_no_end_in_one_environment_has_none_in_another() -> None:
    assert not Import("m.py", ended="timeout").curable
    assert Import("m.py", ended="died").curable


@pytest.mark.parametrize(
    ("outcome", "fault", "curable"),
    [("died", True, True), ("died", False, False), ("timeout", False, False), ("failed", False, True)],
)
def test_only_a_fault_of_machine_code_may_be_mended_of_what_ends_a_process(
    outcome: str, fault: bool, curable: bool
) -> None:
    run = running.TestRun("t.py::test", running.Source("repo/t.py"), outcome, 1.0, frozenset(), fault=fault)
    assert run.curable is curable
