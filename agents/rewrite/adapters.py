"""What stands in the text of an original before its functions, so that they can be called as a module is called.

What a caller gives for a parameter that is lifted is kept while that call is run, and of a constructor with the object
that it makes; all else is handed on as it came.
"""

import ast
import copy
from collections.abc import Collection

__all__ = ["GIVEN", "RUNTIME", "adapted", "kept"]

GIVEN = "_given_from_outside"
_ADAPT, _KEEP = "_adapt_to_given", "_keep_given"
RUNTIME = f'''
class {GIVEN}:
    """What is given, the innermost call last, all that ever was by name, and what objects were made with."""

    calls, ever, objects = [], {{}}, {{}}

    def __class_getitem__(cls, name):
        for given in reversed(cls.calls):
            if name in given:
                return given[name]
        known = cls.ever.get(name, [])
        if len(known) != 1:
            raise LookupError("which of %d values of %s is meant can't be told" % (len(known), name))
        return known[0]

    @classmethod
    def during(cls, given, function, *args, **kwargs):
        cls.calls.append(given)
        try:
            return function(*args, **kwargs)
        finally:
            cls.calls.pop()

    @classmethod
    def steps(cls, given, made):
        sent = None
        while True:
            try:
                item = cls.during(given, made.send, sent)
            except StopIteration as end:
                return end.value
            sent = yield item

    @classmethod
    def call(cls, given, function, *args, **kwargs):
        import inspect

        made = cls.during(given, function, *args, **kwargs)
        return cls.steps(given, made) if inspect.isgenerator(made) else made


def {_ADAPT}(was, mine, theirs, lifted, method):
    import collections
    import functools
    import inspect

    mine, theirs = inspect.signature(mine), theirs and inspect.signature(theirs)
    theirs = theirs or mine.replace(parameters=[p for n, p in mine.parameters.items() if n not in lifted])
    rest = [name for name in mine.parameters if name not in lifted]

    @functools.wraps(was)
    def now(*args, **kwargs):
        told = mine.bind(*args, **kwargs).arguments
        given, handed = {{}}, collections.OrderedDict()
        for name in lifted:
            value = told.pop(name, mine.parameters[name].default)
            if value is not ...:
                given[name] = value
                known = {GIVEN}.ever.setdefault(name, [])
                plain = type(value) in (bool, float, int, str)
                if not any(value is one or (plain and type(one) is type(value) and one == value) for one in known):
                    known.append(value)
        for name, each in theirs.parameters.items():
            if name in told:
                handed[name] = told.pop(name)
            elif name not in rest and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) and (
                each.default is not ...
            ):
                handed[name] = None if each.default is each.empty else each.default
        bound = inspect.BoundArguments(theirs, handed)
        more, named = list(bound.args), dict(bound.kwargs)
        several = any(each.kind == each.VAR_POSITIONAL for each in theirs.parameters.values())
        for name, value in told.items():
            kind = mine.parameters[name].kind
            if kind == inspect.Parameter.VAR_POSITIONAL:
                more += value
            elif kind == inspect.Parameter.VAR_KEYWORD:
                named.update(value)
            elif several and kind != inspect.Parameter.KEYWORD_ONLY:
                more.append(value)
            else:
                named[name] = value
        if method:
            made_with = {GIVEN}.objects.get(id(more[0]), (None, {{}}))[1]
            given = dict(made_with, **given)
            if was.__name__ == "__init__":
                {GIVEN}.objects[id(more[0])] = more[0], given
        return {GIVEN}.call(given, was, *more, **named)

    return now


def {_KEEP}(cls, adapted):
    import functools
    import types

    def behind(was):
        @functools.wraps(was)
        def now(self, *args, **kwargs):
            given = {GIVEN}.objects.get(id(self), (None, {{}}))[1]
            return {GIVEN}.call(given, was, self, *args, **kwargs)

        return now

    for each in cls.__mro__:
        for name, found in list(vars(each).items()) if each.__module__ == cls.__module__ else ():
            if isinstance(found, types.FunctionType) and (each is not cls or name not in adapted):
                setattr(each, name, behind(found))
            elif isinstance(found, property) and found.fget:
                setattr(each, name, property(behind(found.fget), found.fset, found.fdel))
'''


def adapted(name: str, mine: ast.arguments, theirs: ast.arguments | None, lifted: Collection[str]) -> str:
    """A statement that gives what is called `name` the parameters `mine` in the place of `theirs`, which are not known
    where it is a method that is inherited from elsewhere."""
    method, shape = "." in name, _plain(mine)
    if theirs is not None:
        own = [*shape.posonlyargs, *shape.args]
        if method and own and (first := [*theirs.posonlyargs, *theirs.args]):
            own[0].arg = first[0].arg
        for here, there in ((shape.vararg, theirs.vararg), (shape.kwarg, theirs.kwarg)):
            if here and there:
                here.arg = there.arg
    other = "None" if theirs is None else f"lambda {ast.unparse(_plain(theirs))}: None"
    names = [one.arg for one in [*shape.posonlyargs, *shape.args, *shape.kwonlyargs] if one.arg in lifted]
    return f"{name} = {_ADAPT}({name}, lambda {ast.unparse(shape)}: None, {other}, {names!r}, {method})"


def kept(name: str, methods: Collection[str]) -> str:
    """A statement by which all methods of a class, but those that are adapted, find what its objects were made with."""
    return f"{_KEEP}({name}, {sorted(methods)!r})"


def _plain(arguments: ast.arguments) -> ast.arguments:
    """Without annotations, and with plain defaults alone; `...` stands for others."""
    found = copy.deepcopy(arguments)
    for one in [*found.posonlyargs, *found.args, *found.kwonlyargs, found.vararg, found.kwarg]:
        if one is not None:
            one.annotation = None
    found.defaults = [_literal(value) for value in found.defaults]
    found.kw_defaults = [_literal(value) if value else None for value in found.kw_defaults]
    return found


def _literal(value: ast.expr) -> ast.expr:
    try:
        ast.literal_eval(value)
    except ValueError:
        return ast.Constant(...)
    return value
