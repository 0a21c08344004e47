"""Results that take no work: what a call was given, or one and the same. Standard library only, Python 3.6 or later.

Where every tested call gave such a result, tests may show no more than that. That is tried: the function is not called
any more, and the trivial result is given in its place. Kinds:

- "given N": the argument at place N, "given list N": as a list, "given array N": as an array of floats;
- "sized N": a tuple of that argument, its sizes, and other arguments: this alone is the function's own;
- "yes", "no": that truth value;
- "still": what the first call gave.
"""

import sys

from .structure import Digest, array_library, as_numpy, library

PLACES = 3
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
        array = sys.modules["numpy"].asarray(given)
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
