"""Repositories made to break the slicer: it answers, raises nothing, and reads nothing outside of them."""

import ast
from pathlib import Path

import pytest

from agents.code.modules import Slicer
from agents.code.units import read_units


def modules(folder: Path) -> list:
    codebase = read_units(folder)
    slicer = Slicer(folder)
    return [slicer.module(unit) for unit in codebase.units[:3]]


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    return " + "(" * 150 + ")" * 150,
        "def f():\n    return " + "+".join(["1"] * 20_000),
        "def f():\n    return " + "not " * 30_000 + "1",
        "def f():\n    return x" + ".a" * 5_000,
        "def f():\n    return x" + "[0]" * 5_000,
        "def f():\n" + "".join(f"{' ' * (i + 1)}if x:\n" for i in range(90)) + " " * 91 + "pass",
        "".join(f"class C{i}:\n" if i == 0 else f"{' ' * i}class C{i}:\n" for i in range(90))
        + " " * 90
        + "pass\ndef f(): pass",
        "".join(f"def f{i}():\n    return f{i + 1}()\n" for i in range(5_000)) + "def f5000(): return f0()\n",
        "from m import *\nfrom .m import *\nimport m\nfrom m import f as f\ndef g(): return f() + m.m.m.f",
        "def f(x: '" + "(" * 200 + "'): return globals()[x], eval('f'), vars(), locals()",
        "\x0cdef f():\n\treturn 1\r\ndef g():\r    return f()\r",
        "def f():\n    import a.b.c.d.e.f.g, b\n    from ...... import x\n    return x",
        "\ufeffdef f(): return '\ud800'.encode()".encode("utf-8", "replace").decode(),
        "# -*- coding: rot13 -*-\ndef f(): return 'coding: rot13'\n",
        "def f(): return 1\n" * 3_000,
    ],
    ids=range(15),
)
def test_odd_text(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.py").write_text(text, "utf-8", newline="")
    for module in modules(tmp_path):
        for file in module.files.values():
            assert file.isascii() or file.encode("utf-8")
        if not module.problems and not module.translated:
            for file in module.files.values():
                ast.parse(file)


def test_no_link_is_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("PASSWORD = 'x'\n")
    inside = tmp_path / "inside"
    (inside / "pkg").mkdir(parents=True)
    (inside / "pkg/secret.py").symlink_to(outside / "secret.py")
    (inside / "linked").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    (inside / "pkg/a.py").write_text(
        "from .secret import PASSWORD\nimport linked.secret\n\ndef f():\n    return PASSWORD\n"
    )
    (module,) = modules(inside)
    assert "PASSWORD = 'x'" not in "".join(module.files.values())
    assert module.problems == ("not in the repository: .secret (imported in pkg/a.py:1)",)


def test_imports_do_not_leave_the_repository(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("PASSWORD = 'x'\n")
    inside = tmp_path / "inside"
    (inside / "pkg").mkdir(parents=True)
    (inside / "pkg/a.py").write_text(
        "from ... import evil\nfrom ...evil import PASSWORD\n\ndef f():\n    return evil, PASSWORD\n"
    )
    (module,) = modules(inside)
    assert list(module.files) == ["pkg/a.py"] or "x" not in "".join(module.files.values()).split("PASSWORD")
    assert len(module.problems) == 2


def test_a_file_name_can_not_write_code(tmp_path: Path) -> None:
    (tmp_path / "a\nimport os  # coding: utf-7.py").write_text("def f():\n    return 1\n")
    for module in modules(tmp_path):
        for path, text in module.files.items():
            assert "\n" not in path
            assert not any(isinstance(node, ast.Import) for node in ast.walk(ast.parse(text)))


def test_paths_of_a_module_stay_in_it(tmp_path: Path) -> None:
    (tmp_path / "..a").mkdir()
    (tmp_path / "..a/..b.py").write_text("def f():\n    return 1\n")
    for module in modules(tmp_path):
        assert all(".." not in path and not path.startswith("/") for path in module.files)
