"""Whether a function gives the same each time, answers by more than a table, and is the one whose text is shown.
Standard library only, Python 3.6 or later.

Nothing of this need be promised. What is found is told as a refuted promise without words.
"""

import copy
import functools
import inspect
import random
import re
import sys
import time
import types

from .comparing import bent
from .definitions import judged, near, numbers_of
from .fresh import Seen, inputs
from .given import Given, same, shown
from .ownership import OWN, code_of
from .reading import READING
from .structure import Digest, array_library, as_numpy
from .textbook import at_once, plain

TIMES, FIRST, SECONDS = 64, 4, 0.4
"""Calls that are alike, those of them that must agree for a later one to tell anything, and the time for all."""
COUNTED = 5000
"""The same of calls that leave something behind in their module: they may count."""
LEAST, FAR, TABLE = 3, 0.1, 10000
"""Entries of a table, and how far from them a rule is wrong that need not be exact."""
IDENTITY = 2**32
"""From here on a number may be where something lies."""
ASKED, FRESH = (3, 8), 4
"""Of one function, the different calls after which it is given other arguments, and how many of these must tell."""
_KEEPS = {
    "loads", "load", "open", "read_text", "read_bytes", "crc32", "adler32", "md5", "sha1", "sha256", "hexdigest",
    "fromhex", "b64decode", "b85decode", "unpack", "frombuffer",
}  # fmt: skip
"""By what a function gets at answers that are kept somewhere, beside a dictionary of its module."""
_SAID_KEPT = re.compile(
    r"(?i)look\w* ?up|lookup|\btables?\b|\bcodes?\b|\bids?\b|regist|\bknown\b|cache|\bstored?\b|\bkept\b|\bkeys?\b"
    r"|default|fall ?back|unknown|missing|otherwise"
)
_SAID_SAME = re.compile(r"(?i)\b(?:same|shar\w+|repeat\w*|cycl\w+|identical|alias\w*|view)\b")
_CLOCKS = {
    "time", "time_ns", "monotonic", "perf_counter", "now", "today", "utcnow", "process_time", "sleep", "urandom",
    "token_bytes", "uuid4", "SystemRandom",
}  # fmt: skip
_STATE = re.compile(
    r"(?i)\b(?:calls?|called|invocations?|quota|stateful\w*|rotat\w+|cycl\w+|warm[- ]?up|next|history|budget"
    r"|round[- ]robin)\b"
)


def worn(target, args, kwargs):
    """What one of many equal calls gives that the first ones do not; "" for nothing."""
    code = code_of(target)
    if code is None or _STATE.search(str(target.__doc__)) or _CLOCKS.intersection(OWN.names(code)[0]):
        return ""
    stop, chance = time.monotonic() + SECONDS, _chances()
    first = kept = None
    for number in range(COUNTED):
        kept = _kept(target) if number == 1 else kept
        if number == TIMES and kept == _kept(target):
            break
        given, named = copy.deepcopy((args, kwargs))
        found = plain(at_once(target(*given, **named)))
        if number == 0:
            first = copy.deepcopy(found)
            if not (judged(numbers_of(first)) or type(first) in (str, list, tuple, dict)):
                return ""
        elif not same(first, found):
            by_chance = number < FIRST or chance != _chances()
            return "" if by_chance else "%s, and the same call for the %d. time %s" % (
                shown(first), number + 1, shown(found))  # fmt: skip
        if time.monotonic() > stop:
            break
    return ""


_OF_THE_FIRST = re.compile(
    r"(?i)\b(?:first|once|only|singleton|initial\w*|default\w*|regist\w*|already|earlier|fall ?back|since|so far)\b"
)


def confused(target, args, kwargs, apart):
    """Of a call that is `apart` in a child of its own, and one that differs from it within an argument: whether what is
    kept of the one is given for the other; "" if not."""
    given, code = Given(target, args, kwargs), code_of(target)
    if code is None or _OF_THE_FIRST.search(str(target.__doc__)) or _STATE.search(str(target.__doc__)):
        return ""
    alone = apart(lambda: _and_kept(given, target))
    for name, *both in _within(given) if alone and alone[1] else ():

        def after(fresh, name=name):
            other, new = _and_kept(given, target, **{name: fresh})
            found, more = _and_kept(given, target)
            value = given.call()
            told = new and not more and found == other != alone[0] and judged(numbers_of(value))
            return [shown(value), shown(given.value(name)), shown(fresh)] if told else []

        told = [apart(functools.partial(after, fresh)) for fresh in both]
        if all(told) and alone == apart(lambda: _and_kept(given, target)):
            return "%s for %s = %s once it was called with %s" % (told[0][0], name, *told[0][1:])
    return ""


