"""Holds a function whose name is that of a textbook definition against it, on inputs that tell it from others.
Standard library only, Python 3.6 or later.

A name may mean another thing, so what the function gave for what it was really given must be what the definition
gives, and the inputs are of that kind. What raises for them, or gives what is of another type, is not judged.
"""

import copy
import inspect
import itertools
import math
import sys
import types
from typing import Any, Dict

from .definitions import close, judged, near, numbers_of, wanted
from .structure import array_library

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


class Disagrees(Exception):
    """A function means another thing by its name: it does not agree on what it is really given."""


def contradiction(promise, target, args, kwargs):
    """What a function gives against its definition, for people: "" for nothing, None where nothing can be told.

    `args` and `kwargs` are those of a real call. Raises Disagrees if that already shows another meaning.
    """
    bound = inspect.signature(target).bind(*args, **kwargs)
    if bound.kwargs:
        return None
    of = _Numeric(promise["args"]) if promise["kind"] == "definition" else _Textbook(promise["args"])
    given = list(bound.args)
    if not of.fits(given):
        return None
    told = of.told(given, _plain(target(*copy.deepcopy(given))))
    if told is None:
        return None
    if not told[0]:
        raise Disagrees
    for inputs in of.inputs(given):
        try:
            found = _plain(target(*copy.deepcopy(inputs)))
        except Exception:  # noqa: BLE001, S112 -- it is not made for these
            continue
        told = of.told(inputs, found)
        if told is not None and not told[0]:
            return "%s for %s, its definition gives %s" % (
                _shown(found),
                ", ".join(map(_shown, inputs)),
                _shown(told[1]),
            )
    return ""


def _shown(value):
    text = " ".join(repr(round(value, 6) if type(value) is float else value).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _plain(value):
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
        shown = readings[0] if numbers[0] else readings[0][0]
        return any(close(numbers[1], reading) for reading in readings), shown

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
            [_like(value, shape, self._fresh(name, shape, offset + 5 * place, given))
             for place, (value, shape) in enumerate(zip(given, each))]
            for each in shapes
            for offset in range(3 if each[0] else len(_NUMBERS))
        ]  # fmt: skip

    @staticmethod
    def _fresh(name, shape, offset, given):
        size = len(list(itertools.product(*map(range, shape))))
        if name == "entropy":
            length = shape[-1] if shape else 1
            weights = [1 + (i + offset) % length for i in range(length)]
            return [weight / sum(weights) for weight in weights] * (size // length)
        return _numbers(offset, size, given)


def _numbers(offset, size, given):
    """Numbers of both signs in no order; whole ones where only such are given."""
    kinds = _WHOLE if all(map(_is_whole, given)) else _NUMBERS
    turns = [divmod(offset + i, len(kinds)) for i in range(size)]
    return [kinds[place] + turn * (1 if place % 2 else -2) for turn, place in turns]


def _is_whole(value):
    if array_library(value):
        return "int" in str(value.dtype)
    return all(map(_is_whole, value)) if type(value) in (list, tuple) else type(value) is int


def _like(value, shape, numbers):
    """Numbers in a container of the sort of `value`."""
    if array_library(value):
        kind = str(value.dtype).rpartition(".")[2]
        if kind not in ("int32", "int64", "float32", "float64"):
            raise TypeError("numbers that wrap, or are rounded too much")
        nested = _nested(shape, iter(numbers))
        library = array_library(value)
        if library == "torch":
            return sys.modules["torch"].tensor(nested, dtype=value.dtype, device=value.device)
        made = sys.modules["numpy" if library == "numpy" else "jax.numpy"].array(nested, dtype=value.dtype)
        return made if shape or library != "numpy" else made[()]
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0]
    parts = [numbers[i * step : (i + 1) * step] for i in range(shape[0])]
    return type(value)(_like(value[0], shape[1:], part) for part in parts)


