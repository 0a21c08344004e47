"""Holds a function whose name is that of a textbook definition against it, on inputs that tell it from others.
Standard library only, Python 3.6 or later.

A name may mean another thing, so what the function gave for what it was really given must be what the definition
gives, and the inputs are of that kind. What raises for them, or gives what is of another type, is not judged.
"""

import copy
import functools
import inspect
import itertools
import math
import re
import types
from typing import Any, Dict

from .algorithms import ALGORITHMS, CERTAIN
from .arrays import ARRAYS_BY_NAME
from .definitions import close, judged, near, numbers_of, wanted
from .geometry import GEOMETRY
from .graphs import GRAPHS
from .interfaces import behind
from .joined import JOINED
from .kinds import like_number
from .learning import LEARNING
from .measures import MEASURES
from .methods import Method, cancelled, forgotten, roles
from .models import MODELS
from .narrowed import NARROWED, SAID_BY_WORDS
from .networks import NETWORKS, parted
from .ratings import RATINGS
from .ratings import SAID_IN_FULL as RATINGS_SAID_IN_FULL
from .samples import SAMPLES
from .series import SAID_IN_FULL, SERIES
from .structure import array_library
from .whole import WHOLE

__all__ = ["TEXTBOOK", "Disagrees", "contradiction", "is_whole", "plain", "roles", "shown"]

TEXTBOOK: Dict[Any, Any] = {
    **ALGORITHMS,
    **ARRAYS_BY_NAME,
    **GEOMETRY,
    **GRAPHS,
    **JOINED,
    **LEARNING,
    **MEASURES,
    **MODELS,
    **NARROWED,
    **NETWORKS,
    **RATINGS,
    **SAMPLES,
    **SERIES,
    **WHOLE,
}
"""By name and number of arguments: the kind of these, inputs, and all that a result may be (see `algorithms`)."""
ITEMS, SHOWN = 1000, 90
"""Of what yields, items; of a value that is told, characters."""
_NUMBERS = (2.5, -1.25, 4.0, 0.5, -3.75, 7.25, -12.5, 1.5, 9.0, -0.75, 15.0, -6.5, 3.25)
_WHOLE = (3, -1, 4, 2, -5, 9, -12, 6, 15, -3, 8, 7, -7)
_OTHER_LENGTH = 5
_OF_PAIRS = ("cosine_similarity", "euclidean_distance", "manhattan_distance", "dot")
"""What may be made for points of so many coordinates: it is given no others."""
_COUNTS = (
    {"tp": 7, "fp": 3, "fn": 2, "tn": 11, "precision": 0.8, "recall": 0.5},
    {"tp": 2, "fp": 5, "fn": 9, "tn": 4, "precision": 0.3, "recall": 0.9},
)
_COUNTED_ON: Dict[str, Any] = {
    "factorial": [(n,) for n in (0, 1, 4, 5, 6, 10)],
    "fibonacci": [(n,) for n in (1, 5, 6, 10, 12)],
    "gcd": [(8, 12), (12, 18), (35, 21), (7, 5), (100, 75), (6, 6)],
}


_SAID_PLAINLY = (
    "great_circle_km", "great_circle_m", "knapsack_once", "scaled_to_euclidean_length", *RATINGS_SAID_IN_FULL,
    *SAID_BY_WORDS, *SAID_IN_FULL,
)  # fmt: skip
"""What no call, though a test expects it, shows to be another thing: names that only full sentences are read as."""


class Disagrees(Exception):
    """A function means another thing by its name: it does not agree on what it is really given."""


