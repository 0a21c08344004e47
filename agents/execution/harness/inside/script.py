"""Runs a script in its child, as ``python3 script.py`` would, and reports how it ended.

Standard library only, Python 3.6 and later. Everything that reporting needs is bound before the script starts, because
it may replace any module's attributes; `supervise` gives this module builtins of its own.
"""

import ast
import builtins
import json.encoder
import os
import re
import sys
import traceback
import types

FRAMES, MESSAGE, DEEP = 40, 2000, 1000
FILE = "<script>"
_quote = json.encoder.encode_basestring_ascii
_print_exception, _walk = traceback.print_exception, traceback.walk_tb
_getpid, _write, _leave = os.getpid, os.write, os._exit
_own_frame = re.compile(r'File "([^"\n]+)", line (\d+)').findall


def execute(job, work, fd, signed):
    """Run the file `script` of a job as the main module and write a report to `fd`, headed by its keyed hash.

    The report says that the script finished only if its last statement was reached: by running off the end, or by an
    exit with 0 from the very last statement. Lines from `test_line` on are its test's. `signed` is a keyed hash object.
    With `quick` the process ends at once, without taking down an interpreter full of modules, which takes longer than
    most scripts; else as an interpreter ends.
    """
    pid, quick, test_line = _getpid(), job["quick"], job["test_line"]
    path = os.path.join(work, job["script"])
    with open(path, encoding="utf-8", errors="surrogatepass", newline="") as file:
        text = file.read()
    if "numpy.random" in sys.modules:
        # Forked children would all draw the same unseeded numbers, and a test that fails at times look steady.
        sys.modules["numpy.random"].seed()
    final = _final_lines(text)
    module = types.ModuleType("__main__")
    module.__file__ = path
    vars(module)["__builtins__"] = builtins
    sys.modules["__main__"] = module
    sys.argv[:] = [path]
    os.chdir(os.path.dirname(path))
    sys.path.insert(0, os.path.dirname(path))
    update, hexdigest, join = signed.update, signed.hexdigest, b" ".join
    report, exit_with = b'{"event":"finished"}', None
    try:
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 -- what this is for
    except SystemExit as error:
        exit_with = SystemExit(error.code)
        if not _well(error.code):
            report = _failed_exit(error, path, test_line)
        elif not _at_end(error, path, final):
            report = _report([b'"SystemExit"'], "it left before its end", _frames(error, path))
    except BaseException as error:  # noqa: BLE001 -- whatever a block raises is told
        exit_with, report = SystemExit(1), _raised(error, path, test_line)
        _show(error)
    if _getpid() == pid:
        update(report)
        _write(fd, join((hexdigest().encode("ascii"), report)) + b"\n")
    if quick:
        _flush(sys.stdout, sys.stderr)
        _leave(0 if exit_with is None or _well(exit_with.code) else 1)
    if exit_with is not None:
        raise exit_with


def _flush(*streams):
    for stream in streams:
        try:
            stream.flush()
        except Exception:  # noqa: BLE001 -- the block may have replaced or closed it
            _write(2, b"(some output is lost)\n")


def _well(code):
    return code is None or (isinstance(code, int) and code == 0)


def _final_lines(text):
    """Lines of the statements with which the module and each of its functions end."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    bodies = [tree.body] + [
        node.body for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    return frozenset(line for body in bodies for line in _last(body))


def _last(body):
    last = body[-1] if body else None
    if isinstance(last, (ast.If, ast.With)):
        return _last(last.body) + _last(getattr(last, "orelse", []))
    if not isinstance(last, (ast.Expr, ast.Return, ast.Raise, ast.Assign)):
        return []
    numbers = [node.lineno for node in ast.walk(last) if hasattr(node, "lineno")]
    return list(range(min(numbers), max(numbers) + 1))


def _at_end(error, path, final):
    places = _places(error)
    own = [line for file, line, _ in places if file == path]
    return bool(own) and all(line in final for line in own)


def _places(error):
    found = []
    for frame, line in _walk(error.__traceback__):
        found.append((frame.f_code.co_filename, line, frame.f_code.co_name))
        if len(found) > DEEP:
            break
    return found[1:]


def _frames(error, path):
    """The traceback as JSON, [[file, line], ...], of a deep one the beginning and the end."""
    places = [(file, line) for file, line, _ in _places(error)]
    if isinstance(error, SyntaxError) and error.filename == path:
        places.append((path, error.lineno or 1))
    if len(places) > FRAMES:
        places = places[: FRAMES // 2] + places[-FRAMES // 2 :]
    return b"[%s]" % b",".join(
        b"[%s,%d]" % (_quoted(FILE if file == path else file), line or 1) for file, line in places
    )


def _quoted(text):
    return _quote(text[:MESSAGE]).encode("ascii")


def _report(types_, message, frames, check=False, left=False):
    """The event of a script that did not finish: `check` if an assertion of its test ended it, `left` if it exited."""
    return b'{"event":"script","raised":{"types":[%s],"message":%s,"frames":%s},"check":%s,"exit":%s}' % (
        b",".join(types_),
        _quoted(message),
        frames,
        b"true" if check else b"false",
        b"true" if left else b"false",
    )


def _raised(error, path, test_line):
    """The report of an exception: names of its type and bases, message, frames, whether a check of the test made it."""
    types_ = [_quoted(kind.__name__) for kind in type(error).__mro__[:-1]]
    try:
        message = str(error)
    except BaseException:  # noqa: BLE001 -- the message is the block's own code
        message = "(its message can't be had)"
    return _report(types_, message, _frames(error, path), check=_is_check(error, path, test_line))


def _is_check(error, path, test_line):
    """Whether an assertion of the test failed: an assert statement there, or an assert function that it called."""
    failed = isinstance(error, AssertionError) or type(error).__module__ == "_pytest.outcomes"
    places = _places(error)
    own = [at for at, (file, _, _) in enumerate(places) if file == path]
    if not failed or not own or places[own[-1]][1] < test_line:
        return False
    below = places[own[-1] + 1 :]
    return not below or any(
        name.lower().startswith(("assert", "fail", "raises", "__exit__")) for _, _, name in below[:2]
    )


def _failed_exit(error, path, test_line):
    """An exit that says failure: what unittest or pytest saw, where one of them called it."""
    last = getattr(sys, "last_value", None)
    if isinstance(last, BaseException):
        return _raised(last, path, test_line)
    for frame, _ in _walk(error.__traceback__):
        result = getattr(frame.f_locals.get("self"), "result", None)
        failures = getattr(result, "failures", None)
        if failures:
            own = [(f, int(line)) for f, line in _own_frame(str(failures[0][1])[-20000:]) if f == path]
            if own:
                line = own[-1][1]
                frames = b"[[%s,%d]]" % (_quoted(FILE), line)
                return _report([b'"AssertionError"'], "a unittest failed", frames, check=line >= test_line)
    return _report([b'"SystemExit"'], "it exited with " + str(error.code)[:200], _frames(error, path), left=True)


def _show(error):
    try:
        _print_exception(type(error), error, error.__traceback__.tb_next)
    except Exception:  # noqa: BLE001 -- the block may have replaced what printing needs
        _write(2, b"(the traceback can't be printed)\n")
