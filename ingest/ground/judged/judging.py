"""Implementations, judged by a model: what it chose, checked against the code, and weighed with our own evidence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.code.units import CodeBase
from agents.llm import CHARACTERS_A_TOKEN, LLM, BrokenReply, Fault, shortened, size
from ingest.extract.judged.numbering import read_passages
from ingest.ground.assertion import judge, load_calibration
from ingest.ground.features import Embeds
from ingest.ground.grounding import UNGROUNDED_KINDS, technique_query
from ingest.ground.index import CodeIndex
from ingest.ground.judged.asking import Asked, Sheet, said, sheets
from ingest.ground.judged.checks import Drop, Dropped, Kept, check
from ingest.ground.judged.merging import merged
from ingest.ground.judged.reply import Reply
from ingest.ground.judged.shown import LETTERS, Shelf, outline
from ingest.ground.rank import Ranking, rank
from ingest.ground.words import spelled
from ingest.latex import ParsedPaper
from kg.config import ImplementationSettings
from kg.models.code import Grounding
from kg.models.technique import Technique, TechniqueTree

__all__ = ["Judged", "Judgement", "Room", "ask_all", "judge_ranking", "judge_tree"]

PROMPT = "implementations"
AGAIN = 1
"""How often a reply that is no answer is asked for again."""
OUTLINE, README = 6_000, 3_000
"""Characters of the repository's table of contents, and of its README."""
INSTRUCTIONS = 5_000
"""Tokens of a call beside techniques and code."""
HOLDS, LEAST_NAMED = 0.5, 3
"""Where a smaller share of the units that a model names stands, of so many at least, it does not know the code."""
LONGEST_TITLE = 300
LEAST_CALL = 4_000


@dataclass(frozen=True)
class Room:
    """Characters of techniques and code: in one call; in all first calls of a paper, which exceed it only where the
    shortest bodies of so many techniques are more; and in the second ones: what the first have left of `both`, at most
    `second` and at least `least`, beyond which techniques keep their first answers. And as the settings say, how many
    candidates of a technique are shown, and how many characters of a body at first."""

    call: int = 110_000
    first: int = 110_000
    second: int = 75_000
    both: int = 180_000
    least: int = 60_000
    candidates: int = ImplementationSettings().candidates
    body: int = ImplementationSettings().body

    @classmethod
    def of(cls, llm: LLM, shown: ImplementationSettings | None = None) -> "Room":
        """As much of it as the model's context has room for."""
        profile, shown = llm.profile, shown or ImplementationSettings()
        tokens = profile.context_tokens - profile.max_output_tokens - INSTRUCTIONS
        call = max(LEAST_CALL, min(cls.call, tokens * CHARACTERS_A_TOKEN))
        return cls(call=call, candidates=shown.candidates, body=shown.body)


@dataclass
class Judged:
    """What stands of all answers, by the number of the technique; `faults` are those of questions that brought
    none, `lost` of the first ones among them, whose techniques have no answer; `broken` replies were none.

    Tokens are those that the answers took when they were given, of kept ones too.
    """

    kept: dict[int, Kept] = field(default_factory=dict)
    asked: dict[int, Asked] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    model: str = ""
    prompt_sha256: str = ""
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    broken: int = 0
    lost: tuple[Fault, ...] = ()

    def figures(self) -> dict[str, int]:
        """Calls, tokens and what became of the answers, as numbers by name."""
        units = sum(len(kept.units) for kept in self.kept.values())
        names = ("calls", "tokens_in", "tokens_out", "broken")
        return {name: getattr(self, name) for name in names} | {"units": units, "dropped": len(self.dropped)}

    def counts(self) -> dict[str, int]:
        """How often each reason was met."""
        return dict(sorted(Counter(drop.why.name.lower() for drop in self.dropped).items()))


@dataclass(frozen=True)
class Judgement:
    """A grounding for each technique of a tree, and what became of the model's answers."""

    groundings: tuple[Grounding, ...]
    judged: Judged


def judge_tree(
    parsed: ParsedPaper, tree: TechniqueTree, codebase: CodeBase, embedder: Embeds, llm: LLM, *, paper: str,
    readme: str = "", room: Room | None = None,
) -> Judgement:  # fmt: skip
    """A grounding for each technique of `tree`, parents first, as the model of `llm` judges the ranking's candidates.

    Where it says nothing that stands, our own judgement does. Raises the errors of `agents.llm` but `BrokenReply`.
    """
    techniques = list(tree.walk())
    queries = [technique_query(technique, parsed) for technique in techniques]
    ranking = rank(CodeIndex(codebase), queries, spelled(parsed.reading.text()), embedder)
    return judge_ranking(parsed, techniques, ranking, llm, paper=paper, readme=readme, room=room)


def judge_ranking(
    parsed: ParsedPaper, techniques: Sequence[Technique], ranking: Ranking, llm: LLM, *, paper: str, readme: str = "",
    room: Room | None = None,
) -> Judgement:  # fmt: skip
    """The same for a ranking that is made: technique i is its query i."""
    ours, room = judge(ranking, load_calibration()), room or Room.of(llm)
    shelf, passages = Shelf(ranking), read_passages(parsed)
    asking = techniques if ranking.index.units else []
    grounded = (query for query, technique in enumerate(asking) if technique.kind not in UNGROUNDED_KINDS)
    asked = [
        Asked(
            number,
            query,
            techniques[query],
            *said(techniques[query], passages),
            shelf.candidates(query, room.candidates),
        )
        for number, query in enumerate(grounded, start=1)
    ]
    judged = ask_all(llm, asked, shelf, paper=paper, title=parsed.doc.title, readme=readme, room=room)
    numbers = {one.query: number for number, one in judged.asked.items()}
    chosen = Counter(unit.row for kept in judged.kept.values() for unit in kept.units)
    origin = {"model": judged.model, "prompt": judged.prompt_sha256}
    return Judgement(
        tuple(
            merged(technique, ranking, query, ours[query], judged.kept.get(numbers.get(query, 0)), chosen, origin)
            for query, technique in enumerate(techniques)
        ),
        judged,
    )


