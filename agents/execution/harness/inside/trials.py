"""Whether a function keeps what its documentation shows of single calls, and says of its accuracy, of shares and of
expected values. Standard library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`.
"""

import ast
import datetime
import math
import random
import re
import sys
from typing import Any, Dict

from .definitions import judged, numbers_of
from .given import result_of, same, shown
from .kinds import like_number
from .structure import array_library
from .textbook import Disagrees, at_once, plain

ROOM = 2.0
"""Times that an error may be larger than the one that is told: that may be a bound of another norm."""
_QUANTITY = re.compile(r" *(\d+(?:\.\d+)?) *([A-Za-z]+)")
_SECONDS: Dict[str, float] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86400),
    **dict.fromkeys(("w", "week", "weeks"), 604800),
    "ms": 0.001,
}
_POWERS: Dict[str, int] = {"b": 0, "k": 1, "kb": 1, "kib": 1, "m": 2, "mb": 2, "mib": 2, "g": 3, "gb": 3, "gib": 3}


def example(given, call, wanted, loose=False):
    """The documentation shows what a call gives: both as Python. In prose (`loose`) a part of an argument may be meant:
    then what holds the text that is shown, or leaves it as it is, is none of it. Nothing is told of what two calls give
    differently: chance has a part in it."""
    (args, named), again = _written(call), _written(call)
    if any(not _are_alike(one, other) for one, other in zip(args, given.bound.args)):
        return None
    expected = ast.literal_eval(wanted)
    found = plain(at_once(given.target(*args, **named)))
    if not same(found, plain(at_once(given.target(*again[0], **again[1])))):
        return None
    agrees = _is_shown(found, expected, wanted)
    if loose and not agrees and type(found) is str and _is_of_a_part(found, args[0], expected):
        return None
    return agrees if agrees is None else ("" if agrees else "%s for %s" % (shown(found), call))


def _written(call):
    """The arguments of a call that stands in a text, made anew."""
    node = ast.parse(call, mode="eval").body
    return [ast.literal_eval(arg) for arg in node.args], {w.arg: ast.literal_eval(w.value) for w in node.keywords}


_BETWEEN = " -_."


def _is_of_a_part(found, text, expected):
    spelling = [re.sub(r"[\W_]", "", one).lower() for one in (text, expected)]
    if found == text and spelling[0] != spelling[1]:
        return True
    return expected in found and expected.strip(_BETWEEN) != found.strip(_BETWEEN)


def in_front(given, first, second):
    """Where texts are sorted, one stands before another; or what gives the keys to sort by makes its key smaller."""
    name, value = given.names[0], given.bound.arguments[given.names[0]]
    if type(value) is str:
        keys = [result_of(given, **{name: one}) for one in (first, second)]
        return _keys_in_order(keys, first, second)
    if type(value) not in (list, tuple) or any(type(item) is not str for item in value):
        return None
    if True in given.bound.arguments.values() or not _is_sorted_anew(given.call(), value):
        return None
    for order in ([second, first], [second, first, second], [first, second]):
        fresh = type(value)(order)
        found = result_of(given, **{name: fresh})
        if _is_sorted_anew(found, fresh) and found.index(second) < found.index(first):
            return "%s for %s" % (shown(found), shown(fresh))
    return ""


def _is_sorted_anew(found, items):
    texts = type(found) in (list, tuple) and all(type(item) is str for item in found)
    return texts and sorted(found) == sorted(items)


def _keys_in_order(keys, first, second):
    if type(keys[0]) not in (list, tuple, str) or type(keys[0]) is not type(keys[1]):
        return None
    try:
        wrong_way = keys[1] < keys[0]
    except TypeError:
        return None
    return "%s for %r, and %s for %r" % (shown(keys[0]), first, shown(keys[1]), second) if wrong_way else ""


def _are_alike(one, other):
    numbers = {int, float}
    return type(one) is type(other) or {type(one), type(other)} <= numbers or other is None


