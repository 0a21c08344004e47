"""Of what the calls of a function are given, what never varies: there a test can't tell one thing from another.
Standard library only, Python 3.6 or later.

Kinds of what is told of a parameter:

- "one value": a number, text or truth value that is the same in every call;
- "as another": numbers that are always the same as those of `other`;
- "as long": lists, texts or arrays that always have as many items as `other`;
- "one item": lists or arrays of no more than one item;
- "given": what has a default is given one by every call;
- "square": arrays or lists of rows with as many rows as columns, and more than one of them;
- "symmetric": such that are the same when they are turned over;
- "summing to 1": numbers that are none of them negative and always sum to one;
- "zeros and ones": lists of numbers that are all 0 or 1;
- "odd length", "even length": of lists of numbers;
- "equal items": numbers that are all the same, wherever there are several, but beside what holds nothing off its
  diagonal;
- "rows alike", "columns alike": rows, or columns, with the same sum, wherever there are several.

The first numbers of a list or tuple are told of as parameters by themselves (`a[0]`).
"""

import copy
import inspect

from .definitions import matrix, numbers_of
from .given import shown
from .structure import array_library

LARGE = 1e15
NUMBERS = 40
"""How large a number may be that is kept, and how many different calls are."""
NEAR = 1e-6
PARTS, NAMES = 4, 24
"""Numbers of one list that are looked at, and numbers of one call."""
_PLAIN = (bool, int, float, str)
_BINDS = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}


class Variety:
    """Of one function."""

    def __init__(self):
        self.calls, self.unknown, self.signature = 0, False, None
        self.defaulted, self.mixed, self.several = set(), set(), set()
        self.values, self.forms = {}, {}  # by name: the first value, if all are it; kinds that hold of all
        self.equal = None  # type: set[tuple[str, str]] | None
        self.long = None  # type: set[tuple[str, str]] | None
        self.numbers = []  # type: list[dict[str, float]]
        self.before = {}  # type: dict[str, object]

    def note(self, target, args, kwargs):
        """What one call is given; nothing is known of a function whose calls can't be read."""
        void = any(map(_is_void, [*args, *kwargs.values()]))
        kept = [name for name in vars(self) if name not in ("before", "signature")] if void else ()
        self.before = {name: copy.copy(getattr(self, name)) for name in kept}
        try:
            self.signature = self.signature or inspect.signature(target)
            bound = self.signature.bind(*args, **kwargs)
            self.defaulted.update(name for name in self.signature.parameters if name not in bound.arguments)
            bound.apply_defaults()
        except (TypeError, ValueError):
            self.unknown = True
            return
        given = {name: bound.arguments[name] for name, each in self.signature.parameters.items() if each.kind in _BINDS}
        held = {name: _plain_numbers(value) for name, value in given.items()}
        diagonal = {name for name, numbers in held.items() if _is_diagonal(numbers)}
        for name, value in given.items():
            same = type(value) in _PLAIN and self.values.get(name, (value,)) == (value,)
            self.values[name] = (value,) if same else None
            alike = _alike(held[name], diagonal - {name})
            unknown = _has_length(value) and not held[name][0] and not _is_nothing(value)
            known = _forms(value, held[name]) | {kind for kind in _ALIKE if alike.get(kind, not unknown)}
            self.forms[name] = self.forms.get(name, _FORMS) & known
            self.several.update((name, kind) for kind in alike)
            # one alone may as well be a pulse
            self.mixed.update([name] if sum(number != 0 for number in held[name][1]) > 1 else ())
        numbers = {name: value for name, value in given.items() if type(value) in (int, float) and abs(value) < LARGE}
        if numbers and numbers not in self.numbers and len(self.numbers) < NUMBERS:
            self.numbers.append(numbers)
        self.equal = _equal(self.equal, dict(numbers, **self.parts(given)))
        self.long = _equal(self.long, {name: len(value) for name, value in given.items() if _has_length(value)})
        self.calls += 1

    def judge(self, value):
        """Forget the last call if it was given nothing, or zeros, and that is what came of it: no use shows there."""
        if self.before and (value is None or _is_nothing(value)):
            vars(self).update(self.before)

    def parts(self, given):
        """The first numbers of the lists and tuples that a call is given, by how they are written (``a[0]``)."""
        found = {}  # type: dict[str, float]
        for name, value in given.items():
            for place, part in enumerate(value[:PARTS] if type(value) in (list, tuple) else ()):
                if type(part) in (int, float) and abs(part) < LARGE and len(found) < NAMES:
                    found["%s[%d]" % (name, place)] = part
        for name in [name for name in self.values if "[" in name and name not in found]:
            self.values[name] = None  # a call has no such part, or none that is a number
        for name, part in found.items():
            known = self.values.get(name, None if self.calls else (part,))
            self.values[name] = known if known == (part,) else None
        return found

    def report(self):
        """As JSON: what is told of its parameters, and the numbers that different calls gave."""
        return {"narrow": self.told(), "numbers": self.numbers}

    def told(self):
        """One for each parameter and kind: its name, the `kind`, and the `value` or the `other` parameter."""
        if self.unknown or self.signature is None:
            return []
        found = [
            {"parameter": name, "kind": "one value", "value": shown(value[0])}
            for name, value in self.values.items() if value is not None
        ]  # fmt: skip
        equal = sorted(pair for pair in self.equal or () if self.values[pair[0]] is None)
        found += [{"parameter": a, "kind": "as another", "value": b} for a, b in equal]
        found += [{"parameter": a, "kind": "as long", "value": b} for a, b in sorted(self.long or ())]
        found += [
            {"parameter": name, "kind": "given", "value": shown(each.default)}
            for name, each in self.signature.parameters.items()
            if each.default is not inspect.Parameter.empty and name not in self.defaulted
        ]
        return found + [
            {"parameter": name, "kind": one, "value": ""}
            for name, held in self.forms.items() for one in held
            if (one != "summing to 1" or name in self.mixed) and (one not in _ALIKE or (name, one) in self.several)
        ]  # fmt: skip


