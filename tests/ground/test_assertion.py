from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agents.code.units import CodeBase
from ingest.ground import Ranking, judge, load_calibration
from ingest.ground.assertion import Calibration
from ingest.ground.logistic import Logistic, fit, load
from ingest.ground.signals import ASSERTING, SIGNALS, signals

FILES = {
    "score.py": (
        "def silhouette(points):\n    return points\n\n\ndef acceptance_fraction(accepted):\n    return accepted\n"
    )
}


def constant(probability: float) -> Logistic:
    n = len(SIGNALS)
    bias = float(np.log(probability / (1 - probability)))
    return Logistic(SIGNALS, np.zeros(n), np.ones(n), np.zeros(n), bias)


@pytest.mark.parametrize(
    ("unit", "file", "level", "standing"),
    [
        (0.9, 0.5, "unit", "asserted"),
        (0.5, 0.9, "file", "candidate"),
        (0.7, 0.9, "file", "likely"),
        (0.7, 0.5, "none", "likely"),
        (0.5, 0.5, "none", "candidate"),
    ],
)
def test_bars_decide_what_is_said(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking], unit: float, file: float, level: str, standing: str
) -> None:
    ranking = ask(code(FILES), "acceptance fraction of the proposals")
    (said,) = judge(ranking, Calibration(constant(unit), constant(file), constant(unit), 0.8, 0.8, 0.6))
    assert (said.level, said.standing) == (level, standing)
    assert said.unit == pytest.approx(unit)
    assert "kinds of evidence" in said.reason


@pytest.mark.parametrize(("unit", "level"), [(0.7, "unit"), (0.5, "none")])
def test_the_very_name_is_nearly_enough(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking], unit: float, level: str
) -> None:
    (said,) = judge(
        ask(code(FILES), "acceptance fraction"),
        Calibration(constant(unit), constant(0.5), constant(0.5), 0.8, 0.8, 0.6),
    )
    assert said.level == level


def test_what_the_code_does_not_do_is_not_asserted(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    ranking = ask(
        code(FILES), "sourdough fermentation with wild yeast", "atomic clocks for timestamps", "acceptance fraction"
    )
    said = judge(ranking, load_calibration())
    assert [(one.level, one.standing) for one in said[:2]] == [("none", "candidate")] * 2
    assert max(said[0].unit, said[1].unit) < said[2].unit


def test_without_units_there_is_nothing_to_assert(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    (said,) = judge(ask(code({}), "anything"), load_calibration())
    assert (said.level, said.standing, said.unit) == ("none", "candidate", 0.0)
    assert said.reason == "the repository has no code unit"


def test_signals_are_finite_also_for_one_unit(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    table = signals(ask(code({"a.py": "def one():\n    return 1\n"}), "one"))
    assert table.shape == (1, len(SIGNALS))
    assert np.isfinite(table).all()


def test_the_shipped_calibration_fits_the_signals() -> None:
    calibration = load_calibration()
    assert calibration.unit.names == calibration.file.names == ASSERTING
    assert calibration.likely.names == SIGNALS
    assert 0.5 < calibration.unit_bar <= 1
    assert 0.5 < calibration.file_bar <= 1
    assert 0 < calibration.likely_bar < calibration.unit_bar


def test_regression_finds_what_made_the_data(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = random.normal(size=(4_000, 2))
    chance = 1 / (1 + np.exp(-(1.5 * rows[:, 0] - 0.5)))
    right = (random.random(4_000) < chance).astype(float)
    model = fit(("a", "b"), rows, right, ridge=1.0)
    assert np.abs(model.probability(rows) - chance).mean() < 0.02
    assert model.weight[0] == pytest.approx(1.5, abs=0.15)
    assert abs(model.weight[1]) < 0.1
    file = tmp_path / "c.toml"
    file.write_text(
        f"[m]\nnames = ['a', 'b']\nmean = {model.mean.tolist()}\nscale = {model.scale.tolist()}\n"
        f"weight = {model.weight.tolist()}\nbias = {model.bias}\n"
    )
    assert np.allclose(load(file, "m").probability(rows), model.probability(rows))


def test_separable_and_constant_columns_do_no_harm() -> None:
    rows = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    model = fit(("a", "b"), rows, np.array([0.0, 0.0, 1.0, 1.0]), ridge=1.0)
    assert np.isfinite(model.weight).all()
    assert model.probability(rows)[0] < 0.5 < model.probability(rows)[2]


def test_figures_and_tests_are_never_asserted(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    side = {"core.py": "def other():\n    return 1\n", "plots/draw.py": "def fig_adapters(x):\n    return x\n"}
    ranking = ask(code(side), "adapters")
    assert ranking.index.units[ranking.order(0, 1)[0]].name == "fig_adapters"
    (said,) = judge(ranking, Calibration(constant(0.99), constant(0.99), constant(0.99), 0.8, 0.8, 0.6))
    assert (said.level, said.standing) == ("none", "candidate")


def test_a_repository_of_scripts_alone_can_be_asserted(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking]
) -> None:
    ranking = ask(
        code({"train.py": "weights = 0\nfor step in range(9):\n    weights += step\nprint(weights)\n"}), "training"
    )
    assert ranking.index.units
    (said,) = judge(ranking, Calibration(constant(0.99), constant(0.99), constant(0.99), 0.8, 0.8, 0.6))
    assert said.level == "unit"