def _is_shown(found, wanted, text):
    """Whether a result is what is shown, a number as far as it is; None if it is of another sort."""
    if array_library(found):
        found = found.tolist()
    if type(wanted) in (bool, str, type(None)) or type(found) in (bool, str, type(None)):
        return found == wanted if type(found) is type(wanted) else None
    if type(wanted) in (int, float):
        digits = len(text.partition(".")[2]) if "e" not in text.lower() else 0
        room = 1.01 * 10.0**-digits if digits else 1e-9 * abs(wanted)
        return abs(found - wanted) <= room if type(found) in (int, float) else None
    if type(wanted) in (list, tuple):
        listed = list(found) if type(found) in (list, tuple) else None
        return None if listed is None else len(listed) == len(wanted) and _has_parts(listed, list(wanted))
    return same(found, wanted) if type(found) is type(wanted) else None


def _has_parts(found, wanted):
    told = [_is_shown(one, other, repr(other)) for one, other in zip(found, wanted)]
    return None if None in told else all(told)


def quantity(given, unit, texts):
    """A text with units becomes a number of one: of seconds, or of bytes."""
    text = given.bound.arguments[given.names[0]]
    if type(text) is not str:
        return None
    real = _wanted(unit, text)
    if real and not _is_one_of(given.call(), real):
        raise Disagrees
    for each in (*texts, *_with_all_parts(texts)):
        fresh = [each] + [re.sub(r"\d+", str(number), each, count=1) for number in (3, 11)]
        for one in fresh:
            found, wanted = result_of(given, **{given.names[0]: one}), _wanted(unit, one)
            if wanted and found is not None and not _is_one_of(found, wanted):
                return "%s for %r, which is %s" % (shown(found), one, shown(wanted[0]))
    return ""


def _with_all_parts(texts):
    """A text with each unit that is shown, the largest first, if some text has several."""
    several = [text for text in texts if len(_QUANTITY.findall(text)) > 1]
    units = {name: number for text in texts for number, name in _QUANTITY.findall(text)}
    if not several or len(units) < 3 or not all(name in _SECONDS for name in units):
        return
    largest = sorted(units, key=lambda name: -_SECONDS[name])
    for between in sorted({" " if " " in text.strip() else "" for text in several}):
        yield between.join(units[name] + name for name in largest)


def _wanted(unit, text):
    parts = _QUANTITY.findall(text)
    if not parts or _QUANTITY.sub("", text).strip():
        return []
    if unit == "bytes":
        if not all(name.lower() in _POWERS for _, name in parts):
            return []
        return [sum(float(n) * base ** _POWERS[name.lower()] for n, name in parts) for base in (1000, 1024)]
    if not all(name in _SECONDS for _, name in parts):
        return []
    return [sum(float(n) * _SECONDS[name] for n, name in parts) / _SECONDS[unit]]


def _is_one_of(found, wanted):
    if isinstance(found, datetime.timedelta):
        found = found.total_seconds()
    return type(found) not in (int, float) or any(abs(found - one) <= 1e-9 * (1 + abs(one)) for one in wanted)


_ARGUMENTS = (-2.75, -1.5, -0.7, -0.2, 0.1, 0.55, 0.9, 1.3, 2.2, 3.1)
_REAL: Dict[str, Any] = {
    "normal_cdf": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2,
    "square_root": math.sqrt,
    "erf": math.erf,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "gamma": math.gamma,
}
_WIDE: Dict[str, Any] = {"square_root": (2.0, 0.3, 12345.678, 3e6, 7e-5), "log": (0.3, 2.0, 1234.5, 6e-3)}
_INTEGRALS = (
    (math.exp, 0.0, 1.0, math.e - 1),
    (math.sin, 0.0, math.pi, 2.0),
    (lambda x: 1 / (1 + x * x), -1.0, 2.0, math.atan(2) + math.atan(1)),
)


def accurate(given, name, most, relative):
    """An error that is not exceeded; `most` is absolute, or `relative` to what is right."""
    names = given.names
    if name == "integral":
        tries = [(dict(zip(names, one[:3])), one[3]) for one in _INTEGRALS]
        plain = len(names) >= 3 and callable(given.bound.arguments[names[0]])
    else:
        tries = [({names[0]: x}, _REAL[name](x)) for x in _WIDE.get(name, _ARGUMENTS) if name != "gamma" or x > 0]
        plain = type(given.bound.arguments[names[0]]) in (int, float)
        known = plain and result_of(given)
        if plain and type(known) in (int, float):
            right = _REAL[name](given.bound.arguments[names[0]])
            if abs(known - right) > 0.05 * (1 + abs(right)):
                raise Disagrees
    for changed, right in tries if plain else ():
        found = result_of(given, **changed)
        found = found[0] if type(found) is tuple and found else found
        error = abs(found - right) if type(found) in (int, float) else 0.0
        if error > ROOM * most * (abs(right) if relative else 1.0) + 1e-14 * abs(right):
            what = ", ".join("%s = %s" % (key, shown(value)) for key, value in changed.items())
            return "%r for %s, where %r is right: an error of %.2g" % (found, what, right, error)
    return ""


