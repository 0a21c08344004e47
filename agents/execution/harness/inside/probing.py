"""Whether what a call gives depends on its arguments: it is repeated with others. Standard library only, Python 3.6 or
later.

Each repetition runs in a child that ends at once, beginning where the real call begins: what it does to this process is
not seen, what it does to files and connections is. Only calls of jax with nothing but its arrays, which never change,
are repeated here, as its threads are not there in a child.
"""

import copy
import functools
import inspect
import itertools
import json
import os
import random
import select
import signal
import sys
import time
import types
import warnings

from . import formulas
from .conduct import CONDUCT, held_against
from .constancy import Answered, confused, key_of, one_for_all, tables, untabled, worn
from .effects import exceeds, forbidden, names_in, recased
from .fresh import Seen
from .given import Given, same
from .origins import attributes
from .ownership import OWN
from .settings import restore
from .structure import Digest, array_library
from .textbook import Disagrees, contradiction, plain
from .wrong import wrong

CALLS, SECONDS, SIZE = 3, 3.0, 1000000
"""Of one function, calls that are repeated; of one repetition, seconds; of all arguments, values."""
HELD, JUDGED = 10, 200
"""Real calls of one function after which it is held against its definition no more, and against a formula that is
contradicted: any of them may show that it is misread."""
YIELDED = 1000
HELD_AGAINST = ("definition", "textbook", "method", "formula", *CONDUCT)
REPEATED = 2
"""Real calls of one function that are made many times over."""
_SELDOM = {"uniform": 2, "stratified": 3, "expected": 3}
"""The same of what takes many calls to tell."""
_KINDS = ("shift", "lower", "permuted", "fewer")
_UNCHANGING = (bool, int, float, complex, str, bytes, type(None))


