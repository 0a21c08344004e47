"""Puts wrong values in the place of what a function returns, and watches what right ones are. Standard library only,
Python 3.6 or later.

`wrapped(kind)` is the outermost decorator of what is tried; `report()` tells, for this process, what came of it. Kinds
beside those of `wrong`:

- "same": nothing is altered; what calls are given and what they return is compared, and held against promises;
- "probe": the same, and some calls are repeated with other arguments (see `probing`);
- "raise": nothing is called, a RuntimeError is raised; "frozen": every call returns what the first one did;
- "unwritten": what is written into an argument is written into a copy of it;
- "first": what chooses or orders items of an argument returns the first ones there;
- "echoed": of two that take each other back both give back what they are given (see `trivial`);
- those of `trivial`, which take no work.

Only calls from outside are altered, not those that the tried functions make of each other.
"""

import copy
import functools
import inspect
import json
import sys
import types

from .comparing import own_equality
from .constancy import any_order, foreign, odd
from .effects import broken, is_plain, left_changed
from .hiding import shown
from .ownership import OWN
from .placing import unchosen
from .probing import digests, hold_settings, outcome
from .promises import check
from .seen import Record
from .stepping import Stepped, all_but_the_last, steps
from .structure import Digest, differ
from .trivial import KINDS as TRIVIAL
from .trivial import echoed, instead, taken_back
from .wrong import KINDS, alters, wrong

ORDERS, UNSEEN, OF_GIVEN = ("permuted", "order"), ("nan", "masked"), {"first": unchosen, "echoed": echoed}
LOOKED_AT, JUDGED, REFUTED, YIELDED = 1000, 200, 5, 1000
"""Of a function, calls of one test whose values are compared (all are altered, further ones uncounted), and calls that
are held against promises; of all, refuted promises to keep, and values of one that yields."""


RECORD = Record()


def report():
    """What this process saw, of all functions and of each (`functions`).

    Numbers of calls, of those that returned something, and of those whose result was altered; whether arguments
    differed (`distinct_arguments`), whether all results of calls with different arguments were the same
    (`same_results`), and whether they depend on the arguments (`depends`); None where nobody knows; and promises that
    were `refuted`, each with the `function` and the value `found`.
    """
    return RECORD.report()


def wrapped(kind, promises="[]", record=RECORD):
    """A decorator for functions, methods of all sorts, properties, callable objects, and classes (their own public
    methods, calls, items); others stay. `promises`, in JSON, are of one function; `kind` may hide both (`hiding`)."""
    if kind not in KINDS + TRIVIAL + ("same", "probe", "raise", "frozen", "unwritten", *OF_GIVEN):
        kind, promises = shown(kind)
    OWN.loading(sys._getframe(1))
    return _Wrapper(kind, json.loads(promises), record).around


