"""Whether what compares in tests is what its package made. Standard library only, Python 3.6 or later.

A test that says `==`, and means what its repository has put there, shows nothing. Functions by which tests compare are
kept when their modules are first seen, and looked at when a test calls a unit. A test class may compare in its own way,
as arrays must be; but it must tell numbers that differ from such that are equal.
"""

import os
import re
import sys
import types
from typing import Any, Dict, Tuple

from .structure import array_library

_PLACES = {
    "pytest": ("approx", "raises"),
    "math": ("isclose",),
    "numpy": ("allclose", "isclose", "array_equal"),
    "numpy.testing": ("assert_",),
    "unittest": (),
}
"""Modules, and names in them or their beginnings."""
_KINDS = (("_pytest.python_api", "Approx"), ("unittest", "TestCase"))
"""Modules, and beginnings of the names of classes whose methods compare."""
_COMPARE = ("assert", "fail", "_base", "_get", "__eq__", "_yield", "_check", "tolerance")
"""Beginnings of the names of these methods."""
_ITEMS = 1000
_PAIRS = ((6.0, -6.0), (6.0, 7.0), (-2, 2), (3, 1), (0.25, 0.75))
_PLAIN: Tuple[Any, ...] = (float, int, complex, list, tuple, dict, set, frozenset, str, bytes)
_EQUALITY = ("__eq__", "__ne__")
_SHOWING: Dict[type, Tuple[str, ...]] = {
    **dict.fromkeys((float, int, complex), ("__round__", "__format__", "__float__", "__int__", "__sub__", "__rsub__")),
    **dict.fromkeys((list, tuple, dict, set, frozenset), ("__iter__", "__len__", "__contains__")),
}
"""By what tests look at plain values besides comparing them."""
_COMPARES = re.compile(r"(?i)equal|close|near|almost|approx|(?:^|_)eq(?:$|_)|agree|match")
_METHODS = ("assertEqual", "assertAlmostEqual", "assertEquals", "assertAlmostEquals")


class Comparing:
    """What was there by module or class and name."""

    def __init__(self):
        self.root, self.kept, self.seen = "", [], set()

    def install(self, root):
        """Keep what is loaded now, and later what is by the next test."""
        self.root = root
        self.keep()

    def keep(self):
        """Keep what has been loaded since."""
        for name in set(_PLACES).union(place for place, _ in _KINDS).difference(self.seen).intersection(sys.modules):
            self.seen.add(name)
            held = vars(sys.modules[name])
            self.add(name, sys.modules[name], [each for each in held if each.startswith(_PLACES.get(name) or ("\0",))])
            for place, begun in _KINDS:
                kinds = [each for each in held if place == name and each.startswith(begun)]
                for each in [each for each in kinds if isinstance(held[each], type)]:
                    own = [key for key in vars(held[each]) if key.startswith(_COMPARE)]
                    self.add(name + "." + each, held[each], own)

    def add(self, shown, owner, names):
        """Keep functions that are not the repository's own by now."""
        for name in names:
            if callable(vars(owner)[name]):
                self.kept.append((shown + "." + name, owner, name, vars(owner)[name]))

    def changed(self):
        """The names of those that are others now."""
        return [shown for shown, owner, name, was in self.kept if self.is_other(vars(owner).get(name), was)]

    def is_other(self, now, was):
        """Whether something else stands there, which no installed package, that can't be written, has put there."""
        if now is was:
            return False
        file = now.__code__.co_filename if isinstance(now, types.FunctionType) else ""
        return file.startswith(self.root) or not os.path.isfile(file) or os.access(file, os.W_OK)


def misjudges(case):
    """The name of a method of a test case that takes different numbers for equal, or equal ones for different."""
    for name in _METHODS:
        method = getattr(case, name, None)
        own = getattr(type(case), name, None)
        plain = getattr(sys.modules["unittest"].TestCase, name, None)
        if method is not None and own is not plain:
            for first, second in _PAIRS:
                if _holds(method, first, second) or _holds(method, first, first) is False:
                    return "%s.%s" % (type(case).__name__, name)
    return ""