def _and_kept(given, target, **changed):
    """A text for what a call gives, and whether it leaves something behind under keys of numbers alone."""
    before = _dictionaries(target)
    text = Digest(given.call(**changed)).text
    new = [key for place, keys in _dictionaries(target).items() for key in keys.difference(before.get(place, ()))]
    return [text, bool(new) and all(map(_is_of_numbers, new))]


def _within(given):
    """A parameter with two arguments that are other than its own between the ends, or altogether, as numbers: more and
    less, so that it is no largest or smallest one that is kept."""
    for name, value in given.bound.arguments.items():
        if type(value) in (list, tuple) and len(value) >= LEAST and all(type(each) in (int, float) for each in value):
            inner = [[each + step for each in value[1:-1]] for step in (1, -1)]
            yield (name, *[type(value)([value[0], *one, value[-1]]) for one in inner])
        elif array_library(value) == "numpy" and value.dtype.kind in "if" and value.ndim == 1 and len(value) >= LEAST:
            both = value.copy(), value.copy()
            both[0][1:-1] += 1
            both[1][1:-1] -= 1
            yield (name, *both)
        elif type(value) in (int, float) and len(given.names) > 1:
            yield name, value + 1, value - 1


def _is_of_numbers(key):
    """Whether a key tells of what a call was given by numbers that are no identities."""
    parts = key if type(key) is tuple else (key,)
    return any(type(each) in (int, float) for each in parts) and all(
        type(each) in (float, str, bool, type(None)) or (type(each) is int and abs(each) < IDENTITY) for each in parts
    )


def _dictionaries(target):
    """The keys of all dictionaries that a function, and what it wraps, can keep anything in."""
    found = {}  # type: dict[str, frozenset[object]]
    while isinstance(target, types.FunctionType):
        held = inspect.getclosurevars(target)
        tables = {**held.globals, **held.nonlocals, **vars(target)}
        found.update((target.__name__ + "." + k, frozenset(v)) for k, v in tables.items() if isinstance(v, dict))
        target = getattr(target, "__wrapped__", None)
    return found


_SAID_SHARED = re.compile(
    r"(?i)\b(?:shar\w*|class(?:es)?|class-?(?:level|wide)|global\w*|singleton|static|all (?:instances|objects)|common"
    r"|same (?:value )?for|regist\w*|borg|monostate)\b"
)


def one_for_all(target, args):
    """What a descriptor gives for one object once it is set on another of the same class, "" if it is as it was."""
    one, instance, value = args
    kind = type(one)
    told = "%s %s %s" % (kind.__name__, kind.__doc__, target.__doc__)
    other = copy.copy(instance)
    if _SAID_SHARED.search(told) or not hasattr(kind, "__get__") or other is instance or other == instance:
        return ""
    kind.__set__(one, instance, copy.deepcopy(value))
    first = copy.deepcopy(kind.__get__(one, instance, type(instance)))
    if not same(first, kind.__get__(one, instance, type(instance))):
        return ""
    for fresh in _unlike(value):
        second = _set_on(one, other, fresh)
        if second is not None and not same(second, first):
            now = kind.__get__(one, instance, type(instance))
            return "" if same(now, first) else "%s, once %s was set on another object, and %s before" % (
                shown(now), shown(fresh), shown(first))  # fmt: skip
    return ""


def _set_on(one, other, fresh):
    """What a descriptor gives for an object that something was set on, None if it is not taken."""
    try:
        type(one).__set__(one, other, fresh)
        return copy.deepcopy(type(one).__get__(one, other, type(other)))
    except Exception:  # noqa: BLE001 -- it need not take this one
        return None


def _unlike(value):
    """Other values of the sort of one."""
    if type(value) is bool:
        return [not value]
    if type(value) in (int, float):
        return [value + 1, value - 1, value / 2, type(value)(0), type(value)(1), value * 2]
    return [value + "x", value[::-1], value[:-1]] if type(value) is str else []


