"""Loads modules once and forks a process for each job. Standard library only, Python 3.6 or later.

``zygote.py DESCRIPTOR``: a socket by which the supervisor gives one job after another, each with the descriptors of its
report and its log, and is told the process of each. The supervisor, which judges, loads nothing foreign; what is loaded
here, and in the jobs, may be hostile. So this process never knows more than a job may: nothing of the plan or its key,
of other jobs, or of what a job is for. A job's process is forked twice and so becomes the supervisor's own.
"""

import array
import builtins
import gc
import hashlib
import importlib
import importlib.machinery
import json
import os
import resource
import signal
import socket
import struct
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

calling, importing, introspection, overwritten, processes, records, testing, written = (
    importlib.import_module("xkg_inside." + name)
    for name in "calling importing introspection overwritten processes records testing written".split()
)

PRELOAD_SECONDS = 60
_leave = os._exit


def main():
    """Serve until the supervisor hangs up; in a job's process, do the job and end as an interpreter ends."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=int(sys.argv[1]))
    processes.hide()
    supervisor = os.getppid()
    first, _ = received(channel, 0)
    run_script = own_builtins("script").execute
    files = [os.path.join(first["work"], name) for name in first["files"]]
    written.WRITTEN.lay(files)
    overwritten.OVERWRITTEN.lay(files)
    preload(first["preload"])
    os.environ["XKG_WORK"] = first["work"]
    channel.sendall(struct.pack("<I", 0))
    while True:
        job, descriptors = received(channel, 2)
        if job is None:
            return
        between = os.fork()
        if between == 0:
            pid = os.fork()
            if pid:
                channel.sendall(struct.pack("<I", pid))
                os._exit(0)
            channel.close()
            fd, signed = become(job, descriptors, supervisor)
            events = records.Events(fd, signed, first["work"])
            introspection.watch(first["work"], events.emit)
            if job["kind"] == "script":
                run_script(job, first["work"], fd, signed)
            else:
                run_child(job, first["work"], events)
            return
        os.waitpid(between, 0)
        for fd in descriptors:
            os.close(fd)


def received(channel, count):
    """A message with `count` descriptors; (None, []) at the end."""
    size = array.array("i").itemsize
    head, ancillary, _, _ = channel.recvmsg(4, socket.CMSG_SPACE(count * size))
    if len(head) < 4:
        return None, []
    descriptors = array.array("i")
    for _, _, data in ancillary:
        descriptors.frombytes(data[: len(data) - len(data) % size])
    left, parts = struct.unpack("<I", head)[0], []
    while left:
        parts.append(channel.recv(min(left, 1 << 20)))
        left -= len(parts[-1])
        if not parts[-1]:
            return None, []
    return json.loads(b"".join(parts).decode("ascii")), list(descriptors)


def become(job, descriptors, supervisor):
    """Make this process the job's; what it needs to report."""
    report, log = descriptors
    while os.getppid() != supervisor:
        time.sleep(0.0005)
    signed = hashlib.blake2b(key=bytes.fromhex(job.pop("secret")))
    os.setsid()
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    memory = job.pop("memory")
    if memory:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    search(job.pop("roots"))
    return report, signed


def own_builtins(name):
    """A module of the harness with builtins of its own: the code that it runs may replace the others."""
    module = types.ModuleType(name)
    vars(module)["__builtins__"] = dict(vars(builtins))
    importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name + ".py")).exec_module(module)
    return module


def preload(names):
    """Import what can be; what can't will fail again, and be told, where it is needed.

    With pytest its own plugins are loaded, which each job would load anew. What is here by then no job's collector
    looks at, so that it stays shared.
    """
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for name in names:
        load(name)
    for name in getattr(sys.modules.get("_pytest.config"), "default_plugins", ()):
        load("_pytest." + name)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(gc, "freeze"):
        gc.freeze()


def load(name):
    """Import a module, or tell that it can't be."""
    try:
        signal.alarm(PRELOAD_SECONDS)
        importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001 -- a foreign module may raise anything, and exit
        sys.modules.pop(name, None)
        sys.stderr.write("preload: %s: %s\n" % (name, type(error).__name__))
    finally:
        signal.alarm(0)


def search(places):
    """Let folders of the repository be imported from, here and in what is started from here."""
    importlib.invalidate_caches()
    sys.path[0:0] = places
    if places:
        known = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(places + ([known] if known else []))


def run_child(job, work, events):
    """A job that imports, tests or calls, in its process. Never returns."""
    status = 1
    try:
        sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", errors="replace")
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="replace")
        {"import": importing, "tests": testing, "calls": calling}[job["kind"]].run(job, work, events)
        sys.stdout.flush()
        sys.stderr.flush()
        events.emit({"event": "finished"})
        status = 0
    except BaseException as error:  # noqa: BLE001 -- it must end here whatever happens, and say why in its log
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        _leave(status)


if __name__ == "__main__":
    main()
