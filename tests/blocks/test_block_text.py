"""Blocks as text: joined as they are run, lines told apart, rewritten without changing what they do."""

import ast

import pytest

from agents.code.mutants import neutral
from agents.code.verify.blocks import Block
from agents.code.verify.blocks.text import checks, imports, join, place


def joined(implementation: str, test: str = ""):
    return join(Block(id="b", implementation=implementation, test=test))


@pytest.mark.parametrize("implementation", ["a = 1", "a = 1\n", "a = 1\n\n\n", "a = 1\r\nb = 2\r\n", "a = '''\r'''"])
def test_lines_belong_to_the_part_they_are_from(implementation: str) -> None:
    script = joined(implementation, "first = 1\nsecond = 2\n")
    lines = script.text.split("\n")
    assert lines[script.test_line - 1] == "first = 1"
    assert place(script, script.test_line + 1) == "test:2"
    assert place(script, 1) == "implementation:1"


def test_a_block_without_a_test_has_only_implementation() -> None:
    script = joined("a = 1\nb = 2", " \n")
    assert place(script, 2) == "implementation:2"
    assert script.test_line > len(script.text.split("\n"))


def test_a_test_that_was_stored_with_the_implementation_is_run_once() -> None:
    test = "assert f() == 1"
    script = joined(f"def f():\n    return 1\n\n{test}\n", test)
    assert script.text.count(test) == 1
    assert place(script, 4) == "test:1"
    assert "assert" not in script.implementation


def test_another_implementation_moves_the_test() -> None:
    script = joined("a = 1", "assert a")
    longer = script.with_implementation("a = (\n    2\n)")
    assert longer.text.split("\n")[longer.test_line - 1] == "assert a"


def test_imports_are_dotted_third_party_or_not_and_found_in_broken_code() -> None:
    assert imports(joined("import numpy.linalg as n, os\nfrom torch.nn import functional\nfrom . import x")) == (
        "numpy.linalg",
        "os",
        "torch.nn",
    )
    assert imports(joined("import importlib\nimportlib.import_module('jax.numpy')")) == ("importlib", "jax.numpy")
    assert imports(joined("import numpy\nprint 'two'")) == ("numpy",)


@pytest.mark.parametrize(
    ("test", "count"),
    [
        ("print(1)", 0),
        ("assert True", 0),
        ("assert (1, 'always true')", 0),
        ("assert f() == 1", 1),
        ("np.testing.assert_allclose(a, b)\nself.assertEqual(a, b)", 2),
        ("if x:\n    raise ValueError", 1),
        ("print 'two'", 0),
    ],
)
def test_checks_are_what_could_fail(test: str, count: int) -> None:
    assert checks(test) == count


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return x + 1\nassert f(1) == 2",
        "def f(x): return x + 1\nassert f(1) == 2",
        "def f(x): x += 1; return x\nassert f(1) == 2",
        "def f(x):\n    '''Doc.'''\n    if x:\n        return 1\n    return 2\nassert f(1) == 1",
        "def f():\n    def g():\n        return 1\n    return g()\nassert f() == 1",
        "class A:\n    def é(self):\n        '''Dôc.'''; return 'ü'\nassert A().é() == 'ü'",
        "def f():\n\twith open('/dev/null') as file:\n\t\treturn file.name\nassert f() == '/dev/null'",
        "def f():\n    'only a docstring'\nassert f() is None",
        "def f():\n    global g\n    g = 1\nf()\nassert g == 1",
        "async def f():\n    return 1\na = 1",
        "x = 1",
    ],
)
def test_a_rewriting_is_another_text_that_does_the_same(code: str) -> None:
    changed = neutral(code, "_unused")
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(code))
    namespace: dict[str, object] = {"__name__": "x"}
    exec(changed, namespace)  # noqa: S102 -- the sources above
    for name, value in namespace.items():
        if code.startswith("def f") and name == "f" and len(code.splitlines()) > 2 and "only" not in code:
            assert "_unused" in value.__code__.co_varnames  # type: ignore[attr-defined]
