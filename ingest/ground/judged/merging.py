"""The model's word and ours about one technique, in one grounding; where the two disagree, it says so."""

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import get_args

from ingest.ground.assertion import Assertion
from ingest.ground.grounding import CANDIDATES, candidate, grounding
from ingest.ground.judged.checks import Kept, KeptUnit
from ingest.ground.judged.weighing import bars, columns, confidence, place_of
from ingest.ground.rank import Ranking
from kg.models.code import Candidate, Grounding, Standing
from kg.models.technique import Technique

__all__ = ["merged"]

LESS: dict[Standing, Standing] = {"asserted": "likely", "likely": "candidate", "candidate": "candidate"}
"""What our own first unit is, where the model says that it is another, or none."""


def merged(
    technique: Technique, ranking: Ranking, query: int, ours: Assertion, kept: Kept | None, chosen: Counter[int],
    origin: Mapping[str, str],
) -> Grounding:  # fmt: skip
    """What stands of the answer for a technique, with our candidates behind it; `chosen` counts who chose each unit,
    `origin` are the model and the prompt.

    Without an answer, or with one that named units of which none stands, it is our own grounding.
    """
    own = grounding(technique, ranking, query, ours)
    if kept is None or not (kept.units or kept.nothing):
        return own
    rows = {unit.row for unit in kept.units}
    expected = bool(own.candidates) and own.candidates[0].standing != "candidate"
    disagrees = expected and not _meets(ranking, ranking.order(query, 1)[0], rows)
    found = [_judged(unit, kept, ranking, query, ours, chosen, disagrees=disagrees) for unit in kept.units]
    found.sort(
        key=lambda each: get_args(Standing).index(each.standing)
    )  # else as it named them: what matters most first
    taken = {each.unit for each in found}
    for each in own.candidates:
        if each.unit not in taken:
            standing = LESS[each.standing] if disagrees else "candidate"
            update = {"standing": standing, "disagrees": disagrees and each.standing != "candidate"}
            found.append(each.model_copy(update=update))
    numbered = (each.model_copy(update={"rank": rank}) for rank, each in enumerate(found, start=1))
    kept_candidates = tuple(islice(numbered, max(CANDIDATES, len(rows))))
    return own.model_copy(
        update={
            "level": "unit" if any(each.standing == "asserted" for each in kept_candidates) else "none",
            "confidence": (found[0].confidence or 0.0) if rows else 0.0,
            "candidates": kept_candidates,
            "reason": kept.why if rows else f"{kept.nothing}: {kept.why}",
            **origin,
        }
    )


def _judged(
    unit: KeptUnit, kept: Kept, ranking: Ranking, query: int, ours: Assertion, chosen: Counter[int], *, disagrees: bool
) -> Candidate:
    sure = confidence(columns(kept, unit, ranking, query, ours, chosen[unit.row] - 1))
    return candidate(ranking, query, unit.row, place_of(ranking, query, unit.row), bars().standing(sure)).model_copy(
        update={
            "judged": True,
            "confidence": round(sure, 4),
            "reason": kept.why,
            "part": unit.part,
            "quotes": unit.quotes,
            "realises": unit.realises,
            "disagrees": disagrees,
        }
    )


def _meets(ranking: Ranking, row: int, rows: set[int]) -> bool:
    """Whether `row` is one of `rows`, lies in one of them or around one of them."""
    around = ranking.index.ancestors
    return any(row == other or other in around[row] or row in around[other] for other in rows)
