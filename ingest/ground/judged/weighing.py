"""How sure a model's choice is: its own word and our evidence, in one regression.

`judged.toml` holds the coefficients and the probabilities from which a choice is asserted, or likely.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ingest.ground.assertion import Assertion
from ingest.ground.judged.checks import Kept, KeptUnit
from ingest.ground.logistic import Logistic, load
from ingest.ground.rank import Ranking
from kg.models.code import Standing

__all__ = ["COLUMNS", "Bars", "bars", "columns", "confidence", "place_of"]

CALIBRATION = Path(__file__).with_name("judged.toml")
COLUMNS = ("sure", "guess", "first", "evidence", "place", "core", "quotes", "shared")
"""The model's word; whether the choice is our first; our probability that the first is right; 1/place of the choice;
whether it does only the heart or a part; true quotes, two at most; whether other techniques chose it too."""


def place_of(ranking: Ranking, query: int, row: int) -> int:
    """Where a row stands among all, 1 for the best."""
    return int((ranking.scores[query] > ranking.scores[query, row]).sum()) + 1


def columns(kept: Kept, unit: KeptUnit, ranking: Ranking, query: int, ours: Assertion, shared: int) -> list[float]:
    """The row of `COLUMNS` for one choice; `shared` counts the other techniques that chose the same unit."""
    place = place_of(ranking, query, unit.row)
    return [
        float(kept.word == "sure"),
        float(kept.word == "guess"),
        float(place == 1),
        ours.unit if place == 1 else 1 - ours.unit,
        1 / place,
        float(unit.part != "whole"),
        float(min(2, len(unit.quotes))),
        float(min(3, shared)),
    ]


@dataclass(frozen=True)
class Bars:
    """The probabilities from which a choice is asserted, or likely."""

    asserted: float
    likely: float

    def standing(self, probability: float) -> Standing:
        """What a choice of that probability is."""
        return "asserted" if probability >= self.asserted else "likely" if probability >= self.likely else "candidate"


@cache
def bars() -> Bars:
    """Those that ship with this package."""
    return Bars(**tomllib.loads(CALIBRATION.read_text("utf-8"))["bars"])


@cache
def _model() -> Logistic:
    return load(CALIBRATION, "unit")


def confidence(row: list[float]) -> float:
    """The probability that a choice is right."""
    return float(_model().probability(np.array([row]))[0])
