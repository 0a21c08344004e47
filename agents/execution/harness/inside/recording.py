"""Keeps what calls from outside give to a function, or to the objects of a class, so that they can be made again.
Standard library only, Python 3.6 or later.

`recorded()` is the outermost decorator of what is watched; `TRACES` are what was kept. A trace has "new", what the
class was made with (None for a function), and "steps", the calls then. Each is ``[method, arguments, keywords]`` with
the arguments as `plain.dump` tells them; the method of a function is "". What can't be told ends its trace.
"""

import functools
import threading
import types

from .plain import NotPlain, dump

MOST, STEPS, BYTES = 24, 12, 2000000
"""Traces, calls of each, and bytes of all."""

TRACES = []  # type: list[dict[str, object]]
_SEEN = set()  # type: set[str]
_LEFT = [BYTES]
_inside = threading.local()


def recorded():
    """A decorator for functions and classes; what is neither stays."""
    return _around


def _around(target):
    if isinstance(target, type):
        return _class(target)
    return _watched(target, _call) if callable(target) else target


def _watched(target, note):
    @functools.wraps(target)
    def run(*args, **kwargs):
        if getattr(_inside, "depth", 0):
            return target(*args, **kwargs)
        note(args, kwargs)
        _inside.depth = 1
        try:
            return target(*args, **kwargs)
        finally:
            _inside.depth = 0

    return run


def _call(args, kwargs):
    """A call of a function, which is kept unless it is like one before."""
    told = _step("", args, kwargs)
    if told and len(TRACES) < MOST and "".join(told) not in _SEEN:
        _SEEN.add("".join(told))
        TRACES.append({"new": None, "steps": [told]})


def _step(method, args, kwargs):
    """A call as it is kept; None for what can't be told, or is too much."""
    try:
        told = [method, dump(tuple(args)), dump(dict(kwargs))]
    except NotPlain:
        return None
    _LEFT[0] -= sum(map(len, told))
    return told if _LEFT[0] > 0 else None


def _class(target):
    """The class, whose own objects are followed from their making on, call by call of a public method."""
    followed = []  # type: list[tuple[object, dict[str, object]]]

    def made(args, kwargs):
        told = _step("", args[1:], kwargs) if type(args[0]) is target else None
        if told and len(TRACES) < MOST:
            trace = {"new": told, "steps": [], "open": True}  # type: dict[str, object]
            TRACES.append(trace)
            followed.append((args[0], trace))

    def called(name):
        def note(args, kwargs):
            trace = next((trace for one, trace in followed if args and one is args[0]), None)
            if trace is None or not trace["open"]:
                return
            told = _step(name, args[1:], kwargs)
            trace["open"] = told is not None and len(trace["steps"]) < STEPS  # type: ignore[arg-type]
            if trace["open"]:
                trace["steps"].append(told)  # type: ignore[attr-defined]

        return note

    first = target.__init__
    target.__init__ = _watched(first, made)
    for name, item in list(vars(target).items()):
        if isinstance(item, types.FunctionType) and (name == "__call__" or not name.startswith("_")):
            setattr(target, name, _watched(item, called(name)))
    return target