def ask_all(
    llm: LLM, asked: list[Asked], shelf: Shelf, *, paper: str, title: str, readme: str, room: Room
) -> Judged:  # fmt: skip
    """Ask for all of `asked`, in as few calls as there is room for; what an answer wants to see is shown once."""
    judged = Judged()
    about: dict[str, Any] = {
        "again": False,
        "title": shortened(title, LONGEST_TITLE),
        "readme": shortened(readme, README),
        "outline": shortened(outline(shelf.index, OUTLINE), OUTLINE),
    }
    first = sheets(asked, shelf, call=room.call, whole=room.first, longest=room.body)
    _ask(llm, first, about, judged, shelf.ranking, paper)
    judged.lost = tuple(judged.faults)
    again = [more for number in sorted(judged.kept) if (more := _more(judged, number, shelf))]
    _doubt(judged, {}, 0)
    wanted = again if judged.kept else []
    left = min(room.second, max(room.least, room.both - _size(first)))
    before, dropped = dict(judged.kept), len(judged.dropped)
    _ask(llm, _second(wanted, shelf, room.call, left), about | {"again": True}, judged, shelf.ranking, paper)
    _doubt(judged, before, dropped)
    return judged


def _size(found: Sequence[Sheet]) -> int:
    return sum(size(sheet.text) for sheet in found)


def _second(wanted: Sequence[Asked], shelf: Shelf, call: int, room: int) -> list[Sheet]:
    """As many of `wanted`, from the first on, as fit into `room`; a single one is cut to `call` alone."""
    found = sheets(wanted, shelf, call=call, whole=room, longest=room)
    while len(wanted) > 1 and (shown := _size(found)) > room:
        wanted = wanted[: max(1, min(len(wanted) - 1, len(wanted) * room // shown))]
        found = sheets(wanted, shelf, call=call, whole=room, longest=room)
    return found


def _doubt(judged: Judged, before: Mapping[int, Kept], since: int) -> None:
    """Leave nothing of a look's answers most of whose units do not stand, neither what is left nor that there is none:
    go back to those `before` it. What was dropped in it begins at `since`."""
    stand = sum(len(kept.units) for number, kept in judged.kept.items() if kept is not before.get(number))
    named = stand + sum(drop.why in (Drop.UNKNOWN_UNIT, Drop.NO_QUOTE) for drop in judged.dropped[since:])
    if judged.kept and named >= LEAST_NAMED and stand < HOLDS * named:
        judged.kept = dict(before)
        judged.dropped.append(Dropped(0, Drop.ANSWERS_THIN, f"{stand} of {named}"))


def _ask(
    llm: LLM, shown: Iterable[Sheet], about: Mapping[str, Any], judged: Judged, ranking: Ranking, paper: str
) -> None:
    for sheet in shown:
        judged.asked |= {one.number: one for one in sheet.asked}
        inputs = {**about, "techniques": sheet.text}
        try:
            answer = llm.ask(PROMPT, inputs, Reply, stage=PROMPT, paper=paper, again=AGAIN)
        except BrokenReply as error:
            judged.faults.append(error.fault)
            judged.calls += 1 + AGAIN
            judged.broken += 1 + AGAIN
            continue
        judged.calls += 1 + answer.broken
        judged.broken += answer.broken
        judged.model, judged.prompt_sha256 = answer.model, answer.prompt_sha256
        judged.tokens_in += answer.usage.tokens_in
        judged.tokens_out += answer.usage.tokens_out
        passages = {one.number: one.places for one in sheet.asked}
        kept, dropped = check(answer.value, passages, sheet.labels, ranking.index.units)
        judged.kept |= {number: _better(judged.kept.get(number), one) for number, one in kept.items()}
        judged.dropped += dropped


def _better(first: Kept | None, second: Kept) -> Kept:
    """The second answer about a technique, unless nothing of it stands: neither a unit nor a reason other than that the
    code was not among what was shown."""
    blind = not second.units and second.nothing in (None, "not shown")
    return first if first and first.units and blind else second


def _more(judged: Judged, number: int, shelf: Shelf) -> Asked | None:
    """The technique as it is asked again, with what the model wanted to see in front; None if that is nothing new."""
    one = judged.asked[number]
    labels = {other.label(row): row for other in judged.asked.values() for row in other.rows}
    wanted: dict[int, None] = {}
    for text in judged.kept[number].more:
        label = text.strip().strip("[]").upper()
        found = (labels[label],) if label in labels else shelf.wanted(text, one.query)
        wanted |= dict.fromkeys(found)
        if not found:
            judged.dropped.append(Dropped(number, Drop.UNKNOWN_CODE, text))
    if not wanted:
        return None
    chosen = {unit.row: unit.quotes for unit in judged.kept[number].units}
    others = [row for row in wanted if row not in chosen][: len(LETTERS) - len(chosen)]
    first = tuple(row for row in wanted if row in chosen or row in others)
    return replace(one, rows=tuple(dict.fromkeys([*first, *chosen])), whole=len(first), quoted=chosen)
