"""Arguments like those of real calls, but others: of the same types and in their ranges, and each unlike the others.
Standard library only, Python 3.6 or later."""

import copy
import functools

from .definitions import judged, numbers_of
from .kinds import like_number
from .textbook import is_whole
from .wrong import wrong

TURNS, LONGER = 6, 3
"""Of one call, others that are made, and by how many items a list is longer in every second."""
FACTORS = (1.3, 0.45, 2.2, 0.7, 1.9, 0.3, 2.6, 0.85, 1.55)
SHARES = (0.3, 0.7, 0.15, 0.85, 0.42, 0.61, 0.24, 0.93, 0.55)
WHOLE = (3, 7, 2, 11, 5, 8, 4, 9, 6)
_APART = (4, 2, 5, 7, 8, 1)
"""In each turn, places between what two parameters are given of these."""
_LOW = {"low", "lo", "lower", "min", "start", "begin"}
_HIGH = {"high", "hi", "upper", "max", "stop", "end"}
_LABELS = {"label", "labels", "target", "targets", "truth", "mask", "flag", "y_true", "y", "t"}
_TEXTS = (" %s%s1 ", "%s-A b%s", "%s%s", "  X%sy%s.", "%s, %s", "z%sZ%s\n")
_OTHER = ("permuted", "shift", "fewer", "lower")


class Seen:
    """What real calls gave to the parameters `names`."""

    def __init__(self):
        self.names, self.calls = [], 0  # type: list[str], int
        self.kinds = {}  # type: dict[str, _Kind]
        self._ordered = set()  # type: set[tuple[str, str]]
        self.agreed = False
        """Whether a real call gave what is said."""

    def note(self, names, given):
        """Keep the arguments of one call; whether other ones would be made now than before."""
        before = self._told()
        self.names = names
        for name in names:
            numbers = numbers_of(given.get(name))
            if judged(numbers):
                kind = _Kind(numbers[1], is_whole(given[name]))
                self.kinds[name] = kind.joined(self.kinds.get(name, kind))
        one = {name: given[name] for name in names if type(given.get(name)) in (int, float)}
        less = {(a, b) for a in one for b in one if a != b and one[a] <= one[b] and _are_ordered(a, b, one)}
        self._ordered = self._ordered & less if self.calls else less
        self.calls += 1
        return self.calls > 1 and self._told() != before

    @property
    def orders(self):
        """Pairs of which the first was never more than the second, and once less."""
        return {(a, b) for a, b in self._ordered if (b, a) not in self._ordered}

    def _told(self):
        return {name: kind.told() for name, kind in self.kinds.items()}, self.orders


def _are_ordered(a, b, values):
    """Whether that one number is less than another may be meant: of counts, and by their names."""
    counts = type(values[a]) is type(values[b]) is int
    return counts or (_LOW & set(a.split("_")) and _HIGH & set(b.split("_")))


class _Kind:
    """Of the numbers that a parameter was given: their bounds, and whether all are of a type of whole ones, all 0 or 1,
    sum to one, or rise."""

    def __init__(self, flat, whole):
        self.low, self.high = min(flat), max(flat)
        self.flags = (
            whole,
            set(flat) <= {0, 1},
            len(flat) > 1 and min(flat) >= 0 and abs(sum(flat) - 1) < 1e-6,
            len(flat) > 2 and all(a < b for a, b in zip(flat, flat[1:])),
        )  # type: tuple[bool, ...]

    def joined(self, other):
        """Of the numbers of both."""
        made = copy.copy(self)
        made.low, made.high = min(self.low, other.low), max(self.high, other.high)
        made.flags = tuple(a and b for a, b in zip(self.flags, other.flags))
        return made

    def told(self):
        """What decides which others are made, but for how large they are."""
        return self.low < 0, self.high > 0, self.high > 1, self.flags

    def others(self, size, turn, place, whole, labels):
        """So many numbers that are unlike those of other turns and places."""
        _, binary, shares, rising = self.flags
        whole = whole or self.flags[0]
        steps = [4 * turn + _APART[turn] * place + i for i in range(size)]
        if binary and labels:
            return [(turn // (place + 1) + i) % 2 for i in range(size)]
        if whole:
            found = [self._whole(step) for step in steps]
        elif self.low >= 0 and 0 < self.high <= 1:
            found = [SHARES[step % len(SHARES)] for step in steps]
        else:
            scale = max(abs(self.low), abs(self.high)) or 1.0
            found = [FACTORS[step % len(FACTORS)] * scale * self._sign(step) for step in steps]
        if shares and not whole:
            found = [number / sum(found) for number in found]
        return sorted(found) if rising else found

    def _whole(self, step):
        large = max(abs(self.low), abs(self.high))
        number = WHOLE[step % len(WHOLE)] if large <= max(WHOLE) else round(FACTORS[step % len(FACTORS)] * large)
        return int(number * self._sign(step))

    def _sign(self, step):
        if self.low < 0:
            return -1 if self.high <= 0 or step % 2 else 1
        return 1


def inputs(seen, given, labels, longer):
    """Arguments by name, of which the noted ones are others, at first each other's; for `labels` 0 and 1 may stand for
    names; `longer` says that lists may have another length. Raises TypeError for what can't be made."""
    numeric = {name: numbers[0] for name, numbers in _numbers(given).items() if name in seen.names}
    lists = {name: shape for name, shape in _numbers(given).items() if shape[0]}
    longer = longer and set(lists) <= set(numeric) and {len(numbers[0]) for numbers in lists.values()} == {1}
    orders = seen.orders
    for turn in range(-1, TURNS):
        made = dict(given)
        for place, name in enumerate(seen.names):
            value = given.get(name)
            alike = [other for other in numeric if name in numeric and _are_alike(seen, given, name, other)]
            if alike and turn < 0:
                made[name] = given[alike[alike.index(name) - 1]]
            elif alike:
                more = LONGER if longer and turn % 2 else 0
                shape = tuple(length + more for length in numeric[name])
                named = name in labels or name in _LABELS
                size = functools.reduce(int.__mul__, shape, 1)
                kinds = [seen.kinds[other] for other in (alike if turn % 2 else [name])]
                flat = functools.reduce(_Kind.joined, kinds).others(
                    size, turn, place, bool(shape) and is_whole(value), named
                )
                made[name] = like_number(value, shape, flat)
            elif type(value) is str:
                made[name] = _TEXTS[turn] % (value, value[::-1])
            elif type(value) in (list, tuple):
                made[name] = wrong(copy.deepcopy(value), _OTHER[turn % len(_OTHER)])
        for _ in seen.names:
            for a, b in orders:
                if made[a] > made[b]:
                    made[a], made[b] = made[b], made[a]
        if all(made[a] <= made[b] for a, b in orders):
            yield made


def _are_alike(seen, given, one, other):
    """Whether one parameter may be given what another is."""
    return type(given[one]) is type(given[other]) and seen.kinds[one].told() == seen.kinds[other].told()


def _numbers(given):
    """Of the arguments that are numbers, their shapes and they."""
    found = {name: numbers_of(value) for name, value in given.items()}
    return {name: numbers for name, numbers in found.items() if judged(numbers)}
