"""Python files: what is a unit, where it stands, and what is known of it."""

from pathlib import Path
from textwrap import dedent

from kg.models.code import CodeUnit
from tests.units.conftest import Read

SOURCE = dedent(
    '''\
    """Module."""
    import numpy as np
    from .core import base, other as o
    from torch import *

    LIMIT = 3

    @decorate(
        1)
    class Flow(base.Model, Generic[T]):
        """A flow."""
        def forward(self, x: int = {1: 2}[1], *, y=None) -> "a: b":  # note: a colon
            """Runs."""
            def inner():
                return np.linalg.svd(x)
            return self.helper(inner())

        class Inner:
            async def deep(self): pass

    try:
        def fast(x): return quick(x)
    except ImportError:
        def fast(x): return slow(x)

    square = lambda v: v * v
    '''
)


def units(read: Read, source: str, name: str = "m.py") -> dict[str, CodeUnit]:
    return {unit.id.partition("#")[2]: unit for unit in read({name: source}).units}


def test_definitions_become_units_with_dotted_symbols(read: Read) -> None:
    found = units(read, SOURCE)
    assert list(found) == ["Flow", "Flow.forward", "Flow.Inner", "Flow.Inner.deep", "fast@22", "fast@24", "square"]
    assert [found[s].kind for s in ("Flow", "Flow.forward", "fast@22", "square")] == [
        "class",
        "method",
        "function",
        "function",
    ]
    assert found["Flow.Inner.deep"].parent == "m.py#Flow.Inner"


def test_a_decorator_belongs_to_its_unit(read: Read) -> None:
    flow = units(read, SOURCE)["Flow"]
    assert flow.text.startswith("@decorate(")
    assert (flow.line, flow.end_line) == (8, 19)


def test_facts_of_a_method(read: Read) -> None:
    forward = units(read, SOURCE)["Flow.forward"]
    assert forward.signature == 'def forward(self, x: int = {1: 2}[1], *, y=None) -> "a: b"'
    assert forward.docstring == "Runs."
    assert forward.calls == ("np.linalg.svd", "self.helper", "inner")
    assert forward.imports == (".core.base", ".core.other", "numpy", "torch")


def test_facts_of_a_class(read: Read) -> None:
    flow = units(read, SOURCE)["Flow"]
    assert flow.signature == "class Flow(base.Model, Generic[T])"
    assert flow.bases == ("base.Model",)
    assert flow.calls == ("decorate",)


def test_spans_are_bytes_of_the_file(read: Read, tmp_path: Path) -> None:
    source = "\ufeffä = 'ö'\r\ndef ü(x):\r\n    return 'ß'\r\n\rclass Ö: pass\n"
    for unit in units(read, source).values():
        assert (tmp_path / "m.py").read_bytes()[unit.start : unit.end].decode() == unit.text
        assert unit.text.startswith(("def ü", "class Ö"))


def test_latin_1_is_read_with_a_warning_and_exact_spans(read: Read, tmp_path: Path) -> None:
    codebase = read(
        {"m.py": "# -*- coding: latin-1 -*-\nx = 'äöü'; f = lambda: 'ß'\ndef g(): return 'é'\n".encode("latin-1")}
    )
    assert list(codebase.warnings) == ["m.py: is not UTF-8; read as latin-1"]
    assert [unit.text for unit in codebase.units] == ["f = lambda: 'ß'", "def g(): return 'é'"]
    data = (tmp_path / "m.py").read_bytes()
    assert all(data[u.start : u.end].decode("latin-1") == u.text for u in codebase.units)


def test_module_level_code_between_definitions_is_a_script(read: Read) -> None:
    source = (
        "import sys\n"
        "A = 1\n"
        "data = load(sys.argv[1])\n"
        "for x in data:\n"
        "    step(x)\n"
        "def f(): pass\n"
        "if __name__ == '__main__':\n"
        "    f()\n"
    )
    found = units(read, source)
    assert list(found) == ["<module>", "f"]
    assert found["<module>"].kind == "script"
    assert (found["<module>"].line, found["<module>"].end_line) == (3, 5)
    assert found["<module>"].calls == ("load", "step")


def test_a_main_block_that_works_is_a_script(read: Read) -> None:
    source = "def f(): pass\nif __name__ == '__main__':\n    a = f()\n    b = f()\n    print(a, b)\n"
    assert list(units(read, source)) == ["f", "<module>"]


def test_imports_and_constants_are_no_script(read: Read) -> None:
    assert not units(read, "import a\nimport b\nX = 1\nY = [1, 2]\nZ = {'a': X}\n'text'\n")


def test_a_test_function_of_a_normal_file_is_told_apart(read: Read) -> None:
    found = units(read, "def test_it(): pass\ndef run(): pass\n")
    assert (found["test_it"].role, found["run"].role) == ("test", "source")


PYTHON_2 = dedent(
    """\
    import os
    class A(B):
        def f(self):
            "Says so."
            print "x", g(1)
    print 1
    x = run()
    print x
    """
)


def test_python_2_is_read_all_the_same(read: Read) -> None:
    codebase = read({"old.py": PYTHON_2})
    assert [unit.symbol for unit in codebase.units] == ["A", "A.f", "<module>"]
    method = codebase.units[1]
    assert (method.docstring, method.calls, method.imports) == ("Says so.", ("g",), ("os",))
    assert codebase.units[0].bases == ("B",)
    assert len(codebase.warnings) == 1
    assert codebase.warnings[0].startswith("old.py: is not Python 3 (line 5:")
