"""Holds what calls return against what was promised of it. Standard library only, Python 3.6 or later.

Only what is plain is judged: numbers and arrays of numbers, all finite, not too many. What can't be judged is kept as
promised: a promise is refuted only where no usual reading of it holds.
"""

import math
from typing import Callable, Dict

from .conduct import CONDUCT
from .definitions import NEAR, close, defined, judged, lines_of, matrix, numbers_of, product
from .effects import EFFECTS

SHOWN = 200
TRIED = ("textbook", "method", "formula", *CONDUCT)
"""What is tried on other inputs, and says nothing of the numbers of a result."""


def check(promises, arguments, result):
    """Those of `promises` that a call refutes, each with the value `found`, shortened.

    A promise is a dictionary with "kind", "args", "source" and "sentence"; `arguments` are the positional ones and
    those by name.
    """
    numbers = numbers_of(result)
    if not judged(numbers):
        return []
    refuted = []
    for promise in promises:
        if promise["kind"] in EFFECTS + TRIED:
            continue
        if promise["kind"] == "definition":
            kept = defined(promise["args"], arguments, numbers)
        elif promise["kind"] == "same_shape":
            kept = _same_shape(promise["args"][0], arguments, numbers)
        else:
            kept = _KINDS[promise["kind"]](numbers, *promise["args"])
        if not kept:
            refuted.append(dict(promise, found=_shown(result)))
    return refuted


def _shown(value):
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001 -- a foreign value may refuse to be shown
        text = type(value).__name__
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _between(numbers, low, high):
    room = 1e-5 * (1 + max(abs(low), abs(high)))
    return all(low - room <= number <= high + room for number in numbers[1])


def _sums_to_one(numbers):
    if len(numbers[1]) < 2:
        return True
    return any(all(abs(sum(line) - 1) <= NEAR for line in lines) for lines in lines_of(numbers))


def _unit_norm(numbers):
    """By any usual norm; what is all zero has none."""
    if len(numbers[1]) < 2:
        return True
    return any(
        all(abs(norm(line) - 1) <= NEAR or not any(line) for line in lines)
        for lines in lines_of(numbers)
        for norm in (lambda line: math.sqrt(product(line, line)), _taxicab, lambda line: max(map(abs, line)))
    )


def _taxicab(line):
    return sum(map(abs, line))


def _symmetric(numbers):
    rows = matrix(numbers)
    if rows is None or len(rows) > 100:
        return True
    return len(rows) == len(rows[0]) and all(close(row, column) for row, column in zip(rows, map(list, zip(*rows))))


def _orthonormal(numbers):
    """Its rows or its columns are."""
    rows = matrix(numbers)
    if rows is None or len(rows) > 100:
        return True

    def holds(vectors):
        products = [[sum(a * b for a, b in zip(one, other)) for other in vectors] for one in vectors]
        return all(abs(p - (i == j)) <= NEAR for i, row in enumerate(products) for j, p in enumerate(row))

    return holds(rows) or holds(list(zip(*rows)))


def _sorted(numbers, order):
    shape, flat = numbers
    if len(shape) != 1:
        return True
    up, down = flat == sorted(flat), flat == sorted(flat, reverse=True)
    return {"ascending": up, "descending": down}.get(order, up or down)


def _same_shape(place, arguments, numbers):
    given, named = arguments
    index, name = place
    value = named.get(name, given[index] if index < len(given) else None)
    wanted = numbers_of(value)
    return wanted is None or wanted[0] == numbers[0]


_KINDS: Dict[str, Callable[..., bool]] = {
    "between": _between,
    "non_negative": lambda numbers: min(numbers[1]) >= -1e-6,
    "positive": lambda numbers: min(numbers[1]) >= 0 < max(numbers[1]),  # small ones are rounded to 0
    "sums_to_one": _sums_to_one,
    "unit_norm": _unit_norm,
    "symmetric": _symmetric,
    "orthonormal": _orthonormal,
    "sorted": _sorted,
    "integer": lambda numbers: all(number == int(number) for number in numbers[1]),
}
