"""What an ingest will cost, as a range, before anything is spent; and what the ledger says that it has cost.

Where a paper's source is at hand its prompts are made as the ingest will make them and measured. Where it is not, the
ledger's papers of the same model tell, else figures that were measured with a strong model.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Literal

from agents.llm import LLM
from agents.llm.ledger import ANSWERED, Call, Usage, cost
from agents.llm.replay import asked
from ingest.extract.judged import JudgedExtractor
from ingest.extract.judged.extractor import LONGEST_AGAIN, LONGEST_FAILURES, MOST, SLACK
from ingest.extract.judged.numbering import read_passages
from ingest.extract.judged.portions import written
from ingest.extract.judged.reply import SaidAgain, SaidTechniques
from ingest.extract.structural import StructuralExtractor
from ingest.ground.judged.judging import INSTRUCTIONS, OUTLINE, README, Room
from ingest.ground.judged.reply import Reply
from ingest.latex import ParsedPaper
from kg.config import Settings
from kg.models.paper import Model
from prompts import prompt

__all__ = ["STAGES", "Actual", "Assumption", "Estimate", "Estimator", "Range", "spent_by"]

STAGES = ("techniques", "implementations")
"""What of an ingest asks a model."""
Assumption = Literal["text", "ledger", "measured", "none"]
"""What it rests on: the paper's own text, other papers in the ledger, figures of a trial; or no model is asked."""
BYTES_A_TOKEN = (2.2, 5.5)
"""Of prompts: formulas and code have fewest, prose has most."""
OUT_A_CALL = (40, 9_000)
"""Tokens of a reply: of a short one that is whole, and of as many entries as are looked at."""
SECONDS_A_CALL = (2.0, 300.0)
SECONDS_A_PAPER = (1.0, 240.0)
"""Of one paper without a model: a small one without code, and a long one with a large repository."""
MEASURED = {
    "techniques": ((1, 2), (8_000, 40_000), (1_500, 9_000)),
    "implementations": ((1, 3), (20_000, 70_000), (1_500, 9_000)),
}
"""Calls, tokens in and out of a paper, by stage: from the least to the most with a strong model, with room above."""
A_TECHNIQUE = 3_000
"""Characters that a technique takes in the prompt where many have little room: what the paper says, a few units cut
short, and names of others that are shown already."""


class Range(Model):
    """From the least to the most that is to be expected, both included."""

    low: float
    high: float

    def __add__(self, other: "Range") -> "Range":
        return Range(low=self.low + other.low, high=self.high + other.high)

    def holds(self, value: float) -> bool:
        """Whether a value lies within."""
        return self.low <= value <= self.high


class Estimate(Model):
    """Calls, tokens, money (None without a price) and minutes of one paper or several, no answer being kept yet.

    `model` is the one that would be asked, "" for none. `assumptions` are all that it rests on. Replies that are none
    and asked for again are in it, tries that get no reply are not.
    """

    calls: Range
    tokens_in: Range
    tokens_out: Range
    money: Range | None = None
    minutes: Range
    model: str = ""
    assumptions: tuple[Assumption, ...] = ()

    @classmethod
    def total(cls, estimates: Iterable["Estimate"]) -> "Estimate":
        """Of all together: one after the other at most, all at a time at least."""
        each = list(estimates)
        zero = Range(low=0, high=0)
        priced = [one.money for one in each if one.money]
        return cls(
            calls=sum((one.calls for one in each), zero),
            tokens_in=sum((one.tokens_in for one in each), zero),
            tokens_out=sum((one.tokens_out for one in each), zero),
            money=sum(priced, zero) if len(priced) == len(each) else None,
            minutes=Range(
                low=max((one.minutes.low for one in each), default=0), high=sum(one.minutes.high for one in each)
            ),
            model=", ".join(sorted({one.model for one in each if one.model})),
            assumptions=tuple(sorted({word for one in each for word in one.assumptions})),
        )


