"""Whether what compares in tests is what its package made. Standard library only, Python 3.6 or later.

A test that says `==`, and means what its repository has put there, shows nothing. Functions by which tests compare are
kept when their modules are first seen, and looked at when a test calls a unit. A test class may compare in its own way,
as arrays must be; but it must tell numbers that differ from such that are equal.
"""

import os
import sys
import types
from typing import Any, Tuple

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
_PAIRS = ((6.0, -6.0), (6.0, 7.0), (-2, 2), (3, 1), (0.25, 0.75))
_PLAIN: Tuple[Any, ...] = (float, int, list, tuple, str)
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


def _holds(method, first, second):
    """Whether two are taken for equal; None if it is not for such."""
    try:
        method(first, second)
    except AssertionError:
        return False
    except Exception:  # noqa: BLE001 -- it may be for other values, and raise anything
        return None
    return True


def bent(value):
    """What a value, whose class compares in a way of its own, takes for equal and is not, while it is not equal to
    what it holds; "" for nothing."""
    base = next((kind for kind in _PLAIN if isinstance(value, kind)), None)
    if base is None or type(value) is base or not isinstance(getattr(type(value), "__eq__", None), types.FunctionType):
        return ""
    plain = base.__add__(value, base())
    if base in (float, int):
        others = [-plain, plain + 1, plain - 1, plain * 2, plain * 3]
    else:
        others = [plain[::-1], plain[1:] + plain[:1]]
    itself = _is_equal(value, plain)
    if itself or plain != plain:  # noqa: PLR0124 -- NaN
        return ""
    told = next(("%r == %r" % (plain, other) for other in others if other != plain and _is_equal(value, other)), "")
    return told or ("%r != %r" % (plain, plain) if itself is False and base in (float, int) else "")


def _is_equal(one, other):
    """None where it can't be compared."""
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 -- a foreign class may raise anything
        return None


COMPARING = Comparing()
"""Of this process."""