_LABELS = ("labels", "label", "y", "strata", "stratum", "targets", "target", "classes", "groups")


def stratified(given):
    """The first part has the share of each label, up to one of them."""
    values = given.bound.arguments
    lists = [name for name in given.names if type(values[name]) in (list, tuple, str) or _is_row(values[name])]
    labelled = [name for name in lists if name in _LABELS]
    labelled = labelled if len(lists) == 2 else lists
    shares = [name for name in given.names if type(values[name]) is float and 0 < values[name] < 1]
    if not 1 <= len(lists) <= 2 or len(labelled) != 1 or len(shares) != 1:
        return None
    share, kinds = values[shares[0]], sorted(set(_listed(values[labelled[0]])), key=repr)
    kinds = kinds if len(kinds) > 1 else [*kinds, *[one for one in ("a", "b") if type(kinds[0]) is str], 7][:2]
    chance = random.Random(3)  # noqa: S311 -- an order
    orders = [[kinds[0]] * 20 + [kinds[1]] * 12, [kinds[1]] * 12 + [kinds[0]] * 20]
    orders.append(chance.sample(orders[0], 32))
    for order in orders:
        fresh = {labelled[0]: _in_form(values[labelled[0]], order)}
        fresh.update({name: _in_form(values[name], list(range(32))) for name in lists if name not in labelled})
        found = result_of(given, **fresh)
        parts = [_listed(part) for part in found[:2]] if type(found) in (tuple, list) and len(found) > 1 else []
        places = [place for part in parts for place in part if type(place) is int]
        if sorted(places) != list(range(32)) or len(places) < sum(map(len, parts)):
            return None
        counts = [[sum(order[place] == kind for place in part) for kind in kinds[:2]] for part in parts]
        whole = [order.count(kind) for kind in kinds[:2]]
        if not any(
            all(abs(n - part * of) < 1 + 1e-9 for n, of in zip(counts[0], whole)) for part in (share, 1 - share)
        ):
            return "%d of %d and %d of %d of two labels for %s = %s" % (
                counts[0][0], whole[0], counts[0][1], whole[1], shares[0], share)  # fmt: skip
    return ""


def _is_row(value):
    return array_library(value) == "numpy" and len(value.shape) == 1


def _listed(value):
    return value.tolist() if array_library(value) else list(value)


def _in_form(value, items):
    if type(value) is str:
        return "".join(map(str, items))
    return sys.modules["numpy"].array(items) if array_library(value) else type(value)(items)


def expected(given, name):
    """What chance leaves out is made up for by what it leaves: the mean stays, whatever the rate is."""
    arrays = [one for one in given.names if array_library(given.bound.arguments[one]) == "numpy"]
    rate = given.value(name)
    if len(arrays) != 1 or type(rate) not in (int, float) or result_of(given) is None:
        return None
    ones = like_number(given.bound.arguments[arrays[0]].astype("float64"), (20000,), [1.0] * 20000)
    for fresh in (0.2, 0.5, 0.75):
        numbers = numbers_of(result_of(given, **{arrays[0]: ones[:9999], name: fresh}))
        mean = sum(numbers[1]) / len(numbers[1]) if judged(numbers) and numbers[0] == (9999,) else 1.0
        if abs(mean - 1) > 0.15:
            return "a mean of %.3f for nothing but ones and %s = %s" % (mean, name, fresh)
    return ""


OF_TRIALS: Dict[str, Any] = {
    "example": example,
    "in_front": in_front,
    "quantity": quantity,
    "accurate": accurate,
    "stratified": stratified,
    "expected": expected,
}
"""By the kind of promise."""
