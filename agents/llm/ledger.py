"""What models have used and cost, kept so that no crash loses it and no process exceeds what all may spend together.

The ledger is a file of JSON lines that is only ever added to. A call *reserves* the most that it can use, before it is
made, and *settles* what it has used, whatever became of it. Every try is a call of its own. Both lines are on the disk
before anything else happens; a lock lets one process at a time read what the others have added, decide, and add. A line
that a killed process has left unfinished is cut off: a reservation that was never whole was followed by no call, and a
settlement that was never whole leaves its reservation open.

An open reservation counts as spent at its worst case. Where its process is dead it is *lost*: nobody knows whether the
provider has charged it. It is settled when its answer turns out to be among the kept ones, or by hand (`write_off`).
"""

import json
import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import uuid4

import psutil
from pydantic import Field, TypeAdapter, ValidationError

from agents.llm.errors import BudgetExceeded, ProfileError
from kg.caching import locked
from kg.config import LlmPrice, LlmSettings
from kg.errors import ServiceError
from kg.files import disk_errors
from kg.models.paper import Model

__all__ = ["ANSWERED", "INTERRUPTED", "LOST", "Call", "Ledger", "Reservation", "Settlement", "Usage", "cost"]

ANSWERED, INTERRUPTED, LOST, WRITTEN_OFF = "answered", "interrupted", "lost", "written off"
"""What may become of a call, beside each `Fault`."""
_WAIT = 0.1
"""Seconds between two looks at whether other calls have settled."""


class Usage(Model):
    """Tokens of one call. `estimated`: the server did not tell, they were counted by the length of the texts."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False


class Reservation(Model):
    """The most that a call may use, and for whom. `cost` is None where the model has no price."""

    event: Literal["reserve"] = "reserve"
    call: str
    key: str
    run: str
    stage: str
    paper: str | None
    model: str
    prompt: str
    tokens_in: int
    tokens_out: int
    cost: Decimal | None
    at: datetime
    pid: int
    born: float


class Settlement(Model):
    """What a call has used. `outcome` is ``answered``, a `Fault`, or why nobody knows; `estimated`: not as told."""

    event: Literal["settle"] = "settle"
    call: str
    outcome: str
    tokens_in: int
    tokens_out: int
    cost: Decimal | None
    estimated: bool
    seconds: float
    at: datetime


_LINE: TypeAdapter[Reservation | Settlement] = TypeAdapter(
    Annotated[Reservation | Settlement, Field(discriminator="event")]
)


@dataclass
class Call:
    """One try: what was reserved, and what was settled if it was."""

    reserved: Reservation
    settled: Settlement | None = None

    @property
    def counted(self) -> Reservation | Settlement:
        """What counts as spent."""
        return self.settled or self.reserved

    @property
    def lost(self) -> bool:
        """Whether nobody is left who could settle it."""
        return self.settled is None and not _alive(self.reserved.pid, self.reserved.born)


@dataclass
class _Spent:
    tokens: int = 0
    money: Decimal = field(default_factory=Decimal)
    calls: int = 0

    def add(self, one: Reservation | Settlement, sign: int) -> None:
        self.tokens += sign * (one.tokens_in + one.tokens_out)
        self.money += sign * (one.cost or 0)
        self.calls += sign


Scope = tuple[str, ...]


def _scopes(one: Reservation) -> Iterator[tuple[str, Scope]]:
    """Whatever has limits of its own, by the settings' word for it."""
    yield "run", (one.run,)
    yield "stage", (one.run, "stage", one.stage)
    if one.paper is not None:
        yield "paper", (one.run, "paper", one.paper)


def cost(price: LlmPrice | None, used: Usage) -> Decimal | None:
    """What so many tokens cost; None without a price."""
    return (used.tokens_in * price.input + used.tokens_out * price.output) / 1_000_000 if price else None


