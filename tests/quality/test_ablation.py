"""A feature that is switched off is off for its own measurement only, and its worth is the difference."""

from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.ablation.__main__ import main
from benchmarks.ablation.feature import replaced
from benchmarks.ablation.measure import BENCHES, ablate, features
from benchmarks.ablation.verify import verified_by
from benchmarks.figures import FIGURES

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"


def test_every_feature_can_be_switched_off_and_on_again() -> None:
    found = features()
    assert len(found) > 20
    for feature in found:
        assert feature.bench in FIGURES
        with feature.off():
            pass


def test_what_is_replaced_comes_back_even_after_an_error() -> None:
    rank = import_module("ingest.ground.rank")
    off = replaced("ingest.ground.rank", "SAME_NAME", 0.0)
    with pytest.raises(ZeroDivisionError), off():
        assert rank.SAME_NAME == 0.0
        raise ZeroDivisionError
    assert rank.SAME_NAME > 0
    with pytest.raises(KeyError), replaced("ingest.ground.rank", "NOT_THERE", 0.0)():
        pass


def test_a_feature_is_off_for_its_own_measurement_only() -> None:
    chosen = [one for one in features() if one.name in ("signal: heading", "findings: theorems")]
    found = ablate(chosen, EXAMPLES, HERE / "examples.jsonl")["techniques"]
    assert found["off"]["signal: heading"]["strict"] < found["on"]["strict"]
    assert found["off"]["findings: theorems"] == found["on"]  # none of the examples has one


def test_an_unknown_feature_is_named_with_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text("")
    given = ["--papers", str(tmp_path), "--labels", str(tmp_path / "labels.jsonl"), "--only", "gravity"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 2
    assert "gravity" in done.output
    assert "evidence: window (grounding)" in done.output


def test_benchmarks_that_can_be_ablated_have_figures() -> None:
    assert BENCHES.keys() <= FIGURES.keys()
    assert verified_by({"papers": {}}) == {"kind": {}, "strategy": {}}