def misjudging(held, names, is_own):
    """The names of functions of the repository (`is_own`) by which a test, whose module holds them, compares, and that
    take different numbers for equal, or equal ones for different."""
    named = [(name, held.get(name)) for name in names if _COMPARES.search(name)]
    for name, function in [(name, function) for name, function in named if is_own(function)]:
        wrong = [_holds(function, first, second) for first, second in _PAIRS]
        right = [_holds(function, first, first) for first, _ in _PAIRS]
        if None not in wrong + right and (all(wrong) or not any(right)):
            yield name


def _holds(method, first, second):
    """Whether two are taken for equal; None if it is not for such."""
    try:
        found = method(first, second)
        return True if found is None else bool(found) if type(found).__name__ in ("bool", "bool_") else None
    except AssertionError:
        return False
    except Exception:  # noqa: BLE001 -- it may be for other values, and raise anything
        return None


def own_equality(value):
    """The method by which a value is compared that is not Python's, a library's or a dataclass's ("Score.__eq__"), and
    whether it stands in the place of that of a plain value; ("", False) for none."""
    kind = type(value)
    base = next((plain for plain in _PLAIN if issubclass(kind, plain)), object)
    for each in kind.__mro__[: kind.__mro__.index(base)]:
        made = [(name, vars(each).get(name)) for name in _EQUALITY]
        for name, method in made if "__dataclass_params__" not in vars(each) or base is not object else ():
            if isinstance(method, types.FunctionType) and COMPARING.is_other(method, None):
                return "%s.%s" % (each.__name__, name), base is not object
    return "", False


def bent(value):
    """By what a plain value, or an array, is compared or looked at that is more than it holds; "" for nothing. What is
    in a list or tuple, and is made to be equal to everything, counts, too."""
    name, instead = own_equality(value)
    if instead or array_library(value) == "numpy":
        return name if instead else _bent_array(value)
    if type(value) in (list, tuple):
        return "mock.ANY" if any(_is_anything(part) for part in value[:_ITEMS]) else ""
    return "mock.ANY" if _is_anything(value) else _looked_at(type(value)) or _taken_from(value)


def _is_anything(value):
    return type(value).__module__ in ("unittest.mock", "mock", "mock.mock") and type(value).__name__ == "_ANY"


def _looked_at(kind):
    """A method of a class of plain values by which these are looked at, and that is the repository's own."""
    for plain in [one for one in _SHOWING if issubclass(kind, one)][:1]:
        for each in kind.__mro__[: kind.__mro__.index(plain)]:
            for name in _SHOWING[plain]:
                method = vars(each).get(name)
                if isinstance(method, types.FunctionType) and COMPARING.is_other(method, None):
                    return "%s.%s" % (each.__name__, name)
    return ""


def _taken_from(value):
    """The method of its class by which another item is taken out of it than there is; "" where all are the same."""
    plain = next((one for one in (dict, list, tuple) if isinstance(value, one)), None)
    if plain is None or type(value).__getitem__ is plain.__getitem__:
        return ""
    for key in list(plain.keys(value))[:_ITEMS] if plain is dict else range(min(plain.__len__(value), _ITEMS)):
        held = plain.__getitem__(value, key)
        try:
            if type(held) in (int, float, str) and value[key] != held:
                return "%s.__getitem__" % type(value).__name__
        except Exception:  # noqa: BLE001 -- a foreign method may raise anything
            return ""
    return ""


def _bent_array(value):
    numpy = sys.modules["numpy"]
    if type(value) is numpy.ndarray or type(value).__module__.partition(".")[0] == "numpy":
        return ""
    held = numpy.ndarray.view(value, numpy.ndarray)
    try:
        equal = bool(numpy.all(numpy.asarray(value == held) | (held != held)))  # noqa: PLR0124 -- NaN
        same = equal and repr(value.tolist()) == repr(held.tolist())
        same = same and not numpy.any(numpy.nan_to_num(numpy.asarray(value - held)))
        apart = numpy.resize([1.0, -1.0, 0.0], held.shape)  # another one of the same mean
        same = same and not numpy.any(numpy.asarray(value == held + apart) & (apart != 0) & numpy.isfinite(held))
    except Exception:  # noqa: BLE001 -- it need not have numbers, and a foreign class may raise anything
        return ""
    return "" if same else type(value).__name__


COMPARING = Comparing()
"""Of this process."""