def contradiction(promise, target, args, kwargs):
    """What a function gives against its definition, for people: "" for nothing, None where nothing can be told.

    `args` and `kwargs` are those of a real call. Raises Disagrees if that already shows another meaning.
    """
    if promise["args"][0] in _OF_CLASSES:
        return _OF_CLASSES[promise["args"][0]](args[0])
    how, place = promise["args"], None
    if type(how[-1]) in (list, tuple):
        how, place = how[:-1], how[-1]
    of = _OF[promise["kind"]](how)
    reached = behind(place, how[0], target, args, kwargs) if place else _directly(of, target, args, kwargs)
    if reached is None or not of.fits(reached[1]):
        return None
    call, given = reached
    if place and place[0] == "stream":
        given = next((one for one in of.inputs(given) if (_told(of, call, one) or [False])[0]), given)
    found, sure = plain(call(*copy.deepcopy(given))), not place
    told = of.told(given, found)
    if told is None and promise["kind"] == "textbook" and type(found) is tuple and len(found) > 1:
        call, sure = functools.partial(_first_part, call), False
        found = plain(found[0])
        told = of.told(given, found) if type(found) in (int, float) else None
        told = told if told and (callable(told[1]) or type(found) is type(told[1])) else None
    if told is None:
        return None
    if not told[0] and not (sure and _is_certain(promise, told[1])):
        raise Disagrees
    for inputs in [given] if not told[0] else of.inputs(given):
        told = _told(of, call, inputs)
        if told is not None and not told[0]:
            return "%s for %s, its definition gives %s" % (
                shown(told[2]),
                ", ".join(map(shown, inputs)),
                shown(told[1]),
            )
    return ""


def _directly(of, target, args, kwargs):
    """(A function, the arguments of a real call of it, those that stand for others where these are none of its kind)"""
    bound = inspect.signature(target).bind(*args, **kwargs)
    given = list(bound.args)
    if not bound.kwargs and not of.fits(given):
        bound.apply_defaults()
        given = list(bound.args)
    return None if bound.kwargs else (target, given)


def _told(of, call, inputs):
    """What is told of a call (see `_Textbook.told`), and what it gave; None where nothing is."""
    try:
        found = plain(call(*copy.deepcopy(inputs)))
    except Exception:  # noqa: BLE001 -- it is not made for these
        return None
    told = of.told(inputs, found)
    return told and (told[0], told[1], found)


def _first_part(call, *given):
    """The first of several that are returned."""
    return plain(call(*given)[0])


def _is_certain(promise, wanted):
    """Whether a name means nothing else. What is said of it may go on with another meaning ("whether it fails the Luhn
    check"), so of documentation only a title counts, and none of a truth value."""
    if promise["args"][0] in _SAID_PLAINLY:
        return True
    if promise["args"][0] not in CERTAIN or promise["source"] == "name":
        return promise["args"][0] in CERTAIN
    title = re.split("[.,:;]", promise["sentence"])[0].lower().replace("'s ", " ")
    return re.sub("[ -]", "_", title) == promise["args"][0] and type(wanted) is not bool


