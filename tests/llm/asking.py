"""What the tests of this folder ask a model, and what they look up of the ledger."""

from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from agents.llm import LLM, Answer
from kg.config import LlmPrice, LlmProfile, Settings
from prompts import Prompt, parse_prompt


class Sum(BaseModel):
    """What is asked for."""

    total: int
    words: list[str]


class Script(BaseModel):
    """A form of which one part is code."""

    BLOCK: ClassVar[str] = "code"

    code: str = ""
    notes: list[str] = []


GOOD = {"total": 3, "words": ["a", "b"]}

ADD: Prompt = parse_prompt(
    "tests/add",
    """---
purpose: Add up, for tests.
version: 1
output: Sum
inputs: {least: trusted, text: untrusted}
---
[system]
Add at least {{ least }} numbers.
[user]
{% call data("text") %}
{{ text }}
{% endcall %}
""",
)


def scripted(base_url: str, folder: Path) -> Settings:
    """Settings with the profile ``strict`` of a server, and all that is kept in a folder."""
    profile = LlmProfile(
        model="scripted", base_url=base_url, timeout=20, max_output_tokens=500, replies=folder / "replies"
    )
    return Settings().replace(
        home=folder / "home",
        network__retry_wait=0.01,
        network__retry_total=5,
        llm__profile="strict",
        llm__profiles={"strict": profile},
        llm__prices={"scripted": LlmPrice(input=Decimal(1), output=Decimal(2))},
    )


def add(llm: LLM, text: str = "1 and 2", **more: Any) -> Answer[Sum]:
    """Ask for a sum."""
    return llm.ask(ADD, {"least": 2, "text": text}, Sum, **{"stage": "adding", "paper": "local:a", **more})


def told(llm: LLM) -> list[tuple[str, int, int, bool]]:
    """Of each call in the ledger: what became of it, its tokens in and out, whether they are estimated."""
    return [
        (call.settled.outcome, call.settled.tokens_in, call.settled.tokens_out, call.settled.estimated)
        if call.settled
        else ("open", call.reserved.tokens_in, call.reserved.tokens_out, True)
        for call in llm.ledger.calls()
    ]
