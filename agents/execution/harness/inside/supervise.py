"""Runs jobs inside the sandbox and tells what really came of them. Standard library only, Python 3.6 or later.

Standard input holds 32 bytes of key and then the plan as JSON; what it and its jobs may hold is said by the side that
writes it, ``agents.execution.harness``. Arguments are the folders of a repository and of files lent to it ("" for
none). Modules of the plan's `preload` are imported once; then a child is forked for each job. For each job that was run
or skipped standard output gets a line: the keyed hash of the rest of the line, its number, JSON.

The code that is run is hostile and has the same rights as this, so what it says counts little: a child's reports bear
the keyed hash of a key that the code never sees, this process's lines one whose key is wiped from the children's
memory, and this process can't be traced. A job is finished only if its child said so: a child that exits early,
whatever its exit code, has died. All processes that a job leaves behind are ended before the next one begins, and with
`fresh` all files are removed.
"""

import builtins
import hashlib
import importlib
import importlib.machinery
import json
import os
import resource
import shutil
import signal
import sys
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
if "xkg_inside" not in sys.modules:
    # The rest of the harness, under a name that no repository has, without a folder on the path.
    sys.path[:] = [place for place in sys.path if place != HERE]
    package = types.ModuleType("xkg_inside")
    package.__path__ = [HERE]
    sys.modules["xkg_inside"] = package

importing, processes, records, testing = (
    importlib.import_module("xkg_inside." + name) for name in ("importing", "processes", "records", "testing")
)

PRELOAD_SECONDS = 60
LEAST_SECONDS = 1.0


def main():
    """Run all jobs. In a child, run its job and come back, to end as an interpreter ends; 1 if a job went wrong."""
    key = bytearray(32)
    got = 0
    while got < len(key):
        count = os.readv(0, [memoryview(key)[got:]])
        if not count:
            raise SystemExit("no key on stdin")
        got += count
    with os.fdopen(0, "rb", closefd=False) as stream:
        plan = json.loads(stream.read().decode("utf-8"))
    null = os.open(os.devnull, os.O_RDWR)
    out = os.dup(1)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    processes.protect()
    work = os.environ["XKG_WORK"] = os.getcwd()
    bad, job = run_all(plan, work, key, out)
    plan = None
    if job is not None:
        os.close(out)
        job[0](*job[1:])
    return bad


def run_all(plan, work, key, out):
    """(Whether a job went wrong, None) when all is done; in a child its function with arguments as the second."""
    run_script = own_builtins("script").execute
    preload(plan["preload"])
    lay_out(plan, work)
    stop, began = time.monotonic() + float(plan["seconds"]), True
    bad, done, clean, taken = 0, set(), set(), {}  # type: int, set[str], set[str], dict[str, float]
    for number, job in enumerate(plan["jobs"]):
        left = stop - time.monotonic()
        if done.intersection(job.get("unless", ())) or not clean.issuperset(job.get("requires", ())):
            continue
        result = {"id": job["id"], "ended": "skipped"}
        if left > LEAST_SECONDS or (began and plan["fresh"]):
            began = False
            if plan["fresh"]:
                if not emptied([work] + plan["scratch"]):
                    raise SystemExit("what a job left behind can't be removed")
                lay_out(plan, work)
            job["seconds"] = allowed(job, max(left, LEAST_SECONDS), taken)
            restore = changed(job, work)
            child, result = forked(job, plan.get("memory"), key)
            if child is not None:
                search(plan["path"], work)
                return 0, (run_script if job["kind"] == "script" else run_child, job, work, *child)
            restore()
            taken[job["id"]] = result["seconds"]
            if any(event.get("ok") for event in result["events"]):
                done.add(job["id"])
            if passes(job, result):
                clean.add(job["id"])
            elif "mutate" not in job:
                bad = 1
        tell(out, key, number, result)
    tell(out, key, len(plan["jobs"]), {"id": "", "ended": "all"})
    return bad, None


def tell(out, key, number, result):
    """A signed line."""
    line = ("%d %s" % (number, json.dumps(result))).encode("ascii")
    data = hashlib.blake2b(line, key=key).hexdigest().encode("ascii") + b" " + line + b"\n"
    while data:
        data = data[os.write(out, data) :]


def own_builtins(name):
    """A module of the harness with builtins of its own: the code that it runs may replace the others."""
    module = types.ModuleType(name)
    vars(module)["__builtins__"] = dict(vars(builtins))
    importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name + ".py")).exec_module(module)
    return module