class Ledger:
    """The ledger in a folder, shared by all threads and processes that open it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._file = folder, folder / "ledger.jsonl"
        self._calls: dict[str, Call] = {}
        self._spent: dict[Scope, _Spent] = defaultdict(_Spent)
        self._unsettled: dict[str, Call] = {}
        self._read, self._lines = 0, 0
        self._mutex = threading.Lock()

    def reserve(
        self, limits: LlmSettings, most: Usage, *, key: str, run: str, stage: str, paper: str | None, model: str,
        prompt: str,
    ) -> Reservation:  # fmt: skip
        """Set aside the most that a call may use. It may be made when this returns.

        Where it would fit if the calls under way cost less than they may, waits for them to settle. Raises
        BudgetExceeded where it would not fit, ProfileError where money is limited and the model has no price.
        """
        one = Reservation(
            call=uuid4().hex, key=key, run=run, stage=stage, paper=paper, model=model, prompt=prompt,
            tokens_in=most.tokens_in, tokens_out=most.tokens_out, cost=cost(limits.prices.get(model), most),
            at=datetime.now(UTC), pid=os.getpid(), born=_born(os.getpid()),
        )  # fmt: skip
        while True:
            with self._turn():
                full = self._full(one, limits)
                if full is None:
                    self._add(one)
                    return one
                if not full.passing:
                    raise full.error
            time.sleep(_WAIT)

    def settle(
        self, reserved: Reservation, limits: LlmSettings, outcome: str, used: Usage, seconds: float = 0.0
    ) -> None:
        """Say what a call has used. A second settlement of the same call changes nothing."""
        one = Settlement(
            call=reserved.call, outcome=outcome, tokens_in=used.tokens_in, tokens_out=used.tokens_out,
            cost=cost(limits.prices.get(reserved.model), used), estimated=used.estimated, seconds=round(seconds, 3),
            at=datetime.now(UTC),
        )  # fmt: skip
        with self._turn():
            if self._calls[reserved.call].settled is None:
                self._add(one)

    def found(self, key: str, limits: LlmSettings, used: Usage) -> None:
        """Say that an answer is kept: if the call that brought it was killed before it settled, it settles now."""
        if not self._file.is_file():
            return
        with self._turn():
            lost = [call.reserved for call in self._unsettled.values() if call.reserved.key == key and call.lost]
            known = [call.settled for call in self._calls.values() if lost and call.reserved.key == key]
        if lost and not any(one and one.outcome == ANSWERED for one in known):
            self.settle(lost[-1], limits, ANSWERED, used)

    def write_off(self, limits: LlmSettings) -> int:
        """Settle all lost calls at nothing, as the provider's bill has them; returns how many there were."""
        lost = [call.reserved for call in self.calls() if call.lost]
        for one in lost:
            self.settle(one, limits, WRITTEN_OFF, Usage(tokens_in=0, tokens_out=0))
        return len(lost)

    def calls(self) -> list[Call]:
        """Every call ever reserved, in that order."""
        if not self._file.is_file():
            return []
        with self._turn():
            return list(self._calls.values())

    def used(self, run: str) -> str:
        """What the calls of a run came to, for people; nothing for those whose answers were kept."""
        calls = [call.counted for call in self.calls() if call.reserved.run == run]
        told, said = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
        costs = [call.cost for call in calls if call.cost is not None]
        return f"{len(calls)} calls, {told} tokens in, {said} out" + (f", {sum(costs):f} of money" if costs else "")

    def _full(self, one: Reservation, limits: LlmSettings) -> "_Full | None":
        for scope, place in _scopes(one):
            now = self._spent[place]
            for unit, more in (("tokens", one.tokens_in + one.tokens_out), ("money", one.cost), ("calls", 1)):
                limit = getattr(limits, f"{scope}_{unit}")
                if not limit:
                    continue
                if more is None:
                    raise ProfileError(
                        f"money is limited and {one.model} has no price",
                        remedy=f'give it one in xkg.toml: [llm.prices."{one.model}"] with input and output',
                    )
                used = getattr(now, unit)
                if used + more > limit:
                    error = BudgetExceeded(
                        f"the {scope} may use {limit} {unit}, has used or reserved {used}, and the next call may need "
                        f"{more}",
                        unit=unit,
                        where=" ".join(place),
                        remedy=f"running again resumes; llm.{scope}_{unit} is the limit",
                    )
                    return _Full(error, unit != "calls" and used - self._under_way(place, unit) + more <= limit)
        return None

    def _under_way(self, place: Scope, unit: str) -> Any:
        """What calls that are being made have reserved there: some of it may come free."""
        sum_ = _Spent()
        for call in self._unsettled.values():
            if place in dict(_scopes(call.reserved)).values() and not call.lost:
                sum_.add(call.reserved, 1)
        return getattr(sum_, unit)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The ledger for us alone, and all that is in it known."""
        with self._mutex, locked(self._folder, "ledger"), disk_errors(self._folder):
            self._catch_up()
            yield

    def _catch_up(self) -> None:
        if not self._file.is_file():
            return
        with self._file.open("r+b") as file:
            file.seek(self._read)
            new = file.read()
            whole = new.rfind(b"\n") + 1
            if whole < len(new):  # its writer is dead: who writes has the lock
                file.truncate(self._read + whole)
                os.fsync(file.fileno())
        for line in new[:whole].splitlines():
            self._lines += 1
            try:
                self._take(_LINE.validate_json(line))
            except (ValidationError, KeyError) as error:
                raise ServiceError(
                    "the ledger of model calls can't be read",
                    where=f"{self._file}:{self._lines}",
                    remedy="mend or remove that line; what it counted is no longer counted then",
                ) from error
        self._read += whole

    def _add(self, one: Reservation | Settlement) -> None:
        line = json.dumps(one.model_dump(mode="json"), ensure_ascii=False).encode() + b"\n"
        with self._file.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self._take(one)
        self._read, self._lines = self._read + len(line), self._lines + 1

    def _take(self, one: Reservation | Settlement) -> None:
        if isinstance(one, Reservation):
            call = self._calls[one.call] = Call(one)
            self._unsettled[one.call] = call
            self._count(call, 1)
            return
        call = self._calls[one.call]
        self._count(call, -1)
        call.settled = one
        self._unsettled.pop(one.call, None)
        self._count(call, 1)

    def _count(self, call: Call, sign: int) -> None:
        for _, place in _scopes(call.reserved):
            self._spent[place].add(call.counted, sign)


@dataclass(frozen=True)
class _Full:
    """Why a call does not fit; `passing`: the calls under way may leave room for it."""

    error: BudgetExceeded
    passing: bool


@cache
def _born(pid: int) -> float:
    return psutil.Process(pid).create_time()


def _alive(pid: int, born: float) -> bool:
    try:
        process = psutil.Process(pid)
        return abs(process.create_time() - born) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
