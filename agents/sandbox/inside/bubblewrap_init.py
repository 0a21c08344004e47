"""The first process of ours inside bubblewrap: writes the inputs, starts the command, tells what really came of it.

Run by xkg's own interpreter (3.11 or later) as ``python -I -S -B -c SOURCE CHANNEL``, standard library only. CHANNEL is
a socket to the supervisor. It says ``R`` (ready: the sandbox stands and nothing foreign has run), receives eight bytes
of length and that much JSON (`argv`, `environment`, `cwd`, `rlimits`, `files` as [path, size]) followed by the files'
bytes, says ``G`` when the command starts, and last one JSON object: `status` as of
wait(2) with `cpu` (seconds) and `memory` (bytes of the largest process), or `error`.

bubblewrap's own report folds a signal into the exit code 128 + n, so that exit(139) and a segmentation fault look
alike; the status as of wait(2) does not.

It is process 1 and the command runs as the same user. Signals from inside do not end a process 1, and making itself
undumpable takes its memory and its open files in /proc from the command: what it tells is what came of the command.
"""

import ctypes
import json
import os
import resource
import signal
import sys

SET_DUMPABLE = 4  # linux/prctl.h


def set_dumpable(value: int) -> None:
    """Whether others of the same user may look into this process; raises OSError."""
    zero = ctypes.c_ulong(0)
    if ctypes.CDLL(None, use_errno=True).prctl(SET_DUMPABLE, ctypes.c_ulong(value), zero, zero, zero):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def receive(channel: int, count: int) -> bytes:
    """Exactly `count` bytes; ends the process if the supervisor is gone."""
    parts = []
    while count:
        part = os.read(channel, min(count, 1 << 20))
        if not part:
            os._exit(1)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def send(channel: int, data: bytes) -> None:
    """All of `data`; silent if the supervisor is gone, as it then kills the namespace anyway."""
    try:
        while data:
            data = data[os.write(channel, data) :]
    except OSError:
        os._exit(1)


def write_files(channel: int, files: list[list[str | int]]) -> None:
    """The inputs, below the working folder; the supervisor has checked the names."""
    for path, size in files:
        name = f"/work/{path}"
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(receive(channel, int(size)))


def start(job: dict[str, object]) -> None:
    """Become the command. Only returns by an exception."""
    set_dumpable(1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    os.chdir("/work")
    os.chdir(str(job["cwd"]))
    for name, value in job["rlimits"].items():  # type: ignore[attr-defined]
        resource.setrlimit(getattr(resource, name), (value, value))
    argv: list[str] = job["argv"]  # type: ignore[assignment]
    os.execvpe(argv[0], argv, job["environment"])  # type: ignore[arg-type]


def main() -> None:
    """See the module."""
    channel = int(sys.argv[1])
    os.set_inheritable(channel, False)
    set_dumpable(0)
    send(channel, b"R")
    job = json.loads(receive(channel, int.from_bytes(receive(channel, 8), "big")))
    try:
        write_files(channel, job["files"])
    except OSError as error:
        send(channel, json.dumps({"error": f"an input file could not be written: {error}"}).encode())
        return
    send(channel, b"G")
    child = os.fork()
    if child == 0:
        try:
            start(job)
        except OSError as error:
            os.write(2, f"sandbox: {job['argv'][0]}: {error.strerror}\n".encode())
            os._exit(127 if isinstance(error, FileNotFoundError) else 126)
        finally:
            os._exit(126)
    os.close(0)
    os.close(1)
    os.close(2)
    ended = status = 0
    cpu, most = 0.0, 0
    while ended != child:
        ended, status, used = os.wait4(-1, 0)
        cpu += used.ru_utime + used.ru_stime
        most = max(most, used.ru_maxrss * 1024)
    send(channel, json.dumps({"status": status, "cpu": cpu, "memory": most}).encode())


if __name__ == "__main__":
    main()
