"""Hostile or broken repositories: a warning that names the file, never an exception, never outside of the folder."""

from pathlib import Path

import pytest

from agents.code.units import Limits, call_graph, read_units
from agents.code.units.files import walk_repository
from kg.errors import InputError
from tests.units.conftest import Read

GOOD = "def f(x):\n    return g(x)\n"


def symbols(folder: Path, limits: Limits | None = None) -> tuple[list[str], str]:
    codebase = read_units(folder, limits=limits)
    return [unit.id for unit in codebase.units], "\n".join(codebase.warnings)


def test_links_are_never_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.py").write_text(GOOD)
    (outside / "LICENSE").write_text("MIT License")
    (inside / "a.py").write_text(GOOD)
    (inside / "file.py").symlink_to(outside / "secret.py")
    (inside / "folder").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    (inside / "LICENSE").symlink_to(outside / "LICENSE")
    (inside / "README.md").symlink_to(outside / "secret.py")
    codebase = read_units(inside)
    assert [unit.id for unit in codebase.units] == ["a.py#f"]
    assert codebase.licence is None


def test_a_folder_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a folder"):
        read_units(tmp_path / "missing")


def test_an_empty_folder_has_no_units(tmp_path: Path) -> None:
    assert read_units(tmp_path).units == ()


def test_what_is_too_large_is_skipped_by_name(read: Read, tmp_path: Path) -> None:
    read({"big.py": GOOD * 10, "small.py": GOOD})
    found, warnings = symbols(tmp_path, Limits(file_bytes=100))
    assert found == ["small.py#f"]
    assert warnings == "big.py: 260 bytes are more than the limit of 100; skipped"


def test_files_units_and_depth_are_limited(read: Read, tmp_path: Path) -> None:
    read({"a.py": GOOD, "b.py": GOOD, "c/d/e.py": GOOD})
    found, warnings = symbols(tmp_path, Limits(files=1))
    assert (found, "limit of 1 source files" in warnings) == (["a.py#f"], True)
    found, warnings = symbols(tmp_path, Limits(units=1))
    assert (found, "limit of 1 units" in warnings) == (["a.py#f"], True)
    found, warnings = symbols(tmp_path, Limits(depth=1))
    assert (found, warnings) == (["a.py#f", "b.py#f"], "c/d: deeper than 1 folders; skipped")


def test_nul_bytes_are_no_text(read: Read) -> None:
    codebase = read({"a.py": b"def f(): pass\n\0", "b.go": "package p\n".encode("utf-16")})
    assert codebase.units == ()
    assert [warning.partition(":")[0] for warning in codebase.warnings] == ["a.py", "b.go"]


def test_hidden_and_installed_folders_are_passed_over(read: Read) -> None:
    codebase = read({f"{folder}/a.py": GOOD for folder in (".git", "node_modules", "__pycache__", "src")})
    assert [unit.id for unit in codebase.units] == ["src/a.py#f"]


def test_environments_and_what_a_home_holds_are_passed_over(read: Read, tmp_path: Path) -> None:
    marks = {"own/pyvenv.cfg": "home = /usr\n", ".mine/conda-meta/history": ""}
    folders = ("own/lib", ".mine", ".ssh", ".aws", ".npm", ".conda", ".gnupg", ".local", ".data", "src")
    read({f"{folder}/a.py": GOOD for folder in folders} | marks)
    for place in ("own/lib/a.py", "own", ".ssh/a.py", ".data/a.py"):
        (tmp_path / f"to_{place.replace('/', '_')}").symlink_to(place)
    links: dict[str, str] = {}
    walked = [path for _, path, _ in walk_repository(tmp_path, Limits(), [], links)]
    assert walked == [".data/a.py", "src/a.py"]
    assert links == {"to_.data_a.py": ".data/a.py"}


DEEP = 20_000


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", "x = a" + ".b" * DEEP),
        ("a.py", "x = 1" + "+1" * DEEP),
        ("a.py", "x = " + "-" * DEEP + "1"),
        ("a.py", "(" * DEEP),
        ("a.py", "f" + "()" * DEEP),
        ("a.py", "if a: pass\n" + "elif a: pass\n" * DEEP),
        ("a.py", "".join(" " * i + "class A:\n" for i in range(200))),
        ("a.c", "int f() {" + "{" * DEEP),
        ("a.cpp", "int " + "*" * DEEP + "f() { }"),
        ("a.cpp", "int a" + "::a" * DEEP + "() {}"),
        ("a.go", "package p\nfunc f() {" + "((" * DEEP),
        ("a.java", "class A {" * DEEP),
        ("a.js", "(()=>{" * DEEP),
        ("a.ipynb", "[" * DEEP),
        ("a.ipynb", '{"cells":' * DEEP),
    ],
)
def test_nesting_beyond_reason_costs_neither_stack_nor_neighbours(read: Read, name: str, source: str) -> None:
    codebase = read({name: source, "b.py": GOOD})
    assert codebase.units[-1].id == "b.py#f"
    assert all(warning.startswith(f"{name}: ") for warning in codebase.warnings)


LONG = 300_000


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.h", b"/*" * LONG),
        ("a.h", b"class x " * LONG),
        ("a.go", b"/*" + b" " * LONG + b"*/\nfunc f() {}\n"),
        ("a.go", b"// x\n" * LONG + b"func f() {}\n"),
        ("a.py", b"# \xe9\n" + b"f=lambda:0;" * 30_000),
        ("a.ipynb", b'{"cells": [{"cell_type": "code", "source": "' + b"\\n" * LONG + b'x()"}]}'),
        ("a.java", b"class A { int f() { return 1; } " * 20_000),
        ("LICENSE", b"*" * 200_000),
    ],
)
def test_what_makes_careless_readers_quadratic(read: Read, name: str, source: bytes) -> None:
    assert read({name: source, "z.py": GOOD}).units[-1].id == "z.py#f"


def test_a_crowd_of_one_name_is_no_call_graph(read: Read) -> None:
    codebase = read({"a.py": "def f(): f()\n" * 20_000, "b.py": "def g(): f()\n"})
    assert len(codebase.units) == 20_001
    assert call_graph(codebase) == ()


def test_a_syntax_error_keeps_what_can_be_read(read: Read) -> None:
    codebase = read(
        {
            "a.py": "def f():\n    return 1\n\ndef g(:\n    pass\n",
            "a.go": "package p\nfunc f() { x := }\nfunc h() {}\n" + "))) (\n" * 5,
        }
    )
    assert {"a.go#h", "a.py#f"} <= {unit.id for unit in codebase.units}
    assert sorted(warning.partition(":")[0] for warning in codebase.warnings) == ["a.go", "a.py"]
