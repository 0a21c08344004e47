"""Our own papers: their code works, and every number they print is one that the code produces."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from agents.code.units import call_graph, read_units

EXAMPLES = Path(__file__).parents[2] / "examples"
NEEDS_MISSING_DATA = {"pagerank": {"test_the_crawl_has_all_its_pages"}}
"""Tests that can't pass, as in many a repository: the demo shows what becomes of the code that they reach."""

SLUGS = sorted(tomllib.loads((EXAMPLES / "corpus.toml").read_text("utf-8")))


def run(slug: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-B", "-W", "error", *arguments]
    return subprocess.run(
        command, cwd=EXAMPLES / slug / "code", capture_output=True, text=True, timeout=120, check=False
    )


def test_the_corpus_names_what_is_there() -> None:
    assert len(SLUGS) >= 3
    for table in tomllib.loads((EXAMPLES / "corpus.toml").read_text("utf-8")).values():
        assert (EXAMPLES / table["paper"] / table["main"]).is_file()
        assert (EXAMPLES / table["repo"] / "README.md").is_file()


@pytest.mark.parametrize("slug", SLUGS)
def test_its_unit_tests_pass(slug: str) -> None:
    program = "import sys; sys.path.insert(0, '.'); import unittest; unittest.main(module=None, argv=['-', 'discover'])"
    done = run(slug, "-c", program)
    assert re.search(r"Ran [1-9]\d* tests", done.stderr)
    troubles = set(re.findall(r"^(?:ERROR|FAIL): (\w+)", done.stderr, re.MULTILINE))
    assert troubles == NEEDS_MISSING_DATA.get(slug, set()), done.stderr
    assert not troubles or "FileNotFoundError: [Errno 2] No such file or directory: 'data/" in done.stderr


@pytest.mark.parametrize("slug", SLUGS)
def test_the_paper_prints_the_numbers_of_its_code(slug: str) -> None:
    done = run(slug, "experiments/reproduce.py")
    assert done.returncode == 0, done.stderr
    paper = (EXAMPLES / slug / "paper" / "main.tex").read_text("utf-8")
    numbers = json.loads(done.stdout)
    assert numbers
    for name, number in numbers.items():
        assert re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", paper), (
            f"{name}: {number} is not in the paper"
        )


@pytest.mark.parametrize("slug", SLUGS)
def test_its_units_are_read_cleanly(slug: str) -> None:
    codebase = read_units(EXAMPLES / slug / "code")
    assert codebase.warnings == ()
    assert codebase.licence == "MIT"
    assert {unit.role for unit in codebase.units} == {"source", "test"}
    assert all(
        unit.docstring
        for unit in codebase.units
        if unit.role == "source" and unit.name not in ("__init__", "__call__", "random")
    )
    assert any(call.via == "import" for call in call_graph(codebase))


@pytest.mark.parametrize("slug", SLUGS)
def test_citations_and_references_resolve(slug: str) -> None:
    paper = (EXAMPLES / slug / "paper" / "main.tex").read_text("utf-8")
    entries = set(re.findall(r"@\w+\{(\w+),", (EXAMPLES / slug / "paper" / "references.bib").read_text("utf-8")))
    cited = {key for keys in re.findall(r"\\cite\w*\{([^}]*)\}", paper) for key in keys.split(",")}
    assert cited == entries
    assert set(re.findall(r"\\(?:eq)?ref\{([^}]*)\}", paper)) <= set(re.findall(r"\\label\{([^}]*)\}", paper))
    assert paper.count("{") == paper.count("}")
    assert len(re.findall(r"\\begin\{", paper)) == len(re.findall(r"\\end\{", paper))
