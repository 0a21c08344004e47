"""What a home has taken back: judgements that no graph and no export can bring back with the seals they once had.

``logs/taken-back`` lies beside the key and only grows: a line for each judgement, ``<number> <number>``, and for each
place in a graph where nothing counts that was judged before, ``<place> <number>``. It is on the disk before the graph
says less than it did, so that one line too many, after a crash, costs a new run and no line is ever missing.

Whoever shortens it would bring verdicts back. So what is added ends in ``sealed <seal>``, with the home's key on all
bytes before it, and the graph keeps the last of these seals: the list may be longer than the graph knows, never
shorter, and the last seal in it must fit. Where lines are missing, the next that are added take back all that was
judged before.
"""

import errno
import fcntl
import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from kg.errors import ServiceError

__all__ = ["Sealer", "TakenBack"]

LINE = re.compile(r"([0-9a-f]{20}) ([0-9a-f]{20})")
"""What a line says; one that a crash has cut says nothing."""

SEALED = re.compile(r"sealed ([0-9a-f]+:([0-9a-f]{20}):[0-9a-f]{64})")
"""A line with the seal on all before it."""
EVERYWHERE = ""
"""The place of all that was judged, in any graph."""

_NUMBER = re.compile(r"[0-9a-f]{20}")


class Sealer(Protocol):
    """Makes and knows seals: see kg.verdicts.seals."""

    @property
    def home(self) -> str:
        """The name of the key that it makes them with, "" without one."""
        ...

    def make(self, kind: str, statement: Mapping[str, Any], number: str = "") -> str:
        """The seal on a statement."""
        ...

    def fits(self, seal: object, kind: str, statement: Mapping[str, Any]) -> bool:
        """Whether a seal is on this very statement."""
        ...


class TakenBack:
    """The list in the file `place`, read when it is first asked and again where it grew; `sealer` seals it.

    A judgement's number is 20 hex digits, greater than those before it: nanoseconds of the clock, and two bytes of
    chance.
    """

    def __init__(self, place: Path, sealer: Sealer | None = None) -> None:
        self.place, self._sealer = place, sealer
        self._forget()

    def _forget(self) -> None:
        self._until: dict[str, str] = {}
        self._sealed: dict[str, str] = {}  # each seal, in their order, with the hash of all before it
        self._latest = ""
        self._size = 0
        self._hash = hashlib.sha256()

    def number(self) -> str:
        """A number for a new judgement, which no place's line covers, wherever the clock has gone."""
        self._read()
        after = int(self._latest[:16], 16) + 1 if self._latest else 0
        return f"{max(time.time_ns(), after):016x}{secrets.token_hex(2)}"

    def covers(self, number: str, place: str) -> bool:
        """Whether a judgement was taken back, or is older than one that took its place there."""
        self._read()
        until = (self._until.get(_hash(where), "") for where in (place, EVERYWHERE))
        return number in self._until or number <= max(until)

    @property
    def last(self) -> str:
        """The last seal that this home has put there; "" if there is none."""
        self._read()
        home = self._sealer.home if self._sealer else ""
        return next((seal for seal in reversed(self._sealed) if home and seal.startswith(f"{home}:")), "")

    def lacks(self, known: str) -> bool:
        """Whether lines are missing or altered: its last seal does not fit, or `known`, one that was there, is gone,
        and what was judged until then was not taken back for that."""
        if self._sealer and (last := self.last) and not self._sealer.fits(last, *_statement(self._sealed[last])):
            return True
        self._read()
        return known not in self._sealed and self._until.get(_hash(EVERYWHERE), "") < _number_of(known)

    def add(self, numbers: Iterable[str], places: Iterable[str] = (), known: str = "") -> str:
        """Take judgements back, and all that was ever judged at `places`: on disk for good when this returns the seal
        of it ("" if there was nothing to add). Where the list `lacks` what is `known`, all that was ever judged.

        Raises ServiceError if it can't be written.
        """
        wanted, given = dict.fromkeys(places), dict.fromkeys(numbers)
        if not wanted and not given:
            return ""
        with self._alone() as file:
            lost = self.lacks(known)
            given = {number: None for number in given if _NUMBER.fullmatch(number) and number not in self._until}
            if lost:
                self._latest = max(self._latest, _number_of(known))
                wanted[EVERYWHERE] = None
            if not wanted and not given:
                return ""
            until = self.number()
            lines = ["", *(f"{number} {number}" for number in given), *(f"{_hash(at)} {until}" for at in wanted), ""]
            return self._append(file, "\n".join(lines).encode(), until)

    def _append(self, file: BinaryIO, data: bytes, number: str) -> str:
        """In one piece, after whatever a crash has left of another."""
        seal = ""
        if self._sealer:
            file.seek(self._size)
            before = self._hash.copy()
            before.update(file.read() + data)
            seal = self._sealer.make(*_statement(before.hexdigest()), number=number)
            data += f"sealed {seal}\n".encode()
        if file.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(file.fileno())
        return seal

    @contextmanager
    def _alone(self) -> Iterator[BinaryIO]:
        """The file, to be added to, while nobody else adds to it."""
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.place, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "r+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield file
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
            if size < self._size:
                self._forget()
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
        for line in whole.splitlines(keepends=True):
            self._note(line.rstrip(b"\n").decode("ascii", "replace"))
            self._hash.update(line)

    def _note(self, line: str) -> None:
        if found := LINE.fullmatch(line):
            self._until[found[1]] = max(found[2], self._until.get(found[1], ""))
            if found[1] != found[2]:  # what a graph said is a judgement's number is no time
                self._latest = max(self._latest, found[2])
        elif found := SEALED.fullmatch(line):
            self._sealed.pop(found[1], None)
            self._sealed[found[1]] = self._hash.hexdigest()


def _statement(digest: str) -> tuple[str, dict[str, str]]:
    """What a seal in the list says: all that is before it."""
    return "taken back", {"before": digest}


def _number_of(seal: str) -> str:
    return found[2] if (found := SEALED.fullmatch(f"sealed {seal}")) else ""


def _hash(place: str) -> str:
    return hashlib.sha256(place.encode("utf-8", "replace")).hexdigest()[:20]