def _is_void(value):
    """Whether it is a list or array without items, or of zeros alone."""
    return bool(type(value) in (list, tuple, dict) or array_library(value)) and _is_nothing(value)


def _is_nothing(value):
    if type(value) in (list, tuple, dict, str, set) and not value:
        return True
    numbers = numbers_of(value) if type(value) in (int, float, list, tuple) or array_library(value) else None
    return numbers is not None and not any(numbers[1])


def _equal(known, numbers):
    """Pairs of names whose numbers are the same, of those `known` from earlier calls, if there were any."""
    names = sorted(numbers)
    found = {(a, b) for a in names for b in names if a < b and _is_same(numbers[a], numbers[b])}
    return found if known is None else known & found


def _has_length(value):
    return type(value) in (list, tuple, str) or bool(array_library(value) and getattr(value, "shape", ()))


def _is_same(one, other):
    return type(one) is type(other) and one == other


_ALIKE = frozenset(["equal items", "rows alike", "columns alike"])
_FORMS = _ALIKE | {"one item", "square", "symmetric", "summing to 1", "zeros and ones", "odd length", "even length"}


def _plain_numbers(value):
    """Of a plain list or an array, as an object of another class must not be asked; nothing of what has none."""
    plain = type(value) in (list, tuple) or array_library(value)
    return (numbers_of(value) if plain else None) or ((), [])


def _alike(numbers, diagonal):
    """Of what could differ within one argument, whether it is alike: where there is one alone nothing is shown, and
    nothing of numbers beside what is `diagonal`."""
    if len(numbers[0]) == 1 and len(numbers[1]) > 1 and not diagonal:
        return {"equal items": len(set(numbers[1])) == 1}
    rows = matrix(numbers) or []
    sums = {"rows alike": [sum(row) for row in rows], "columns alike": [sum(column) for column in zip(*rows)]}
    return {kind: max(found) - min(found) <= NEAR for kind, found in sums.items() if len(found) > 1}


def _is_diagonal(numbers):
    rows = matrix(numbers) or []
    square = len(rows) > 1 and len(rows) == len(rows[0])
    return square and not any(number for i, row in enumerate(rows) for j, number in enumerate(row) if i != j)


def _forms(value, numbers):
    """Kinds that hold of one argument, of several `numbers` or none."""
    if type(value) not in (list, tuple) and not array_library(value):
        return frozenset()
    shape, flat = numbers
    length = shape[0] if shape else len(value) if type(value) in (list, tuple) else 2
    found = {"one item"} if length < 2 else set()
    if len(shape) == 1:
        found |= {"odd length" if length % 2 else "even length"}
        found |= {"zeros and ones"} if flat and set(flat) <= {0, 1} else set()
        found |= {"summing to 1"} if flat and min(flat) >= 0 and abs(sum(flat) - 1) < NEAR else set()
    if len(shape) == 2 and shape[0] == shape[1] > 1:
        size = shape[0]
        turned = [flat[column * size + row] for row in range(size) for column in range(size)]
        found |= {"square", "symmetric"} if turned == flat else {"square"}
    return frozenset(found)