class Actual(Model):
    """What was really used: as the ledger says, and in minutes; `within` tells which figures the estimate holds."""

    calls: int
    tokens_in: int
    tokens_out: int
    money: float | None
    minutes: float
    within: dict[str, bool]

    @property
    def contained(self) -> bool:
        """Whether all that is paid for lies within the estimate."""
        return all(self.within.values())


class Estimator:
    """Estimates papers for one profile; without one (`llm` None) no model is asked and only time is spent."""

    def __init__(self, settings: Settings, llm: LLM | None) -> None:
        self.model = llm.profile.model if llm else ""
        self._llm, self._price = llm, settings.llm.prices.get(llm.profile.model) if llm else None
        calls = [call for call in llm.ledger.calls() if call.reserved.model == self.model] if llm else []
        self._seconds = sorted(call.settled.seconds for call in calls if call.settled and call.settled.seconds > 0)
        self._papers = _by_paper(calls)
        self._longest = max((call.counted.tokens_out for call in calls), default=0)

    def estimate(self, parsed: ParsedPaper | None, *, code: bool) -> Estimate:
        """Of a paper, whose source is `parsed` if it is at hand, with code or without."""
        stages = [stage for stage in STAGES if code or stage != "implementations"]
        if self._llm is None:
            zero = Range(low=0, high=0)
            return Estimate(
                calls=zero, tokens_in=zero, tokens_out=zero, money=zero, minutes=self._minutes(zero),
                assumptions=("none",),
            )  # fmt: skip
        if parsed:
            return self._of_text(self._llm, parsed, code=code)
        found = [self._without_text(stage) for stage in stages]
        rows = [stage for stage, _ in found]
        calls, tokens_in, tokens_out = (
            Range(low=sum(row[i][0] for row in rows), high=sum(row[i][1] for row in rows)) for i in range(3)
        )
        return self._whole(calls, tokens_in, tokens_out, {word for _, word in found})

    def _of_text(self, llm: LLM, parsed: ParsedPaper, *, code: bool) -> Estimate:
        """The prompts of the first calls, measured; beside them what may be asked again, as long as it may be."""
        first = list(_first_prompts(llm, parsed))
        form = len(asked(prompt("techniques_again"), llm.profile, _NO_FAILURE, SaidAgain, 0).sent)
        again = form + LONGEST_FAILURES + min(LONGEST_AGAIN, sum(first))
        low, high = _tokens(sum(first))[0], 2 * _tokens(sum(first) + again)[1]  # one that is none is asked for again
        calls = Range(low=len(first), high=2 * len(first) + 2)
        if code:
            techniques = MOST + SLACK + sum(1 for _ in StructuralExtractor().extract(parsed).walk())
            room, form = Room.of(llm), len(asked(prompt("implementations"), llm.profile, _NO_CODE, Reply, 0).sent)
            least = techniques * A_TECHNIQUE
            shown = max(room.first, least) + max(room.second, least)
            sheets = sum(_sheets(max(whole, least), room.call) for whole in (room.first, room.second))
            low += _tokens(form)[0]
            high += 2 * _tokens(shown + sheets * (form + OUTLINE + README + INSTRUCTIONS))[1]
            calls = Range(low=calls.low + 1, high=calls.high + 2 * sheets)
        longest = min(llm.profile.max_output_tokens, max(OUT_A_CALL[1], self._longest))
        out = Range(low=calls.low * OUT_A_CALL[0], high=calls.high * longest)
        return self._whole(calls, Range(low=math.floor(low), high=math.ceil(high)), out, {"text"})

    def _without_text(self, stage: str) -> tuple[tuple[tuple[int, int], ...], Assumption]:
        """Calls and tokens of one stage of a paper that nobody has seen."""
        rows = self._papers.get(stage, [])
        if not rows:
            return MEASURED[stage], "measured"
        return tuple((min(row[i] for row in rows), 2 * max(row[i] for row in rows)) for i in range(3)), "ledger"

    def _whole(self, calls: Range, tokens_in: Range, tokens_out: Range, words: set[Assumption]) -> Estimate:
        ends = (
            cost(self._price, Usage(tokens_in=int(tokens_in.low), tokens_out=int(tokens_out.low))),
            cost(self._price, Usage(tokens_in=int(tokens_in.high), tokens_out=int(tokens_out.high))),
        )
        money = Range(low=float(ends[0]), high=float(ends[1])) if ends[0] is not None and ends[1] is not None else None
        return Estimate(
            calls=calls, tokens_in=tokens_in, tokens_out=tokens_out, money=money, minutes=self._minutes(calls),
            model=self.model, assumptions=tuple(sorted(words)),
        )  # fmt: skip

    def _minutes(self, calls: Range) -> Range:
        fastest, slowest = (self._seconds[0], self._seconds[-1]) if self._seconds else SECONDS_A_CALL
        return Range(
            low=round((SECONDS_A_PAPER[0] + calls.low * min(fastest, SECONDS_A_CALL[0])) / 60, 2),
            high=round((SECONDS_A_PAPER[1] + calls.high * max(slowest, SECONDS_A_CALL[1])) / 60, 2),
        )