class _Wrapper:
    def __init__(self, kind, promises, record):
        self.kind, self.promises, self.record, self.local, record.used = kind, promises, record, record.local, True

    def around(self, target):
        """`target`, watched."""
        if isinstance(target, (staticmethod, classmethod)):
            return type(target)(self.around(target.__func__))
        if isinstance(target, property):
            read = target.fget and self.around(target.fget)
            return type(target)(read, target.fset, target.fdel, target.__doc__)
        if type(target).__name__ == "cached_property" and hasattr(target, "func"):
            clone = copy.copy(target)
            clone.func = self.around(target.func)
            return clone
        if isinstance(target, type):
            for name, item in list(vars(target).items()):
                public = name in ("__call__", "__getitem__") or not name.startswith("_")
                if public and (isinstance(item, (types.FunctionType, staticmethod, classmethod, property))):
                    setattr(target, name, self.around(item))
            return target
        if not callable(target):
            return target
        seen = self.record.seen(getattr(target, "__qualname__", None) or type(target).__qualname__)
        made = functools.update_wrapper(self.made(target, seen), target)
        if not isinstance(target, types.FunctionType):
            _lend(target, made)
        return made

    def made(self, target, seen):
        """A function of the same sort as `target`."""
        if inspect.iscoroutinefunction(target):
            return self.coroutine(target, seen)
        if inspect.isasyncgenfunction(target):
            return self.stream(target, seen)
        return (self.generator if inspect.isgeneratorfunction(target) else self.function)(target, seen)

    def function(self, target, seen):
        """Around what returns."""

        def run(*args, **kwargs):
            if self.inner():
                return target(*args, **kwargs)
            call = _Call(self, seen, target, args, kwargs)
            if call.instead:
                return call.trivial()
            self.local.depth = 1
            try:
                result = target(*call.args, **call.kwargs)
            except Exception as error:
                call.raised(error)
                back = taken_back((*args, *kwargs.values())) if self.kind == "echoed" else []
                if not back:
                    raise
                return back[0]
            finally:
                self.local.depth = 0
            return call.result(result)

        return run

    def generator(self, target, seen):
        """Around what yields."""

        def run(*args, **kwargs):
            if self.inner():
                return (yield from target(*args, **kwargs))
            call = _Call(self, seen, target, args, kwargs)
            if call.instead:
                return (yield from call.trivial())
            try:
                items = steps(target(*args, **kwargs), self.local, call.item)
                return (yield from all_but_the_last(items, call) if self.kind == "short" else items)
            finally:
                call.ended()

        return run

    def coroutine(self, target, seen):
        """Around what is awaited."""

        async def run(*args, **kwargs):
            if self.inner():
                return await target(*args, **kwargs)
            call = _Call(self, seen, target, args, kwargs)
            if call.instead:
                return call.trivial()
            try:
                result = await Stepped(target(*args, **kwargs).__await__(), self.local)
            except Exception as error:
                call.raised(error)
                raise
            return call.result(result)

        return run

    def stream(self, target, seen):
        """Around what yields and is awaited."""

        async def run(*args, **kwargs):
            call = None if self.inner() else _Call(self, seen, target, args, kwargs)
            async for item in target(*args, **kwargs):
                yield item if call is None else call.item(item)

        return run

    def inner(self):
        """Whether this thread is within a call already."""
        return getattr(self.local, "depth", 0) > 0