class Probe:
    """Of one function. `depends` is None until something is known."""

    def __init__(self):
        self.left, self.by_value, self.raised = CALLS, None, False
        self.asked, self.contradictions, self.seen = {}, [], {}
        self.keys, self.answered = set(), Answered()

    @property
    def depends(self):
        """Other results say yes, exceptions alone too; nothing is known where some others give the same, some raise."""
        if self.raised and not self.by_value:
            return True if self.by_value is None else None
        return self.by_value

    def call(self, target, args, kwargs):
        """Repeat a call that is about to be made."""
        before = digests(args, kwargs)
        large = sum(digest.size for digest in before) > SIZE or any(digest.opaque for digest in before)
        if not self.left or self.by_value or large:
            return
        self.left -= 1
        plain, known = None, [digest.text for digest in before]
        for kind in _KINDS:
            others = tuple(wrong(arg, kind) for arg in args), wrong(dict(kwargs), kind)
            if [digest.text for digest in digests(*others)] == known:
                continue
            plain = plain or _repeated(target, args, kwargs)
            other = plain and _repeated(target, *others)
            if not other:
                self.left = 0  # it waits for what is not there in a child, or takes long: once is enough
                return
            if other != plain and other[0] and not plain[0]:
                self.raised = True
            elif other != plain:
                if _repeated(target, args, kwargs) == plain:
                    self.by_value = True
                return
            else:
                self.by_value = False

    def unraised(self, promises, target, args, kwargs):
        """Of promised exceptions those that a call does not raise, though it is given what forbids it."""
        found = []
        for promise in promises:
            if promise["kind"] != "raises" or self.asked.get(str(promise["args"]), 0) >= CALLS:
                continue
            _, place, name, condition = promise["args"]
            if name not in kwargs and place >= len(args):
                continue
            beside = {other: _argument(target, args, kwargs, other) for other in names_in(condition)}
            values = forbidden(condition, kwargs[name] if name in kwargs else args[place], beside)
            if not values:
                continue
            self.asked[str(promise["args"])] = self.asked.get(str(promise["args"]), 0) + 1
            plain = _repeated(target, args, kwargs)
            for value in values if plain and not plain[0] else ():
                others = tuple(value if i == place and name not in kwargs else arg for i, arg in enumerate(args))
                told = _repeated(target, others, dict(kwargs, **{name: value} if name in kwargs else {}))
                if told and not told[0]:
                    found.append(dict(promise, found="for %s = %r instead of raising" % (name, value)))
                    break
        return found

    def exceeded(self, promises, target, args, kwargs):
        """Of promised bounds of a result's length those that a smaller bound than the given one shows to be none."""
        found = []
        for promise in promises:
            if promise["kind"] != "at_most" or self.asked.get("at_most", 0) >= CALLS:
                continue
            place, name = promise["args"]
            given = kwargs.get(name, args[place] if place < len(args) else None)
            for most in (1, 2) if type(given) is int else ():
                if most >= given:
                    continue
                self.asked["at_most"] = self.asked.get("at_most", 0) + 1
                others = tuple(most if i == place else arg for i, arg in enumerate(args))
                named = dict(kwargs, **{name: most}) if name in kwargs else kwargs
                if _elsewhere(others, named, functools.partial(_exceeds, target, others, named, most)):
                    found.append(dict(promise, found="more than that for %s = %d" % (name, most)))
                    break
        return found

    def recased(self, promises, target, args, kwargs):
        """Of what is promised not to depend on the case of letters that which does, where it is a number. Of several
        texts one may be a pattern, a name or a path; other letters than ASCII have no two cases that are told apart."""
        texts = [place for place, value in enumerate(args) if isinstance(value, str)]
        alone = len(texts) == 1 and not any(isinstance(value, str) for value in kwargs.values())
        cased = alone and type(args[texts[0]]) is str and args[texts[0]].lower() != args[texts[0]].upper()
        asked = [promise for promise in promises if promise["kind"] == "caseless"]
        if not cased or max(args[texts[0]]) > "~" or not asked or self.asked.get("caseless", 0) >= CALLS:
            return []
        self.asked["caseless"] = self.asked.get("caseless", 0) + 1
        plain = _elsewhere(args, kwargs, functools.partial(_number, target, args, kwargs))
        for text in recased(args[texts[0]]) if plain else ():
            others = tuple(text if place == texts[0] else value for place, value in enumerate(args))
            other = _elsewhere(others, kwargs, functools.partial(_number, target, others, kwargs))
            if other and other != plain:
                return [dict(one, found="%r for %r and %r for %r" % (plain[0], args[texts[0]], other[0], text))
                        for one in asked]  # fmt: skip
        return []

    def hold(self, promises, target, args, kwargs):
        """Keep the `contradictions` to definitions, to formulas and to what is said of other cases; none once a real
        call shows that another thing is meant, or that the arguments it was found with are not like the real ones."""
        for promise in promises:
            key = promise["kind"] + (str(promise["args"]) if promise["kind"] in ("formula", "textbook") else "")
            known = [one for one in self.contradictions if one["key"] == key]
            most = JUDGED if known and promise["kind"] == "formula" else _SELDOM.get(promise["kind"], HELD)
            if promise["kind"] not in HELD_AGAINST or self.asked.get(key, 0) >= most:
                continue
            self.asked[key] = self.asked.get(key, 0) + 1
            seen = self.seen.setdefault(key, Seen())
            if promise["kind"] == "formula" and formulas.note(seen, promise, target, args, kwargs):
                self.contradictions, known = [one for one in self.contradictions if one not in known], []
            told = _elsewhere(args, kwargs, functools.partial(_contradicted, seen, promise, target, args, kwargs))
            seen.agreed = seen.agreed or bool(told and told[0] == "told" and told[1] is not None)
            if told and (told[0] == "never so" or any(one.get("never") for one in known)):
                told = ["disagrees", None] if seen.agreed else told
            if told is None or told[0] == "disagrees":
                self.asked[key] = JUDGED  # it takes long, or means another thing
            if told and told[0] == "disagrees":
                self.contradictions = [one for one in self.contradictions if one not in known]
            elif told and told[1] and not known:
                self.contradictions.append(dict(promise, found=told[1], key=key, never=told[0] == "never so"))

    def repeat(self, target, args, kwargs):
        """Keep that one of many equal calls gives another result, if it does so twice: else it is chance; and that what
        is set on one object shows on another."""
        if len(args) == 3 and getattr(target, "__name__", "") == "__set__" and self.asked.get("shared", 0) < HELD:
            self.asked["shared"] = self.asked.get("shared", 0) + 1
            told = _forked(functools.partial(_told, one_for_all, target, args), random.getstate())
            if told:
                self.asked["shared"] = HELD
                self.contradictions.append({"kind": "shared", "args": [], "found": told, "key": "shared"})
        if self.asked.get("steady", 0) >= REPEATED or "jax" in sys.modules:
            return
        self.asked["steady"] = self.asked.get("steady", 0) + 1
        told = _forked(functools.partial(_told, worn, target, args, kwargs), random.getstate())
        if told and told == _forked(functools.partial(_told, worn, target, args, kwargs), random.getstate()):
            self.asked["steady"] = REPEATED
            self.contradictions.append({"kind": "steady", "args": [], "found": told, "key": "steady"})
        told = _told(confused, target, args, kwargs, functools.partial(_forked, state=random.getstate()))
        if told and not self.asked.get("confused"):
            self.asked["confused"] = 1
            self.contradictions.append({"kind": "confused", "args": [], "found": told, "key": "confused"})

    def empty_tables(self, target, args, kwargs):
        """Keep that a function answers by a table what it was called with, and by a wrong rule, or not, all else."""
        if _told(self.answered.note, target, args, kwargs):
            told = _forked(functools.partial(_told, self.answered.else_nothing, target), random.getstate())
            if told:
                self.contradictions.append({"kind": "kept", "args": [], "found": told, "key": "kept"})
        key = key_of(args, kwargs)
        if key is None or len(self.keys) > JUDGED:
            return
        self.keys.add(key)
        for name in tables(target, self.keys):
            if self.asked.get("table " + name):
                continue
            self.asked["table " + name] = 1
            told = _forked(functools.partial(_told, untabled, target, name), random.getstate())
            if told:
                self.contradictions.append({"kind": "table", "args": [name], "found": told, "key": "table " + name})