def _nested(shape, numbers):
    return [_nested(shape[1:], numbers) for _ in range(shape[0])] if shape else next(numbers)


class _Textbook:
    """One of `TEXTBOOK`: its name, and of what is told by labels which argument is the truth."""

    def __init__(self, how):
        self.name, self.swapped = how[0], list(how[1:]) == [1]

    def told(self, inputs, found):
        """(Whether a result agrees, what it should be); None if it is not of the definition's type."""
        readings = TEXTBOOK[self.name, len(inputs)][2](*(reversed(inputs) if self.swapped else inputs))
        known = [_equal(found, reading) for reading in readings]
        known = [one for one in known if one is not None]
        return (any(known), readings[0]) if known else None

    def fits(self, given):
        """Whether what is given is of its kind."""
        definition = TEXTBOOK.get((self.name, len(given)))
        return definition is not None and definition[0].fits(given)

    def inputs(self, given):
        """Lists of arguments."""
        kind, inputs, _ = TEXTBOOK[self.name, len(given)]
        return [kind.like(given, list(each)) for each in inputs]


def _equal(found, reading):
    """Whether a result is a reading; None if it is of another type."""
    kind = type(reading)
    if kind is dict:
        found = found[0] if type(found) is tuple and found else found
        if not isinstance(found, dict) or not all(type(value) in (int, float) for value in found.values()):
            return None
        reached = {key: value for key, value in found.items() if value < math.inf}
        return reached.keys() == reading.keys() and all(near(value, reading[key]) for key, value in reached.items())
    if kind is list:
        numbers = numbers_of(found)
        return close(numbers[1], reading) if numbers and len(numbers[0]) == 1 else None
    if kind in (bool, int):
        return found == reading if type(found) is kind else None
    return near(found, reading) if type(found) in (int, float) else None


class _Kind:
    """Arguments of a definition: `fit` tells them by one, `made` makes them like those of a real call."""

    def __init__(self, fit, made=None):
        self.fit, self.like = fit, made or (lambda _, inputs: inputs)

    def fits(self, given):
        """Whether all are of this kind."""
        return all(map(self.fit, given))


def _is_flat(value):
    numbers = numbers_of(value)
    return judged(numbers) and len(numbers[0]) == 1


def _in_containers(given, inputs):
    return [_like(value, (len(each),), each) for value, each in zip(given, inputs)]


def _is_edges(value):
    """Whether it is a graph {node: {neighbour: weight}} or {node: [(neighbour, weight)]}, of nodes of one type."""
    if type(value) is not dict or len({type(node) for node in value}) != 1:
        return False
    pairs = [tuple(pair) for edges in value.values() for pair in (edges.items() if type(edges) is dict else edges)]
    return bool(pairs) and all(len(pair) == 2 and type(pair[1]) in (int, float) for pair in pairs)


def _like_graph(given, inputs):
    """A graph of the same form; its nodes are text or numbers as they were."""
    graph, source = inputs
    if type(given[0]) is not dict:
        raise TypeError("no graph")
    first = next(iter(given[0]))
    whole = type(first) is int

    def name(node: str) -> Any:
        return "abcdef".index(node) if whole else node

    named: Dict[Any, Any] = {
        name(node): {name(other): weight for other, weight in edges.items()} for node, edges in graph.items()
    }
    if type(given[0][first]) is not dict:
        pair = next(type(edge) for edges in given[0].values() for edge in edges)
        named = {node: [pair(edge) for edge in edges.items()] for node, edges in named.items()}
    return [named, name(source)]


def _paths(graph, source):
    edges = {node: list(other.items() if type(other) is dict else other) for node, other in graph.items()}
    lengths = {source: 0}
    for _ in edges:
        for node in list(lengths):
            for other, weight in edges.get(node, ()):
                lengths[other] = min(lengths.get(other, math.inf), lengths[node] + weight)
    return [lengths]


def _edits(first, second, changed):
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        new = [i]
        for j, right in enumerate(second, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + changed * (left != right)))
        row = new
    return row[-1]


