"""What a model is asked: techniques with their passages and candidates, as many to a call as fit into its budget."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.llm import shortened, size
from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.judged.quotes import sentences
from ingest.ground.judged.shown import LETTERS, Shelf, heading, view
from ingest.ground.words import words
from kg.models.technique import Technique

__all__ = ["Asked", "Sheet", "said", "sheets"]

PASSAGE = 1_200
"""Characters of what the paper says of a technique, beside its definition."""
HEADING = 1_000
BESIDE = 700
"""Characters of a body that is shown again beside one that was asked for."""
SAYING = frozenset({"paragraph", "equation", "algorithm"})
BRIEF, AMPLE = 500, (2_200, 8_000)
"""Characters of that where it would leave less than so many of a body, or of code that was asked to be seen."""
BODIES = (24_000, 16_000, 12_000, 8_000, 5_000, 3_000, 2_200, 1_600, 1_200, 900, 700, 500)
"""Characters of a body, from the most to the least that still shows what it does."""
LIKELY = 2
"""A unit that is among so many first candidates of several techniques is shown as much longer."""
FEWER = (8, 6, 5, 4)
"""Candidates of each technique where the shortest bodies are too much together."""


@dataclass(frozen=True)
class Asked:
    """A technique as it is asked: by `number`, as query `query` of the ranking; `passages` are texts by their marks,
    `places` where they stand, `rows` the units shown, in the order of their letters, the first `whole` of them in full
    as far as there is room: what was asked to be seen. `quoted` are lines of the units that a first answer chose."""

    number: int
    query: int
    technique: Technique
    passages: Mapping[str, str]
    places: Mapping[str, str]
    rows: tuple[int, ...]
    whole: int = 0
    quoted: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def label(self, row: int) -> str:
        """As a unit is called in the prompt: "3B" is the second of technique 3."""
        return f"{self.number}{LETTERS[self.rows.index(row)]}"


@dataclass(frozen=True)
class Sheet:
    """What one call shows: `text`, for the `asked`."""

    asked: tuple[Asked, ...]
    text: str

    @property
    def labels(self) -> dict[str, int]:
        """Rows by label."""
        return {a.label(row): row for a in self.asked for row in a.rows}


def said(
    technique: Technique, passages: Passages, room: int = PASSAGE
) -> tuple[dict[str, str], dict[str, str]]:  # fmt: skip
    """What the paper says from a technique's best span on, and where that stands (``file:start-end``), by passage:
    about `room` characters. Of the first it is the sentence with that span, and what follows: a long paragraph tells of
    several techniques."""
    starts = (passages.parsed.flat.locate(span.file, span.start) for span in technique.spans)
    start = next((at for at in starts if at is not None), None)
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    if start is None:
        return texts, places
    for passage in passages.items:
        if passage.end > start and room > 0 and passage.kind in SAYING:
            text = _from(passage, start)
            texts[passage.id] = _cut(text, room)
            span = passages.span(passage.start, passage.end)
            places[passage.id] = f"{span.file}:{span.start}-{span.end}"
            room -= size(text)
    return texts, places


def _from(passage: Passage, start: int) -> str:
    """The text of a passage from the sentence on that an offset of the flat text stands in."""
    begins = [passage.words[one.first].at for one in sentences(passage) if one.start <= start]
    at = begins[-1] if passage.kind == "paragraph" and begins else 0
    return f"… {passage.text[at:]}" if at else passage.text


def _cut(text: str, room: int) -> str:
    """The beginning of a text, to the end of a word."""
    kept = shortened(text, room)
    return text if kept == text else f"{kept.rpartition(' ')[0] or kept} …"


def sheets(asked: Sequence[Asked], shelf: Shelf, *, call: int, whole: int, longest: int) -> list[Sheet]:
    """`asked` on as few sheets as fit: at most `call` in size each, and about `whole` together.

    Bodies are cut to the longest length up to `longest` with which all fit into `whole`, those that several techniques
    are likely to share to so many times that; where it is short, less is said of the paper, and where even short ones
    do not fit, fewer candidates are shown; what stands on a sheet already is referred to. Of a technique that alone
    exceeds `call`, as many candidates are shown as fit.
    """
    found: list[Sheet] = []
    ample = AMPLE[any(one.whole for one in asked)]
    steps = [(limit, PASSAGE, len(LETTERS)) for limit in BODIES if limit >= ample]
    steps += [(limit, BRIEF, len(LETTERS)) for limit in BODIES]
    for limit, room, most in (*steps, *((BODIES[-1], BRIEF, most) for most in FEWER)):
        if limit <= longest:
            found = list(_filled([_narrowed(one, room, most) for one in asked], shelf, limit, longest, call))
            if sum(size(sheet.text) for sheet in found) <= whole:
                break
    return found


def _narrowed(one: Asked, room: int, most: int) -> Asked:
    """A technique with about `room` characters of what the paper says of it, and at most so many candidates."""
    passages = dict[str, str]()
    for mark, text in one.passages.items():
        if room > 0:
            passages[mark] = _cut(text, room)
            room -= size(text)
    return replace(one, rows=one.rows[: max(most, one.whole)], passages=passages)


def _filled(asked: Sequence[Asked], shelf: Shelf, limit: int, longest: int, call: int) -> Iterator[Sheet]:
    batch: list[Asked] = []
    texts: list[str] = []
    seen: dict[int, str] = {}
    told: dict[str, str] = {}
    wanted = _wanted(asked, shelf)
    likely = Counter(row for one in asked for row in one.rows[:LIKELY])
    room = {row: min(longest, limit * max(1, likely[row])) for row in wanted}
    for one in asked:
        text = _part(one, shelf, room, wanted, seen, told)
        if batch and sum(map(size, texts)) + size(text) > call:
            yield Sheet(tuple(batch), "\n\n".join(texts))
            batch, texts, seen, told = [], [], {}, {}
            text = _part(one, shelf, room, wanted, seen, told)
        fitting = one
        while size(text) > call and len(fitting.rows) > 1:
            fitting = replace(fitting, rows=fitting.rows[:-1])
            text = _part(fitting, shelf, room, wanted, seen, told)
        batch.append(fitting)
        texts.append(text)
        seen = {row: fitting.label(row) for row in fitting.rows} | seen
        told |= {mark: f"{told.get(mark, '')}\n{text}" for mark, text in fitting.passages.items()}
    if batch:
        yield Sheet(tuple(batch), "\n\n".join(texts))


def _wanted(asked: Sequence[Asked], shelf: Shelf) -> dict[int, dict[str, float]]:
    """For each row the stems of all techniques that it is shown for, and how rare each is in the code."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    idf = shelf.index.bm25f.idf
    for one in asked:
        technique = one.technique
        said = " ".join([technique.name, *technique.aliases, technique.definition])
        rare = {word: idf[word] for word in words(said) if word in idf}
        for row in one.rows:
            found[row] |= rare
    return found


