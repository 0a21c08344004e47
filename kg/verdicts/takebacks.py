"""What a home has taken back: judgements that no graph and no export can bring back with the seals they once had.

``logs/taken-back`` lies beside the key and only grows: a line for each judgement, ``<number> <number>``, and for each
place in a graph where nothing counts that was judged before, ``<place> <number>``. It is on the disk before the graph
says less than it did, so that one line too many, after a crash, costs a new run and no line is ever missing.
"""

import errno
import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterable
from pathlib import Path

from kg.errors import ServiceError

__all__ = ["TakenBack"]

LINE = re.compile(r"([0-9a-f]{20}) ([0-9a-f]{20})")
"""What a line says; one that a crash has cut says nothing."""

_NUMBER = re.compile(r"[0-9a-f]{20}")


class TakenBack:
    """The list in the file `place`, read when it is first asked and again where it grew.

    A judgement's number is 20 hex digits, greater than those before it: nanoseconds of the clock, and two bytes of
    chance.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._until: dict[str, str] = {}
        self._latest = ""
        self._size = 0

    def number(self) -> str:
        """A number for a new judgement, which no place's line covers, wherever the clock has gone."""
        self._read()
        after = int(self._latest[:16], 16) + 1 if self._latest else 0
        return f"{max(time.time_ns(), after):016x}{secrets.token_hex(2)}"

    def covers(self, number: str, place: str) -> bool:
        """Whether a judgement was taken back, or is older than one that took its place there."""
        self._read()
        return number in self._until or number <= self._until.get(_hash(place), "")

    def add(self, numbers: Iterable[str], places: Iterable[str] = ()) -> None:
        """Take judgements back, and all that was ever judged at `places`. On disk for good when this returns.

        Raises ServiceError if it can't be written.
        """
        until = self.number()
        known = (number for number in dict.fromkeys(numbers) if _NUMBER.fullmatch(number))  # seals of a graph: anything
        new = [number for number in known if number not in self._until]
        lines = [f"{number} {number}" for number in new] + [
            f"{_hash(place)} {until}" for place in dict.fromkeys(places)
        ]
        if lines:
            self._append("\n".join(["", *lines, ""]))

    def _append(self, text: str) -> None:
        """In one piece, after whatever a crash has left of another."""
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "ab", buffering=0) as file:
                if file.write(data := text.encode()) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(descriptor)
        except OSError as error:
            raise ServiceError(
                f"what was taken back of verdicts can't be noted: {error.strerror}",
                where=str(self.place),
                remedy="free space or make the folder writable, and run again",
            ) from error

    def _read(self) -> None:
        """What has come since. Raises ServiceError if it can't be read."""
        try:
            size = self.place.stat().st_size if self.place.exists() else 0
            if size == self._size:
                return
            with self.place.open("rb") as file:
                file.seek(self._size)
                added = file.read()
        except OSError as error:
            raise ServiceError(
                f"what was taken back of verdicts can't be read: {error.strerror}",
                where=str(self.place),
                remedy="make it readable for you",
            ) from error
        whole = added[: added.rfind(b"\n") + 1]
        self._size += len(whole)
        for line in whole.decode("ascii", "replace").splitlines():
            if found := LINE.fullmatch(line):
                self._until[found[1]] = max(found[2], self._until.get(found[1], ""))
                if found[1] != found[2]:  # what a graph said is a judgement's number is no time
                    self._latest = max(self._latest, found[2])


def _hash(place: str) -> str:
    return hashlib.sha256(place.encode("utf-8", "replace")).hexdigest()[:20]