def _differing(first, second):
    if len(first) != len(second):
        return []
    count = sum(a != b for a, b in zip(first, second))
    return [count, count / max(1, len(first))]


def _labelled(of):
    """Of 0s and 1s that are true and guessed: of the ones, or of both kinds on the average; in percent, too."""

    def readings(truth, guess):
        pairs = [(int(t), int(g)) for t, g in zip(truth, guess)]
        try:
            each = [of(pairs.count((one, one)), pairs.count((1 - one, one)), pairs.count((one, 1 - one)))
                    for one in (1, 0)]  # fmt: skip
        except ZeroDivisionError:
            return []
        found = [each[0], (each[0] + each[1]) / 2]
        return [float(value) for value in found] + [100.0 * value for value in found]

    return readings


def _accuracy(truth, guess):
    share = sum(int(t) == int(g) for t, g in zip(truth, guess)) / len(truth)
    return [share, 100 * share]


def _once(values):
    """Each in order of place or size, or those that are there once."""
    values = list(values)
    first = [value for i, value in enumerate(values) if value not in values[:i]]
    return [first, sorted(first), [value for value in values if values.count(value) == 1]]


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _day(year, month, day):
    lengths = [31, 29 if _leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return [sum(lengths[: month - 1]) + day] if 1 <= month <= 12 else []


def _bits(p):
    return [-sum(x * math.log(x, 2) for x in p if x > 0)] if near(sum(p), 1) and min(p) >= 0 else []


def _clipped(x, low, high):
    return [float(min(max(x, low), high))]


def _unit_clip(x):
    """To [0, 1] or [-1, 1], as far as what lies within says nothing."""
    return [] if 0 <= x <= 1 else [float(min(1, max(low, x))) for low in (0, -1)]


_TEXT = _Kind(lambda value: type(value) is str)
_COUNT = _Kind(lambda value: type(value) is int and 0 <= value < 10**6)
_NUMBER = _Kind(lambda value: type(value) in (int, float))
_LIST = _Kind(_is_flat, _in_containers)
_LABELS = _Kind(lambda value: _is_flat(value) and set(numbers_of(value)[1]) <= {0, 1}, _in_containers)
_GRAPH = _Kind(lambda value: type(value) in (str, int) or _is_edges(value), _like_graph)

_WORDS = [("kitten", "sitting"), ("abcde", "bcdef"), ("flaw", "lawns"), ("abc", "abc")]
_TURNED = [("listen", "silent"), ("aabbc", "abbcc"), ("abcd", "abce"), ("abc", "abcc")]
_SINGLE = [(text,) for text in ("abba", "level", "abca", "abcdba", "ab")]
_NATURAL = [(n,) for n in (*range(2, 12), 25, 35, 49, 77, 91, 97, 121, 143, 1009)]
_SHUFFLED = [([3, 1, 5, 2, 9, 4, 8],)]
_GUESSED = [([1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0, 0]), ([1, 0, 0, 0, 1], [1, 1, 1, 0, 1])]
_CITIES = [({"a": {"b": 10, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 9}, "d": {"a": 1}}, "a")]
_EDIT = (_TEXT, _WORDS, lambda a, b: [_edits(a, b, 1), _edits(a, b, 2)])
_HAMMING = (_TEXT, [("karolin", "kathrin"), ("abcd", "dcba")], _differing)
_ANAGRAM = (_TEXT, _TURNED, lambda a, b: [sorted(a) == sorted(b)])
_PALINDROME = (_TEXT, _SINGLE, lambda text: [text == text[::-1]])
_LEAP = (_COUNT, [(year,) for year in (1900, 2000, 2023, 2024, 2100)], lambda year: [_leap(year)])
_CLIP = (_NUMBER, [(5, 0, 3), (-5, 0, 3), (2, 0, 3), (-7, -4, -2)], _clipped)
_CLIP_UNIT = (_NUMBER, [(-7.5,), (40.0,), (1.25,)], _unit_clip)
_ABSOLUTE = (_NUMBER, [(-7,), (-2.5,), (4,)], lambda x: [float(abs(x))])
_UP = (_LIST, _SHUFFLED, lambda values: [sorted(map(float, values))])
_DOWN = (_LIST, _SHUFFLED, lambda values: [sorted(map(float, values), reverse=True)])
_SORT = (_LIST, _SHUFFLED, lambda values: [*_UP[2](values), *_DOWN[2](values)])
_PRECISION = (_LABELS, _GUESSED, _labelled(lambda tp, fp, _: tp / (tp + fp)))
_RECALL = (_LABELS, _GUESSED, _labelled(lambda tp, _, fn: tp / (tp + fn)))
_F1 = (_LABELS, _GUESSED, _labelled(lambda tp, fp, fn: 2 * tp / (2 * tp + fp + fn)))
LABELLED = ("precision", "recall", "f1")
TEXTBOOK: Dict[Any, Any] = {
    **dict.fromkeys([("levenshtein", 2), ("levenshtein_distance", 2), ("edit_distance", 2)], _EDIT),
    **dict.fromkeys([("hamming", 2), ("hamming_distance", 2)], _HAMMING),
    **dict.fromkeys([("is_anagram", 2), ("are_anagrams", 2), ("anagram", 2)], _ANAGRAM),
    **dict.fromkeys([("is_palindrome", 1), ("palindrome", 1)], _PALINDROME),
    **dict.fromkeys([("is_leap_year", 1), ("is_leap", 1), ("leap_year", 1), ("leap", 1)], _LEAP),
    **dict.fromkeys([("clip", 3), ("clamp", 3)], _CLIP),
    **dict.fromkeys([("clip", 1), ("clamp", 1)], _CLIP_UNIT),
    **dict.fromkeys([("absolute", 1), ("absolute_value", 1)], _ABSOLUTE),
    **dict.fromkeys([("ascending", 1), ("sort_ascending", 1), ("sorted_ascending", 1)], _UP),
    **dict.fromkeys([("descending", 1), ("sort_descending", 1), ("sorted_descending", 1)], _DOWN),
    **dict.fromkeys(
        [(name + "_sort", 1) for name in ("bubble", "heap", "insertion", "merge", "quick", "selection")], _SORT
    ),
    ("quicksort", 1): _SORT,
    ("mergesort", 1): _SORT,
    ("heapsort", 1): _SORT,
    ("unique", 1): (_LIST, [([3, 1, 3, 2, 5, 1, 4],)], _once),
    ("is_prime", 1): (_COUNT, _NATURAL, lambda n: [n > 1 and all(n % i for i in range(2, int(n**0.5) + 1))]),
    ("is_even", 1): (_COUNT, _NATURAL, lambda n: [n % 2 == 0]),
    ("is_odd", 1): (_COUNT, _NATURAL, lambda n: [n % 2 == 1]),
    ("lcm", 2): (_COUNT, [(4, 6), (12, 18), (7, 5), (8, 2)], lambda a, b: [a * b // math.gcd(a, b)] if a and b else []),
    ("day_of_year", 3): (_COUNT, [(2024, 12, 31), (2023, 3, 1), (1900, 3, 1), (2000, 3, 1)], _day),
    ("dijkstra", 2): (_GRAPH, _CITIES, _paths),
    ("entropy_bits", 1): (_LIST, [([0.1, 0.2, 0.3, 0.4],), ([0.7, 0.2, 0.1],)], _bits),
    ("accuracy", 2): (_LABELS, _GUESSED, _accuracy),
    ("precision", 2): _PRECISION,
    ("recall", 2): _RECALL,
    ("f1", 2): _F1,
}
"""By name and number of arguments: the kind of these, inputs, and all that a result may be: truth values, whole
numbers, numbers (floats), lists of numbers, or numbers by key."""
