"""Reading what a run says: pipes that nobody can block, with a cap."""

import os

__all__ = ["Capture"]

CHUNK = 1 << 16


class Capture:
    """The reading end of a pipe and what came out of it, up to `cap` bytes; `over` when there was more.

    `pump` never blocks, whoever holds the other end.
    """

    def __init__(self, descriptor: int, cap: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor, self.cap = descriptor, cap
        self.data = bytearray()
        self.over = self.ended = False
        self._taken = 0

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
            self.over = self.over or len(self.data) + len(part) > self.cap
            self.data += part[: self.cap - len(self.data)]

    def drain(self) -> None:
        """Take all that is there. When every writer is dead, that is all there will be."""
        before = -1
        while not self.ended and before != self._taken:
            before = self._taken
            self.pump()

    def text(self) -> str:
        """What was said; bytes that are no UTF-8 become the replacement character."""
        return self.data.decode("utf-8", "replace")