def _argument(target, args, kwargs, name):
    """What a call gives a parameter, or what stands for it; None if that can't be told."""
    try:
        return Given(target, args, kwargs).value(name)
    except (TypeError, ValueError, KeyError):
        return None


def _told(work, *given):
    try:
        return work(*given)
    except Exception:  # noqa: BLE001 -- the call raises, or foreign values can't be copied
        return ""


def _exceeds(target, args, kwargs, most):
    try:
        return exceeds(target(*args, **kwargs), most)
    except Exception:  # noqa: BLE001 -- it need not take so small a bound
        return False


def _number(target, args, kwargs):
    """[a result that is a number or a truth value, or all counts of one]"""
    try:
        value = target(*args, **kwargs)
    except Exception:  # noqa: BLE001 -- it need not take such a text
        return []
    if isinstance(value, dict) and value and all(type(count) is int for count in value.values()):
        return [sorted(value.values())]
    return [value] if type(value) in (bool, int, float) else []


def _contradicted(seen, promise, target, args, kwargs):
    """["told", "disagrees" or "never so", what contradicts a definition, a formula, or what is said of other cases]"""
    try:
        if promise["kind"] == "formula":
            return ["told", formulas.contradiction(seen, promise, target, args, kwargs)]
        held = held_against if promise["kind"] in CONDUCT else contradiction
        return ["told", held(promise, target, args, kwargs)]
    except Disagrees:
        return ["disagrees", None]
    except formulas.NeverSo as found:
        return ["never so", str(found)]
    except Exception:  # noqa: BLE001 -- the call raises, or foreign values can't be copied
        return ["told", None]


def hold_settings(target, args, kwargs):
    """Note what was set of what a function uses, and gives a call another result."""
    around, by_test = OWN.settings(target, args)
    OWN.replaced.update(one[0] for one in around if mended(one, target, args, kwargs))
    if by_test is not None:
        found = {one[0] for one in by_test if mended(one, target, args, kwargs)}
        left = [one for one in by_test if one[0] in found or not _watches(one)]
        OWN.note_set(found if left else None)


