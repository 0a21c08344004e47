"""What every attempt shares: its scene, its token, and the words by which it reports.

An attempt runs as ``python3 attempt.py TOKEN`` beside this file and ``scene.json``, in a sandbox or, as a control, on
the host. It reports in lines ``@TOKEN word detail`` on stdout and stderr both, so that flooding one keeps the other:

* ``trying``: it got as far as trying, and what follows may end it;
* ``refused``: the system said no to everything it tried;
* ``done``: it did what is allowed inside; the host looks whether anything of it shows there;
* ``escaped``: it got what it must not have.

Standard library only, Python 3.6 and later.
"""

import ctypes
import errno
import json
import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "scene.json")) as _file:
    SCENE = json.load(_file)
TOKEN = sys.argv[1]
LIBC = ctypes.CDLL(None, use_errno=True)


def say(word, detail=""):
    """Report one word on both streams, in one write each."""
    line = ("@%s %s %s\n" % (TOKEN, word, json.dumps(detail))).encode()
    for stream in (1, 2):
        try:
            os.write(stream, line)
        except OSError:
            continue


def trying(detail=""):
    say("trying", detail)


def refused(detail=""):
    say("refused", detail)


def done(detail=""):
    say("done", detail)


def escaped(detail=""):
    say("escaped", detail)


def name(error):
    """An OSError's symbolic name."""
    return errno.errorcode.get(error.errno, str(error))


def each(tries, harmless=()):
    """Make every try (name → callable); it escapes where one returns anything but None, else all were refused.

    A try that raises OSError was refused, one that returns None found nothing. Names in `harmless` may succeed.
    """
    answers = {}
    for what, act in tries.items():
        try:
            got = act()
        except OSError as error:
            answers[what] = name(error)
            continue
        answers[what] = "nothing" if got is None else repr(got)[:200]
        if got is not None and what not in harmless:
            escaped({what: answers[what]})
    refused(answers)


def call(number, *arguments):
    """A raw system call; OSError on failure, else its result."""
    LIBC.syscall.restype = ctypes.c_long
    ready = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    got = LIBC.syscall(ctypes.c_long(number), *ready)
    if got == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return got


def c(function, *arguments):
    """A function of libc that returns -1 on failure; OSError then."""
    got = getattr(LIBC, function)(*arguments)
    if got == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return got


def in_child(act):
    """Run `act` in a forked child: its result's repr, OSError as it raised, or EPERM where a signal ended it."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writable, ("=%r" % (act(),)).encode()[:2000])
        except OSError as error:
            os.write(writable, ("!%d" % error.errno).encode())
        finally:
            os._exit(0)
    os.close(writable)
    answer = os.read(readable, 4000).decode()
    os.close(readable)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        raise PermissionError(errno.EPERM, "ended by " + signal.Signals(os.WTERMSIG(status)).name)
    if answer.startswith("!"):
        raise OSError(int(answer[1:]), os.strerror(int(answer[1:])))
    return None if answer == "=None" else answer[1:]


def child(act):
    """Fork; the child does `act` and ends. Returns its pid."""
    pid = os.fork()
    if pid == 0:
        try:
            act()
        finally:
            os._exit(0)
    return pid


def read(path, size=65536):
    """The first bytes of a file, without waiting for them."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def holds_secret(data):
    """The secret's name where `data` holds one of the host's, else None.

    The scene tells the secrets backwards, so that an attempt that reads itself does not find them.
    """
    text = (data if isinstance(data, bytes) else str(data).encode())[::-1]
    return next((key for key, backwards in SCENE["secrets"].items() if backwards.encode() in text), None)


def sleep(seconds=600):
    """Sleep through whatever signals come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(max(0, end - time.monotonic()))
