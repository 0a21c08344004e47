"""A model's rank of the references: it chooses and quotes, both are checked; the rules rank what it leaves out."""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.llm import LLM, BrokenReply
from ingest.corpus.models import Reference

__all__ = ["PROMPT", "RankedReferences", "judge_references"]

PROMPT = "references"
SHOWN = 40
"""References that are shown, the best by the rules."""
SHORTEST_QUOTE = 12
"""Characters; fewer words say nothing of what is taken."""


class RankedReference(BaseModel):
    """A work by its mark, with the words that show what the paper takes from it."""

    mark: str
    quote: str
    why: str


class RankedReferences(BaseModel):
    """The most helpful first."""

    ranked: list[RankedReference]


def judge_references(
    llm: LLM, references: Sequence[Reference], *, title: str, techniques: Sequence[str], most: int, paper: str
) -> tuple[list[Reference], tuple[str, ...]]:
    """All `references`, those that the model names first, as far as its quotes are there; and what was not taken.

    Where no answer comes, the order is the rules'. Raises the errors of `agents.llm` but `BrokenReply`.
    """
    shown = {f"r{number}": reference for number, reference in enumerate(references[:SHOWN], start=1)}
    lines = [
        f"[{mark}] {_one_line(one.title)} ({one.year or 'n.d.'})\n    {_one_line(one.quote)}"
        for mark, one in shown.items()
    ]
    inputs = {"most": most, "title": title, "techniques": "\n".join(techniques), "references": "\n".join(lines)}
    try:
        answer = llm.ask(PROMPT, inputs, RankedReferences, stage=PROMPT, paper=paper)
    except BrokenReply as error:
        return list(references), (f"the references are ranked by rules alone: {error}",)
    taken: dict[str, Reference] = {}
    dropped = []
    for said in answer.value.ranked:
        mark, quote = said.mark.strip("[] "), _plain(said.quote)
        if mark not in shown or mark in taken:
            dropped.append(f"the model's {said.mark!r} is no reference, or was named before")
        elif len(quote) < SHORTEST_QUOTE or quote not in _plain(shown[mark].quote):
            dropped.append(f"the model's quote for {mark} is not in the paper")
        elif len(taken) < most:
            taken[mark] = shown[mark].model_copy(update={"place": len(taken) + 1})
    rest = [one for mark, one in shown.items() if mark not in taken]
    return [*taken.values(), *rest, *references[SHOWN:]], tuple(dropped)


def _one_line(text: str) -> str:
    """Only our own lines begin with a mark."""
    return " ".join(text.split())


def _plain(text: str) -> str:
    return _one_line(text).casefold()
