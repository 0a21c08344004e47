"""Every way in which a model may fail at one question, and what the ledger must say of the calls then."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from servers.model import PAGE, Say, status
from servers.scripted import Reply

from agents.llm.ledger import Call, Ledger

__all__ = ["AWAY", "BROKEN", "Model", "calls", "spent"]

BROKEN: dict[str, Any] = {
    "a page": PAGE,
    "words": "I would rather not.",
    "another schema": {"verdict": "verified"},
    "cut JSON": '{"root": {"name": "Tidal',
    "too long": Say("{", finish="length"),
    "declined": Say(None, refusal="I can't help with that."),
    "filtered": Say("The", finish="content_filter"),
    "nothing": Say(""),
    "a cut stream": Say("{}\n{}\n", cut=1),
}
AWAY: dict[str, Any] = {
    "a storm of 429": status(429),
    "failing": status(503),
    "a wrong key": status(401),
    "a hanging stream": Say("{}\n{}\n", hang=30, cut=1),
}


@dataclass
class Model:
    """A model that answers as it should, by the form of the answer and the user's words, but for the questions in
    `instead`; it counts what it `told` to have used."""

    answer: Callable[[str, dict[str, Any]], Any]
    instead: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    told: list[tuple[int, int]] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> Any:
        form = body["response_format"]["json_schema"]["name"]
        self.asked.append(form)
        reply = self.instead.get(form) or self.answer(form, body)
        if isinstance(reply, Reply):
            return reply
        say = reply if isinstance(reply, Say) else Say(reply)
        usage = (6000 + len(self.asked), 400 + len(self.asked))
        self.told += [usage] if say.cut is None else []
        return Say(**{**vars(say), "usage": usage})


def calls(home: Path) -> list[Call]:
    """All calls in the ledger of a home."""
    return Ledger(home / "llm").calls()


def spent(home: Path) -> list[tuple[int, int]]:
    """Tokens of the calls that the server told of."""
    known = [call.settled for call in calls(home) if call.settled and not call.settled.estimated]
    return [(one.tokens_in, one.tokens_out) for one in known if one.tokens_in]
