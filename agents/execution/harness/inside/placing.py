"""Wrong values that hold some of what right ones do, or that in another order (see `wrong`). Standard library only,
Python 3.6 or later.
"""

import copy
import sys

from .structure import array_library, library

VALUES = 100000
"""Of values that are altered one by one: the others of one result stay."""
SCALARS = (bool, int, float, complex, str, bytes)


def unchosen(value, given):
    """A list or tuple whose items all stand in one sequence of `given`: the first ones there, as many. Else itself."""
    if type(value) not in (list, tuple) or not value:
        return value
    marks = [_mark(item) for item in value]
    for source in given:
        if type(source) in (list, tuple, range, str) and len(value) <= len(source) <= VALUES:
            there = {_mark(item) for item in source}
            if there.issuperset(marks):
                return type(value)(source[: len(value)])
    return type(value)(unchosen(part, given) for part in value) if type(value) is tuple else value


def _mark(item):
    """What tells an item from others: itself, or what it is if it is plain."""
    return (type(item), item) if type(item) in SCALARS else id(item)


def reordered(value):
    """The last item, or row, before all others."""
    if library(value) == "pandas" and hasattr(value, "iloc"):
        return value.iloc[[-1, *range(len(value) - 1)]]
    if array_library(value) and len(value.shape):
        made = array_library(value)
        return sys.modules[{"jaxlib": "jax.numpy", "jax": "jax.numpy"}.get(made, made)].roll(value, 1, 0)
    return type(value)(value[-1:] + value[:-1]) if type(value) in (list, tuple) else value


def shortened(value):
    """Without the last item, where there is another."""
    if type(value) is list:
        return value[:-1] if len(value) > 1 else value
    many = array_library(value) and len(value.shape) and value.shape[0] > 1
    return value[:-1] if many else value


def masked(value):
    """A masked array of which nothing is left to be seen."""
    kind = getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())
    if not isinstance(value, kind) or not value.shape:
        return value
    clone = value.copy()
    clone[...] = sys.modules["numpy.ma"].masked
    return clone


def fewer(value, kind):
    """A dictionary or set without its last item."""
    if not isinstance(value, dict):
        return kind(list(value)[:-1])
    clone = copy.copy(value)
    dict.__delitem__(clone, list(dict.keys(value))[-1])
    return clone