class _Call:
    """One call from outside."""

    def __init__(self, wrapper, seen, target, args, kwargs):
        self.kind, self.promises, self.record = wrapper.kind, wrapper.promises, wrapper.record
        self.seen, self.target, self.args, self.kwargs = seen, target, args, kwargs
        self.items, self.held, self.place = [], [], 0
        self.instead = instead(self.kind, target, args, kwargs, seen.first) if self.kind in TRIVIAL else []
        seen.calls += 1
        if self.kind == "unwritten":
            self.args = tuple(copy.deepcopy(arg) if is_plain(arg) else arg for arg in args)
            self.kwargs = {name: copy.deepcopy(arg) if is_plain(arg) else arg for name, arg in kwargs.items()}
        if self.kind == "raise":
            seen.altered += 1
            raise RuntimeError("no result")
        self.looked_at = OWN.counted(seen.name) <= LOOKED_AT and self.record.left > 0
        self.before, self.watched = [], self.looked_at and self.kind in ("same", "probe")
        if self.watched:
            OWN.check(target, args)
            self.refute(foreign(target, args))
            with self.record.timed():
                self.before = digests(args, kwargs)
                seen.variety.note(target, args, kwargs)
            if self.kind == "probe":
                wrapper.local.depth = 1
                try:
                    hold_settings(target, args, kwargs)
                    seen.probe.call(target, args, kwargs)
                    for held in (seen.probe.unraised, seen.probe.exceeded, seen.probe.recased):
                        self.refute(held(self.promises, target, args, kwargs))
                    seen.probe.hold(self.promises, target, args, kwargs)
                    seen.probe.repeat(target, args, kwargs)
                    seen.probe.empty_tables(target, args, kwargs)
                finally:
                    wrapper.local.depth = 0

    def trivial(self):
        """What the caller is given without any call."""
        self.seen.altered += 1
        return self.instead[0]

    def result(self, value):
        """What the caller is given in the place of `value`."""
        self.seen.returned += value is not None
        with self.record.timed():
            self.outcome(False, value)
            self.refute(odd(self.target, self.args, self.kwargs, value) if self.watched else ())
            self.seen.compares = self.seen.compares or own_equality(value)[0]
            if self.watched and self.promises and self.seen.calls <= JUDGED and len(self.record.refuted) < REFUTED:
                self.judge(value)
        return self.altered(value)

    def judge(self, value):
        """Keep the promises that a result refutes. What arguments were before they changed, nobody knows any more."""
        after = digests(self.args, self.kwargs)
        changed = [old.text for old in self.before] != [new.text for new in after]
        promises = [promise for promise in self.promises if not changed or promise["kind"] != "definition"]
        self.refute(check(promises, (self.args, self.kwargs), value))
        self.refute(broken(promises, self.args, self.kwargs, value, self.before, after))

    def refute(self, found):
        """Keep refuted promises, each of a function once."""
        known = [(one["function"], one["kind"], one["args"]) for one in self.record.refuted]
        for one in found:
            one["function"] = self.seen.name
            if (one["function"], one["kind"], one["args"]) not in known:
                self.record.refuted.append(one)
        del self.record.refuted[REFUTED:]

    def raised(self, error):
        """The call ended by an exception."""
        with self.record.timed():
            self.outcome(True, type(error).__qualname__)
            if self.watched and any(promise["kind"] == "whole" for promise in self.promises):
                after = digests(self.args, self.kwargs)
                self.refute(left_changed(self.promises, self.args, self.kwargs, self.before, after))

    def item(self, value):
        """What the caller is given in the place of one of several values."""
        if self.watched and len(self.items) < YIELDED:
            with self.record.timed():
                digest = Digest(value)
            self.items.append(None if digest.opaque else digest.text)
            self.held.append(value)
        return self.altered(value)

    def ended(self):
        """All values were given, or no more are wanted."""
        self.seen.returned += self.place > 0
        self.seen.kinds.update(["short"] if self.place > 1 else ())
        if None not in self.items:
            self.outcome(False, self.items, self.held)
        else:
            self.seen.unknown = True

    def outcome(self, raised, value, held=None):
        """Keep what came of what; nothing of a call that only stands for others while a function is compiled. `held`
        are the values themselves where `value` only tells of them."""
        if not self.watched or any(digest.abstract for digest in self.before):
            return
        after = digests(self.args, self.kwargs)
        text = outcome(raised, value, self.before, after)
        values = [*self.args, *(self.kwargs[name] for name in sorted(self.kwargs))]
        if any(is_plain(each) and old.text != new.text for each, old, new in zip(values, self.before, after)):
            self.seen.kinds.add("unwritten")
        given = None if raised else value if held is None else held
        self.seen.variety.judge(given)
        self.seen.trivial.note(self.target, self.args, self.kwargs, given, held is None)
        self.seen.fed.note(values, self.before, given)
        self.seen.arguments.add(tuple("" if digest.opaque else digest.text for digest in self.before))
        if text is None:
            self.seen.unknown = True
        else:
            self.seen.outcomes.add(text)

    def altered(self, value):
        """`value` or a wrong one in its place; counted once a call."""
        self.place += 1
        if self.kind in TRIVIAL or self.kind == "unwritten":
            self.seen.first.setdefault(0, value)
            self.seen.altered += 1
            return value
        every = (*self.args, *self.kwargs.values())
        if self.given(value, every) or (self.kind in ORDERS and any_order(self.args, self.kwargs)):
            return value
        if self.kind in ("same", "probe"):
            if self.looked_at:
                self.seen.kinds.update(kind for kind in KINDS if kind not in self.seen.kinds and alters(kind, value))
                if "first" not in self.seen.kinds and differ(value, unchosen(value, every)):
                    self.seen.kinds.add("first")
            return value
        if self.kind == "frozen":
            compiled = "jax" in sys.modules and Digest(value).abstract
            other = value if compiled else self.seen.first.setdefault(self.place, value)
        else:
            other = OF_GIVEN[self.kind](value, every) if self.kind in OF_GIVEN else wrong(value, self.kind)
        if self.looked_at and other is not value:
            with self.record.timed():
                different = alters(self.kind, value) if self.kind in UNSEEN else differ(value, other)
            self.looked_at = not different
            self.seen.altered += different
        return other

    def given(self, value, every):
        """Whether the result is what was given: that the caller looks at the result at all can't be expected then."""
        plain = isinstance(value, (bool, int, float, complex, str, bytes, type(None)))
        return not plain and any(value is each for each in every)


def _lend(target, made):
    """Give a function the public attributes of the callable object that it stands for."""
    for name in dir(target):
        if not name.startswith("_") and not hasattr(made, name):
            try:
                setattr(made, name, getattr(target, name))
            except Exception:  # noqa: BLE001, S112 -- an attribute may be computed, and raise anything
                continue
