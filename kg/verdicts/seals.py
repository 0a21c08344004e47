"""The seal of a home on what it judged: made with a key that lies beside its logs, in no graph and no export.

A file or another program can say of code whatever it likes, consistently; what it can't do is seal it. An export
carries the seals, so one's own comes back as it was. What another home has sealed is a claim until it has run here, or
until somebody who trusts that home has brought its ``logs/key`` here, as ``logs/keys/NAME``.

A seal is ``<name of the key>:<code>``; that of a verdict has the number of the judgement between them. Judgements that
this home has taken back since, it no longer believes: see kg.verdicts.takebacks.
"""

import hashlib
import hmac
import json
import logging
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from kg.errors import ServiceError, XkgError
from kg.models.ids import vouched
from kg.results.verdict import Anchor, GraphId
from kg.store import Store, Transaction
from kg.verdicts.takebacks import TakenBack

__all__ = ["Seals", "number_of", "open_seals"]

_log = logging.getLogger("xkg")

KEY_BYTES = 32
SHOWN = 12
"""Hex digits by which a key is recognised."""
NUMBER = re.compile(r"[0-9a-f]{20}")
LOST_NOTES = (
    "lacks notes of verdicts that this home took back, or holds altered ones: "
    "bring the file back from a backup, or run `xkg code verify --all --force`"
)


class Seals:
    """Seals made with the key in `folder`, which comes with the first, recognised by it and those in ``keys``.

    `graph` tells the graph they are in from others of this home; `anchors` are the last seals that this graph knows in
    the lists of what homes have taken back.
    """

    def __init__(self, folder: Path, graph: str = "", anchors: Iterable[str] = ()) -> None:
        self.place, self.graph = folder / "key", graph
        self._anchors = list(anchors)
        self._taken_back = TakenBack(folder / "taken-back", self)

    def make(self, kind: str, statement: Mapping[str, Any], number: str = "") -> str:
        """The seal on a statement of this kind (its values as a graph gives them back; null says nothing).

        `number` is that of the judgement, where the seal is of one: `number_of` the seal it had, or a `new_number`.
        """
        if not self.place.exists():
            self._make_key()
            self.__dict__.pop("_keys", None)
        return _seal(self._own, number, kind, statement)

    def new_number(self) -> str:
        """The number of a judgement that is made now: no other has it, and nothing is taken back with it."""
        return self._taken_back.number()

    def fits(self, seal: object, kind: str, statement: Mapping[str, Any]) -> bool:
        """Whether `seal` was made with a key that is known here, on this very statement."""
        if not isinstance(seal, str) or (key := self._keys.get(seal.partition(":")[0])) is None:
            return False
        made = _seal(key, number_of(seal), kind, statement)
        return hmac.compare_digest(seal.encode("utf-8", "replace"), made.encode("utf-8", "replace"))

    def take_back(self, tx: Transaction, seals: Iterable[object], codes: Iterable[str] = ()) -> None:
        """Believe no longer what was judged with one of `seals`, nor what was judged of `codes` in this graph so far.

        That it was noted is known to the graph with all that `tx` writes. Raises ServiceError if it can't be noted.
        """
        self._anchors = _anchors(tx)
        if self.note(seals, codes):
            self.anchor(tx)

    def note(self, seals: Iterable[object], codes: Iterable[str] = ()) -> str:
        """The same, of which a graph does not know yet; the seal on it."""
        numbers = [number for seal in seals if NUMBER.fullmatch(number := number_of(seal))]
        places = [f"{self.graph} {vouched(code)}" for code in codes]
        if (numbers or places) and (lost := self.lost_notes):
            _log.warning("%s %s; all that was judged until now is taken back", self.notes, lost)
        return self._taken_back.add(numbers, places, self._anchor)

    def anchor(self, tx: Transaction) -> None:
        """Let the graph know the last seal in the list of what was taken back, if nothing is missing there."""
        if (last := self._taken_back.last) and not self.lost_notes:
            tx.run("verdict/anchor_notes", home=f"{self.home}:", seal=last)
            self._anchors = [last]

    @property
    def lost_notes(self) -> str:
        """What is amiss with the list of what was taken back, and the remedy, after the name of its file; "" if it is
        whole."""
        return LOST_NOTES if self._taken_back.lacks(self._anchor) else ""

    @property
    def notes(self) -> Path:
        """The file with that list."""
        return self._taken_back.place

    @property
    def _anchor(self) -> str:
        home = self.home
        return next((seal for seal in self._anchors if home and seal.startswith(f"{home}:")), "")

    @property
    def home(self) -> str:
        """The name of this home's key; "" before it has one."""
        return _name(self._own) if self.place.exists() else ""

    def taken_back(self, seal: object, code: str) -> bool:
        """Whether the judgement of `code` that `seal` was made for has been taken back."""
        return self._taken_back.covers(number_of(seal), f"{self.graph} {vouched(code)}")

    def knows(self, seal: object) -> bool:
        """Whether `seal` names a key that is known here as its maker, truly or not."""
        return isinstance(seal, str) and seal.partition(":")[0] in self._keys

    @cached_property
    def _own(self) -> bytes:
        return _read(self.place)

    @cached_property
    def _keys(self) -> dict[str, bytes]:
        """Keys by their names, this home's own among them."""
        brought = sorted((self.place.parent / "keys").glob("*"))
        return {_name(key): key for key in map(_read, [*brought, *([self.place] if self.place.exists() else [])])}

    def _make_key(self) -> None:
        """Whole or not at all, readable by its owner only; one that appears meanwhile stays."""
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=".key.", dir=self.place.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(os.urandom(KEY_BYTES))
                    file.flush()
                    os.fsync(file.fileno())
                with suppress(FileExistsError):
                    self.place.hardlink_to(name)
            finally:
                Path(name).unlink()
        except OSError as error:
            raise ServiceError(
                f"the key of this home's verdicts can't be written: {error.strerror}",
                where=str(self.place),
                remedy="free space or make the folder writable, and run again",
            ) from error


def _read(place: Path) -> bytes:
    """A key. Raises ServiceError if it can't be read, XkgError if it is none."""
    try:
        key = place.read_bytes()
    except OSError as error:
        raise ServiceError(
            f"the key of verdicts can't be read: {error.strerror}", where=str(place), remedy="make it readable for you"
        ) from error
    if len(key) != KEY_BYTES:
        raise XkgError(
            "the key of verdicts is damaged",
            where=str(place),
            remedy="bring it back, or remove it and run `xkg code verify --all --force`",
        )
    return key


def open_seals(store: Store | Transaction, folder: Path) -> Seals:
    """The seals of the home whose logs are in `folder`, for this graph."""
    return Seals(folder, store.rows(GraphId)[0].id, _anchors(store))


def _anchors(store: Store | Transaction) -> list[str]:
    return [row.seal for row in store.rows(Anchor)]


def number_of(seal: object) -> str:
    """The number of the judgement that a seal names; "" for that of an earlier version, and for what is none."""
    parts = seal.split(":") if isinstance(seal, str) else []
    return parts[1] if len(parts) == 3 else ""


def _seal(key: bytes, number: str, kind: str, statement: Mapping[str, Any]) -> str:
    said = {name: value for name, value in statement.items() if value is not None}
    text = json.dumps([kind, *([number] if number else []), said], sort_keys=True, separators=(",", ":"), default=str)
    return ":".join(filter(None, [_name(key), number, hmac.new(key, text.encode(), hashlib.sha256).hexdigest()]))


def _name(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:SHOWN]
