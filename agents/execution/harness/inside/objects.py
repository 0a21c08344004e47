"""Whether objects do what the documentation of their methods says: what is undone, copied, called again, or full.
Standard library only, Python 3.6 or later.

Methods that change an object are found by trying: on copies, with arguments like what the object holds. What an object
keeps to remember (its history, counters, a log) is not looked at.
"""

import collections
import copy
import inspect
import itertools
import re
import types
from typing import Any, Dict

from .definitions import close, numbers_of
from .effects import is_plain
from .given import same, shown
from .settings import is_place
from .structure import Digest, array_library, state
from .textbook import plain

TRIES, ROOM, SHOWN, HELD = 60, 200, 90, 5
_MEMORY = re.compile(
    r"(?i)undo|undone|redo|hist|past|future|stack|log|snap|saved|version|prev|last|changes|moves|memento|command|journal"
    r"|backup|count|calls|cache|time|stamp|dirty|seen|steps|lock|trail|old|before|after|checkpoint|mark|pos|cursor|index|_at$"
)
ANEW = re.compile(
    r"(?i)undo|redo|load|reset|clear|new|open|close|restore|commit|save|checkpoint|begin|start|init|copy|clone|flush"
    r"|read|revert|rollback|import|from_|set_state|select|move_cursor|goto|delet|unlink|dump|export|upload|download|send"
)
"""In names of methods that make another object of one, or do something outside of it: these are not called."""
_MOST = (
    "capacity",
    "maxsize",
    "max_size",
    "max_len",
    "maxlen",
    "max_items",
    "max_length",
    "limit",
    "bound",
    "size",
    "n",
)
_FURTHER = ["ab", "xyz", 3, 7, 2.5]


def view(one):
    """Of the attributes that tell what an object is, digests by name."""
    found = {name: Digest(value) for name, value in (state(one) or {}).items() if not _MEMORY.search(name)}
    return {name: digest.text for name, digest in found.items() if not digest.opaque}


def changers(one, look=view, more=()):
    """Public methods of an object with arguments with which they change what a `look` at it tells, each with several;
    `more` are arguments that are tried before others."""
    for name, function in methods(one):
        if ANEW.search(name):
            continue
        found = 0
        for args in itertools.islice(_arguments(one, function, more), TRIES):
            other = copy.deepcopy(one)
            before = look(other)
            if _done(other, name, args) and look(other) != before:
                found += 1
                yield name, args
            if found == 2:
                break


def methods(one):
    """The public methods of an object, by name."""
    names = {}  # type: Dict[str, Any]
    for kind in reversed(type(one).__mro__):
        names.update(vars(kind))
    return [(name, item) for name, item in names.items() if isinstance(item, types.FunctionType) and name[0] != "_"]


def parameters(function):
    """Those that a method needs beside its object."""
    given = list(inspect.signature(function).parameters.values())[1:]
    return [
        one for one in given if one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    ]


def _arguments(one, function, more):
    needed = parameters(function)
    if len(needed) > 3 or any(parameter.kind == parameter.KEYWORD_ONLY for parameter in needed):
        return []
    pool = [*more, *_held(one)]
    return itertools.product(*[pool[:: -1 if place % 2 else 1] for place in range(len(needed))])


def _held(one):
    """Plain values, those that an object holds before others."""
    found, waiting = [], list((state(one) or {}).values())  # type: list[Any], list[Any]
    while waiting and len(found) < HELD:
        value = waiting.pop(0)
        if type(value) in (int, float, str):
            found += [value] if value not in found and value != "" and not is_place(value) else []
        elif isinstance(value, (list, tuple, set)):
            waiting += list(value)[:4]
        elif isinstance(value, dict):
            waiting += list(value)[:3] + list(value.values())[:3]
    return found + [value for value in _FURTHER if value not in found]


def _done(one, name, args):
    """Whether a method could be called."""
    try:
        getattr(one, name)(*copy.deepcopy(args))
    except Exception:  # noqa: BLE001 -- it is not made for these
        return False
    return True


def undone(target, args, kwargs):
    """The last change is taken back: what is so for one change must be so after another of the same sort, and for all
    other methods that change the same."""
    if len(args) != 1 or kwargs:
        return None
    moves = list(changers(args[0]))
    moves = [move for move in moves if not _calls(args[0], move[0], {name for name, _ in moves})]
    every, told = set(), ""  # type: set[str], str
    for base in (args[0], _emptied(target, args[0])):
        tried = []
        for name, given in moves:
            for before in [[]] + [[move] for move in moves if move[0] == name]:
                tried.append((len(before), name, given) + _taken_back(target, base, before, name, given))
        known = set().union(*[touched for more, _, _, touched, left in tried if not (left or more)])
        for more, name, given, touched, left in tried:
            if left and touched and touched <= known and (not told or more):
                after = ", called after another," if more else ""
                told = "and what .%s(%s)%s had done was not undone" % (name, _shown(given), after)
        every |= known
    return told if every else None


