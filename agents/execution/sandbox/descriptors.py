"""File descriptors that are closed with a stack of exits, and what comes out of them, up to a cap."""

import fcntl
import os
import select
from contextlib import ExitStack
from io import FileIO

__all__ = ["Capture", "PipeCapture", "keep", "memory_file", "pipe", "readable"]

CHUNK = 1 << 16


def keep(stack: ExitStack, descriptor: int) -> int:
    """The descriptor, closed with `stack`."""
    stack.callback(os.close, descriptor)
    return descriptor


def pipe(stack: ExitStack) -> tuple[FileIO, FileIO]:
    """Reading and writing end; either may be closed earlier."""
    reading, writing = os.pipe()
    return stack.enter_context(FileIO(reading, "r")), stack.enter_context(FileIO(writing, "w"))


def memory_file(stack: ExitStack, content: bytes) -> int:
    """A file without a name that holds `content`, to be read from its beginning, and that nobody can change."""
    descriptor = keep(stack, os.memfd_create("xkg", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING))
    with FileIO(descriptor, "w", closefd=False) as file:
        left = memoryview(content)
        while left:
            left = left[file.write(left) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    seals = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK  # of Linux alone
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    return descriptor


def readable(descriptors: list[int], seconds: float) -> set[int]:
    """Those of `descriptors` that can be read now or have ended; waits up to `seconds` for one."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(seconds * 1000)}


class Capture:
    """The first `cap` bytes of a stream; `over` when there was more."""

    def __init__(self, cap: int) -> None:
        self.cap, self.data, self.over = cap, bytearray(), False

    def add(self, data: bytes) -> None:
        """Take what was said next."""
        self.over = self.over or len(self.data) + len(data) > self.cap
        self.data += data[: self.cap - len(self.data)]

    def text(self) -> str:
        """What was said; bytes that are no UTF-8 become the replacement character."""
        return self.data.decode("utf-8", "replace")


class PipeCapture(Capture):
    """What comes out of the reading end of a pipe, which nobody can block, whoever holds the other end."""

    def __init__(self, descriptor: int, cap: int) -> None:
        super().__init__(cap)
        os.set_blocking(descriptor, False)
        self.descriptor, self.ended, self._taken = descriptor, False, 0

    def pump(self) -> None:
        """Take what is there; at most a mebibyte, so that a flood does not keep the supervisor from its other work."""
        for _ in range(16):
            if self.ended:
                return
            try:
                part = os.read(self.descriptor, CHUNK)
            except BlockingIOError:
                return
            self.ended = not part
            self._taken += len(part)
            self.add(part)

    def drain(self) -> None:
        """Take all that is there. When every writer is dead, that is all there will be."""
        before = -1
        while not self.ended and before != self._taken:
            before = self._taken
            self.pump()
