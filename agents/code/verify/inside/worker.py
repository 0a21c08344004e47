"""Forks a child for each job, so that every job starts from the same state. Standard library only, Python 3.6+.

Modules named as `warm` are imported once before the first fork: libraries, never files of the repository, which may
be mutated. Events go as JSON lines through the descriptor given as argument; what a job prints goes to its log.
"""

import importlib
import json
import os
import signal
import sys
import traceback

from . import importing, testing
from .records import Events


def child(job: "dict[str, object]", log: str, events: Events) -> None:
    """The job itself, in a process group of its own. Never returns."""
    status = 1
    try:
        os.setsid()
        target = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(target, 1)
        os.dup2(target, 2)
        sys.stdin = os.fdopen(0, "r")
        sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", errors="replace")
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="replace")
        events.own()
        run = importing.run if job["kind"] == "import" else testing.run
        run(job, events)
        sys.stdout.flush()
        sys.stderr.flush()
        events.emit({"event": "finished"})
        status = 0
    except BaseException:  # noqa: BLE001 -- the child must end here whatever happens, and say why in its log
        traceback.print_exc()
    finally:
        os._exit(status)


def warm(names: "list[str]") -> None:
    """Import what can be imported; what can't will fail again, and be told, where it is needed."""
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 -- a broken library may raise anything at import
            sys.stderr.write("warm: %s: %r\n" % (name, error))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main() -> None:
    """Serve jobs until standard input ends."""
    events = Events(int(sys.argv[1]))
    jobs = os.fdopen(os.dup(0), "rb")
    setup = json.loads(jobs.readline().decode("utf-8"))
    os.environ.update(setup.get("variables") or {})
    roots = setup.get("path") or []
    sys.path[0:0] = roots
    known = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(roots + ([known] if known else []))
    warm(setup.get("warm") or [])
    events.own()
    events.emit({"event": "ready"})
    for line in iter(jobs.readline, b""):
        message = json.loads(line.decode("utf-8"))
        gate, release = os.pipe()
        pid = os.fork()
        if pid == 0:
            jobs.close()
            os.close(release)
            os.read(gate, 1)
            os.close(gate)
            child(message["job"], message["log"], events)
        os.close(gate)
        events.emit({"event": "forked", "pid": pid})
        os.write(release, b"x")
        os.close(release)
        status = os.waitpid(pid, 0)[1]
        events.emit({"event": "ended", "status": -os.WTERMSIG(status) if os.WIFSIGNALED(status) else status >> 8})


if __name__ == "__main__":
    main()
