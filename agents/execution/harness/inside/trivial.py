"""Results that take no work: what a call was given, or one and the same. Standard library only, Python 3.6 or later.

Two that take each other back (a text is encoded, and decoded again; two functions that are returned) agree wherever
both give back what they are given: `fed_back` tells where this can be, and `echoed` what they give then.

Where every tested call gave such a result, tests may show no more than that. That is tried: the function is not called
any more, and the trivial result is given in its place. Kinds:

- "given N": the argument at place N, "given list N": as a list, "given array N": as an array of floats;
- "sized N": a tuple of that argument, its sizes, and other arguments: this alone is the function's own;
- "yes", "no": that truth value;
- "still": what the first call gave.
"""

import copy
import functools
import sys
import types

from .structure import Digest, array_library, as_numpy, library, state

PLACES, KEPT = 3, 1000
KINDS = ("yes", "no", "still") + tuple(
    "%s %d" % (form, place) for form in ("given", "given list", "given array", "sized") for place in range(PLACES)
)
_DATA = (int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range)
_SIZED = (str, bytes, list, tuple, dict)


class Trivial:
    """Of one function: which kinds give what it gave in each call so far."""

    def __init__(self):
        self.noted, self.known, self.whole, self.exact = 0, True, True, set()
        self.given = None  # type: set[str] | None
        self.arguments, self.results, self.truths = set(), set(), set()

    def note(self, target, args, kwargs, value, whole=True):
        """What a call returned, or, not `whole`, the list of what it yielded; None for what is neither."""
        digest = Digest(value)
        if value is None or digest.opaque or digest.abstract:
            self.known = False
        if not self.known:
            return
        self.noted += 1
        self.results.add(digest.text)
        given = Digest([args, kwargs])
        self.arguments |= set() if given.opaque else {given.text}
        self.truths.add(str(value) if type(value).__name__ in ("bool", "bool_") else "")
        self.whole = whole
        places = {n: arg for n, arg in ((n, argument(target, args, kwargs, n)) for n in range(PLACES)) if _is_data(arg)}
        found = {"%s %d" % (form, n) for n, arg in places.items() for form in _forms(value, arg, places.values())}
        self.exact |= {"given list %d" % n for n in places if "given %d" % n in found}
        self.given = found if self.given is None else self.given & found

    def kinds(self, calls):
        """Those that give what all of so many calls gave."""
        if not self.known or not self.noted or self.noted < calls:
            return set()
        kinds = {name for name in self.given or () if not name.startswith("given list") or name in self.exact}
        kinds |= {"True": {"yes"}, "False": {"no"}, "": set()}[min(self.truths)] if len(self.truths) == 1 else set()
        if self.whole and len(self.results) == 1 and len(self.arguments) > 1 and self.truths == {""}:
            kinds.add("still")
        return kinds


class Fed:
    """Of one function: what its calls were given and what they made, by their digests, and whether functions are
    among it."""

    def __init__(self):
        self.given, self.made, self.functions = set(), set(), False

    def note(self, values, digests, result):
        """What one call was given, and gave: what it only hands on beside its result, it has not made."""
        parts = [*result] if type(result) is tuple else []
        self.functions = self.functions or any(_echoing(part) is not part for part in [result, *parts])
        if len(self.made) < KEPT:
            given = {known.text for value, known in zip(values, digests) if _is_data(value)}
            self.given |= given
            self.made |= {Digest(part).text for part in parts if _is_data(part)} - given
            self.made |= {Digest(result).text} if _is_data(result) else set()


def fed_back(each):
    """The kind "echoed" where what some of these functions made was given to one of them, or they make functions."""
    made, given = set().union(*(fed.made for fed in each)), set().union(*(fed.given for fed in each))
    return {"echoed"} if made & given or any(fed.functions for fed in each) else set()


_ECHOED = {}  # type: dict[int, object]
"""What was given back, by its id."""


def echoed(value, given):
    """What was `given`, in the place of what was made of it: what has the same form, of a tuple its parts by
    themselves, or the first there is. A function does so in its turn when it is called. Else `value` itself."""
    data = [each for each in given if _is_data(each)]
    parts = list(value) if type(value) is tuple else [value]
    like = [_in_place_of(part, data) for part in parts]
    whole = all(one is other for one, other in zip(like, parts))
    if whole:
        like = data[:1] if data and not isinstance(value, (bool, type(None))) else [value]
    _ECHOED.update((id(each), each) for each in like if len(_ECHOED) < KEPT)
    return like[0] if whole or type(value) is not tuple else tuple(like)