def _part(
    one: Asked, shelf: Shelf, room: Mapping[int, int], wanted: Mapping[int, Mapping[str, float]],
    seen: Mapping[int, str], told: Mapping[str, str],
) -> str:  # fmt: skip
    """One technique as it is shown; units `seen` on the sheet and what is `told` of passages are not repeated."""
    technique = one.technique
    also = f" (also: {', '.join(technique.aliases)})" if technique.aliases else ""
    lines = [f"TECHNIQUE {one.number}: {technique.name}{also}"]
    lines += [f"defined: {' '.join(technique.definition.split())[:PASSAGE]}"] if technique.definition else []
    above = [mark for mark, text in one.passages.items() if text.strip("… ") in told.get(mark, "")]
    lines += [f"passages above: {', '.join(f'[{mark}]' for mark in above)}"] if above else []
    lines += [f"[{mark}] {text}" for mark, text in one.passages.items() if mark not in above]
    for at, row in enumerate(one.rows):
        unit, around = shelf.index.units[row], shelf.around(row)
        if row in seen:
            lines.append(f"[{one.label(row)}] {unit.file} {unit.symbol or unit.name}: shown above as [{seen[row]}]")
        else:
            lines.append(shortened(f"[{one.label(row)}] {heading(unit)}" + (f" ({around})" if around else ""), HEADING))
            beside = min(room[row], BESIDE) if at >= one.whole > 0 else room[row]
            lines.append(view(unit, beside, wanted[row], one.quoted.get(row, ())))
    return "\n".join(lines)
