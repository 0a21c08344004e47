"""Whether a call did what was promised beside its result. Standard library only, Python 3.6 or later.

Only lists, dictionaries, sets and arrays are judged: other objects may keep what they have computed.
"""

from .structure import Digest, array_library

EFFECTS = ("unchanged", "new", "in_place", "raises", "at_most", "caseless", "whole")
LARGE = 1e9
"""How large a number may be from which one is taken that is less."""


def broken(promises, given, kwargs, result, before, after):
    """Those of `promises` that a call breaks, each with what was `found`; `before` and `after` are digests of what it
    was given, in order, and by name in order of the names."""
    values = list(given) + [kwargs[name] for name in sorted(kwargs)]
    names = [None] * len(given) + sorted(kwargs)
    kept = [place for place, value in enumerate(values) if is_plain(value) and not before[place].opaque]
    changed = [place for place in kept if not after[place].opaque and before[place].text != after[place].text]
    found = []
    for promise in promises:
        shown = None
        if promise["kind"] == "unchanged":
            place, name = promise["args"]
            if any(place in (-1, one) or (name and names[one] == name) for one in changed):
                shown = "and had changed %s" % (name or "an argument")
        elif promise["kind"] == "new":
            if any(result is values[place] for place in kept):
                shown = "what it was given itself"
        elif promise["kind"] == "at_most":
            place, name = promise["args"]
            most = kwargs.get(name, given[place] if place < len(given) else None)
            if exceeds(result, most):
                shown = "%d for %s = %r" % (len(result), name, most)
        elif promise["kind"] == "in_place" and kept and not changed and is_plain(result):
            alike = [place for place in kept if place < len(given) and type(values[place]) is type(result)]
            text = Digest(result).text
            if alike and all(values[place] is not result and before[place].text != text for place in alike):
                shown = "another value and had changed nothing"
        if shown:
            found.append(dict(promise, found=shown))
    return found


def left_changed(promises, given, kwargs, before, after):
    """Those of `promises` that a call breaks which raised: nothing was to be changed then; see `broken`."""
    values = list(given) + [kwargs[name] for name in sorted(kwargs)]
    pairs = zip(values, before, after)
    plain = [(value, old, new) for value, old, new in pairs if is_plain(value) and not (old.opaque or new.opaque)]
    changed = [value for value, old, new in plain if old.text != new.text]
    return [dict(one, found="nothing, but raised, and had changed an argument")
            for one in promises if one["kind"] == "whole" and changed]  # fmt: skip


def exceeds(result, most):
    """Whether a container holds more than so many items."""
    return (
        type(most) is int and most >= 0 and type(result) in (list, tuple, set, frozenset, dict) and len(result) > most
    )


def recased(text):
    """A text with other letters large and small."""
    for every in (2, 3, 1):
        yield "".join(a.swapcase() if i % every == 0 else a for i, a in enumerate(text))


def is_plain(value):
    """Whether it is a container that holds nothing but its items."""
    return type(value) in (list, dict, set, bytearray) or bool(array_library(value))


def names_in(condition):
    """What a condition names beside the parameter that it is of."""
    words = condition.split()[1:] if condition.startswith("outside ") else condition.split()[-1:]
    beside = condition.startswith(("below ", "at most ", "outside "))
    return [word[:-2] if word.endswith("-1") else word for word in words if beside and not _is_number(word)]


def _is_number(word):
    return word.lstrip("-").replace(".", "", 1).isdigit()


def _outside(condition, value, others):
    """Values beyond both ends of a range, in the place of a number or of one of several."""
    ends = []
    for word in condition.split()[1:]:
        name, less = (word[:-2], 1) if word.endswith("-1") and not _is_number(word) else (word, 0)
        end = float(word) if _is_number(word) else others.get(name)
        if not isinstance(end, (int, float)) or isinstance(end, bool) or abs(end) > LARGE:
            return []
        ends.append(end - less)
    numbers = (
        list(value) if type(value) in (list, tuple) else value.tolist() if array_library(value) == "numpy" else [value]
    )
    if not numbers or any(type(number) not in (int, float) or not ends[0] <= number <= ends[1] for number in numbers):
        return []
    found = []
    for beyond in (ends[1] + 1, ends[0] - 1):
        fresh = numbers[:-1] + [type(numbers[0])(beyond)]
        if array_library(value):
            made = value.copy()
            made.reshape(-1)[-1] = fresh[-1] if beyond >= 0 or value.dtype.kind != "u" else ends[1] + 1
            found.append(made)
        else:
            found.append(type(value)(fresh) if type(value) in (list, tuple) else fresh[-1])
    return found


def forbidden(condition, value, others):
    """Values like `value` of which the condition is true, none where none can be made; `others` are by name what a
    condition names beside it."""
    if condition.startswith(("outside ", "item ")):
        of_item = condition.startswith("item ")
        return _with_one(value, condition.split()[1]) if of_item else _outside(condition, value, others)
    other = others.get(condition.split()[-1])
    if condition == "none":
        return [None] if value is not None else []
    if condition == "empty":
        return _emptied(value)
    if type(value) not in (int, float):
        return []
    if condition.startswith(("below ", "at most ")):
        fits = type(other) in (int, float) and abs(other) < LARGE
        return [type(value)(other - step) for step in ((1, 0) if condition[0] == "a" else (1,))] if fits else []
    less = type(value)(-abs(value) - 1)
    return {"negative": [less], "nonpositive": [less, type(value)(0)]}.get(condition, [type(value)(0)])


def _with_one(value, condition):
    """A list or tuple of positive numbers of which one is not, and little less than zero: sums stay what they are by
    their sign."""
    numbers = list(value) if type(value) in (list, tuple) else []
    if len(numbers) < 2 or any(type(number) not in (int, float) or not 0 < number <= LARGE for number in numbers):
        return []
    less = {int: -1, float: -0.25 * min(numbers)}[type(numbers[0])]
    items = {"negative": [less], "nonpositive": [less, 0]}.get(condition, [0])
    return [
        type(value)(numbers[:place] + [type(numbers[0])(item)] + numbers[place + 1 :])
        for item in items for place in (numbers.index(min(numbers)), 0)
    ]  # fmt: skip


def _emptied(value):
    if type(value) in (list, tuple, str, bytes, dict, set, frozenset):
        return [type(value)()] if value else []
    return [value[:0]] if array_library(value) == "numpy" and len(value.shape) == 1 else []
