"""Events and exceptions as JSON. Standard library only, Python 3.6 or later."""

import math
import os
import threading
from json.encoder import encode_basestring_ascii as _quoted

# What reporting needs is bound before foreign code can put something else in its place.
_real = os.path.realpath
_getpid, _write, _type, _isinstance, _finite = os.getpid, os.write, type, isinstance, math.isfinite
MESSAGE = 2000
FRAMES = 40


def as_json(value):
    """JSON of what events are made of."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if _isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (_quoted("%s" % key), as_json(item)) for key, item in value.items())
    if _isinstance(value, (list, tuple)):
        return "[%s]" % ",".join([as_json(item) for item in value])
    if _type(value) in (int, float):
        return repr(value) if _finite(value) else "null"
    return _quoted("%s" % (value,))


class Events:
    """Lines of JSON through a descriptor, from the one process that made this: what that forks stays silent.

    Each line is headed by a keyed hash of itself and all before it, which `signed` continues. Files below `work` are
    told as below ``/work``, wherever that is.
    """

    def __init__(self, descriptor, signed, work):
        self.descriptor, self.signed, self.work = descriptor, signed, work
        self.owner, self.lock, self.put_off = os.getpid(), threading.RLock(), None

    def emit(self, event):
        """Send one event whole, and then do what was `put_off` meanwhile."""
        if _getpid() != self.owner:
            return
        with self.lock:
            self.writing = True
            text = as_json(event).encode("ascii")
            self.signed.update(text)
            data = self.signed.hexdigest().encode("ascii") + b" " + text + b"\n"
            while data:
                data = data[_write(self.descriptor, data) :]
            self.writing = False
        late, self.put_off = self.put_off, None
        if late is not None:
            late()

    writing = False
    """Whether an event is being sent: an exception would leave half of it."""

    def raised(self, error):
        """The record of an exception: the names of its class and bases, its message and the frames of its traceback.

        What a collector or a group wraps is unwrapped: the cause is what matters.
        """
        inner = getattr(error, "exceptions", None) or getattr(error, "failures", None)
        if isinstance(inner, (list, tuple)) and inner and isinstance(inner[0], BaseException):
            error = inner[0]
        if type(error).__name__ == "UnexpectedException" and hasattr(error, "exc_info"):
            error = error.exc_info[1]  # what an example of a docstring raised
        if type(error).__name__ in ("CollectError", "ConftestImportFailure") and error.__cause__ is not None:
            error = error.__cause__
        frames = []
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            frames.append([self.place(code.co_filename), trace.tb_lineno, code.co_name])
            trace = trace.tb_next
        if isinstance(error, SyntaxError) and error.filename:
            frames.append([self.place(str(error.filename)), int(error.lineno or 0), ""])
        try:
            message = str(error)
        except Exception as failure:  # noqa: BLE001 -- a class may refuse to be shown
            message = "<%s while it was shown>" % type(failure).__name__
        types = [kind.__name__ for kind in type(error).__mro__ if kind not in (object, BaseException, Exception)]
        return {"types": types or [type(error).__name__], "message": message[:MESSAGE], "frames": frames[-FRAMES:]}

    def place(self, file):
        """A file below the working folder, through whatever link, as if that were ``/work``."""
        file = _real(file) if file.startswith(self.work + "/") else file
        return "/work" + file[len(self.work) :] if file.startswith(self.work + "/") else file
