"""Tells when code of a repository looks into the interpreter that runs it. Standard library only, Python 3.6 or later.

Reports are made in the process that they are about, so whoever gets hold of what makes them can have them say anything.
The ways there lead through frames, through the collector's lists, through machine code, or out of the process. Python
tells of each by an audit event (PEP 578, from 3.8 on), which nothing that runs later can take back: the report has it
before anything can be done with what was found.
"""

import os
import sys
from threading import get_ident

_INTERPRETER = {
    "gc.get_objects", "gc.get_referents", "gc.get_referrers", "os.exec", "sys._current_exceptions",
    "sys._current_frames", "sys._getframe", "sys.addaudithook",
}  # fmt: skip
_MACHINE = ("ctypes.dlopen", "ctypes.dlsym", "ctypes.call_function", "ctypes.cdata")
_FRAMES = {"ag_frame", "cr_frame", "gi_frame", "tb_frame"}
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_PACKAGES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
_HANDS_ON = tuple(_LIBRARY + name for name in ("inspect.py", "contextlib.py", "functools.py", "ctypes" + os.sep))
"""What of the standard library gets such things for whoever calls it; for the collector's lists all of it does."""
DEEP, MOST = 50, 3


def watch(root, tell):
    """Call `tell` with what code below the folder `root` looks into, as an event with the place, from now on."""
    if not hasattr(sys, "addaudithook"):
        return
    root, getframe = root.rstrip("/") + "/", sys._getframe
    told, looking = [], set()  # type: list[str], set[int]

    def audited(event, args):
        what = _looked_into(event, args)
        if not what or len(told) >= MOST or get_ident() in looking:
            return
        looking.add(get_ident())
        at = _asked_by(getframe(1), root, event)
        looking.discard(get_ident())
        if at is not None:
            told.append(what)
            tell({"event": "introspected", "what": what, "at": at})

    sys.addaudithook(audited)


def _looked_into(event, args):
    """What an event is about, if it opens the interpreter to who caused it; else ""."""
    if event == "object.__getattr__":
        return args[1] if args[1] in _FRAMES else ""
    if event == "object.__setattr__":
        return args[1] if args[1] == "__code__" else ""
    if event == "open":
        path = args[0] if isinstance(args[0], str) else ""
        return path if path.startswith("/proc/") and path.endswith("/mem") else ""
    return event if event in _INTERPRETER or event.startswith(_MACHINE) else ""


def _asked_by(frame, root, event):
    """The place in the repository, as a path in it and a line, that asks; None if something else does."""
    for _ in range(DEEP):
        if frame is None:
            return None
        file = frame.f_code.co_filename
        if file.startswith(root):
            return [file[len(root) :], frame.f_lineno]
        made_up = file.startswith("<") and not file.startswith("<frozen")
        of_library = file.startswith(_LIBRARY) and not any(part in file for part in _PACKAGES)
        if not (made_up or file.startswith(_HANDS_ON) or (of_library and event.startswith("gc."))):
            return None
        frame = frame.f_back
    return None