def shown(value):
    """A value for people."""
    if callable(value):
        return str(value.__doc__)
    text = " ".join(repr(round(value, 6) if type(value) is float else value).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def at_once(value):
    """What a call gives, if nobody has to wait for it."""
    if inspect.isawaitable(value) or hasattr(type(value), "__aiter__"):
        raise Disagrees
    return value


def plain(value):
    """What yields as a list, what is a scalar of numpy as that of Python."""
    if isinstance(value, (types.GeneratorType, map, filter, zip, reversed)):
        value = list(itertools.islice(value, ITEMS))
    if array_library(value) and not value.shape and hasattr(value, "item"):
        return value.item()
    return value


class _Numeric:
    """One of `definitions`, by how it is read."""

    def __init__(self, how):
        self.how = list(how)

    def fits(self, given):
        """Whether what is given is of its kind."""
        return bool(given) and all(judged(numbers_of(value)) for value in given)

    def told(self, inputs, found):
        """(Whether a result agrees, what it should be); None if it is not of the definition's type."""
        numbers = numbers_of(found)
        readings = judged(numbers) and wanted(self.how, (inputs, {}), numbers)
        if not readings:
            return None
        told = readings[0] if numbers[0] else readings[0][0]
        return any(close(numbers[1], reading) for reading in readings), told

    def inputs(self, given):
        """Lists of arguments."""
        name, named = self.how[0], self.how[1:]
        if named == ["*"]:
            return [_numbers(offset, _OTHER_LENGTH, given) for offset in range(3)]
        if named:
            return [[counts[one] for one in named] for counts in _COUNTS]
        if name in _COUNTED_ON:
            return list(map(list, _COUNTED_ON[name])) if all(type(value) is int for value in given) else []
        shapes = [[numbers_of(value)[0] for value in given]]
        if len(shapes[0][0]) == 1 and name not in _OF_PAIRS:
            shapes.append([(_OTHER_LENGTH,)] * len(given))
        return [
            [like_number(value, shape, self._fresh(name, shape, offset + 5 * place, given))
             for place, (value, shape) in enumerate(zip(given, each))]
            for each in shapes
            for offset in range(3 if each[0] else len(_NUMBERS))
        ]  # fmt: skip

    @staticmethod
    def _fresh(name, shape, offset, given):
        size = len(list(itertools.product(*map(range, shape))))
        if "entropy" in name:
            length = shape[-1] if shape else 1
            weights = [1 + (i + offset) % length for i in range(length)]
            return [weight / sum(weights) for weight in weights] * (size // length)
        return _numbers(offset, size, given)


def _numbers(offset, size, given):
    """Numbers of both signs in no order; whole ones where only such are given."""
    kinds = _WHOLE if all(map(is_whole, given)) else _NUMBERS
    turns = [divmod(offset + i, len(kinds)) for i in range(size)]
    return [kinds[place] + turn * (1 if place % 2 else -2) for turn, place in turns]


def is_whole(value):
    """Whether all numbers are of a type of whole ones."""
    if array_library(value):
        return "int" in str(value.dtype)
    return all(map(is_whole, value)) if type(value) in (list, tuple) else type(value) is int


class _Textbook:
    """One of `TEXTBOOK`: its name, and of what is told by labels which argument is the truth."""

    def __init__(self, how):
        self.name, self.swapped = how[0], list(how[1:]) == [1]

    def told(self, inputs, found):
        """(Whether a result agrees, what it should be); None if it is not of the definition's type."""
        kind, _, function = TEXTBOOK[self.name, len(inputs)]
        try:
            readings = list(function(*(_turned(inputs) if self.swapped else kind.canonical(inputs))))
        except (ArithmeticError, ValueError, IndexError):
            return None
        known = [_equal(found, reading) for reading in readings]
        known = [one for one in known if one is not None]
        return (any(known), readings[0]) if known else None

    def fits(self, given):
        """Whether what is given is of its kind."""
        definition = TEXTBOOK.get((self.name, len(given)))
        return definition is not None and bool(definition[0].fits(given))

    def inputs(self, given):
        """Lists of arguments."""
        kind, inputs, _ = TEXTBOOK[self.name, len(given)]
        return [kind.like(given, list(each)) for each in inputs]


def _turned(inputs):
    """With the first two in the other order."""
    return [inputs[1], inputs[0], *inputs[2:]]


def _equal(found, reading):  # noqa: PLR0911 -- one return for each sort of reading
    """Whether a result is a reading; None if it is of another type, or as long as none that is told."""
    kind = type(reading)
    if callable(reading):
        return reading(found)
    if kind is dict:
        found = found[0] if type(found) is tuple and found else found
        if not isinstance(found, dict) or not all(type(value) in (int, float) for value in found.values()):
            return None
        reached = {key: value for key, value in found.items() if value < math.inf}
        return reached.keys() == reading.keys() and all(near(value, reading[key]) for key, value in reached.items())
    if kind in (list, tuple):
        numbers = numbers_of(found)
        if not numbers or len(numbers[0]) not in (1, 2) or (kind is tuple and len(numbers[1]) != len(reading)):
            return None
        return close(numbers[1], reading)
    if type(found) not in ((kind,) if kind in (bool, int) else (int, float)):
        return None
    return near(found, reading) if kind is float else found == reading


_OF_CLASSES: Dict[str, Any] = {
    "disjoint_sets": parted,
    "lru_cache": forgotten,
    "running_variance": cancelled,
    "unbiased_running_variance": functools.partial(cancelled, divisors=(1,)),
    "population_running_variance": functools.partial(cancelled, divisors=(0,)),
}
_OF: Dict[str, Any] = {"definition": _Numeric, "textbook": _Textbook, "method": Method}