def _kept(target):
    """A text for the data that a function's module holds, its classes and functions too, and the function itself; ""
    for an object that is called, of which nobody knows where it keeps anything."""
    function = inspect.unwrap(target)
    if not isinstance(function, types.FunctionType):
        return ""
    held = dict(getattr(function, "__globals__", {}), **inspect.getclosurevars(function).nonlocals)
    data = [(name, _data_of(value, function.__module__)) for name, value in held.items() if not name.startswith("__")]
    return Digest([[name, value] for name, value in data if value is not None] + [function.__defaults__]).text


def _data_of(value, module):
    """Of a class or function its attributes that are data; of what counts by itself, where it stands."""
    if isinstance(value, (type, types.FunctionType)):
        own = value.__module__ == module
        return [[k, v] for k, v in vars(value).items() if own and type(v) in (int, float, str, list, dict, set)] or None
    if isinstance(value, types.GeneratorType):
        return object()
    if type(value).__module__ == "itertools":
        return repr(value)
    return None if isinstance(value, (types.ModuleType, types.BuiltinFunctionType)) else value


def _chances():
    """The states of the common generators, as a text."""
    numpy = sys.modules.get("numpy")
    return repr(random.getstate()) + (repr(numpy.random.get_state()) if numpy else "")


def key_of(args, kwargs):
    """What a table may have a call's answer by; None for what is no number, or no numbers."""
    key = args[0] if len(args) == 1 else tuple(args)
    parts = key if type(key) is tuple else (key,)
    return key if not kwargs and parts and all(type(part) in (int, float) for part in parts) else None


def tables(target, keys):
    """The names of tables beside a function all of whose keys it was called with, and whose values are numbers."""
    function = inspect.unwrap(target)
    code, there = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    named = [(name, there.get(name)) for name in (code.co_names if code is not None else ())]
    return [
        name for name, table in named
        if type(table) is dict and len(table) >= LEAST and keys.issuperset(table)
        and all(type(value) in (int, float) for value in table.values())
    ]  # fmt: skip


def untabled(target, name):
    """What other answers than those of a table a function gives without it, by a rule of its own; "" for none, or where
    it has no other."""
    table = inspect.unwrap(target).__globals__[name]
    answers = dict(table)
    if not all(near(_answer(target, key), value) for key, value in answers.items()):
        return ""
    table.clear()
    found = {key: _answer(target, key) for key in answers}
    wrong = [key for key in answers if abs(found[key] - answers[key]) > FAR * abs(answers[key])]
    if len(set(found.values())) < 2 or 2 * len(wrong) <= len(answers):
        return ""
    return "%s for %s, and without its table %s %s" % (
        shown(answers[wrong[0]]),
        shown(wrong[0]),
        name,
        shown(found[wrong[0]]),
    )


def _answer(target, key):
    found = plain(at_once(target(*(key if type(key) is tuple else (key,)))))
    if type(found) not in (int, float):
        raise TypeError("no number")
    return found


class Answered:
    """The different calls of a function with nothing but numbers, to see whether it answers these alone."""

    def __init__(self):
        self.calls, self.seen, self.known = [], Seen(), set()

    def note(self, target, args, kwargs):
        """Keep a call; whether it is time to ask for others."""
        if "." in str(getattr(target, "__qualname__", ".")) or len(self.calls) >= max(ASKED):
            return False
        given = dict(Given(target, args, kwargs).bound.arguments)
        text = Digest(sorted(given.items())).text
        if text in self.known or not all(judged(numbers_of(value)) for value in given.values()):
            return False
        self.known.add(text)
        self.calls.append(copy.deepcopy((args, kwargs)))
        self.seen.note(list(given), given)
        return len(self.calls) in ASKED

    def else_nothing(self, target):
        """What shows that a function has different answers to what it was asked, and none, or one and the same, to
        anything else; "" if it is not so, or if it says so."""
        code = code_of(target)
        if code is None or _SAID_KEPT.search("%s %s" % (code.co_name, target.__doc__)):
            return ""
        known = [plain(at_once(target(*args, **kwargs))) for args, kwargs in copy.deepcopy(self.calls)]
        if not all(judged(numbers_of(one)) for one in known) or len({shown(one) for one in known}) < LEAST:
            return ""
        given, found = Given(target, *self.calls[-1]), []
        if not (_KEEPS.intersection(code.co_names) or (_held(target, known) and not self._of_one_count())):
            return ""
        for others in inputs(self.seen, dict(given.bound.arguments), (), False):
            if Digest(sorted(others.items())).text not in self.known:
                found.append((others, _or_key_error(given, others)))
        one = found[0][1] if found else None
        alike = len(found) >= FRESH and all(shown(each) == shown(one) for _, each in found)
        if not alike:
            return ""
        asked = ", ".join("%s = %s" % (name, shown(value)) for name, value in sorted(found[0][0].items()))
        return "%s for %s, and for %s other calls" % (
            "KeyError" if one is KeyError else shown(one), asked, len(found) - 1)  # fmt: skip

    def _of_one_count(self):
        """Whether it is only asked for one whole number each time: a year, a place, a code may well have a table."""
        return all(type(given) is int for args, kwargs in self.calls for given in (*args, *kwargs.values())) and all(
            len(args) + len(kwargs) == 1 for args, kwargs in self.calls
        )