def _calls(one, name, others):
    """Whether a method is made of others: what it does may be several changes."""
    code = getattr(inspect.unwrap(getattr(type(one), name)), "__code__", None)
    return code is not None and bool(others.difference([name]).intersection(code.co_names))


def _emptied(target, one):
    """A copy with nothing to undo any more."""
    one = copy.deepcopy(one)
    for _ in range(20):
        before = Digest(one).text
        try:
            target(one)
        except Exception:  # noqa: BLE001 -- there is nothing to undo
            break
        if Digest(one).text == before:
            break
    return one


def _taken_back(target, base, before, name, given):
    """(Attributes that a method touched, those that are not as they were after it was undone)"""
    one = copy.deepcopy(base)
    for move in before:
        _done(one, *move)
    old = view(one)
    if not _done(one, name, given):
        return set(), set()
    touched = {key for key, text in view(one).items() if old.get(key) != text}
    try:
        target(one)
    except Exception:  # noqa: BLE001 -- it may have nothing to undo
        return set(), set()
    now = view(one)
    return touched, {key for key in touched if now.get(key) != old.get(key)}


def cloned(target, args, kwargs, deep):
    """What is done to a copy is not done to the original; with `deep`, they share nothing that can be changed."""
    made = target(copy.deepcopy(args[0]), *args[1:], **kwargs)
    if type(made) is not type(args[0]):
        return None
    for name, given in changers(made):
        one = copy.deepcopy(args[0])
        other = target(one, *args[1:], **kwargs)
        before = _containers(one)
        if other is one:
            return "the object itself"
        _done(other, name, given)
        if any(before[key] != text for key, text in _containers(one).items() if key in before):
            return "a copy that shares its state: .%s(%s) of it changes the original" % (name, _shown(given))
    one = copy.deepcopy(args[0])
    other = target(one, *args[1:], **kwargs)
    shared = _shared(one, other) if deep else set()
    return "a copy that shares %s with the original" % min(shared) if shared else ""


def _containers(one):
    return {key: Digest(value).text for key, value in _held_by(one) if is_plain(value)}


def _held_by(one):
    return [(key, value) for key, value in (state(one) or {}).items() if not _MEMORY.search(key)]


def _shared(one, other):
    theirs = state(other) or {}
    mine = [(key, value) for key, value in _held_by(one) if is_plain(value) and not array_library(value)]
    return {key for key, value in mine if theirs.get(key) is value}


def done_again(target, args, kwargs):
    """A second call changes nothing of the object."""
    one, given, named = copy.deepcopy((args[0], args[1:], kwargs))
    target(one, *given, **named)
    once = view(one)
    given, named = copy.deepcopy((args[1:], kwargs))
    try:
        target(one, *given, **named)
    except Exception:  # noqa: BLE001 -- then it changes nothing
        return None
    twice = view(one)
    changed = sorted(key for key, text in once.items() if twice.get(key, text) != text)
    return "what is to stay, but called again it changes %s" % changed[0] if changed else ""


def filled(target, args, kwargs):
    """One more than there is room for raises."""
    one = copy.deepcopy(args[0])
    before, most = _counts(one), _room(one)
    target(one, *copy.deepcopy(args[1:]), **copy.deepcopy(kwargs))
    held = [key for key, count in _counts(one).items() if count == before.get(key, count) + 1]
    names = [key for key in most if key not in held and _room(one).get(key) == most[key]]
    if not held or not names or len(args) < 2:
        return None
    room = most[names[0]]
    for number in range(room + 3):
        try:
            target(one, _other(args[1], number), *copy.deepcopy(args[2:]), **copy.deepcopy(kwargs))
        except Exception:  # noqa: BLE001 -- as was said
            break
    else:
        count = _least(one, held)
        return "without raising, and left %d items where %d are the most" % (count, room) if count >= room else None
    count = _least(one, held)
    return "and left %d items where %d are the most" % (count, room) if count > room else ""


def _least(one, held):
    """What may be the number of items."""
    return min(_counts(one)[key] for key in held)


def _counts(one):
    held = dict(state(one) or {})
    kinds = (list, dict, set, collections.deque)
    found = {key: len(value) for key, value in held.items() if isinstance(value, kinds)}
    found.update((key, value) for key, value in held.items() if type(value) is int)
    return found


