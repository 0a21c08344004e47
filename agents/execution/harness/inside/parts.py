"""Whether what is taken apart, or put together, is all there. Standard library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`.
"""

import itertools
from typing import Any, Dict

from .given import alike, result_of, shown
from .structure import array_library
from .textbook import Disagrees

LONGEST = 1000
_SEQUENCES = (list, tuple, str)


def batches(given, items, size):
    """The items in parts of at most so many."""

    def holds(values, most, parts):
        lengths = [len(part) for part in parts]
        return _joined(values, parts) and max(lengths or [0]) <= most and 0 not in lengths

    return _in_parts(given, items, size, holds)


def windows(given, items, size):
    """All runs of so many items."""

    def holds(values, width, parts):
        runs = [values[place : place + width] for place in range(len(values) - width + 1)]
        return len(runs) == len(parts) and all(map(alike, runs, parts))

    return _in_parts(given, items, size, holds)


def _in_parts(given, items, size, holds):
    values, width = given.value(items), given.value(size)
    parts = given.call()
    if type(values) not in _SEQUENCES or type(width) is not int or not 0 < width <= len(values):
        return None
    if not _are_parts(parts) or not holds(values, width, parts):
        raise Disagrees
    for length, wide in itertools.product((1, 2, 3, 4, 5, 7, 8), (1, 2, 3, 5)):
        if wide > length:
            continue
        fresh = _fresh(values, length)
        parts = result_of(given, **{items: fresh, size: wide})
        if _are_parts(parts) and not holds(fresh, wide, parts):
            return "%s for %s and %s = %d" % (shown(parts), shown(fresh), size, wide)
    return ""


def _are_parts(parts):
    return type(parts) in (list, tuple) and all(type(part) in _SEQUENCES for part in parts)


def _fresh(values, length):
    """So many items of the sort of `values`, different where that is known to be fine."""
    if type(values) is str:
        return "abcdefgh"[:length]
    if all(type(item) is int for item in values):
        return type(values)(range(11, 11 + length))
    if all(type(item) is str for item in values):
        return type(values)("abcdefgh"[:length])
    return type(values)(itertools.islice(itertools.cycle(values), length))


def _joined(values, parts):
    return alike(values, [item for part in parts for item in part])


def even_parts(given, items, count):
    """So many parts that hold all items, each once, and whose sizes differ by at most one."""
    values, many = given.value(items), given.value(count)
    if type(many) is not int or not 0 < many <= _length(values) <= LONGEST:
        return None
    views = [view for view in (-1, 0, 1) if _are_even(_viewed(given.call(), view), values, many)]
    if not views:
        raise Disagrees
    for length, parts in itertools.product((5, 7, 8, 4), (2, 3, 4, 5)):
        if parts > length or (type(values) is not int and length > len(_fresh(values, length))):
            continue
        fresh = length if type(values) is int else _fresh(values, length)
        found = result_of(given, **{items: fresh, count: parts})
        told = [_are_even(_viewed(found, view), fresh, parts) for view in views]
        if told and not any(told) and None not in told:
            return "%s for %s and %s = %d" % (shown(found), shown(fresh), count, parts)
    return ""


def _length(values):
    return values if type(values) is int else len(values) if type(values) in _SEQUENCES else 0


def _viewed(found, view):
    """A result as lists; with `view`, of each of its parts that one."""
    if type(found) not in (list, tuple):
        return None
    if view >= 0:
        if not all(type(part) is tuple and len(part) == 2 for part in found):
            return None
        found = [part[view] for part in found]
    listed = [part.tolist() if array_library(part) == "numpy" else part for part in found]
    return listed if all(type(part) in (list, tuple, str, range) for part in listed) else None


def _are_even(parts, values, many):
    if parts is None:
        return None
    sizes = [len(part) for part in parts]
    wanted = list(range(values)) if type(values) is int else list(values)
    held = [item for part in parts for item in part]
    return len(parts) == many and max(sizes) - min(sizes) <= 1 and sorted(map(repr, held)) == sorted(map(repr, wanted))


def all_left(given):
    """Of sequences of different lengths that are put together, no item is left out."""
    rows = [name for name in given.names if _is_row(given.bound.arguments[name])]
    several = len(given.names) == 1 and type(given.bound.arguments[given.names[0]]) in (list, tuple)
    whole = given.names[0] if several and all(map(_is_row, given.bound.arguments[given.names[0]])) else ""
    values = list(given.bound.arguments[whole]) if whole else [given.bound.arguments[name] for name in rows]
    if not 2 <= len(values) <= 5:
        return None
    real = given.call()
    if type(real) not in (list, tuple) or not all(values):
        return None
    if not _holds_all(real, values):
        raise Disagrees
    pool = (
        "abcdefghijklmnopqrstuvwxyz" if all(type(item) is str for value in values for item in value) else range(11, 99)
    )
    for lengths in ((3, 1, 2, 1, 1), (1, 3, 1, 2, 1), (2, 4, 3, 1, 1)):
        left = iter(pool)
        fresh = [_of_kind(value, itertools.islice(left, length)) for value, length in zip(values, lengths)]
        changed = {whole: type(given.bound.arguments[whole])(fresh)} if whole else dict(zip(rows, fresh))
        found = result_of(given, **changed)
        if type(found) is type(real) and not _holds_all(found, fresh):
            return "%s for %s" % (shown(found), ", ".join(map(shown, fresh)))
    return ""


def _is_row(value):
    return type(value) in _SEQUENCES and len(value) <= LONGEST


def _of_kind(value, items):
    return "".join(items) if type(value) is str else type(value)(items)


def _holds_all(found, values):
    return sorted(map(repr, found)) == sorted(repr(item) for value in values for item in value)


OF_PARTS: Dict[str, Any] = {
    "batches": batches,
    "windows": windows,
    "even_parts": even_parts,
    "all_left": all_left,
}
"""By the kind of promise."""
