"""Watching a child to its end, and ending all that it left behind. Standard library only, Python 3.6 and later."""

import ctypes
import os
import select
import signal
import time

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
CHUNK, DRAIN = 65536, 64
ROUNDS = 200
PATIENCE = 2


def protect():
    """Let no child read or write this process's memory or descriptors, and make orphans its own."""
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((PR_SET_DUMPABLE, 0), (PR_SET_CHILD_SUBREAPER, 1)):
        if libc.prctl(option, value, 0, 0, 0) != 0:
            raise SystemExit("prctl %d: %s" % (option, os.strerror(ctypes.get_errno())))


class Pipe:
    """What comes out of `fd`: the beginning and the end, `limit` bytes of it; the rest is counted."""

    def __init__(self, fd, limit):
        os.set_blocking(fd, False)
        self.fd, self.limit, self.head, self.tail, self.lost = fd, limit // 2, bytearray(), bytearray(), 0

    def read(self):
        """Take what is there; False at the end of it, or when nothing is there."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return False
        room = self.limit - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        if len(self.tail) > self.limit:
            self.lost += len(self.tail) - self.limit
            del self.tail[: -self.limit]
        return bool(data)

    def close(self):
        """Take the rest, as much as a pipe holds, and close."""
        for _ in range(DRAIN):
            if not self.read():
                break
        os.close(self.fd)

    def content(self):
        """What was kept."""
        gap = b"\n[... %d bytes left out ...]\n" % self.lost if self.lost else b""
        return bytes(self.head + gap + self.tail)


def watch(pid, pipes, seconds):
    """Read `pipes` until child `pid` ends or is killed after `seconds`: (status, seconds taken, whether it was late).

    Seconds in which it only waited for a processor don't count, but it has no more than PATIENCE times `seconds`. At
    its end, kill all its descendants, or raise SystemExit if some can't be killed.
    """
    started = time.monotonic()
    open_, poll, wait, status, late = {pipe.fd: pipe for pipe in pipes}, select.poll(), 2, None, False
    for fd in open_:
        poll.register(fd, select.POLLIN)
    while status is None:
        for fd, _ in poll.poll(wait):
            if not open_[fd].read():
                poll.unregister(fd)
        ended, code = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = code
        elif time.monotonic() - started > seconds + min(_waited(pid), (PATIENCE - 1) * seconds):
            late = True
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
        wait = min(wait * 2, 50)
    taken = time.monotonic() - started
    if not _end_descendants():
        raise SystemExit("what a block left running can't be killed")
    for pipe in pipes:
        pipe.close()
    return status, round(taken, 3), late


def _waited(pid):
    """Seconds that a process was ready to run and had no processor; 0 where the kernel does not count them."""
    try:
        with open("/proc/%d/schedstat" % pid, "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0


def _end_descendants():
    """Kill and reap every descendant (orphans become ours); says whether none is left.

    They are stopped first: while some are killed, the others of a fork bomb would take their places.
    """
    for number in range(ROUNDS):
        found = _descendants()
        running = {pid for pid, state in found.items() if state not in b"TtZX"}
        stop = running and number < ROUNDS // 2
        for pid in running if stop else found:
            try:
                os.kill(pid, signal.SIGSTOP if stop else signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        time.sleep(min(0.05, 0.001 * number))
    return False


def _descendants():
    """The states of all descendants by their process id."""
    parents, states = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                states[int(name)], parents[int(name)] = fields[0], int(fields[1])
            except (OSError, IndexError, ValueError):
                continue
    found, new = set(), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new and pid not in found}
        found |= new
    return {pid: states[pid] for pid in found}