def preload(names):
    """Import what can be; what can't will fail again, and be told, where it is needed."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for name in names:
        try:
            signal.alarm(PRELOAD_SECONDS)
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 -- a foreign module may raise anything, and exit
            sys.modules.pop(name, None)
            sys.stderr.write("preload: %s: %s\n" % (name, type(error).__name__))
        finally:
            signal.alarm(0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def lay_out(plan, work):
    """The writable copy of the repository, what it is lent, and the files that the plan or a job adds."""
    repository, lent = sys.argv[1:3]
    copies = [(os.path.join(repository, name), os.path.join("repo", name)) for name in plan.get("copy", ())]
    copies += [(os.path.join(lent, source), name) for name, source in sorted(plan.get("lend", {}).items())]
    for source, name in copies:
        target = os.path.join(work, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)
    for name, text in plan.get("write", {}).items():
        put(os.path.join(work, name), text)


def search(roots, work):
    """Let folders of the repository be imported from, in a child and in what is started from it.

    Never in the supervisor: its own late imports (`importlib.metadata` brings many on Python 3.13) would be served by
    the repository, in the process that holds the key.
    """
    importlib.invalidate_caches()
    places = [os.path.join(work, root).rstrip("/") for root in roots]
    sys.path[0:0] = places
    if places:
        known = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(places + ([known] if known else []))


def put(path, text):
    """Write a file whose text no cache can take for the one before."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as stream:
        stream.write(text.encode("utf-8", "surrogatepass"))


def changed(job, work):
    """Lay out a job's own files and its mutated file; what puts the original back."""
    lay_out(job, work)
    change = job.get("mutate")
    if not change:
        return lambda: None
    path = os.path.join(work, change["path"])
    with open(path, "rb") as stream:
        original = stream.read().decode("utf-8", "surrogateescape")
    put(path, change["text"])
    return lambda: restored(path, original)


def restored(path, original):
    os.unlink(path) if os.path.lexists(path) else None
    with open(path, "wb") as stream:
        stream.write(original.encode("utf-8", "surrogateescape"))


def allowed(job, left, taken):
    """Seconds that a job may take: its own, what is left, and, paced by another, so many times what that took."""
    seconds = min(float(job["seconds"]), left)
    if job.get("pace"):
        other, times, least = job["pace"]
        seconds = min(seconds, max(least, times * taken.get(other, seconds)))
    return seconds


def forked(job, memory, key):
    """(What the child needs to report, None) in the child; (None, what came of it) in the parent."""
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
        os.setsid()
        os.dup2(log_write, 1)
        os.dup2(log_write, 2)
        for fd in (report_read, log_read, log_write):
            os.close(fd)
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        return (report_write, signed), None
    os.close(report_write)
    os.close(log_write)
    patience = processes.Patience(job)
    report = processes.Report(report_read, secret, patience)
    log = processes.Pipe(log_read, job["log"])
    status, seconds, late = processes.watch(pid, (report, log), patience)
    finished = any(event.get("event") == "finished" for event in report.events)
    return None, {
        "id": job["id"],
        "ended": "timeout" if late and not (finished and os.WIFEXITED(status)) else "finished" if finished else "died",
        "events": report.events,
        "status": -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status),
        "log": log.content().decode("utf-8", "replace"),
        "seconds": seconds,
    }


def run_child(job, work, fd, signed):
    """A job that imports or tests, in its child. Never returns."""
    status = 1
    try:
        sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", errors="replace")
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="replace")
        events = records.Events(fd, signed, work)
        run = importing.run if job["kind"] == "import" else testing.run
        run(job, work, events)
        sys.stdout.flush()
        sys.stderr.flush()
        events.emit({"event": "finished"})
        status = 0
    except BaseException as error:  # noqa: BLE001 -- the child must end here whatever happens, and say why in its log
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        os._exit(status)


def passes(job, result):
    """Whether a job came to its end, and every test that was asked for by name has passed."""
    bad = [e for e in result["events"] if e.get("outcome") in ("failed", "error") or e.get("ok") is False]
    passed = {event.get("test") for event in result["events"] if event.get("outcome") == "passed"}
    whole = passed.issuperset(job.get("only") or ())
    return result["ended"] == "finished" and result["status"] == 0 and not bad and whole


def emptied(folders):
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
    sys.exit(main())
