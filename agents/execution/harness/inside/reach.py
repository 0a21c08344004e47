"""Which functions of the repository a test calls. Standard library only, Python 3.6 or later.

Functions only: the body of a class runs when its module is imported, which proves nothing. A module's own body counts
when it runs as a script. Numba's compiled functions are invisible to tracing, so their dispatchers are watched.
"""

import os
import sys
import threading
import types
from typing import Any, Callable

CO_OPTIMIZED = 1


class Reach:
    """Collects code objects between `start` and `stop`."""

    def __init__(self, root: str, called: "Callable[[list[object]], None]") -> None:
        self.root = os.path.realpath(root) + "/"
        self.called = called
        self.seen = {}  # type: dict[int, types.CodeType]
        self.files = {}  # type: dict[str, str]
        self.watched = False
        self.trace = None  # type: Any
        self.returned = self.unwound = False

    def start(self, test: "types.CodeType | None" = None) -> None:
        """Begin anew, with this test: whether it has `returned`, and whether an assertion has left it (`unwound`)."""
        self.seen = seen = {}
        self.returned = self.unwound = False

        def trace(frame: types.FrameType, event: str, argument: object) -> "Callable[..., Any] | None":  # noqa: ARG001
            code = frame.f_code
            if code is test:
                return self.of_test()
            if id(code) not in seen:
                if code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
                    return None
                seen[id(code)] = code
                place = self.place(code)
                if place is not None:
                    self.called(place)
            return None

        self.watch()
        self.trace = trace
        threading.settrace(trace)
        sys.settrace(trace)

    def resume(self) -> None:
        """Go on where a fixture has begun to trace in this one's place, as what measures coverage does."""
        if sys.gettrace() is not self.trace:
            threading.settrace(self.trace)
            sys.settrace(self.trace)

    def stop(self) -> "list[list[object]]":
        """End, and give (path, line of the definition, name) of each function of the repository that was called."""
        sys.settrace(None)
        threading.settrace(None)
        found = [self.place(code) for code in list(self.seen.values())]
        self.seen = {}
        return sorted(place for place in found if place is not None)

    def of_test(self) -> "Callable[..., Any]":
        """Follows one call of the test: whatever becomes of an exception further out, the test has not passed."""
        raised = []  # type: list[type[BaseException]]

        def follow(frame: types.FrameType, event: str, argument: Any) -> "Callable[..., Any]":  # noqa: ARG001
            if event == "exception":
                raised[:] = [argument[0]]
            elif event == "line":
                raised[:] = []
            elif event == "return":
                self.returned = self.returned or not raised
                self.unwound = self.unwound or any(kind.__name__ in ("AssertionError", "Failed") for kind in raised)
            return follow

        return follow

    def caller(self) -> "list[Any] | None":
        """The place of the innermost function of the repository that is running."""
        frame = sys._getframe()
        while frame is not None:
            place = self.place(frame.f_code)
            if place is not None:
                return place
            frame = frame.f_back  # type: ignore[assignment]
        return None

    def place(self, code: types.CodeType) -> "list[Any] | None":
        """(path, line, name) of a function of the repository, None for other code."""
        body = code.co_flags & CO_OPTIMIZED or code.co_name == "<module>"
        if not body or not code.co_filename.startswith(self.root):
            return None
        if code.co_filename not in self.files:
            self.files[code.co_filename] = os.path.relpath(os.path.realpath(code.co_filename), self.root)
        return [self.files[code.co_filename], code.co_firstlineno, code.co_name]

    def watch(self) -> None:
        """Wrap numba's dispatchers, once numba is there."""
        module = sys.modules.get("numba.core.dispatcher") or sys.modules.get("numba.dispatcher")
        dispatcher = getattr(module, "Dispatcher", None)
        if self.watched or dispatcher is None:
            return
        self.watched = True
        for name in ("__call__", "compile"):
            self.wrap(dispatcher, name)

    def wrap(self, dispatcher: type, name: str) -> None:
        """Note the Python function behind a dispatcher whenever `name` of it is called."""
        inner = getattr(dispatcher, name)
        collector = self

        def noting(self: object, *args: object, **kwargs: object) -> object:
            code = getattr(getattr(self, "py_func", None), "__code__", None)
            if code is not None:
                collector.seen[id(code)] = code
            return inner(self, *args, **kwargs)

        setattr(dispatcher, name, noting)
