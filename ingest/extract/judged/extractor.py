"""Techniques by a model's judgement: asked once a paper, held against its text, what failed asked for once more, and
the rest joined with what structure tells."""

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.llm import CHARACTERS_A_TOKEN, LLM, BrokenReply, Fault, shortened, size
from ingest.extract.judged.checks import Checker, Entry
from ingest.extract.judged.coverage import excuses, uncovered
from ingest.extract.judged.drops import Drop, Reason
from ingest.extract.judged.enriching import Embeds, enrich
from ingest.extract.judged.merging import merge
from ingest.extract.judged.numbering import read_passages
from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.judged.placing import place
from ingest.extract.judged.portions import around, hints, portions, written
from ingest.extract.judged.reply import SaidAgain, SaidEntry, SaidExcuse, SaidPart, SaidTechniques
from ingest.extract.structural import StructuralExtractor
from ingest.extract.words import key_of
from ingest.latex import ParsedPaper
from kg.models.paper import Model
from kg.models.technique import TechniqueTree
from prompts import prompt

__all__ = ["PROMPTS", "JudgedExtractor", "Judgement"]

PROMPTS = ("techniques", "techniques_again")
T = TypeVar("T", bound=BaseModel)

STAGE = "techniques"
AGAIN = 1
"""How often a reply that is no answer is asked for again."""
LEAST, MOST = 10, 25
HOLDS = 0.5
"""Part of the entries that must hold for the others, and what the answer passes over, to be believed."""
SLACK = 10
"""Entries beyond those asked for that are still looked at."""
TOKENS_OF_ENTRY, TOKENS_OF_ROOT = 200, 400
"""Tokens of a reply that an entry takes with its parts, and what stands beside the entries."""
SHORTEST = 2_000
"""Characters of the paper that are asked about at a time, at least."""
LONGEST_TITLE = 300
INSTRUCTIONS = 13_000
"""Characters of a prompt beside the paper's."""
LONGEST_AGAIN = 36_000
LONGEST_FAILURE, LONGEST_FAILURES = 1_200, 12_000
"""Of one entry that failed, and of all: what a model says may be of any length."""
MOST_KNOWN, MOST_MISSING = 60, 100


class Judgement(Model):
    """A tree and what it cost: calls (those that were replayed, too), tokens, and what of the answers was dropped.

    `relocated` are quotes that were true of another passage than the one named; `broken` replies were none; `lost` has
    the fault of each part of the paper about which no answer came at all.
    """

    tree: TechniqueTree
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    broken: int = 0
    lost: tuple[Fault, ...] = ()
    relocated: int = 0
    said: int = 0
    drops: tuple[Drop, ...] = ()

    def figures(self) -> dict[str, int]:
        """Calls, tokens and what became of the answers, as numbers by name."""
        names = ("calls", "tokens_in", "tokens_out", "said", "broken", "relocated")
        return {name: getattr(self, name) for name in names} | {"dropped": len(self.drops)}

    def counts(self) -> dict[str, int]:
        """How often each reason was met."""
        return {reason.name.lower(): n for reason in Reason if (n := sum(d.reason is reason for d in self.drops))}


@dataclass
class _Session:
    """What has been said of one paper so far."""

    passages: Passages
    checker: Checker
    paper: str
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    broken: int = 0
    lost: list[Fault] = field(default_factory=list)
    said: list[SaidEntry] = field(default_factory=list)
    excused: list[SaidExcuse] = field(default_factory=list)
    root: Entry | None = None
    complaint: BrokenReply | None = None


