"""Starting a job's process, watching it to its end, and ending all that it left behind.

Standard library only, Python 3.6 and later.
"""

import array
import ctypes
import hashlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
CHUNK, DRAIN = 65536, 64
ROUNDS = 200
PATIENCE = 2
WALL, GRACE = 4.0, 5.0
BETWEEN = 120.0
EVENT_BYTES = 64 << 20
READY, FORKED = 120.0, 10.0
"""Seconds for a zygote to have loaded its modules, and to fork."""


def hide():
    """Let no other process read or write this one's memory or descriptors."""
    _prctl(PR_SET_DUMPABLE, 0)


def protect():
    """The same, and make orphans this process's own."""
    hide()
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option, value):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise SystemExit("prctl %d: %s" % (option, os.strerror(ctypes.get_errno())))


class Zygote:
    """The process that jobs are forked from: `script` is its program, `preload` the modules that it loads first, and
    `files` (paths below `work`) are what jobs find.

    One that ends or hangs is replaced, by one that loads nothing.
    """

    def __init__(self, script, preload, work, files):
        self.script, self.preload, self.work, self.files = script, preload, work, files
        self.process = None  # type: subprocess.Popen[bytes] | None
        self.channel = socket.socket()
        self.pid = 0

    def start(self, job, descriptors):
        """The pid of a new process that does `job` with these descriptors, a child of this one; None if none can be."""
        for _ in range(2):
            if not self.pid:
                self.begin()
            try:
                self.send(job, descriptors)
                pid = self.receive(FORKED)
                if pid and adopted(pid):
                    return pid
            except OSError:
                pass
            self.end()
            self.preload = []
        return None

    def begin(self):
        """Start it, and wait until it has loaded its modules."""
        for _ in range(2):
            self.channel.close()
            ours, theirs = socket.socketpair()
            given = [sys.executable, "-s", self.script, str(theirs.fileno())]
            self.process = subprocess.Popen(given, pass_fds=[theirs.fileno()])
            self.pid = self.process.pid
            theirs.close()
            self.channel = ours
            try:
                self.send({"preload": self.preload, "work": self.work, "files": self.files}, ())
                self.receive(READY)
                return
            except OSError:
                self.end()
                self.preload = []

    def send(self, message, descriptors):
        """Give it a message."""
        data = json.dumps(message).encode("ascii")
        given = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        self.channel.settimeout(FORKED)
        self.channel.sendmsg([struct.pack("<I", len(data))], given)
        self.channel.sendall(data)

    def receive(self, seconds):
        """The number that it answers; OSError if it does not."""
        self.channel.settimeout(seconds)
        data = self.channel.recv(4)
        if len(data) < 4:
            raise OSError("it has ended")
        return struct.unpack("<I", data)[0]

    def end(self):
        """Let it end."""
        if not self.pid:
            return
        self.channel.close()
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        self.pid = 0


def adopted(pid):
    """Whether a process has become a child of this one, or will at once."""
    for _ in range(2000):
        state = _stat(pid)
        if state is None or state[1] == os.getpid():
            return state is not None
        time.sleep(0.001)
    return False


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


class Report(Pipe):
    """The events that come out of `fd`, as far as they bear the right hash; `patience` is told of each.

    `forged` says that something came that does not, so that another than the reporter has written.
    """

    def __init__(self, fd, secret, patience):
        Pipe.__init__(self, fd, 0)
        self.signed, self.patience = hashlib.blake2b(key=secret), patience
        self.buffer, self.size, self.events, self.forged = b"", 0, [], False

    def read(self):
        """Take what is there; False at the end of it, or when nothing is there."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return False
        self.size += len(data)
        if self.size > EVENT_BYTES:
            self.patience.excessive = True
            return bool(data)
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            mark, _, text = line.partition(b" ")
            signed = self.signed.copy()
            signed.update(text)
            if signed.hexdigest().encode("ascii") == mark:
                self.signed = signed
                event = json.loads(text.decode("ascii"))
                self.events.append(event)
                self.patience.note(event)
            else:
                self.forged = True
        return bool(data)


class Patience:
    """How long a job's child may go on.

    Seconds in which it only waited for a processor don't count, but it has no more than PATIENCE times its `seconds`.
    A test's limit `each` is processor time, which a busy machine does not change; one that waits may take WALL times
    as long, and so may, if that is longer than BETWEEN seconds, what comes between tests: to load and collect them, and
    to leave. A child that runs tests is first asked to end its test, so that it can say how far it came.
    """

    def __init__(self, job):
        self.seconds, self.each = float(job["seconds"]), job.get("each")
        self.started = time.monotonic()
        self.end = self.warned = self.last = None
        self.excessive = False
        if self.each:
            self.wait(BETWEEN)

    def wait(self, least):
        """Wait for the next event of the child."""
        self.end, self.warned = time.monotonic() + max(least, WALL * self.each + GRACE), None

    def note(self, event):
        """An event of the child: a test begins or ends."""
        if self.each and event.get("event") in ("start", "end"):
            self.wait(0.0 if event["event"] == "start" else BETWEEN)

    def signal(self, pid):
        """The signal that is due, 0 for none."""
        now = time.monotonic()
        over = now > self.started + self.seconds
        over = over and now > self.started + self.seconds + min(_waited(pid), (PATIENCE - 1) * self.seconds)
        if self.excessive or (over and not self.each):
            return signal.SIGKILL
        if over and self.last is None:
            self.last = self.warned = now
            return signal.SIGPROF
        if self.last is not None:
            return signal.SIGKILL if now > self.last + GRACE else 0
        if self.end is not None and now > self.end and self.warned is None:
            self.warned = now
            return signal.SIGPROF
        return signal.SIGKILL if self.warned is not None and now > self.warned + GRACE else 0


def watch(pid, pipes, patience, spared):
    """Read `pipes` until child `pid` ends or `patience` does: (status, seconds taken, whether it was late).

    At its end, kill all its descendants but `spared`, or raise SystemExit if some can't be killed.
    """
    started = time.monotonic()
    open_, poll, wait, status, late = {pipe.fd: pipe for pipe in pipes}, select.poll(), 2, None, False
    for fd in open_:
        if fd >= 0:
            poll.register(fd, select.POLLIN)
    while status is None:
        for fd, _ in poll.poll(wait):
            if not open_[fd].read():
                poll.unregister(fd)
                wait = 1  # it has closed this, and so is about to end
        ended, code = os.waitpid(pid, os.WNOHANG)
        due = patience.signal(pid) if not ended else 0
        if ended:
            status, late = code, patience.warned is not None
        elif due == signal.SIGKILL:
            late = True
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
        elif due:
            os.kill(pid, due)
        wait = min(wait * 2, 50)
    taken = time.monotonic() - started
    if not _end_descendants(spared):
        raise SystemExit("what a job left running can't be killed")
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


def _end_descendants(spared):
    """Kill and reap every descendant but one (orphans become ours); says whether none is left.

    They are stopped first: while some are killed, the others of a fork bomb would take their places.
    """
    for number in range(ROUNDS):
        found = _descendants()
        found.pop(spared, None)
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
        if not found:
            return True
        time.sleep(min(0.05, 0.001 * number))
    return False


def _descendants():
    """The states of all descendants by their process id."""
    parents, states = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            state = _stat(int(name))
            if state is not None:
                states[int(name)], parents[int(name)] = state
    found, new = set(), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new and pid not in found}
        found |= new
    return {pid: states[pid] for pid in found}


def _stat(pid):
    """State and parent of a process, None if there is none."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return fields[0], int(fields[1])
    except (OSError, IndexError, ValueError):
        return None