def taken_back(given):
    """[What was given], if a call has echoed it before: what fails on it, as it is made for what is right, would have
    given it back."""
    return [each for each in given if id(each) in _ECHOED][:1]


def _in_place_of(part, data):
    """What has the form of a part: its kind and size, texts of any length; itself if nothing has."""
    function = _echoing(part)
    return next((each for each in data if _form(each) == _form(part)), part) if function is part else function


def _form(value):
    shaped = array_library(value) or library(value) == "pandas"
    sized = isinstance(value, (list, tuple, dict, set, frozenset))
    return type(value), tuple(value.shape) if shaped else (len(value),) if sized else ()


def _echoing(value):
    """A function, or a copy of an object that is called and keeps functions, so that they echo; else what it was."""
    if isinstance(value, types.FunctionType):
        return _around(value)
    held = (state(value) if callable(value) and not isinstance(value, type) else None) or {}
    kept = {name: item for name, item in held.items() if isinstance(item, types.FunctionType)}
    clone = copy.copy(value) if kept else value
    for name, function in kept.items():
        object.__setattr__(clone, name, _around(function))
    return clone


def _around(function):
    @functools.wraps(function)
    def echo(*args, **kwargs):
        given = (*args, *kwargs.values())
        try:
            value = function(*args, **kwargs)
        except Exception:
            back = taken_back(given)
            if not back:
                raise
            return back[0]
        return echoed(value, given)

    return echo


def instead(kind, target, args, kwargs, first):
    """[the result of a kind], empty where the function is to be called; `first` holds what its first call gave."""
    form, _, place = kind.rpartition(" ")
    if kind in ("yes", "no"):
        return [kind == "yes"]
    if kind == "still":
        return list(first.values())
    value = argument(target, args, kwargs, int(place))
    if form == "given list":
        return [list(value)]
    if form == "given array":
        return [sys.modules["numpy"].asarray(value, dtype=float)]
    return [value] if form == "given" else []


def argument(target, args, kwargs, place):
    """The argument for the parameter at a place; None if there is none."""
    if place < len(args):
        return args[place]
    code = getattr(target, "__code__", None)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
    return kwargs.get(names[place]) if place < len(names) else None


def _is_data(value):
    return not isinstance(value, bool) and bool(
        isinstance(value, _DATA) or array_library(value) or library(value) == "pandas"
    )


def _forms(value, given, others):
    """How a result comes from an argument."""
    text = Digest(value).text
    if text == Digest(given).text:
        made = {list: {"given list"}}.get(type(value), {"given array"} if array_library(value) == "numpy" else set())
        return {"given"} | made
    if type(value) is list and isinstance(given, (tuple, range)):
        return {"given list"} if text == Digest(list(given)).text else set()
    if array_library(value) == "numpy" and isinstance(given, (list, tuple)):
        try:
            array = sys.modules["numpy"].asarray(given)
        except ValueError:  # its rows are not of one length
            return set()
        same = array.dtype.kind in "iuf" and array.shape == value.shape and bool((array == value).all())
        return {"given array"} if same and value.size else set()
    if type(value) is tuple and len(value) > 1 and _sizes(given) and _forms(value[0], given, ()):
        told = {Digest(other).text for other in others}
        sizes = _sizes(given)
        return {"sized"} if all(_is_size(part, sizes) or Digest(part).text in told for part in value[1:]) else set()
    return set()


def _sizes(value):
    """The lengths of a container and of the first one in it, and so on."""
    if array_library(value):
        return set(as_numpy(value).shape)
    if not isinstance(value, _SIZED) or not value:
        return {0} if isinstance(value, _SIZED) else set()
    inner = value[0] if isinstance(value, (list, tuple)) else None
    return {len(value)} | _sizes(inner)


def _is_size(part, sizes):
    if type(part) is tuple:
        return all(_is_size(one, sizes) for one in part)
    return type(part) is int and part in sizes
