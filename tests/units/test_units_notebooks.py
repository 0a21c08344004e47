"""Notebooks: cells and what they define, with places in the .ipynb file."""

import json
from pathlib import Path

from tests.units.conftest import Read


def notebook(*cells: tuple[str, str], language: str = "python") -> str:
    return json.dumps(
        {
            "cells": [
                {"cell_type": kind, "metadata": {}, "outputs": [], "source": text.splitlines(keepends=True)}
                for kind, text in cells
            ],
            "metadata": {"kernelspec": {"language": language, "name": "k"}},
            "nbformat": 4,
        },
        indent=1,
    )


def test_cells_and_their_definitions(read: Read, tmp_path: Path) -> None:
    text = notebook(
        ("code", "import numpy as np\n%matplotlib inline"),
        ("markdown", "## Fit\nWe fit."),
        ("code", "!pip install x\nfiles = !ls\ndef fit(x):\n    return np.dot(x, x)\ny = fit('é\"')\ny?"),
    )
    codebase = read({"a.ipynb": text})
    cell, fit = codebase.units
    assert (cell.symbol, cell.kind, cell.docstring) == ("<cell 2>", "cell", "## Fit\nWe fit.")
    assert (fit.symbol, fit.kind, fit.parent) == ("fit", "function", cell.id)
    assert fit.text == "def fit(x):\n    return np.dot(x, x)"
    assert (fit.calls, fit.imports) == (("np.dot",), ("numpy",))
    lines = json.loads(f"[{(tmp_path / 'a.ipynb').read_bytes()[fit.start : fit.end].decode()}]")
    assert "".join(lines).rstrip() == fit.text
    assert text.splitlines()[fit.line - 1].strip().startswith('"def fit')
    assert not codebase.warnings


def test_a_cell_of_another_language_is_passed_over(read: Read) -> None:
    codebase = read({"a.ipynb": notebook(("code", "%%bash\nrm x\nls"), ("code", "%%time\nrun()"))})
    assert [unit.symbol for unit in codebase.units] == ["<cell 2>"]


def test_a_broken_cell_is_kept_and_named(read: Read) -> None:
    codebase = read({"a.ipynb": notebook(("code", "))((\n"), ("code", "run()"))})
    assert [unit.symbol for unit in codebase.units][-1] == "<cell 2>"
    assert all(warning.startswith("a.ipynb: cell 1: ") for warning in codebase.warnings)


def test_the_kernel_decides_the_language(read: Read) -> None:
    codebase = read({"a.ipynb": notebook(("code", "f <- function(x) x\n"), language="R")})
    assert [(unit.symbol, unit.language) for unit in codebase.units] == [("f", "r")]


def test_format_3_and_sources_of_one_string(read: Read) -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["def f():\n", "    pass\n", "f()"]}]}]}
    one = {"cells": [{"cell_type": "code", "source": "def g():\n    pass"}]}
    codebase = read({"old.ipynb": json.dumps(old), "one.ipynb": json.dumps(one)})
    assert [unit.symbol for unit in codebase.units] == ["<cell 1>", "f", "g"]


def test_what_is_no_notebook_is_named(read: Read) -> None:
    codebase = read({"a.ipynb": "[1, 2", "b.ipynb": "{}"})
    assert codebase.units == ()
    assert list(codebase.warnings) == ["a.ipynb: holds no notebook cells", "b.ipynb: holds no notebook cells"]


def test_lone_surrogates_do_not_reach_the_text(read: Read) -> None:
    codebase = read({"a.ipynb": '{"cells": [{"cell_type": "code", "source": ["f(\'\\ud800\')"]}]}'})
    assert [unit.text for unit in codebase.units] == ["f('\ufffd')"]
