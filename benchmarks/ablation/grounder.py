"""The grounder's features: kinds of evidence, corrections of the ranking, doubts, rules of assertion.

What may be asserted was fitted with all of them on: without one, fewer bars are reached, though a new fit might reach
them again. The places of right units (top-1, MRR, …) need no fit and judge evenly.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.ablation.feature import Feature, replaced
from ingest.ground.features import FEATURES as LAYERS
from ingest.ground.rank import WEIGHTS

__all__ = ["FEATURES"]


def _zeros(scores: Any, *_: object) -> Any:
    return np.zeros_like(scores)


def _switches() -> Iterator[tuple[str, str, str, object]]:
    """What the feature is, and the module, the name in it and what stands there while the feature is off."""
    for layer in LAYERS:
        without = np.where(np.array(LAYERS) == layer, 0.0, WEIGHTS)
        yield f"evidence: {layer.replace('_', ' ')}", "rank", "WEIGHTS", without
    yield "evidence: same name", "rank", "SAME_NAME", 0.0
    yield "words: abbreviations of the code", "expand", "_abbreviation", lambda *_: 0.0
    yield "ranking: techniques compete for units", "rank", "exclusivity", _zeros
    yield "ranking: what calls a good unit", "rank", "best_caller", _zeros
    yield "doubt: tests, examples, vendored code", "priors", "ROLE_STEPS", {}
    yield "doubt: module-level code", "priors", "KIND_STEPS", {}
    yield "doubt: figures, demos, documentation", "priors", "SIDE_STEPS", 0
    yield "doubt: names that say nothing", "priors", "_name", lambda _: 0
    yield "doubt: web pages and shell scripts", "priors", "PAGE_STEPS", 0
    yield "doubt: units that only hand on", "priors", "_handing_on", lambda _: []
    yield "assertion: the same words", "assertion", "same_words", lambda *_: False
    yield "assertion: nothing of doubted units", "assertion", "DOUBTED", np.inf


FEATURES = tuple(
    Feature(name, "grounding", replaced(f"ingest.ground.{module}", attribute, off))
    for name, module, attribute, off in _switches()
)
