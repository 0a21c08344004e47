"""What speaks against a unit whatever is asked: where it stands, what it is, and who really does its work."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.ground.words import split_identifier, word_list
from kg.models.code import CodeUnit

__all__ = ["STEP", "penalties"]

STEP = 0.3
"""How much one reason for or against a unit weighs, in units of one feature's best."""
ROLE_STEPS = {"test": 3, "vendored": 3, "example": 1}
KIND_STEPS = {"script": 5, "cell": 5}
"""Module-level code comes last where there are functions; where there are none, no unit is doubted for it."""
SIDE_STEPS = 2
PAGE_STEPS = 5
MAX_NAMESAKES = 12
"""Units of one name among which one may hand on to another."""

_SIDE = word_list(
    """
    example examples script scripts plot plots plotting fig figs figure figures viz visual visualization visualize
    visualise visualisation demo demos doc docs bench benchmark benchmarks notebook notebooks tutorial tutorials website
    site web frontend ui playground sandbox
    """
)
_PAGES = word_list("javascript typescript tsx jsx html css shell bash")
_TRIVIAL = word_list("get set main str repr equals hash to")
_TRIVIAL_FIRST = word_list("plot test load save print show draw fig")


def penalties(units: Sequence[CodeUnit]) -> NDArray[np.float64]:
    """For each unit the sum of what speaks against it, in units of one feature's best, above the least doubted unit.

    Tests, examples, vendored code, figures, demos and web pages; names that say nothing; and units that only hand on to
    one of the same name.
    """
    pages = _page_languages(units)
    total = np.array([STEP * (_role(unit) + _name(unit) + PAGE_STEPS * (unit.language in pages)) for unit in units])
    for row in _handing_on(units):
        total[row] += STEP
    return total - total.min() if len(total) else total


def _role(unit: CodeUnit) -> int:
    return ROLE_STEPS.get(unit.role, 0) + KIND_STEPS.get(unit.kind, 0) + SIDE_STEPS * _aside(unit)


def _aside(unit: CodeUnit) -> bool:
    parts = unit.file.rsplit(".", 1)[0].split("/")
    return any(word in _SIDE for part in parts for word in split_identifier(part))


def _name(unit: CodeUnit) -> int:
    parts = split_identifier(unit.name)
    says_nothing = bool(parts) and (parts[0] in _TRIVIAL_FIRST or all(part in _TRIVIAL for part in parts))
    return (unit.name == "__init__") + unit.name.startswith("_") + says_nothing


def _page_languages(units: Sequence[CodeUnit]) -> frozenset[str]:
    """Languages of web pages and shell scripts, unless the repository is mainly written in one of them."""
    count = Counter(unit.language for unit in units if unit.role == "source")
    return _PAGES if count and count.most_common(1)[0][0] not in _PAGES else frozenset()


def _handing_on(units: Sequence[CodeUnit]) -> list[int]:
    """Rows of units that call a unit of their own name on another object."""
    count = Counter(unit.name for unit in units)
    rows = []
    for row, unit in enumerate(units):
        for call in unit.calls:
            *owner, name = call.split(".")
            if name == unit.name and owner and not owner[-1].startswith(("self", "cls", "this", "super")):
                if 2 <= count[name] <= MAX_NAMESAKES:
                    rows.append(row)
                break
    return rows
