"""Runs inside the sandbox: forks a child for each variant of a block and tells what came of it.

Standard library only, Python 3.6 and later. stdin holds 32 bytes of key and then JSON: `runs` (each with `text`,
`test_line`, `seconds`, `log`), `preload` (modules imported once, before the forks), `scratch` (folders that are emptied
between runs, beside the working folder), `memory` (bytes that a child may allocate), `total` (seconds after which no
run is begun). After a first run that does not pass there is no other; the others may take SLOWER times as long as it.
stdout gets a line for each run: the keyed hash of the rest of the line, the run's number, JSON.

The code that is run is hostile and has the same rights as this, so what it says counts little: a child's report bears
the keyed hash of a key that the code never sees, this process's lines one whose key is wiped from the children's
memory, and this process can't be traced. All that a run left behind, processes and files, is gone before the next.
"""

import builtins
import hashlib
import importlib
import importlib.machinery
import json
import os
import resource
import shutil
import sys
import time
import types

import processes  # type: ignore[import-not-found]  # inside the sandbox it lies beside this

REPORT = 60000
SLOWER, LEAST_SECONDS = 5.0, 10.0


def main():
    """Run all variants. In a child, run its block and come back, to end as an interpreter ends."""
    if os.path.dirname(os.path.abspath(__file__)) != os.getcwd():
        raise SystemExit("it empties its working folder, and runs only in one of its own")
    key = bytearray(32)
    got = 0
    while got < len(key):
        count = os.readv(0, [memoryview(key)[got:]])
        if not count:
            raise SystemExit("no key on stdin")
        got += count
    with os.fdopen(0, "rb", closefd=False) as stream:
        task = json.loads(stream.read().decode("utf-8"))
    null = os.open(os.devnull, os.O_RDWR)
    out = os.dup(1)
    os.dup2(null, 0)
    os.dup2(null, 1)
    processes.protect()
    job = _all(task, key, out)
    task = None
    if job is not None:
        os.close(out)
        job[0](*job[1:])


def _all(task, key, out):
    """None when all is done; in a child, the function that runs its block, and its arguments."""
    started, allowed, folder, execute = time.monotonic(), float("inf"), os.getcwd(), _execute()
    missing = _preloaded(task["preload"])
    for number, run in enumerate(task["runs"]):
        if not _emptied([folder, *task["scratch"]]):
            raise SystemExit("what a block left behind can't be removed")
        path = os.path.join(folder, "block.py")
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(run["text"])
        run["seconds"] = min(run["seconds"], allowed)
        job, told = _forked(run, path, task["memory"], key)
        if job is not None:
            return (execute, *job, number > 0)
        told["preload"] = missing
        line = ("%d %s" % (number, json.dumps(told))).encode("ascii")
        _write(out, hashlib.blake2b(line, key=key).hexdigest().encode("ascii") + b" " + line + b"\n")
        if number == 0:
            allowed = max(LEAST_SECONDS, SLOWER * told["seconds"])
            if not (told["ended"] and told["status"] == 0):
                break
        if time.monotonic() - started > task["total"]:
            break
    return None


def _execute():
    """The function of `run_one`, with builtins of its own: the block may replace the others."""
    name = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_one.py")
    module = types.ModuleType("run_one")
    vars(module)["__builtins__"] = dict(vars(builtins))
    importlib.machinery.SourceFileLoader("run_one", name).exec_module(module)
    return module.execute


def _preloaded(names):
    """Import what can be; the block's own import tells what can't, where it counts."""
    missing = {}
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 -- a foreign module may raise anything, and exit
            missing[name] = type(error).__name__
    return missing


def _write(fd, data):
    while data:
        data = data[os.write(fd, data) :]


def _forked(run, path, memory, key):
    """(arguments of execute, None) in the child; (None, what came of it) in the parent."""
    report_read, report_write = os.pipe()
    log_read, log_write = os.pipe()
    secret = bytearray(os.urandom(32))
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        key[:] = bytes(len(key))
        signed = hashlib.blake2b(key=secret)
        secret[:] = bytes(len(secret))
        os.dup2(log_write, 1)
        os.dup2(log_write, 2)
        for fd in (report_read, log_read, log_write):
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        if "numpy.random" in sys.modules:
            # Forked children would all draw the same unseeded numbers, and a test that fails at times look steady.
            sys.modules["numpy.random"].seed()
        return (run["text"], path, run["test_line"], report_write, signed), None
    os.close(report_write)
    os.close(log_write)
    report, log = processes.Pipe(report_read, REPORT), processes.Pipe(log_read, run["log"])
    status, seconds, late = processes.watch(pid, (report, log), run["seconds"])
    told = {
        "log": log.content().decode("utf-8", "replace"),
        "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "late": late,
        "seconds": seconds,
    }
    return None, {**_checked(report.content(), secret), **told}


def _checked(report, secret):
    """The child's report if its hash is right, else the least: it did not end."""
    mark, _, text = report.partition(b" ")
    right = hashlib.blake2b(text, key=secret).hexdigest().encode("ascii")
    if not text or mark != right:
        return {"ended": False}
    told = json.loads(text.decode("ascii"))
    return {**told, "ended": told.get("ended") is True}


def _emptied(folders):
    """Remove all that is in `folders`; says whether nothing is left."""

    def force(_function, path, _error):
        # A folder whose rights were taken away can't be listed until its owner gives them back.
        for place in (os.path.dirname(path), path):
            if not os.path.islink(place):
                os.chmod(place, 0o700)

    for folder in folders:
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            for _ in range(3):
                try:
                    if os.path.isdir(path) and not os.path.islink(path):
                        shutil.rmtree(path, onerror=force)
                    else:
                        os.unlink(path)
                except FileNotFoundError:
                    break
                except (OSError, RecursionError):
                    continue
            if os.path.lexists(path):
                return False
    return True


if __name__ == "__main__":
    main()
