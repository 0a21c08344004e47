"""The first process of ours inside bubblewrap: writes the inputs, starts the command, tells what really came of it.

Run by xkg's own interpreter (3.11 or later) as ``python -I -S -B -c SOURCE CHANNEL``, standard library only. CHANNEL is
a socket to the supervisor. It says ``R`` (ready: the sandbox stands and nothing foreign has run), receives eight bytes
of length and that much JSON (`argv`, `environment`, `cwd`, `rlimits`, `files` as [path, size]) followed by the files'
bytes, says ``G`` when the command starts, and last one JSON object: `status` as of
wait(2) with `cpu` (seconds) and `memory` (bytes of the largest process), or `error`.

bubblewrap's own report folds a signal into the exit code 128 + n, so that exit(139) and a segmentation fault look
alike; the status as of wait(2) does not.

The end of the supervisor closes the socket, and with process 1 the kernel ends all the others. (bubblewrap's own
--die-with-parent loses its child if it dies between making it and letting it go on.)

It is process 1 and the command runs as the same user. Signals from inside do not end a process 1, and making itself
undumpable takes its memory and its open files in /proc from the command: what it tells is what came of the command.
"""

import ctypes
import json
import os
import resource
import select
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


def keep_only(channel: int) -> None:
    """Close every file but the standard streams and the channel, which the command does not inherit."""
    os.closerange(3, channel)
    os.closerange(channel + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    os.set_inheritable(channel, False)


def bell() -> int:
    """What can be read when a child has ended. Later ones that find it full have nothing to add."""
    rung, ring = os.pipe()
    os.set_blocking(rung, False)
    os.set_blocking(ring, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    return rung


def wait_for(child: int, channel: int, rung: int) -> dict[str, float]:
    """What came of the child; takes leave of all others on the way. Ends the process if the supervisor is gone.

    A child that is stopped goes on: what it watches could stop it, and then nothing inside would end in its time.
    """
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    poll.register(rung, select.POLLIN)
    cpu, most = 0.0, 0
    while True:
        ended, status, used = os.wait4(-1, os.WNOHANG | os.WUNTRACED)
        if os.WIFSTOPPED(status):
            if ended == child:
                os.kill(child, signal.SIGCONT)
            if channel in dict(poll.poll(0)):  # stops come faster than they are taken, if someone wants it
                os._exit(1)
            continue
        if ended:
            cpu += used.ru_utime + used.ru_stime
            most = max(most, used.ru_maxrss * 1024)
        if ended == child:
            return {"status": status, "cpu": cpu, "memory": most}
        if not ended:
            if channel in dict(poll.poll()):
                os._exit(1)
            os.read(rung, 4096)


def main() -> None:
    """See the module."""
    channel = int(sys.argv[1])
    keep_only(channel)
    set_dumpable(0)
    send(channel, b"R")
    job = json.loads(receive(channel, int.from_bytes(receive(channel, 8), "big")))
    try:
        write_files(channel, job["files"])
    except OSError as error:
        send(channel, json.dumps({"error": f"an input file could not be written: {error}"}).encode())
        return
    send(channel, b"G")
    rung = bell()
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
    send(channel, json.dumps(wait_for(child, channel, rung)).encode())


if __name__ == "__main__":
    main()