_NO_FAILURE = {"names": [], "failed": 0, "failures": "", "missing": [], "passages": ""}
_NO_CODE = {"again": False, "title": "", "readme": "", "outline": "", "techniques": ""}


def _first_prompts(llm: LLM, parsed: ParsedPaper) -> Iterable[int]:
    """Bytes of what is sent about each part of the paper."""
    passages = read_passages(parsed)
    parts = JudgedExtractor(llm).parts(passages)
    for number, part in enumerate(parts, start=1):
        inputs = {
            "least": 1, "most": MOST, "part": number, "parts": len(parts), "title": parsed.doc.title, "hints": "",
            "known": [], "passages": written(part),
        }  # fmt: skip
        yield len(asked(prompt("techniques"), llm.profile, inputs, SaidTechniques, 0).sent.encode("utf-8", "replace"))


def _sheets(shown: int, call: int) -> int:
    """The most calls that so many characters take: two that follow one another hold more than one has room for."""
    return 1 if shown <= call else math.ceil(2 * shown / call)


def _tokens(size: float) -> tuple[float, float]:
    """The fewest and the most tokens of so many bytes."""
    few, many = BYTES_A_TOKEN
    return size / many, size / few


def _by_paper(calls: Sequence[Call]) -> dict[str, list[tuple[int, int, int]]]:
    """Calls, tokens in and tokens out of each paper of each run that was answered, by stage."""
    found: dict[tuple[str, str, str | None], list[Call]] = defaultdict(list)
    for call in calls:
        if call.settled and call.settled.outcome == ANSWERED:
            found[call.reserved.stage, call.reserved.run, call.reserved.paper].append(call)
    rows: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for (stage, _, _), some in found.items():
        rows[stage].append((len(some), sum(c.counted.tokens_in for c in some), sum(c.counted.tokens_out for c in some)))
    return rows


def spent_by(llm: LLM, runs: str, estimate: Estimate, seconds: float) -> Actual:
    """What all runs whose name begins with `runs` have used by the ledger, beside an estimate."""
    counted = [call.counted for call in llm.ledger.calls() if call.reserved.run.startswith(runs)]
    prices = [one.cost for one in counted]
    money = float(sum((price for price in prices if price is not None), Decimal(0))) if None not in prices else None
    used: dict[str, int] = {
        "calls": len(counted), "tokens_in": sum(one.tokens_in for one in counted),
        "tokens_out": sum(one.tokens_out for one in counted),
    }  # fmt: skip
    within = {name: getattr(estimate, name).holds(value) for name, value in used.items()}
    if money is not None and estimate.money:
        within["money"] = estimate.money.low - 1e-9 <= money <= estimate.money.high + 1e-9
    return Actual(**used, money=money, minutes=round(seconds / 60, 2), within=within)