def _room(one):
    held = state(one) or {}
    found = {name: value for word in _MOST for name, value in held.items() if name.strip("_").lower() == word}
    return {name: value for name, value in found.items() if type(value) is int and 0 < value <= ROOM}


def _other(value, number):
    """Another value of a type, a different one for each number."""
    if type(value) is str:
        return "%s %d" % (value, number)
    return value + number + 1 if type(value) in (int, float) else copy.deepcopy(value)


def _shown(given):
    text = ", ".join(map(repr, given))
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def recalled(call, args, kwargs):
    """A method called twice in a row, with the same, gives the same."""
    owner, given = copy.deepcopy(args[0]), args[1:]
    found = [plain(call(owner, *copy.deepcopy(given), **copy.deepcopy(kwargs))) for _ in range(2)]
    return "" if same(*found) else "%s, and the second time %s" % (shown(found[0]), shown(found[1]))


def in_a_row(call, args, kwargs):
    """It tells of so many in a row that one between them which is none has it begin anew. Which ones are meant shows:
    the same number again and again, and not ever better ones, smaller or larger."""
    if len(args) != 2 or kwargs or type(args[1]) not in (int, float):
        return None
    value = args[1]

    def told(values):
        one = copy.deepcopy(args[0])
        return [plain(call(one, each)) for each in values]

    alike = told([value] * TRIES)
    if not all(type(each) is bool for each in alike) or True not in alike[2:] or True in alike[:2]:
        return None
    count, step = alike.index(True), 10 * (abs(value) + 1)
    for sign in (-1, 1):
        better = [value + sign * step * (number + 1) for number in range(count + HELD)]
        if any(told([value] + better)):
            continue
        for last in (better[0], value):
            given = [value] * count + [better[0], last]
            found = told(given)
            if found[-1] and not any(found[:-1]):
                return "True after %s, of which only the last one counts in a row" % _shown(given)
    return ""


_FOR_ALL = re.compile(r"(?i)cache|regist|instances|pool|known|memo|count|subclass|kinds|types|lock")


def own(call, args, kwargs):
    """What a method keeps is the object's own: it leaves nothing in a container of the class."""
    one = copy.deepcopy(args[0])
    owners = [kind for kind in type(one).__mro__ if kind.__module__ == type(one).__module__]
    held = {name: value for kind in owners[::-1] for name, value in vars(kind).items()}
    kinds = (list, dict, set, collections.deque)
    shared = {n: v for n, v in held.items() if isinstance(v, kinds) and n[:2] != "__" and not _FOR_ALL.search(n)}
    before = {name: Digest(value).text for name, value in shared.items()}
    call(one, *copy.deepcopy(args[1:]), **copy.deepcopy(kwargs))
    changed = sorted(name for name, value in shared.items() if Digest(value).text != before[name])
    return "and left what it keeps in %s, which the class has once for all objects" % changed[0] if changed else ""


def fitted(call, args, kwargs):
    """By what it has seen before a row becomes the same alone as among others."""
    rows = args[1] if len(args) == 2 and not kwargs else ()
    if not (type(rows) in (list, tuple) or array_library(rows) == "numpy") or not 2 <= len(rows) <= ROOM:
        return None
    whole = _transformed(call, args[0], rows)
    if not whole or whole != _transformed(call, args[0], rows):
        return None
    for start, end in ((0, 1), (0, 2), (len(rows) - 1, len(rows))):
        part = _transformed(call, args[0], rows[start:end])
        wanted = whole[1][start * whole[2] : end * whole[2]]
        if part and part[0] == (end - start,) + whole[0][1:] and not close(part[1], wanted):
            few = "%d alone" % (start + 1) if end - start == 1 else "%d and %d" % (start + 1, end)
            return "%s for what stood in row %s, and %s for these among all" % (shown(part[1]), few, shown(wanted))
    return ""


def _transformed(call, one, rows):
    """(Shape, numbers, how many of each row) of what comes of rows; None if it is not one row for each."""
    try:
        numbers = numbers_of(plain(call(copy.deepcopy(one), copy.deepcopy(rows))))
    except Exception:  # noqa: BLE001 -- it is not made for these
        return None
    if not numbers or not numbers[0] or numbers[0][0] != len(rows):
        return None
    return numbers[0], numbers[1], len(numbers[1]) // len(rows)


OF_OBJECTS: Dict[str, Any] = {
    "undone": undone, "cloned": cloned, "done_again": done_again, "filled": filled, "recalled": recalled,
    "in_a_row": in_a_row, "own": own, "fitted": fitted,
}  # fmt: skip
"""By the kind of promise: each is given the method, a real call of it, and how it is promised."""
