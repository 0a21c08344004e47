import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import end_to_end, grounding
from benchmarks.calibrate import bar, left_out
from benchmarks.common import Label, by_paper, covers, hit, labels
from benchmarks.common import papers as listed
from ingest.ground.signals import SIGNALS
from ingest.latex import parse_paper

RIGHT = ("a.py", "Tree.insert")


def label(code: tuple[str, str] | None = RIGHT, **more: Any) -> Label:
    given: dict[str, Any] = {
        "paper": "p", "technique": "reservoir sampling", "aliases": (), "kind": "technique", "central": True,
        "tex_file": "main.tex", "tex_line": 2, "code": code, "also": (),
    }  # fmt: skip
    return Label(**(given | more))


def test_a_hit_is_the_symbol_what_contains_it_and_what_it_contains() -> None:
    assert hit(RIGHT, ("a.py", "Tree"))
    assert hit(("a.py", "Tree"), RIGHT)
    assert hit(RIGHT, RIGHT)
    assert not hit(RIGHT, ("b.py", "Tree.insert"))
    assert not hit(RIGHT, ("a.py", "Tree.insert_all"))


def test_also_counts_and_strict_wants_the_symbol_itself() -> None:
    both = label(also=(("b.py", "add"),))
    assert covers(both, ("b.py", "add"))
    assert covers(both, ("a.py", "Tree"))
    assert not covers(both, ("a.py", "Tree"), strict=True)
    assert not covers(label(None), RIGHT)


def test_figures_count_negatives_and_assertions_apart() -> None:
    def row(**more: Any) -> dict[str, Any]:
        return {
            "positive": True,
            "place": 1,
            "strict": True,
            "right": True,
            "right_file": True,
            "level": "none",
            "standing": "candidate",
        } | more

    result = grounding.figures(
        [row(standing="asserted"), row(place=4, strict=False, right=False, standing="asserted"),
         row(place=None, strict=False, standing="likely"),
         row(positive=False, place=None, right=False, standing="likely"),
         row(positive=False, place=None, strict=False, right=False, right_file=False, standing="asserted")]
    )  # fmt: skip
    assert (result["n"], result["negatives"], result["negatives_asserted"]) == (3, 2, 1)
    assert (result["likely_right"], result["likely_wrong"], result["negatives_likely"]) == (1, 1, 1)
    assert (result["asserted_right"], result["asserted_wrong"]) == (1, 2)
    assert result["top1"] == pytest.approx(1 / 3)
    assert result["top5"] == pytest.approx(2 / 3)
    assert result["mrr"] == pytest.approx((1 + 1 / 4) / 3)


def test_a_bar_keeps_its_precision() -> None:
    import numpy as np

    probability = np.array([0.9, 0.8, 0.7, 0.6])
    assert bar(probability, np.array([1.0, 1.0, 0.0, 1.0]), 0.95) == (0.8, 2)
    assert bar(probability, np.array([0.0, 1.0, 1.0, 1.0]), 0.95) == (1.0, 0)


def test_a_left_out_paper_does_not_teach() -> None:
    import numpy as np

    rows = np.zeros((4, len(SIGNALS)))
    rows[:, 0] = [0, 1, 0, 1]
    groups = np.array(["a", "a", "b", "b"])
    by_b = left_out(rows, np.array([0.0, 0.0, 0.0, 1.0]), groups)
    flipped = left_out(rows, np.array([1.0, 1.0, 0.0, 1.0]), groups)
    assert np.allclose(by_b[:2], flipped[:2])
    assert by_b[1] > by_b[0]


@pytest.fixture
def laid_out(tmp_path: Path) -> tuple[Path, Path]:
    """One paper with code, and two labels, one of which has no code."""
    latex, code = tmp_path / "papers/p/latex", tmp_path / "papers/p/code"
    latex.mkdir(parents=True)
    code.mkdir()
    (latex / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\n\\section{Reservoir sampling}\n"
        "Reservoir sampling keeps a uniform sample of a stream.\n\\end{document}\n"
    )
    (code / "r.py").write_text(
        'def reservoir_sampling(stream):\n    """A uniform sample."""\n    return list(stream)\n'
    )
    row = {
        "paper": "p", "technique": "reservoir sampling", "aliases": ["reservoir"], "kind": "technique", "central": True,
        "tex_file": "main.tex", "tex_line": 2, "code_file": "r.py", "symbol": "reservoir_sampling", "code_line": 1,
        "also": [], "note": "",
    }  # fmt: skip
    other = row | {"technique": "atomic clocks", "aliases": [], "code_file": None, "symbol": None, "code_line": None}
    file = tmp_path / "labels.jsonl"
    file.write_text(json.dumps(row) + "\n" + json.dumps(other) + "\n")
    return tmp_path / "papers", file


def test_grounding_figures_of_a_small_paper(laid_out: tuple[Path, Path]) -> None:
    result = grounding.run(*laid_out)
    assert set(result) >= {
        "n", "top1", "top5", "top10", "mrr", "strict_top1", "asserted_right", "asserted_wrong", "negatives",
        "negatives_asserted", "likely_right", "likely_wrong", "negatives_likely", "papers",
    }  # fmt: skip
    assert (result["n"], result["top1"], result["strict_top1"], result["negatives"]) == (1, 1.0, 1.0, 1)
    assert result["papers"]["p"]["n"] == 1
    assert "all" in grounding.table(result)


def test_end_to_end_figures_of_a_small_paper(laid_out: tuple[Path, Path]) -> None:
    result = end_to_end.run(*laid_out)
    assert (result["n"], result["matched"], result["top5"], result["top1"]) == (1, 1.0, 1.0, 1.0)
    assert result["papers"]["p"]["techniques"] >= 1
    assert "all" in end_to_end.table(result)


def test_labels_and_their_place_are_read(laid_out: tuple[Path, Path]) -> None:
    papers, file = laid_out
    first, second = labels(file)
    assert first.code == ("r.py", "reservoir_sampling")
    assert second.code is None
    paper, parsed = next(iter(listed(papers))), parse_paper(papers / "p/latex")
    assert grounding.said(first, paper, parsed).startswith("Reservoir sampling\n")
    assert grounding.said(label(tex_file="gone.tex"), paper, parsed) == ""


def test_a_labelled_paper_without_code_is_named(
    laid_out: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    papers, file = laid_out
    file.write_text(file.read_text().replace('"paper": "p"', '"paper": "gone"', 1))
    ((paper, asked),) = by_paper(papers, file)
    assert (paper.slug, len(asked)) == ("p", 1)
    assert "gone" in capsys.readouterr().err


def test_a_repository_given_by_name_is_looked_for_beside_the_latex(laid_out: tuple[Path, Path]) -> None:
    papers, _ = laid_out
    (papers / "corpus.toml").write_text('[p]\npaper = "p/latex"\nrepo = "owner/name"\n')
    (paper,) = listed(papers)
    assert paper.code == papers / "p/code"
