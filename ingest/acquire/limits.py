"""How much an archive may be, and the meter that its bytes run through."""

import io
import time
from typing import IO, NamedTuple, Protocol

from kg.errors import InputError

__all__ = ["LIMITS", "Limits", "Meter", "Readable"]


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """The next `size` bytes; none at the end."""
        ...


class Limits(NamedTuple):
    """Bounds in bytes, members and seconds. `ratio` counts once `ratio_floor` bytes are out: small files may repeat."""

    compressed: int = 50_000_000
    total: int = 300_000_000
    text: int = 20_000_000
    members: int = 5_000
    ratio: int = 100
    ratio_floor: int = 10_000_000
    seconds: float = 30.0
    depth: int = 20
    path: int = 400
    name: int = 200


LIMITS = Limits()


class Meter(io.RawIOBase):
    """A reader that counts what `source` gives out against what was read of the archive itself.

    Raises InputError when the bytes, the ratio or the seconds go beyond `limits`.
    """

    def __init__(self, archive: IO[bytes], name: str, limits: Limits) -> None:
        self.source: Readable = archive
        self._size = max(1, archive.seek(0, io.SEEK_END))
        archive.seek(0)
        self._name, self._limits = name, limits
        self._out = 0
        self._until: int | None = None
        self._deadline = time.monotonic() + limits.seconds

    def allow(self, room: int | None) -> None:
        """Let no more than `room` bytes pass before the next call (None: any number)."""
        self._until = None if room is None else self._out + room

    def read(self, size: int = -1, /) -> bytes:
        """The next `size` bytes, at most one mebibyte at once."""
        block = self.source.read(min(size, 1 << 20) if size >= 0 else 1 << 20)
        self._out += len(block)
        if self._out > self._limits.total:
            self._stop(f"unpacks to more than {self._limits.total / 1e6:.0f} MB")
        if self._out > self._limits.ratio_floor and self._out > self._limits.ratio * self._size:
            self._stop(f"unpacks to more than {self._limits.ratio} times its size")
        if self._until is not None and self._out > self._until:
            self._stop("has member headers of more than 2 MB")
        if time.monotonic() > self._deadline:
            self._stop(f"takes longer than {self._limits.seconds:g} s to unpack")
        return block

    def _stop(self, reason: str) -> None:
        raise InputError(
            f"{self._name} {reason} and was refused", remedy="if you trust it, unpack it yourself and give the folder"
        )
