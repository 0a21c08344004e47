"""Whole files as units."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from agents.code.units import file_units
from tests.acquire.test_local_papers import nobody_in_particular
from tests.units.conftest import Read
from tests.units.test_units_notebooks import notebook

PYTHON = (
    '"""Sampling from streams."""\n\nimport random\n\n\nclass Reservoir:\n    def add(self, x):\n        return x\n'
)


def test_a_file_has_the_text_of_all_of_it(read: Read, tmp_path: Path) -> None:
    codebase = read({"src/sample.py": PYTHON, "src/other.py": "def other():\n    return 1\n"})
    (whole,) = file_units(tmp_path, codebase.units, {"src/sample.py"})
    assert (whole.id, whole.symbol, whole.name, whole.kind) == ("src/sample.py", "", "sample.py", "file")
    assert whole.text == PYTHON
    assert (whole.start, whole.end, whole.line, whole.end_line) == (0, len(PYTHON), 1, 8)
    assert (whole.docstring, whole.signature) == ("Sampling from streams.", "Reservoir")
    assert whole.imports == ("random",)


def test_a_file_of_another_language_is_documented_by_its_head(read: Read, tmp_path: Path) -> None:
    files = {
        "a.c": "/* Counts\n * words. */\nint count(int n) { return n; }\n",
        "b.go": "// Package b sorts.\n// Stably.\npackage b\n\nfunc Sort(n int) int { return n }\n",
        "c.py": "def old():\n    print 'Python 2'\n",
    }
    codebase = read(files)
    found = file_units(tmp_path, codebase.units, set(files))
    assert [(unit.id, unit.docstring) for unit in found] == [
        ("a.c", "Counts\nwords."), ("b.go", "Package b sorts.\nStably."), ("c.py", "")
    ]  # fmt: skip
    assert [unit.text for unit in found] == list(files.values())


def test_a_notebook_is_the_code_of_its_cells(read: Read, tmp_path: Path) -> None:
    text = notebook(("code", "import numpy\n"), ("markdown", "# Fit"), ("code", "def fit(x):\n    return x"))
    codebase = read({"a.ipynb": text})
    (whole,) = file_units(tmp_path, codebase.units, {"a.ipynb"})
    assert whole.text == "import numpy\n\ndef fit(x):\n    return x"
    assert (whole.kind, whole.language) == ("file", "python")


def test_what_is_gone_meanwhile_is_left_out(read: Read, tmp_path: Path) -> None:
    codebase = read({"a.py": PYTHON})
    (tmp_path / "a.py").unlink()
    assert file_units(tmp_path, codebase.units, {"a.py"}) == ()


def test_what_cannot_be_read_any_more_is_left_out(read: Read) -> None:
    codebase = read({"a.py": PYTHON, "b.py": PYTHON})
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "a.py").write_text(PYTHON)
        (folder / "b.py").write_text(PYTHON)
        (folder / "a.py").chmod(0)
        with nobody_in_particular():
            found = file_units(folder, codebase.units, {"a.py", "b.py"})
    assert [unit.id for unit in found] == ["b.py"]


@pytest.mark.parametrize(
    "head", [" " * 100_000, "\n" * 100_000, "/" + "*" * 100_000, "/**/\n" + " " * 100_000, "# " * 50_000]
)
def test_a_long_head_is_read_in_no_time(read: Read, tmp_path: Path, head: str) -> None:
    codebase = read({"a.js": "function f(n) { return n; }\n"})
    (tmp_path / "a.js").write_text(head + "x")
    started = time.process_time()
    (whole,) = file_units(tmp_path, codebase.units, {"a.js"})
    assert whole.docstring == ""
    assert time.process_time() - started < 1