class JudgedExtractor:
    """Asks the model that `llm` stands for. `retrieved` passages enrich each definition; 0 or no embedder: none do."""

    def __init__(self, llm: LLM, embedder: Embeds | None = None, *, retrieved: int = 5) -> None:
        self.llm, self.embedder, self.retrieved = llm, embedder, retrieved

    def extract(self, parsed: ParsedPaper) -> TechniqueTree:
        """The tree alone; see `judge`."""
        return self.judge(parsed, StructuralExtractor().extract(parsed)).tree

    def judge(self, parsed: ParsedPaper, structural: TechniqueTree, paper: str = "") -> Judgement:
        """The techniques of `parsed`, which the ledger knows as `paper`.

        One call, more where the paper is longer than the model's context, and one for what failed. Raises BrokenReply
        when no answer came to stand on, BudgetError before a call that could go beyond a limit.
        """
        passages = read_passages(parsed)
        session = _Session(passages, Checker(passages), paper)
        parts = self.parts(passages)
        for number, part in enumerate(parts, start=1):
            self._ask(session, part, number, len(parts), hints(structural.items) if number == 1 else "")
        if not session.said and session.complaint:
            raise session.complaint
        self._ask_again(session)
        return self._judgement(session, structural)

    def room(self) -> int:
        """Characters of the paper that go into one prompt."""
        profile = self.llm.profile
        return max(4_000, (profile.context_tokens - profile.max_output_tokens) * CHARACTERS_A_TOKEN - INSTRUCTIONS)

    def parts(self, passages: Passages) -> list[list[Passage]]:
        """The paper as it is asked about: parts that fit a prompt, and of which a reply can tell all entries."""
        if self._entries() >= MOST:
            return portions(passages, self.room())
        length = sum(size(passage.text) for passage in passages.items)
        return portions(passages, min(self.room(), max(SHORTEST, length * self._entries() // MOST)))

    def _entries(self) -> int:
        """Entries that fit a reply."""
        return max(4, (self.llm.profile.max_output_tokens - TOKENS_OF_ROOT) // TOKENS_OF_ENTRY)

    # -- asking ------------------------------------------------------------------------------------------------------

    def _answer(self, session: _Session, name: str, inputs: dict[str, Any], schema: type[T]) -> T | None:
        """What the model answers; None where neither of two replies was an answer."""
        try:
            answer = self.llm.ask(name, inputs, schema, stage=STAGE, paper=session.paper, again=AGAIN)
        except BrokenReply as error:
            session.calls += 1 + AGAIN
            session.broken += 1 + AGAIN
            session.complaint = error
            return None
        session.calls += 1 + answer.broken
        session.broken += answer.broken
        session.tokens_in += answer.usage.tokens_in
        session.tokens_out += answer.usage.tokens_out
        return answer.value

    def _ask(self, session: _Session, part: Sequence[Passage], number: int, parts: int, hinted: str) -> None:
        """Ask about one part of the paper; what it says of entries of earlier parts joins them."""
        share = sum(len(p.text) for p in part) / max(1, sum(len(p.text) for p in session.passages.items))
        most = min(self._entries(), max(4, math.ceil(MOST * share)))
        known = [entry.name for entry in session.checker.entries[-MOST_KNOWN:]]
        title = shortened(session.passages.parsed.doc.title, LONGEST_TITLE)
        inputs = {
            "least": min(most, max(1, round(LEAST * share))), "most": most, "part": number, "parts": parts,
            "title": title, "hints": hinted, "known": known, "passages": written(part),
        }  # fmt: skip
        said = self._answer(session, "techniques", inputs, SaidTechniques)
        if said is None:
            session.lost += [session.complaint.fault] if session.complaint else []
            return
        checker = session.checker
        session.excused += said.excused
        session.said.append(said.root)
        if session.root is None:
            session.root = checker.take(said.root)
        for each in said.entries[: most + SLACK]:
            session.said.append(each)
            if (same := checker.known(each.name, known)) is not None:
                checker.join(same, each)
            else:
                checker.take(each)
        for each in said.entries[most + SLACK :]:
            checker.drops.append(Drop(reason=Reason.TOO_MANY, entry=each.name[:120], whole=True))

    def _ask_again(self, session: _Session) -> None:
        """Ask once for what failed and for headings and algorithms that nothing answers for, showing their places."""
        checker = session.checker
        why = defaultdict(list)
        for drop in checker.drops:
            why[drop.entry].append(drop)
        lost = {drop.entry for drop in checker.drops if drop.whole and drop.reason not in _FINAL}
        failed: list[tuple[SaidEntry | SaidPart, str]] = [(e, "") for e in session.said if checker.called(e) in lost]
        parts = [(part, each.name) for each in session.said for part in each.parts if checker.called(part) in lost]
        taken, _ = excuses(session.excused, session.passages)
        missing = uncovered(session.passages, checker.entries, taken)
        worth = failed or len(parts) >= WORTH_A_CALL
        if not worth and all(reason is Reason.EQUATION_UNCOVERED for reason, _ in missing):
            return
        failed += parts
        open_ids = [passage.id for _, passage in missing][:MOST_MISSING]
        told = (shortened(_failure(each, why[checker.called(each)], whole), LONGEST_FAILURE) for each, whole in failed)
        failures = shortened("\n".join(told), min(LONGEST_FAILURES, self.room() // 2))
        places = [place.strip("[] ") for each, _ in failed for place in each.places]
        room = min(LONGEST_AGAIN, self.room() - size(failures))
        inputs = {
            "names": [entry.name for entry in checker.entries],
            "failed": len(failed),
            "failures": failures,
            "missing": open_ids,
            "passages": written(around(session.passages, [*places, *open_ids], room)),
        }
        again = self._answer(session, "techniques_again", inputs, SaidAgain)
        if again is None:
            return
        session.excused += again.excused
        for each in again.entries[: len(failed) + len(missing) + 1]:
            entry = checker.take(each)
            if session.root is None and entry and not entry.parent:
                session.root = entry

    # -- what it comes to --------------------------------------------------------------------------------------------

    def _judgement(self, session: _Session, structural: TechniqueTree) -> Judgement:
        """The tree of all that stands; where nothing does, or less than half of what was said, the structural one: such
        an answer does not know the paper, and what it excuses is no less doubtful than what it names."""
        checker, passages = session.checker, session.passages
        taken, unknown = excuses(session.excused, passages)
        missing = uncovered(passages, checker.entries, taken)
        drops = [*checker.drops, *unknown, *(Drop(reason=reason, entry=p.id) for reason, p in missing)]
        tree, said = structural, {key_of(entry.name) for entry in session.said}
        if len(checker.entries) < HOLDS * len(said) and structural.items:
            drops.append(Drop(reason=Reason.ANSWER_THIN, entry="(answer)"))
        elif root := session.root or _most_named(checker.entries):
            others = [entry for entry in checker.entries if entry is not root]
            placed, more = place(root, others, passages, [drop.entry for drop in checker.drops if drop.whole])
            drops += more
            silent = [passage for reason, passage in missing if reason is not Reason.EQUATION_UNCOVERED]
            items = merge(placed, structural.items, passages, silent)
            if self.embedder:
                items = enrich(items, passages, self.embedder, self.retrieved)
            sha256 = hashlib.sha256("".join(prompt(name).sha256 for name in PROMPTS).encode()).hexdigest()
            tree = TechniqueTree(items=items, method="llm", model=self.llm.profile.model, prompt=sha256)
        return Judgement(
            tree=tree, calls=session.calls, tokens_in=session.tokens_in, tokens_out=session.tokens_out,
            broken=session.broken, lost=tuple(session.lost), relocated=checker.relocated, said=len(session.said),
            drops=tuple(drops),
        )  # fmt: skip


WORTH_A_CALL = 3
"""Parts that failed; fewer are asked for again only beside something else."""
_FINAL = (Reason.DUPLICATE, Reason.TOO_MANY)
"""Why an entry is not asked for again."""


def _failure(said: SaidEntry | SaidPart, drops: Sequence[Drop], whole: str) -> str:
    """A failed entry, or a part of the entry `whole`, as it was said, and what was wrong with it."""
    reasons = dict.fromkeys(f"{drop.reason}{f': {drop.detail}' if drop.detail else ''}" for drop in drops)
    part = {"part of": whole} if whole else {}
    entry = json.dumps(part | said.model_dump(exclude_defaults=True), ensure_ascii=False)
    return f"{entry}\n  wrong: {'; '.join(reasons)}"


def _most_named(entries: Sequence[Entry]) -> Entry | None:
    """The entry that most others give as their parent; the first where none is given."""
    parents = Counter(key_of(entry.parent) for entry in entries if entry.parent)
    return max(entries, key=lambda entry: max(parents[key_of(name)] for name in entry.names), default=None)
