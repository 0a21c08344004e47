"""Definitions that stand behind an interface of their own, as plain functions of their arguments. Standard library
only, Python 3.6 or later.

What is given is taken from a real call: how its object was made is told by attributes with the names of parameters, so
that another one can be made with other arguments; what cannot be told so is not tried.
"""

import copy
import inspect

from .methods import TAKE

_TOLD_BY = ("value", "result", "current", "get", "compute", "estimate")
"""Methods and properties that tell what comes of the items so far, where none is named for it."""


def behind(place, name, target, args, kwargs):
    """(A function of a definition's arguments, those of a real call) for a `place`: the "entry" with a key of what is
    returned, a method of an "object" that holds some of the arguments, what a "stream" of items gives (of these it has
    only an item); None where that can't be told."""
    bound = inspect.signature(target).bind(*args, **kwargs)
    if bound.kwargs:
        return None
    sort, of = place[:2]
    if sort == "entry":
        return lambda *given: _entry(target(*given), of), list(bound.args)
    if sort == "object":
        return _of_object(target, bound.args, place[2]) if getattr(target, "__name__", "") == of else None
    return _of_stream(name, target, bound.args)


def _entry(found, key):
    return found.get(key) if isinstance(found, dict) else None


def _of_object(target, args, most):
    kind = type(args[0])
    parts = [made_with(arg) if type(arg) is kind else [arg] for arg in args]
    if None in parts:
        return None
    given = [value for part in parts for value in part]
    if parts[0] and parts[1:] and len(given) > most:
        return None

    def call(*given):
        left = iter(given)
        taken = [[next(left) for _ in part] for part in parts]
        return target(*[kind(*one) if type(arg) is kind else one[0] for arg, one in zip(args, taken)])

    if target(*copy.deepcopy(args)) != call(*copy.deepcopy(given)):
        return None  # it has done more since it was made
    return call, given


def made_with(one):
    """What an object was made with, of parameters without a default, if all others have theirs; None if that can't be
    told."""
    found = []
    for name, parameter in inspect.signature(type(one)).parameters.items():
        places = [place for place in (name, "_" + name) if hasattr(one, place)]
        if not places or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            return None
        value = getattr(one, places[0])
        if parameter.default is parameter.empty and parameter.kind != parameter.KEYWORD_ONLY:
            found.append(value)
        elif not _is_default(value, parameter.default):
            return None
    return found


def _is_default(value, default):
    return value is default or (type(value) is type(default) and type(value) in (int, float, str) and value == default)


def _of_stream(name, target, args):
    kind = type(args[0])
    names = [one for word in (name, name.split("_")[0]) for one in (word, "get_" + word)]
    tells = [one for one in (*names, *_TOLD_BY) if hasattr(kind, one)]
    if getattr(target, "__name__", "") not in TAKE or len(args) != 2 or not tells:
        return None

    def call(items):
        made = kind()
        for item in items:
            target(made, item)
        told = getattr(made, tells[0])
        return told() if callable(told) else told

    return call, [[args[1]]]
