"""The benchmark counts what it says: strict names, anywhere and at the top, central ones apart."""

import json
from pathlib import Path

import pytest
from extract_documents import PAPER

from benchmarks.common import labels
from benchmarks.techniques import matches, names, run, tokens


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "tides" / "latex"
    folder.mkdir(parents=True)
    theorem = r"\begin{theorem}[Tidal Sorting needs less memory than merge sorting] By counting. \end{theorem}"
    head = r"\documentclass{article}\newtheorem{theorem}{Theorem}\title{Tides}\begin{document}"
    text = head + PAPER + theorem + r"\end{document}"
    (folder / "main.tex").write_text(text, encoding="utf-8")
    (tmp_path / "corpus.toml").write_text('[tides]\nmain = "main.tex"\n', encoding="utf-8")
    kinds = [
        ("the ebb step", "technique", True),
        ("buffer median computing", "technique", True),
        ("quantum annealing of frogs", "technique", False),
        ("Tidal Sorting needs less memory than merge sorting", "finding", False),
    ]
    fixed = {"paper": "tides", "aliases": ["b"], "tex_file": "main.tex", "tex_line": 1, "also": []}
    fixed |= {"code_file": None, "symbol": None, "code_line": None}
    lines = [json.dumps(fixed | {"technique": name, "kind": kind, "central": central}) for name, kind, central in kinds]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_shares(corpus: Path) -> None:
    result = run(corpus, corpus / "labels.jsonl")
    assert result["strict"] == pytest.approx(2 / 3, abs=1e-4)
    assert result["strict_central"] == 1.0
    assert result["strict_central_top"] == 0.5
    assert result["strict_finding"] == 1.0
    assert result["n_strict"] == 3
    assert result["top_items_per_paper"] <= result["items_per_paper"]
    assert result["failed"] == {}


def test_a_paper_that_is_not_there_is_told(corpus: Path) -> None:
    (corpus / "corpus.toml").write_text('[tides]\nmain = "other.tex"\n', encoding="utf-8")
    assert "tides" in run(corpus, corpus / "labels.jsonl")["failed"]


def test_strict_is_an_f1_of_stems(corpus: Path) -> None:
    assert matches([tokens("rollup mechanism")], [tokens("Rollups")])
    assert not matches([tokens("rollup mechanism of logs")], [tokens("Rollups")])
    assert names(labels(corpus / "labels.jsonl")[0]) == [tokens("ebb step"), frozenset({"b"})]
