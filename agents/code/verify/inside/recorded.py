"""Calls of a function: recorded while a program of the repository runs, and made again. Standard library only.

Python 3.6 or later. What is unpickled here was pickled by the same repository's code in the same kind of sandbox: it
can do nothing that this code could not do by itself.
"""

import base64
import hashlib
import json
import pickle
import reprlib
import types
from typing import Any, Callable, Dict, List, Optional, Sequence

MOST_CALLS = 6
MOST_TRIES = 60
"""Calls of a unit that are looked at: what is large, or always the same, would otherwise cost time at each."""
MOST_BYTES = 48 * 1024
MOST_IN_ALL = 4 * 1024 * 1024
SHOWN = 160
GENERATOR, VARARGS, VARKEYWORDS = 0x2A0, 0x04, 0x08
"""Flags of code objects: generators and coroutines, whose frames are entered many times; ``*args``; ``**names``."""


class Shown(reprlib.Repr):
    """Short, and without addresses, which are others each time."""

    def repr_instance(self, x: object, level: int) -> str:
        """An object that doesn't say what it is but where."""
        text = super().repr_instance(x, level)
        return "<%s.%s>" % (type(x).__module__, type(x).__name__) if "0x" in repr(x) else text


class Calls:
    """Keeps the first few different calls of the wanted functions: (path, first line, last line, name) to a unit."""

    def __init__(self, root: str, wanted: "Sequence[Sequence[Any]]") -> None:
        self.root = root
        self.wanted = {}  # type: dict[tuple[str, str], list[tuple[int, int, str]]]
        for path, first, last, name, unit in wanted:
            self.wanted.setdefault((path, name), []).append((first, last, unit))
        self.units = {}  # type: dict[int, Optional[str]]
        self.kept = []  # type: list[types.CodeType]
        self.calls = {}  # type: dict[str, dict[bytes, str]]
        self.tries = {}  # type: dict[str, int]
        self.unkept = {}  # type: dict[str, str]
        self.busy = False
        self.room = MOST_IN_ALL

    def note(self, frame: types.FrameType) -> None:
        """Keep the arguments of a call that begins, if it is wanted and can be kept."""
        code = frame.f_code
        if id(code) not in self.units:
            self.kept.append(code)
            self.units[id(code)] = self.unit(code)
        unit = self.units[id(code)]
        if unit is None or self.busy or self.tries.get(unit, 0) >= MOST_TRIES:
            return
        self.tries[unit] = self.tries.get(unit, 0) + 1
        known = self.calls.setdefault(unit, {})
        if len(known) >= MOST_CALLS:
            return
        self.busy = True
        try:
            given = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]]
            data = pickle.dumps(given, 2)
            if len(data) <= min(MOST_BYTES, self.room) and data not in known:
                known[data] = Shown().repr(given)[:SHOWN]
                self.room -= len(data)
        except Exception as error:  # noqa: BLE001 -- foreign objects may raise anything when pickled or shown
            self.unkept[unit] = type(error).__name__
        finally:
            self.busy = False

    def unit(self, code: types.CodeType) -> "Optional[str]":
        """The unit that a code object belongs to; None if it is not wanted or its calls can't be made again."""
        if not code.co_filename.startswith(self.root):
            return None
        if code.co_flags & (GENERATOR | VARARGS | VARKEYWORDS) or code.co_kwonlyargcount:
            return None
        places = self.wanted.get((code.co_filename[len(self.root) :], code.co_name), ())
        return next((unit for first, last, unit in places if first <= code.co_firstlineno <= last), None)

    def told(self) -> "List[Dict[str, object]]":
        """Everything that was kept, for an event."""
        return [
            {"unit": unit, "call": base64.b64encode(data).decode("ascii"), "shown": shown}
            for unit, calls in sorted(self.calls.items())
            for data, shown in calls.items()
        ]


def calls(path: str, sha256: str) -> "List[str]":
    """The calls in a file that has this hash."""
    with open(path, "rb") as file:
        data = file.read()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError("%s holds other calls than were recorded" % path)
    return [str(call) for call in json.loads(data.decode("ascii"))]


def held(unit: "Callable[..., Any]", call: str, count: int, check: "Callable[..., None]") -> None:
    """Make a call again for `check`, which varies the first `count` arguments (0: all); the others stay the same."""
    given = pickle.loads(base64.b64decode(call))  # noqa: S301 -- see above
    varied, fixed = (given[:count], given[count:]) if count else (given, [])
    check(lambda *arguments: unit(*arguments, *fixed), *varied)
