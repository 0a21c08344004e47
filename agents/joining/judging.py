"""The close pairs of the curator's queue put to a model; what it says of them is written as its word."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Literal

from agents.joining.reply import SaidRelation
from agents.llm import LLM, BrokenReply, BudgetExceeded, ModelUnavailable, PromptTooLong, ReplayMiss
from kg.concepts import Judgement, record_judgement
from kg.models.paper import Model
from kg.results.concept import TechniqueRow
from kg.results.review import Decided, Described
from kg.review import Item, Other, read_queue
from kg.store import Store, Transaction

__all__ = ["JudgedPairs", "judge_pairs"]

STAGE = "joining"
LEAST_QUOTE = 8
"""Characters of the words that an answer rests on, or all of a definition that has fewer."""
SHOWN = 2_000
"""Characters of a definition that are shown."""

Outcome = SaidRelation | Literal["refused", "left", "overtaken"]
"""What became of one question: what is written down, or which of the counts of `JudgedPairs` it is in."""


class JudgedPairs(Model):
    """What a model made of the pairs: how many it called what, how many answers were not taken, and what ended it.

    `refused` are answers of this run. `left` are kept ones that an earlier run refused: their pairs are a curator's.
    `overtaken` are of pairs that were decided, or told in other words, while the model was asked. `failure` is the
    sentence of what kept the rest from being asked, `limited` whether that was a limit.
    """

    asked: int = 0
    judged: dict[str, int] = {}
    refused: int = 0
    left: int = 0
    overtaken: int = 0
    failure: str = ""
    limited: bool = False


def judge_pairs(store: Store, llm: LLM) -> JudgedPairs:
    """Ask about each pair that no curator and no model has judged; every answer is in the graph before the next.

    Techniques called the same become instances of one concept, and a curator is still asked about it. A pair is asked
    about if both have a definition, and stays a curator's who decides it meanwhile. Raises InputError while a blacklist
    is in force; a failure of the model is in the result, and asking again goes on from the kept answers.
    """
    found, failure, limited = list[Outcome](), "", False
    try:
        for item, other in _unjudged(read_queue(store)):
            if store.observe(partial(_awaits, item=item, other=other)):
                found.append(_judged(store, llm, item, other))
    except (BudgetExceeded, ModelUnavailable, ReplayMiss) as error:
        failure, limited = str(error), isinstance(error, BudgetExceeded)
    return JudgedPairs(
        asked=len(found), judged=Counter(said.relation for said in found if isinstance(said, SaidRelation)),
        refused=found.count("refused"), left=found.count("left"), overtaken=found.count("overtaken"),
        failure=failure, limited=limited,
    )  # fmt: skip


def _unjudged(items: Iterable[Item]) -> Iterator[tuple[Item, Other]]:
    for item in items:
        other = item.other
        if other and other.decided_by != "model" and _shown(item.definition) and _shown(other.definition):
            yield item, other


def _awaits(tx: Transaction, item: Item, other: Other) -> bool:
    """Whether the two are still to be judged: no curator has decided it or bound both, and their words are the same."""
    ids = [item.technique, other.technique]
    words = {row.technique: (row.name, row.definition) for row in tx.rows(Described, ids=ids)}
    return (
        words == {item.technique: (item.name, item.definition), other.technique: (other.name, other.definition)}
        and not any(row.item == item.id for technique in ids for row in tx.rows(Decided, prefix=technique))
        and not all(row.decided_by == "curator" for row in tx.rows(TechniqueRow, ids=ids))
    )


def _judged(store: Store, llm: LLM, item: Item, other: Other) -> Outcome:
    """Ask about two techniques, and write down what is said, if it may be. Raises the errors that end the asking."""
    inputs = {
        "first": _inputs(item.name, item.title or item.paper, item.definition),
        "second": _inputs(other.name, other.title or other.paper, other.definition),
    }
    try:
        answer = llm.ask("same_technique", inputs, SaidRelation, stage=STAGE)
    except (BrokenReply, PromptTooLong):
        return "refused"
    said = answer.value
    if not (_quoted(said.first, item.definition) and _quoted(said.second, other.definition)):
        return "left" if answer.cached else "refused"

    def work(tx: Transaction) -> bool:
        if awaits := _awaits(tx, item, other):
            record_judgement(tx, _judgement(item, other, said), model=answer.model, prompt=answer.prompt_sha256)
        return awaits

    return said if store.transact(work) else "overtaken"


def _inputs(name: str, paper: str, definition: str) -> str:
    return f"name: {name}\npaper: {paper}\n{definition[:SHOWN]}"


def _shown(definition: str) -> str:
    """What is shown of a definition, in the form in which quotes are looked for."""
    return " ".join(definition[:SHOWN].split()).casefold()


def _quoted(quote: str, definition: str) -> bool:
    """Whether the quote is of the definition: of what else is shown, it says nothing of the technique."""
    words, text = " ".join(quote.split()).casefold(), _shown(definition)
    return len(words) >= min(LEAST_QUOTE, len(text)) and words in text


def _judgement(item: Item, other: Other, said: SaidRelation) -> Judgement:
    one, two = item.technique, other.technique
    if said.relation == "second is a variant":
        one, two = two, one
    return Judgement(
        one=one, other=two, relation=_relation(said), score=other.score, why=" ".join(said.why.split())[:300],
        quotes=(said.first, said.second),
    )  # fmt: skip


def _relation(said: SaidRelation) -> Literal["SAME_AS", "VARIANT_OF", "SIMILAR_TO", "DIFFERS_FROM"]:
    match said.relation:
        case "same":
            return "SAME_AS"
        case "first is a variant" | "second is a variant":
            return "VARIANT_OF"
        case "similar":
            return "SIMILAR_TO"
        case "different":
            return "DIFFERS_FROM"
