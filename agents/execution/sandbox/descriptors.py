"""File descriptors that are closed with a stack of exits."""

import fcntl
import os
import select
from contextlib import ExitStack
from io import FileIO

__all__ = ["keep", "memory_file", "pipe", "readable"]

SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK


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
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEALS)
    return descriptor


def readable(descriptors: list[int], seconds: float) -> set[int]:
    """Those of `descriptors` that can be read now or have ended; waits up to `seconds` for one."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(seconds * 1000)}
