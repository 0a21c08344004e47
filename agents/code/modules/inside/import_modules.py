"""Runs inside the sandbox: imports mini-packages, each in a process and a folder of its own, and says what came of it.

Standard library only, Python 3.6 or later. Reads modules.json, a list of {"id", "import_name", "symbol", "files",
"own"} ("own" are places and what is linked there), and from standard input a token; writes a line with the token and a
JSON object {"id", "error", "seconds"} for each. What the packages import from outside is imported beforehand where that
works, so that each child finds it ready.
"""

import importlib
import json
import os
import select
import shutil
import signal
import sys
import time
import traceback

LIMIT = float(sys.argv[1])
WARM = sys.argv[2:]


def place(folder, files, own):
    for path, text in files.items():
        where = os.path.join(folder, path)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        with open(where, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    for path, source in own.items():
        where = os.path.join(folder, path)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        os.symlink(source, where)


def quiet():
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)


def error_of(error):
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(os.getcwd()):
            line = " (%s:%s)" % (os.path.relpath(frame.filename), frame.lineno)
    text = " ".join(str(error).split())[:300]
    return "%s: %s%s" % (type(error).__name__, text, line)


def child(module, folder, report):
    os.setsid()
    quiet()
    os.chdir(folder)
    sys.argv = [module["import_name"]]
    sys.path[:] = [folder] + [entry for entry in sys.path if entry not in ("", os.path.dirname(folder))]
    error = ""
    try:
        found = importlib.import_module(module["import_name"])
        if not os.path.realpath(found.__file__ or "").startswith(os.path.realpath(folder)):
            error = "ImportError: %s was found elsewhere" % module["import_name"]
        for part in filter(None, module["symbol"].split(".")[:1]):
            getattr(found, part)
    except BaseException as problem:  # noqa: BLE001  # whatever a module does when imported is its result
        error = error_of(problem)
    os.write(report, json.dumps({"error": error}).encode())
    os._exit(0)


def run(module, folder):
    start = time.time()
    place(folder, module["files"], module["own"])
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        child(module, folder, writer)
    os.close(writer)
    said = b""
    while True:
        left = start + LIMIT - time.time()
        ready = select.select([reader], [], [], max(left, 0))[0] if left > 0 else []
        part = os.read(reader, 65536) if ready else b""
        said += part
        if not part:
            break
    timed_out = not ready
    for target in (os.killpg, os.kill):
        try:
            target(pid, signal.SIGKILL)
        except OSError:
            pass
    status = os.waitpid(pid, 0)[1]
    os.close(reader)
    if said:
        return json.loads(said.decode())["error"]
    if timed_out:
        return "TimeoutError: not imported after %g s" % LIMIT
    return "SystemExit: the process ended by itself (status %s)" % status


def main():
    token = sys.stdin.readline().strip()
    with open("modules.json", encoding="utf-8") as stream:
        modules = json.load(stream)
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    quiet()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for name in WARM:
        try:
            signal.alarm(int(LIMIT))
            importlib.import_module(name)
        except BaseException:  # noqa: BLE001  # a package that fails fails again, and counts, in each child
            sys.modules.pop(name, None)
    signal.alarm(0)
    for number, module in enumerate(modules):
        start = time.time()
        folder = os.path.join(os.getcwd(), "m%d" % number)
        try:
            error = run(module, folder)
        except Exception as problem:  # noqa: BLE001  # no module may end the run of the others
            error = error_of(problem)
        shutil.rmtree(folder, ignore_errors=True)
        line = {"id": module["id"], "error": error, "seconds": round(time.time() - start, 3)}
        out.write(token + json.dumps(line) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
