"""The supervisor of a container: hands over the job, reads what is said, and kills the container if all else fails."""

import contextlib
import select
import socket
import time
from collections.abc import Iterator

from agents.execution.sandbox.docker_engine import Engine, telling
from agents.execution.sandbox.docker_stream import Frames
from agents.execution.sandbox.models import LimitName, SandboxError

__all__ = ["supervise"]

LAUNCH = 60.0
"""Seconds in which the job must be taken."""
GRACE = 10.0
"""Seconds that process 1 has, beyond the wall limit, to end the run itself; it can measure what we can't from here."""
SILENCE = 15.0
"""Seconds in which process 1, told to end, must end all and say something more of its report."""
TICK_MS = 100
CHUNK = 1 << 18
SIP, PAUSE = 1 << 15, 0.01
"""Bytes taken at a time, and seconds between, of a flood that is being ended. The engine waits for its reader, so the
flood has to wait too, however long process 1 takes to hear of it."""


def supervise(engine: Engine, container: str, job: bytes, frames: Frames, wall: float) -> LimitName | None:
    """Start the container and read it to its end; the limit that ended it, if that was seen from here.

    Raises SandboxError if the container can't be started, or not be ended.
    """
    with _attached(engine, container) as ends:
        with telling("the container can't be started"):
            engine.start(container)
        watched = _Watched(ends, memoryview(job), frames, wall)
        while watched.turn():
            if watched.kill:
                with telling("the container can't be killed"):
                    engine.kill(container)
                watched.killed()
        return watched.limit


@contextlib.contextmanager
def _attached(engine: Engine, container: str) -> Iterator[socket.socket]:
    """The container's stdin, stdout and stderr as one socket."""
    with telling("the container can't be attached to"):
        wrapped = engine.attach_socket(container, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
    plain: socket.socket = getattr(wrapped, "_sock", wrapped)
    plain.setblocking(False)
    try:
        yield plain
    finally:
        wrapped.close()
        plain.close()


class _Watched:
    """One run as seen through its socket. `turn` waits a little, reads, writes, and decides whether it is to end."""

    def __init__(self, ends: socket.socket, job: memoryview, frames: Frames, wall: float) -> None:
        self.ends, self.job, self.frames, self.wall = ends, job, frames, wall
        self.limit: LimitName | None = None
        self.kill = self.was_killed = False
        self._deadline = time.monotonic() + LAUNCH
        self._poll = select.poll()
        self._poll.register(ends, select.POLLIN | select.POLLOUT)

    def turn(self) -> bool:
        """False when the container has said its last."""
        for _, events in self._poll.poll(TICK_MS):
            if events & select.POLLOUT and self.job:
                self._write()
            if events & ~select.POLLOUT and not self._read():
                self.frames.finish()
                return False
        late = time.monotonic() > self._deadline
        if late and self.was_killed:
            raise SandboxError("the engine does not end a container", remedy="restart the Docker engine")
        if self.limit is None and (late or self.frames.flooded()):
            if late and self.job:
                raise SandboxError(
                    "the container does not take its input", remedy="see that the machine is not overloaded"
                )
            self._end("wall" if late else "output")
        elif late:
            self.kill = True
        return True

    def killed(self) -> None:
        """The engine was told to kill the container."""
        self.kill, self.was_killed, self._deadline = False, True, time.monotonic() + SILENCE

    def _write(self) -> None:
        try:
            self.job = self.job[self.ends.send(self.job[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # process 1 has ended, and what it said on stderr tells why
            self.job = memoryview(b"")
        if not self.job:
            self._poll.modify(self.ends, select.POLLIN)
            self._deadline = time.monotonic() + self.wall + GRACE

    def _read(self) -> bool:
        sipping = self.limit == "output" and not self.frames.reporting
        if sipping:
            time.sleep(PAUSE)
        try:
            data = self.ends.recv(SIP if sipping else CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        self.frames.feed(data)
        if self.frames.reporting:
            self._deadline = time.monotonic() + SILENCE
        return bool(data)

    def _end(self, limit: LimitName) -> None:
        """Let go of the lifeline, upon which process 1 ends everything and reports."""
        self.limit, self._deadline = limit, time.monotonic() + SILENCE
        with contextlib.suppress(OSError):
            self.ends.shutdown(socket.SHUT_WR)
