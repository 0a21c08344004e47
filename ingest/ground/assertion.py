"""How much may be said: the unit itself, its file, that the unit is likely, or nothing but candidates.

`calibration.toml` holds two regressions on `ASSERTING`, for "the first unit is right" and for "its file is right", one
on `SIGNALS` for what is not sure, and the probabilities from which each may be asserted, or a unit be called likely.
``python -m benchmarks.calibrate`` writes it from hand labels: every paper is judged by coefficients fitted on the
others, and each bar is the lowest probability from which such judgements were right at the wanted precision, safety
margin included.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingest.ground.logistic import Logistic, load
from ingest.ground.names import same_words
from ingest.ground.rank import Ranking
from ingest.ground.signals import SIGNALS, rivals, signals
from kg.models.code import Level, Standing

__all__ = ["CALIBRATION", "Assertion", "Calibration", "judge", "load_calibration"]

SAME = 0.9
SAME_WORDS = 0.91
"""Confidence in a first unit whose name is the technique's name, word for word (`ingest.ground.names.same_words`): 20
of 22 such units were right when the hand labels were asked by phrase and by their first two aliases. The rule was
written after looking at those very cases and was not judged on papers left out, so this is an optimistic figure.
"""
LEAST_WITH_SAME_WORDS = 0.65
DOUBTED = 0.5
"""Penalty from which nothing is asserted of a unit: figures, demos, tests, whatever speaks for them."""
CALIBRATION = Path(__file__).with_name("calibration.toml")


@dataclass(frozen=True)
class Calibration:
    """Regressions for a unit and a file that are asserted and for a unit that is likely, and the bars above which."""

    unit: Logistic
    file: Logistic
    likely: Logistic
    unit_bar: float
    file_bar: float
    likely_bar: float


@dataclass(frozen=True)
class Assertion:
    """What is said of one query; `unit` and `file` are the probabilities that the first unit, or its file, is right.

    `standing` is that of the first unit, asserted where `level` is "unit".
    """

    level: Level
    standing: Standing
    unit: float
    file: float
    reason: str


@cache
def load_calibration(file: Path = CALIBRATION) -> Calibration:
    """The calibration that ships with this package."""
    bars = tomllib.loads(file.read_text("utf-8"))["bars"]
    unit, whole, likely = (load(file, name) for name in ("unit", "file", "likely"))
    return Calibration(unit, whole, likely, bars["unit"], bars["file"], bars["likely"])


def judge(ranking: Ranking, calibration: Calibration) -> list[Assertion]:
    """An assertion for each query of `ranking`."""
    if not ranking.index.units:
        return [Assertion("none", "candidate", 0.0, 0.0, "the repository has no code unit") for _ in ranking.queries]
    table = signals(ranking)
    units, files, others = (_told(model, table) for model in (calibration.unit, calibration.file, calibration.likely))
    result = []
    for q, row in enumerate(table):
        unit, file, likely = float(units[q]), float(files[q]), float(others[q])
        top = ranking.index.units[ranking.order(q, 1)[0]]
        doubt = ranking.index.penalties[ranking.order(q, 1)[0]]
        if unit >= LEAST_WITH_SAME_WORDS and not doubt and same_words(ranking.queries[q].phrase, top):
            unit = max(unit, SAME_WORDS)
        facts = _facts(ranking, q, dict(zip(SIGNALS, row, strict=True)))
        level, standing = _said(unit, file, likely, calibration) if doubt <= DOUBTED else ("none", "candidate")
        beginning = _BEGINNINGS[level, standing].format(unit=top.symbol, file=top.file)
        sure = unit if standing == "asserted" else likely
        result.append(Assertion(level, standing, sure, file, f"{beginning}: {facts}"))
    return result


def _told(model: Logistic, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of a model that knows some of the signals."""
    return model.probability(table[:, [SIGNALS.index(name) for name in model.names]])


_BEGINNINGS: dict[tuple[Level, Standing], str] = {
    ("unit", "asserted"): "{unit}",
    ("file", "likely"): "{file}, in it likely {unit}",
    ("file", "candidate"): "{file}, but which unit of it is open",
    ("none", "likely"): "{unit} is likely, no more",
    ("none", "candidate"): "too little speaks for {unit}",
}


def _said(unit: float, file: float, likely: float, calibration: Calibration) -> tuple[Level, Standing]:
    if unit >= calibration.unit_bar:
        return "unit", "asserted"
    level: Level = "file" if file >= calibration.file_bar else "none"
    return level, "likely" if likely >= calibration.likely_bar else "candidate"


def _facts(ranking: Ranking, query: int, seen: dict[str, float]) -> str:
    count = ranking.layers.shape[0]
    parts = [f"{round(seen['agreement'] * count)} of {count} kinds of evidence rank it in their first three"]
    if seen["same_name"] > SAME:
        parts.append("the names are the same")
    close = rivals(ranking, query, ranking.order(query, 1)[0])
    if close:
        others = ", ".join(dict.fromkeys(ranking.index.units[row].symbol for row in close[:3]))
        parts.append(f"close behind: {others}")
    if seen["doubt"] > 0:
        parts.append("its place or its name speaks against it")
    return ", ".join(parts)
