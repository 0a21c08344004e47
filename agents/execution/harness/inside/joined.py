"""What becomes of dictionaries and spans that are put together, and of dates by the calendar, as it is said in full.
Standard library only, Python 3.6 or later. See `algorithms`.
"""

import calendar
import datetime
from typing import Any, Dict

from .kinds import Kind, each, exactly, placed

_LEAP_DAY = (2, 29)


def _is_span(value):
    numbers = type(value) in (list, tuple) and len(value) == 2 and all(type(end) in (int, float) for end in value)
    return numbers and value[0] <= value[1]


def _united(spans, room):
    """In order of their starts, those together that are no further apart than `room`."""
    found = []  # type: list[Any]
    for start, end in sorted(map(tuple, spans)):
        if found and start - found[-1][1] <= room:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _unions(spans):
    """Of spans that touch, or of whole numbers that follow each other, it may be told either way."""
    wanted = [_united(spans, room) for room in (-1e-9, 0, 1)]

    def holds(found):
        spans_only = type(found) in (list, tuple) and all(map(_is_span, found))
        return sorted(map(tuple, found)) in wanted if spans_only else None

    holds.__doc__ = repr(wanted[1])
    return [holds]


def _shows_union(given):
    spans = given[0]
    if type(spans) not in (list, tuple) or not all(map(_is_span, spans)) or len({type(span) for span in spans}) != 1:
        return False
    return len(_united(spans, -1e-9)) < len(spans)


def _like_spans(given, inputs):
    spans = given[0]
    number = float if type(spans[0][0]) is float else int
    return [type(spans)(type(spans[0])(map(number, span)) for span in inputs[0])]


def _merged(base, extra):
    """What stands in one of them alone is there, at each level that both have."""

    def holds(found):
        """all that stands in either, at every level"""
        return _holds_both(found, base, extra) if type(found) is dict else None

    return [holds]


def _holds_both(found, base, extra):
    if type(found) is not dict or found.keys() != base.keys() | extra.keys():
        return False
    both = [key for key in base if type(base[key]) is dict and type(extra.get(key)) is dict]
    alone = [(key, one) for one in (base, extra) for key in one if (key in base) != (key in extra)]
    kept = all(found[key] == one[key] for key, one in alone)
    return kept and all(_holds_both(found[key], base[key], extra[key]) for key in both)


def _shows_merging(given):
    base, extra = given
    if type(base) is not dict or type(extra) is not dict or not all(type(key) is str for key in (*base, *extra)):
        return False
    return any(type(base[key]) is dict and type(extra.get(key)) is dict for key in base)


def _is_date(value):
    return isinstance(value, datetime.date)


def _like_dates(given, inputs):
    return [value.replace(day=1).replace(*one) for value, one in zip(given, inputs)]


def _later(day, months):
    """The same day of a month later or earlier, or its last day; a month's last day may stay one."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    most = calendar.monthrange(year, month)[1]
    last = day.day == calendar.monthrange(day.year, day.month)[1]
    plain = day.replace(year=year, month=month, day=min(day.day, most))
    return [exactly(plain, plain.replace(day=most) if last else plain)]


def _completed(born, day):
    """None of a leap day: in which year it is completed differs."""
    if (born.month, born.day) == _LEAP_DAY:
        return []
    return [day.year - born.year - ((day.month, day.day) < (born.month, born.day))]


_DATE, _MONTHS = each(_is_date, _like_dates), each(lambda value: type(value) is int)
_BORN = Kind(lambda given: all(map(_is_date, given)) and given[0] <= given[1], _like_dates)
_NESTED = [[(1, 10), (2, 4), (20, 25)], [(1, 5), (3, 12), (6, 8), (20, 40), (23, 25), (30, 50)]]
_UNSORTED = [[(5, 8), (1, 3), (2, 4), (10, 12), (6, 7)], [(20, 30), (1, 9), (2, 3)]]
"""By a name alone; a sentence may leave out that what is given is in order."""
_BASE = {"a": {"b": {"c": 1, "d": {"e": 2, "f": 3}}, "g": 4}, "h": 5}
_EXTRA = {"a": {"b": {"d": {"e": 6, "i": 7}, "j": 8}}, "k": 9}
_LATER = [((2021, 1, 31), 2), ((2021, 1, 30), 1), ((2023, 12, 31), 2), ((2021, 5, 31), -3), ((2020, 8, 30), 1)]
_AGES = [((1990, 5, 10), (2020, 5, one)) for one in (9, 10, 11)] + [((1988, 12, 31), (2021, 1, 1))]
_NAMED: Dict[Any, Any] = {
    (1, "merge_intervals merge_overlapping merge_overlapping_intervals union_of_intervals"): (
        Kind(_shows_union, _like_spans), [(spans,) for spans in (*_NESTED, *_UNSORTED)], _unions
    ),
    (1, "united_spans"): (Kind(_shows_union, _like_spans), [(spans,) for spans in _NESTED], _unions),
    (2, "merged_at_every_level"): (Kind(_shows_merging, lambda _, inputs: inputs), [(_BASE, _EXTRA)], _merged),
    (2, "months_later"): (placed(_DATE, _MONTHS), _LATER, _later),
    (2, "completed_years"): (_BORN, _AGES, _completed),
}  # fmt: skip
JOINED = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
