"""The quality figures may not fall: of our own three papers always, of the labelled papers where they are named."""

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ablation.measure import BENCHES, features, headline
from benchmarks.figures import FIGURES, Better

HERE = Path(__file__).parent
FLOORS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "floor.toml").read_text("utf-8"))
CORPORA = {"examples": (HERE.parent.parent / "examples", HERE / "examples.jsonl")}
if papers := os.environ.get("XKG_PAPERS"):
    CORPORA["dev"] = (Path(papers), Path(os.environ["XKG_LABELS"]))
CASES = [(corpus, bench) for corpus in CORPORA for bench in FLOORS[corpus] if bench != "date"]


def shortfalls(corpus: str, bench: str, measured: dict[str, float]) -> list[str]:
    """The figures that are worse than the floor lets pass, each with what it is and ought to be."""
    ways = {figure.key: figure.better for figure in FIGURES[bench]}
    found = []
    for key, (floor, margin) in FLOORS[corpus][bench].items():
        assert ways[key] is not Better.NEITHER
        if (floor - measured[key]) * ways[key].value > margin + 1e-9:
            found.append(f"{key}: {measured[key]:.3f}, was {floor:.3f}, margin {margin}")
    return found


@cache
def measured(corpus: str, bench: str) -> dict[str, float]:
    return headline(bench, BENCHES[bench](*CORPORA[corpus]))


@pytest.mark.parametrize(("corpus", "bench"), CASES)
def test_no_figure_falls(corpus: str, bench: str) -> None:
    assert shortfalls(corpus, bench, measured(corpus, bench)) == []


@pytest.mark.parametrize("bench", [bench for bench in FLOORS["examples"] if bench != "date"])
def test_a_figure_below_its_floor_is_named(bench: str) -> None:
    ways = {figure.key: figure.better.value for figure in FIGURES[bench]}
    lowest = {key: floor - ways[key] * margin for key, (floor, margin) in FLOORS["examples"][bench].items()}
    assert shortfalls("examples", bench, lowest) == []
    for key, value in lowest.items():
        (told,) = shortfalls("examples", bench, lowest | {key: value - 0.01 * ways[key]})
        assert told.startswith(f"{key}: ")


@pytest.mark.parametrize(("bench", "name"), [("techniques", "signal: heading")])
def test_the_floor_notices_that_a_feature_is_lost(bench: str, name: str) -> None:
    (feature,) = (one for one in features() if one.name == name)
    with feature.off():
        assert shortfalls("examples", bench, headline(bench, BENCHES[bench](*CORPORA["examples"]))) != []
    assert shortfalls("examples", bench, headline(bench, BENCHES[bench](*CORPORA["examples"]))) == []


def test_every_label_of_the_examples_names_a_unit_that_is_there() -> None:
    from agents.code.units import read_units
    from benchmarks.common import by_paper

    found = by_paper(*CORPORA["examples"])
    assert [paper.slug for paper, _ in found] == ["reservoir", "heavy-hitters", "pagerank"]
    for paper, asked in found:
        assert paper.code is not None
        units = {(unit.file, unit.symbol, unit.line) for unit in read_units(paper.code).units}
        lines = (paper.latex / "main.tex").read_text("utf-8").splitlines()
        for label in asked:
            assert lines[label.tex_line - 1].lstrip().startswith("\\") or "\\emph" in lines[label.tex_line - 1]
            assert label.code is None or (*label.code, label.line) in units
