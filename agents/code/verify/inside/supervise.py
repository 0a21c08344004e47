"""Runs jobs inside the sandbox and tells what really came of them. Standard library only, Python 3.6 or later.

The plan comes as JSON on standard input with a token that only this process knows; results leave as lines
``<token> <json>`` on standard output, so that nothing a repository prints can pass for one. The work is done by a
`worker` process that forks a child per job. A job is finished only if its child said so: a child that exits early,
whatever its exit code, has died. Hanging children are killed from here, with all of their process group.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

GRACE = 5.0
WALL = 4.0
"""A test's limit is processor time, which a busy machine does not change; one that waits may take so much longer."""
EVENT_BYTES = 16 << 20
LOG_BYTES = 60000
PR_SET_DUMPABLE = 4


class WorkerGone(Exception):
    """The worker process has ended."""


class Worker:
    """The process that forks a child for each job; its events come as JSON lines through a pipe."""

    def __init__(self, plan: "dict[str, Any]") -> None:
        self.events, theirs = os.pipe()
        orders, ours = os.pipe()
        self.jobs = os.fdopen(ours, "wb")
        self.process = subprocess.Popen(
            [sys.executable, "-s", "-m", "xkg_inside.worker", str(theirs)],
            stdin=orders,
            pass_fds=(theirs,),
            stdout=subprocess.DEVNULL,
            cwd="/work",
        )
        os.close(theirs)
        os.close(orders)
        self.buffer = b""
        self.send({key: plan.get(key) for key in ("path", "warm", "variables")})

    def send(self, message: "dict[str, Any]") -> None:
        """One message to the worker."""
        try:
            self.jobs.write(json.dumps(message).encode() + b"\n")
            self.jobs.flush()
        except OSError:
            raise WorkerGone from None

    def event(self, deadline: float) -> "dict[str, Any] | None":
        """The next event; None when the deadline passes first."""
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.events], [], [], left)[0]:
                return None
            chunk = os.read(self.events, 1 << 16)
            if not chunk:
                raise WorkerGone
            self.buffer += chunk
            if len(self.buffer) > EVENT_BYTES:
                raise WorkerGone
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            event = json.loads(line.decode("utf-8", "replace"))
        except ValueError:
            return {}
        return event if isinstance(event, dict) else {}

    def close(self) -> None:
        """End it and what it forked last."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for close in (self.jobs.close, lambda: os.close(self.events)):
            try:
                close()
            except OSError as error:
                sys.stderr.write("supervise: %s\n" % error)


class Supervisor:
    """Takes the plan's jobs one after another."""

    def __init__(self, plan: "dict[str, Any]") -> None:
        self.plan = plan
        self.worker = None  # type: Any

    def run(self, job: "dict[str, Any]") -> "dict[str, Any]":
        """One job to its end; its mutated file is put back afterwards."""
        changed = job.get("mutate")
        if not isinstance(changed, dict):
            return self.attempt(job)
        path = os.path.join("/work/repo", changed["path"])
        with open(path, "rb") as stream:
            original = stream.read()
        put(path, changed["text"].encode("utf-8", "surrogatepass"))
        try:
            return self.attempt(job)
        finally:
            put(path, original)

    def attempt(self, job: "dict[str, Any]") -> "dict[str, Any]":
        """Run a job in a child of the worker, which is started again if it is gone."""
        result = {"id": job["id"], "ended": "died", "events": [], "status": None, "log": ""}  # type: dict[str, Any]
        log = "/work/log.txt"
        put(log, b"")
        begin = time.monotonic()
        try:
            if self.worker is None:
                self.worker = Worker(self.plan)
                if not self.ready(float(self.plan.get("warm_seconds", 120))):
                    raise WorkerGone
            self.worker.send({"job": {key: value for key, value in job.items() if key != "mutate"}, "log": log})
            self.follow(job, result)
        except WorkerGone:
            self.drop()
        result["seconds"] = round(time.monotonic() - begin, 3)
        result["log"] = head_and_tail(log)
        return result

    def ready(self, seconds: float) -> bool:
        """Whether the worker has come up in time."""
        event = self.worker.event(time.monotonic() + seconds)
        return event is not None and event.get("event") == "ready"

    def follow(self, job: "dict[str, Any]", result: "dict[str, Any]") -> None:
        """Gather the events of a job's child until it has ended.

        One that takes too long is first asked to end its test, so that it can say how far it came, then killed.
        """
        end = time.monotonic() + float(job["seconds"])
        each = float(job.get("each", job["seconds"]))
        deadline, pid, size, warned, last = end, 0, 0, False, False
        events = result["events"]
        while True:
            event = self.worker.event(min(deadline, end))
            if event is None and pid and not (warned or last):
                warned, last = True, time.monotonic() >= end
                deadline = time.monotonic() + GRACE
                end = max(end, deadline)
                signalled(pid, signal.SIGPROF)
                continue
            if event is None or size > 4 * EVENT_BYTES:
                result["ended"] = "timeout"
                if not pid or not self.kill(pid):
                    raise WorkerGone
                return
            kind = event.get("event")
            if kind == "forked":
                pid = int(event["pid"])
            elif kind == "ended":
                result["status"] = event.get("status")
                if any(e.get("event") == "finished" for e in events):
                    result["ended"] = "finished"
                elif warned:
                    result["ended"] = "timeout"
                return
            else:
                events.append(event)
                warned = warned and kind != "end"
                size += 200 + len(str(event.get("reach", "")))
                deadline = time.monotonic() + WALL * each + GRACE if kind == "start" else end

    def kill(self, pid: int) -> bool:
        """Kill a child's process group; whether the worker then reported its end."""
        for target in (-pid, pid):
            signalled(target, signal.SIGKILL)
        stop = time.monotonic() + GRACE
        while time.monotonic() < stop:
            event = self.worker.event(stop)
            if event is not None and event.get("event") == "ended":
                return True
        return False

    def drop(self) -> None:
        """Give up the worker; the next job gets a new one."""
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def signalled(pid: int, number: int) -> None:
    """Send a signal, if there still is anyone to receive it."""
    try:
        os.kill(pid, number)
    except OSError as error:
        sys.stderr.write("supervise: signal %d: %s\n" % (number, error))