def _watches(changed):
    """Whether it is a method that calls the one which it overrides."""
    code = getattr(vars(changed[1]).get(changed[2]), "__code__", None) if isinstance(changed[1], type) else None
    return not changed[3] and "super" in getattr(code, "co_names", ())


def mended(changed, target, args, kwargs):
    """Whether a call gives another result without one thing that was `changed` around its test (see `Settings`)."""
    return bool(_forked(functools.partial(_differs, changed, target, args, kwargs), random.getstate()))


def _differs(changed, target, args, kwargs):
    def called():
        given, named = copy.deepcopy((args, kwargs))
        return [plain(target(*given, **named)), *given]

    try:
        first = called()
        if not same(first, called()):
            return False
        restore(changed, target)
        try:
            second = called()
        except (AttributeError, NotImplementedError, TypeError):
            return changed[3] == [None]  # there is nothing to call
        if isinstance(changed[1], type) and not changed[3]:  # a method, which may count its calls
            kept = attributes(second[1])
            for name in set(attributes(first[1])).difference(kept):
                del attributes(first[1])[name]
        return not same(first, second)
    except Exception:  # noqa: BLE001 -- it may need what was set
        return False


def digests(args, kwargs):
    """Of each argument."""
    return [Digest(arg) for arg in args] + [Digest((name, kwargs[name])) for name in sorted(kwargs)]


def outcome(raised, value, before, after):
    """A text for what came of a call: its result or exception, and what became of its arguments; None if unknown."""
    digest = Digest(value)
    changed = [(i, new) for i, (old, new) in enumerate(zip(before, after)) if old.text != new.text]
    if digest.opaque or any(new.opaque for _, new in changed):
        return None
    return json.dumps([bool(raised), digest.text, [(i, new.text) for i, new in changed]])


def _repeated(target, args, kwargs):
    """[Whether it raised, a text for what came of it] of one call; None if that can't be told."""
    return _elsewhere(args, kwargs, functools.partial(_tried, target, args, kwargs))


def _elsewhere(args, kwargs, work):
    """What `work`, which calls with these arguments, gives, as JSON can tell; None if that can't be told."""
    given = list(args) + list(kwargs.values())
    arrays = [value for value in given if array_library(value).startswith("jax")]
    state = random.getstate()
    if not arrays or len(arrays) + sum(type(value) in _UNCHANGING for value in given) < len(given):
        return _forked(work, state)
    numpy = sys.modules["numpy"]  # jax rests on it
    theirs = numpy.random.get_state()
    try:
        return work()
    finally:
        random.setstate(state)
        numpy.random.set_state(theirs)


def _forked(work, state):
    try:
        read, write = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that other threads run
            pid = os.fork()
    except OSError:
        return None
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            random.setstate(state)  # a fork seeds it anew
            os.write(write, json.dumps(work()).encode("ascii"))
        finally:
            os._exit(0)
    os.close(write)
    data, stop = b"", time.monotonic() + SECONDS
    while select.select([read], [], [], max(0.0, stop - time.monotonic()))[0]:
        part = os.read(read, 4096)
        if not part:
            break
        data += part
    os.close(read)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    try:
        return json.loads(data.decode("ascii"))
    except ValueError:
        return None


def _tried(target, args, kwargs):
    before = digests(args, kwargs)
    try:
        raised, value = False, target(*args, **kwargs)
        if inspect.iscoroutine(value):
            try:
                value.send(None)
            except StopIteration as end:
                value = end.value
            else:
                return None
        if isinstance(value, types.GeneratorType):
            value = list(itertools.islice(value, YIELDED))
    except Exception as error:  # noqa: BLE001 -- what it raises is what came of it
        raised, value = True, type(error).__qualname__
    text = outcome(raised, value, before, digests(args, kwargs))
    return text and [raised, text]
