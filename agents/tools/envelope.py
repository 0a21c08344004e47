"""What every tool gives: one envelope, within a number of tokens, with a cursor where there is more.

A tool answers with a `Listing` (items one after another) or a `Text` (one long text); `sealed` makes the envelope. Of
both as much is given as there is room for. An item that is too long by itself comes shortened, never not at all, so
that a caller who follows cursors comes to the end.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agents.llm import CHARACTERS_A_TOKEN, size
from kg.cli.common import printable

__all__ = ["LEAST_TOKENS", "LIMIT_TOKENS", "Answer", "Envelope", "Listing", "Problem", "Text", "sealed", "tokens"]

LIMIT_TOKENS = 2_000
"""Of an answer: a definition with its equations or a function, and little of what an agent can keep in mind."""
LEAST_TOKENS = 300
HEAD = 0.4
"""The share of an answer that may be about what follows."""
AROUND = 60
"""Tokens of the envelope itself."""
CUT = " … [cut]"
WHOLE = ("id", "name", "paper", "technique", "code")
"""What is of no use in part, and cut only where nothing else is left to cut."""
SHORTEST = 40
"""Characters that a text is not cut below, as long as another can be."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Problem(_Model):
    """Why there is no answer. "retry": other arguments, or the same later, may have one, and `hint` says which;
    "give_up": no call will."""

    kind: Literal["retry", "give_up"]
    message: str
    hint: str = ""


class Envelope(_Model):
    """An answer: `data` if `ok`, else `error`. Where there is more, `next_cursor` asks for it; `total` counts items, or
    the characters of a text, where that is known. `truncated`: something was cut or is left for the next cursor."""

    ok: bool
    data: dict[str, Any] | None = None
    truncated: bool = False
    next_cursor: int | None = None
    total: int | None = None
    error: Problem | None = None

    def value(self) -> dict[str, Any]:
        """For JSON, without what does not apply."""
        return self.model_dump(mode="json", exclude_none=True)

    def text(self) -> str:
        """The JSON that an agent reads."""
        return _dumped(self.value())


@dataclass(frozen=True)
class Listing:
    """Items from the place `start` on, of `total` if that is known; behind them are `more`. `about` comes first. `cut`:
    the tool itself has left out something of them."""

    items: Sequence[Mapping[str, Any]]
    name: str = "items"
    start: int = 0
    total: int | None = None
    more: bool = False
    cut: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Text:
    """A text from the character `start` on, and what is said about it."""

    text: str
    about: Mapping[str, Any]
    start: int = 0


Answer = Listing | Text


def tokens(text: str) -> int:
    """How many a text has, at the three characters a token by which prompts are planned."""
    return -(-size(text) // CHARACTERS_A_TOKEN)


def sealed(answer: Answer, limit: int) -> Envelope:
    """The envelope of `answer`, of at most `limit` tokens."""
    room = limit - AROUND
    about = _plain(answer.about)
    short = _within(about, int(room * HEAD))
    if isinstance(answer, Text):
        return _text(answer, short, room, cut=short != about)
    return _listing(answer, short, room, cut=answer.cut or short != about)


def _listing(answer: Listing, about: dict[str, Any], room: int, *, cut: bool) -> Envelope:
    given: list[Any] = []
    data = {**about, answer.name: given}
    for item in map(_plain, answer.items):
        given.append(item)
        if _cost(data) > room:
            given.pop()
            if not given:
                given.append(_within(item, max(room - _cost(data), SHORTEST)))
                cut = True
            break
    end = answer.start + len(given)
    left = answer.more or len(given) < len(answer.items)
    return Envelope(
        ok=True, data=data, truncated=cut or left, next_cursor=end if left else None, total=answer.total
    )  # fmt: skip


def _text(answer: Text, about: dict[str, Any], room: int, *, cut: bool) -> Envelope:
    whole = printable(answer.text)
    low, high = 0, len(whole) - answer.start
    while low < high:  # the longest beginning that fits: escapes and rare letters make a text longer than it looks
        middle = (low + high + 1) // 2
        fits = _cost({**about, "text": whole[answer.start : answer.start + middle]}) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    end = answer.start + max(low, SHORTEST)
    if end < len(whole) and (line := whole.rfind("\n", answer.start, end)) > answer.start:
        end = line + 1
    data = {**about, "text": whole[answer.start : end]}
    left = end < len(whole)
    return Envelope(ok=True, data=data, truncated=cut or left, next_cursor=end if left else None, total=len(whole))


def _plain(value: Any) -> Any:
    """What JSON has, without what says nothing and without characters that nobody sees."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        said = {printable(str(key)): _plain(item) for key, item in value.items()}
        return {key: item for key, item in said.items() if item not in (None, "", [], {})}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cost(value: Any) -> int:
    return tokens(_dumped(value))


def _within(value: Any, room: int) -> Any:
    """`value` with its longest texts and lists cut until it has at most `room` tokens, or nothing is left to cut."""
    most = room * CHARACTERS_A_TOKEN
    while _cost(value) > room and most >= SHORTEST:
        value = _cut(value, most)
        most = most * 3 // 4
    items = 20
    while _cost(value) > room and items:
        value = _fewer(value, items)
        items //= 2
    while _cost(value) > room and isinstance(value, dict) and (more := [key for key in value if key not in WHOLE]):
        longest = max(more, key=lambda key: _cost(value[key]))
        value = {key: item for key, item in value.items() if key != longest}
    most = room * CHARACTERS_A_TOKEN
    while _cost(value) > room and most:
        value = _cut(value, most, whole=())
        most //= 2
    return value


def _cut(value: Any, most: int, whole: Sequence[str] = WHOLE) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else value[: max(0, most - len(CUT))] + CUT
    if isinstance(value, dict):
        return {key: item if key in whole else _cut(item, most, whole) for key, item in value.items()}
    return [_cut(item, most, whole) for item in value] if isinstance(value, list) else value


def _fewer(value: Any, most: int) -> Any:
    if isinstance(value, dict):
        return {key: _fewer(item, most) for key, item in value.items()}
    return [_fewer(item, most) for item in value[:most]] if isinstance(value, list) else value
