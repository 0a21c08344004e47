"""A real call, made again with other arguments, and what comes of it compared. Standard library only, Python 3.6 or
later."""

import copy
import inspect

from .definitions import NEAR, close, judged, numbers_of
from .structure import Digest
from .textbook import at_once, plain

SHOWN = 90


class Given:
    """A real call, which can be made again, with some arguments changed."""

    def __init__(self, target, args, kwargs):
        self.target, self.bound = target, inspect.signature(target).bind(*args, **kwargs)
        self.names = list(self.bound.arguments)

    def call(self, **changed):
        """What comes of copies of the arguments; of what yields, a list."""
        return self.made(**changed)[0]

    def made(self, **changed):
        """(The same, the copies that were given)."""
        bound = copy.copy(self.bound)
        bound.arguments = copy.deepcopy(self.bound.arguments)
        bound.arguments.update(copy.deepcopy(changed))
        return plain(at_once(self.target(*bound.args, **bound.kwargs))), bound

    def value(self, name):
        """An argument, or what stands for it."""
        return self.bound.arguments.get(name, self.default(name))

    def default(self, name):
        """What stands for an argument that is not given."""
        return inspect.signature(self.target).parameters[name].default


def result_of(given, **changed):
    """What a call gives; None where it raises."""
    try:
        return given.call(**changed)
    except Exception:  # noqa: BLE001 -- it is not made for these
        return None


def same(one, other):
    """Whether two values are equal but for rounding, and the sort of container."""
    left, right = numbers_of(one), numbers_of(other)
    if left and right:
        return left[0] == right[0] and bool(close(left[1], right[1]))
    if type(one) in (list, tuple) and type(other) in (list, tuple):
        return alike(one, other)
    return Digest(one).text == Digest(other).text


def shown(value):
    """A value for people, shortened."""
    text = repr(value).replace("\n", " ")
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def alike(one, other):
    """Whether two sequences have the same items."""
    return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))


def is_within(found, low, high):
    """Whether no number of a result lies beyond these bounds."""
    numbers = numbers_of(found)
    return not judged(numbers) or all(low - NEAR <= number <= high + NEAR for number in numbers[1])
