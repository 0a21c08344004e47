"""`xkg paper parse` and `xkg paper techniques`, and the benchmark, as a person runs them."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ingest.cli.paper import paper_parse, paper_techniques
from kg.errors import InputError

PAPER = """\\documentclass{article}\\title{On Foo}\\author{Ada Lovelace}\\begin{document}\\begin{abstract}We propose Foo.\\end{abstract}
\\section{Method}\\label{s} We propose the Foo Filter (FF), which filters foo \\cite{a}, see \\ref{s}.
\\begin{equation}\\label{e}a\\end{equation}\\end{document}"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XKG_CACHE", str(tmp_path / "cache"))
    paper = tmp_path / "slug" / "latex"
    paper.mkdir(parents=True)
    (paper / "main.tex").write_text(PAPER)
    return paper


def test_json_is_the_flat_contract(folder: Path) -> None:
    result = CliRunner().invoke(paper_parse, [str(folder), "--json"], catch_exceptions=False)
    doc = json.loads(result.stdout)
    assert (doc["title"], doc["authors"], doc["abstract"]) == ("On Foo", ["Ada Lovelace"], "We propose Foo.")
    for kind in ("sections", "paragraphs", "equations", "citations", "labels", "references"):
        for piece in doc[kind]:
            assert (folder / piece["file"]).read_bytes()[piece["start"] : piece["end"]]
    assert set(doc) >= {"algorithms", "figures", "tables", "theorems", "bibliography", "warnings"}


def test_a_single_file_and_a_summary(folder: Path) -> None:
    result = CliRunner().invoke(paper_parse, [str(folder / "main.tex")], catch_exceptions=False)
    assert "1  Method" in result.stdout
    assert "1 equations" in result.stdout


def test_techniques_are_a_bare_list_of_trees(folder: Path) -> None:
    result = CliRunner().invoke(paper_techniques, [str(folder), "--json"], catch_exceptions=False)
    trees = json.loads(result.stdout)
    assert isinstance(trees, list)
    assert {"name", "aliases", "kind", "definition", "score", "spans", "children"} <= set(trees[0])


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    result = CliRunner().invoke(paper_parse, [str(tmp_path / "gone")])
    assert isinstance(result.exception, InputError)


def test_the_benchmark_counts_what_is_there(folder: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.latex", str(folder.parent.parent), "--json", "--mutations", "20"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent.parent)
    report = json.loads(run.stdout)
    assert report["sections_recall"] == report["equations_recall"] == report["citation_keys_recall"] == 1.0
    assert (report["span_exactness"], report["exceptions"], report["mutations"]) == (1.0, 0, 20)
