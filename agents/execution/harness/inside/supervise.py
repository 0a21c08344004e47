"""Runs jobs inside the sandbox and tells what really came of them. Standard library only, Python 3.6 or later.

Standard input holds 32 bytes of key and then the plan as JSON; what it and its jobs may hold is said by the side that
writes it, ``agents.execution.harness``. Arguments are the folders of a repository and of files lent to it ("" for
none). Standard output gets a line for each job that was begun, and one for each that was run or skipped: the keyed hash
of the rest of the line, its number, JSON.

The code that is run is hostile and has the same rights as this, so what it says counts little. This process, which
judges, loads nothing but the standard library and can't be traced; the jobs are forked from another one (``zygote``)
that knows neither plan nor key, and are told no more than what to run: not which job it is, nor whether anything was
changed for it. A child's reports bear a keyed hash of their own; anything else in its report shows that something
else wrote there, and the job is "forged". A job is finished only if its child said so: one that exits early, whatever
its exit code, has died. All processes that a job leaves behind are ended before the next one begins, and with `fresh`
all that it left in the file system is undone.
"""

import hashlib
import importlib
import json
import os
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

processes, watching, workspace = (
    importlib.import_module("xkg_inside." + name) for name in ("processes", "watching", "workspace")
)

LEAST_SECONDS = 1.0
OF_TESTS = {"start", "end", "raised", "called", "collect", "collected", "exit"}
"""Events of tests, none of which comes when pytest has been left."""
TOLD = (
    "args", "aside", "each", "file", "fail", "ini", "kind", "name", "only", "path", "paths", "quick", "root", "script",
    "seed", "skip", "stop", "symbol", "symbols", "test_line", "trace", "traces", "way",
)  # fmt: skip
"""What a job's process is told of the job: the same of one on changed code and one on the code as it is."""


def main():
    """Run all jobs; 1 if a job went wrong that was not meant to."""
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
    work = os.getcwd()
    place = workspace.Workspace(work, sys.argv[1], sys.argv[2], plan)
    zygote = processes.Zygote(os.path.join(HERE, "zygote.py"), plan["preload"], work, place.of_repository())
    try:
        return run_all(plan, place, zygote, lambda number, result: tell(out, key, number, result))
    finally:
        zygote.end()


def run_all(plan, place, zygote, told):
    """Whether a job went wrong."""
    stop, began = time.monotonic() + float(plan["seconds"]), True
    bad, known = 0, plan["known"]
    words = [job["applies"][1] for job in plan["jobs"] if job.get("applies")]
    for number, job in enumerate(plan["jobs"]):
        left = stop - time.monotonic()
        if not needed(job, known):
            continue
        result = {"id": job["id"], "ended": "skipped"}
        if left > LEAST_SECONDS or (began and plan["fresh"]):
            began = False
            told(2 * number, {"id": job["id"], "ended": "begun"})
            place.begin(job)
            job["seconds"] = allowed(job, max(left, LEAST_SECONDS), known)
            result = run_one(job, plan, place.work, zygote)
            if result["seconds"] >= max(left, LEAST_SECONDS) and result["ended"] in ("timeout", "finished", "died"):
                result["ended"] = "cut"
            place.end()
            good = passes(job, result)
            known[job["id"]] = result["known"] = {
                "clean": good,
                "late": result["ended"] == "timeout",
                "done": any(event.get("ok") for event in result["events"])
                or (good and all(event.get("altered", 1) for event in result["events"])),
                "kinds": [kind for event in result["events"] for kind in event.get("kinds", ()) if kind in words],
                "seconds": result["seconds"],
            }
            if not good and not job.get("mutate"):
                bad = 1
        told(2 * number + 1, result)
    told(2 * len(plan["jobs"]), {"id": "", "ended": "all"})
    return bad


def needed(job, known):
    """Whether what is `known` of the jobs before, by their ids, leaves a job to be run."""
    if any(known[other]["done"] for other in job.get("unless", ()) if other in known):
        return False
    if any(known[other]["late"] for other in job.get("in_time", ()) if other in known):
        return False
    if not all(other in known and known[other]["clean"] for other in job.get("requires", ())):
        return False
    if not job.get("applies"):
        return True
    other, word = job["applies"]
    return other in known and word in known[other]["kinds"]


def tell(out, key, number, result):
    """A signed line."""
    line = ("%d %s" % (number, json.dumps(result))).encode("ascii")
    data = hashlib.blake2b(line, key=key).hexdigest().encode("ascii") + b" " + line + b"\n"
    while data:
        data = data[os.write(out, data) :]


def run_one(job, plan, work, zygote):
    """What came of a job."""
    secret = os.urandom(32)
    report_read, report_write = os.pipe()
    log_read, log_write = os.pipe()
    told = {name: job[name] for name in TOLD if name in job}
    roots = [os.path.join(work, root).rstrip("/") for root in plan["path"]]
    told.update(secret=secret.hex(), memory=plan.get("memory"), roots=roots)
    watch = watching.Watch(os.path.join(work, "repo"))
    if plan.get("copy"):
        watch.start()
    pid = zygote.start(told, (report_write, log_write))
    os.close(report_write)
    os.close(log_write)
    patience = processes.Patience(job)
    report = processes.Report(report_read, secret, patience)
    log = processes.Pipe(log_read, job["log"])
    if pid is None:
        os.close(report_read)
        os.close(log_read)
        return {"id": job["id"], "ended": "lost", "events": [], "seconds": 0.0}
    status, seconds, late = processes.watch(pid, (report, log, watch), patience, zygote.pid)
    exited = status is not None and os.WIFEXITED(status)
    ended = "finished" if came_to_its_end(job, report.events) else "died"
    if late and not (ended == "finished" and exited):
        ended = "timeout"
    return {
        "id": job["id"],
        "ended": "forged" if report.forged else ended,
        "events": report.events,
        "status": -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status),
        "log": log.content().decode("utf-8", "replace"),
        "seconds": seconds,
        "inputs": watch.stop() if plan.get("copy") else None,
    }


def came_to_its_end(job, events):
    """Whether a job's process says so once, and nothing after it; of tests, also that pytest was left after all that
    were begun had ended, and that nothing else has ended the process: what a test can reach says what it wants."""
    names = [event.get("event") for event in events]
    if names.count("finished") != 1 or names[-1] != "finished":
        return False
    if job["kind"] != "tests":
        return True
    begun, ended = ([event.get("test") for event in events if event.get("event") == one] for one in ("start", "end"))
    behind = names[names.index("pytest") :] if names.count("pytest") == 1 else OF_TESTS
    return begun == ended and not OF_TESTS.intersection(behind)


def allowed(job, left, known):
    """Seconds that a job may take: its own, what is left, and, paced by another, so many times what that took."""
    seconds = min(float(job["seconds"]), left)
    if job.get("pace"):
        other, times, least = job["pace"]
        seconds = min(seconds, max(least, times * (known[other]["seconds"] if other in known else seconds)))
    return seconds


def passes(job, result):
    """Whether a job came to its end, and every test that was asked for by name has passed."""
    bad = [e for e in result["events"] if e.get("outcome") in ("failed", "error") or e.get("ok") is False]
    passed = {event.get("test") for event in result["events"] if event.get("outcome") == "passed"}
    whole = passed.issuperset(job.get("only") or ())
    return result["ended"] == "finished" and result["status"] == 0 and not bad and whole


if __name__ == "__main__":
    sys.exit(main())