def _held(target, known):
    """Whether a dictionary of its module holds all that it gave."""
    function = inspect.unwrap(target)
    code, there = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    for table in (there.get(name) for name in (code.co_names if code is not None else ())):
        if type(table) is dict and LEAST <= len(table) <= TABLE:
            values = {shown(value) for value in table.values()}
            if all(shown(one) in values for one in known):
                return True
    return False


def _or_key_error(given, others):
    try:
        return given.call(**others)
    except KeyError:
        return KeyError


def swapped(target, args):
    """The name of a method in whose place its class has code of the repository that does not come from its text; "" if
    it is in its place."""
    owner, _, name = str(getattr(target, "__qualname__", "")).rpartition(".")
    code = code_of(target)
    kinds = type(args[0]).__mro__ if args and owner and not owner.endswith("<locals>") else ()
    for kind in kinds if code is not None else ():
        if kind.__qualname__ != owner or name not in vars(kind) or kind.__module__ != target.__module__:
            continue
        now = vars(kind)[name]
        held = [now.fget, now.fset, now.fdel] if isinstance(now, property) else [now]
        codes = [code_of(one) for one in held]
        foreign = [one for one in codes if one is not None and one.co_filename == code.co_filename]
        if foreign and code not in codes:
            return "%s.%s" % (owner, name)
    return ""


def foreign(target, args):
    """Whether what runs is what is written, and takes nothing from the tests: what contradicts that."""
    found = []
    name = swapped(target, args)
    if name:
        found.append({"kind": "written", "args": [name], "found": name})
    code = code_of(target) if READING.read else None
    path = READING.told(target, code.co_name, OWN.names(code)[0]) if code is not None else ""
    if path:
        found.append({"kind": "reads", "args": [], "found": path})
    return found


def odd(target, args, kwargs, value):
    """What nobody would believe of a result who compares it: that it is equal to what it is not, or that the items of a
    list are one object, made by the call."""
    told = bent(value)
    if told:
        return [{"kind": "bent", "args": [], "found": told}]
    if type(value) is not list or len(value) < 2 or any(each is not value[0] for each in value):
        return []
    item = value[0]
    changes = type(item) in (list, dict, set) or array_library(item) in ("numpy", "torch")
    given = [*args, *kwargs.values()]
    handed = any(item is each or (type(each) in (list, tuple, dict) and _holds(each, item)) for each in given)
    if not changes or handed or _SAID_SAME.search(str(getattr(target, "__doc__", ""))):
        return []
    return [{"kind": "aliased", "args": [], "found": shown(value)}]


def _holds(container, item):
    parts = container.values() if type(container) is dict else container
    return any(each is item for each in parts)


def any_order(args, kwargs):
    """Whether all orders of a result are as right: chance makes it of arrays whose numbers are all the same."""
    given = [*args, *kwargs.values()]
    arrays = [as_numpy(each) for each in given if array_library(each)]
    same = [each.size > 0 and bool((each == each.reshape(-1)[0]).all()) for each in arrays]
    numpy = sys.modules.get("numpy")
    kinds = (random.Random, numpy.random.Generator, numpy.random.RandomState) if numpy else (random.Random,)
    return bool(same) and all(same) and any(isinstance(each, kinds) for each in given)