def put(path: str, data: bytes) -> None:
    """Write a file whose text no cache can take for the one before."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder)
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as stream:
        stream.write(data)


def head_and_tail(path: str) -> str:
    """The text of a log, its middle left out when it is long."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(LOG_BYTES // 2)
            size = os.fstat(stream.fileno()).st_size
            if size > LOG_BYTES:
                stream.seek(size - LOG_BYTES // 2)
                data += b"\n[... %d bytes left out ...]\n" % (size - LOG_BYTES)
            data += stream.read(LOG_BYTES // 2)
    except OSError:
        return ""
    return data.decode("utf-8", "replace")


def lay_out(plan: "dict[str, Any]") -> None:
    """The writable copy of the repository, then the files that the plan adds."""
    own = plan.get("own") or {}
    places = [("/in/repo/" + name, name) for name in plan.get("copy") or ()]
    for source, name in places + [("/in/own/" + own[name], name) for name in sorted(own)]:
        target = os.path.join("/work/repo", name)
        folder = os.path.dirname(target)
        if not os.path.isdir(folder):
            os.makedirs(folder)
        shutil.copyfile(source, target)
    for name, text in (plan.get("write") or {}).items():
        put(os.path.join("/work", name), text.encode("utf-8", "surrogatepass"))


def passes(job: "dict[str, Any]", result: "dict[str, Any]") -> bool:
    """Whether every test that was asked for by name has passed."""
    passed = {event.get("test") for event in result["events"] if event.get("outcome") == "passed"}
    return result["ended"] == "finished" and bool(job.get("only")) and passed.issuperset(job["only"])


def hide() -> None:
    """Close this process's memory and descriptors to others of the same user; the token lives here."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (OSError, AttributeError):
        sys.stderr.write("supervise: no prctl here\n")


def troubled(job: "dict[str, Any]", result: "dict[str, Any]") -> bool:
    """Whether a job on the code as it is went wrong; of a mutant that is hoped for."""
    if "mutate" in job:
        return False
    bad = [e for e in result["events"] if e.get("outcome") in ("failed", "error") or e.get("ok") is False]
    return bool(bad) or result["ended"] != "finished"


def main() -> int:
    """Read the plan, run its jobs, print a line for each; 1 if one of them went wrong."""
    hide()
    plan = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    token = plan.pop("token")
    out = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    lay_out(plan)
    supervisor = Supervisor(plan)
    stop = time.monotonic() + float(plan["seconds"])
    bad = 0
    done = set()  # type: set[str]
    clean = set()  # type: set[str]
    for job in plan["jobs"]:
        left = stop - time.monotonic()
        if done.intersection(job.get("unless") or ()) or not clean.issuperset(job.get("requires") or ()):
            continue
        if left > 1:
            job["seconds"] = min(float(job["seconds"]), left)
            result = supervisor.run(job)
            if any(event.get("ok") for event in result["events"]):
                done.add(job["id"])
            bad |= troubled(job, result)
            if passes(job, result):
                clean.add(job["id"])
        else:
            result = {"id": job["id"], "ended": "skipped", "events": [], "status": None, "log": "", "seconds": 0}
        out.write((token + " " + json.dumps(result) + "\n").encode("utf-8", "replace"))
    supervisor.drop()
    out.write((token + " " + json.dumps({"id": "", "ended": "all"}) + "\n").encode())
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
