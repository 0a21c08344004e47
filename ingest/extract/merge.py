"""Candidates that mean the same become one item: same stems, acronyms expanded, empty heads ("algorithm") aside."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ingest.extract.candidates import SOURCES, Candidate, Source
from ingest.extract.words import EMPTY_HEADS, key_of, stems
from kg.words import stem

__all__ = ["STRUCTURAL", "Item", "merge"]

STRUCTURAL: frozenset[Source] = frozenset(("heading", "paragraph", "run-in", "item", "algorithm"))
_SAYS: tuple[Source, ...] = (
    "own",
    "called",
    "proposed",
    "definition",
    "enumerated",
    "instrument",
    "emphasis",
    "listed",
    "step",
    "acronym",
    "used",
    "frequent",
)
_RANK = {source: rank for rank, source in enumerate(SOURCES)}
_EMPTY = frozenset(stem(word) for word in EMPTY_HEADS)


@dataclass(slots=True)
class Item:
    """Everything known of one technique before it has a place in the tree. `node` is its own outline node, or -1."""

    name: str
    key: frozenset[str]
    candidates: list[Candidate] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    node: int = -1
    value: float = 0.0
    score: float = 0.0

    @property
    def sources(self) -> set[Source]:
        return {candidate.source for candidate in self.candidates}

    @property
    def grounds(self) -> set[Source]:
        """The signals that speak for it: its sources without steps that nobody tells whole."""
        return {candidate.source for candidate in self.candidates if candidate.whole}

    @property
    def steps_only(self) -> bool:
        return self.sources <= {"step"}

    @property
    def told(self) -> bool:
        """Whether it is a step, or what a row of equations says, which no sentence does better."""
        return self.steps_only or all(candidate.text for candidate in self.candidates)

    @property
    def home(self) -> int:
        """The outline node it is at home in: its own, or that of the candidate that says most about it."""
        if self.node >= 0:
            return self.node
        best = min(
            self.candidates,
            key=lambda c: (c.role not in ("method", "background"), c.appendix, _SAYS.index(c.source), c.start),
        )
        return best.node

    @property
    def structural(self) -> bool:
        return self.node >= 0


def merge(candidates: Iterable[Candidate], acronyms: Mapping[str, tuple[str, int]]) -> list[Item]:
    """Items in order of their first candidate; names come from the best source, the others become aliases."""
    long_forms = {short.lower(): stems(long) for short, (long, _) in acronyms.items()}
    groups: dict[frozenset[str], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[_key(candidate.name, long_forms)].append(candidate)
    items = [_item(key, group, acronyms, long_forms) for key, group in groups.items()]
    items.sort(key=lambda item: (item.candidates[0].start, item.name))
    return items


def _key(name: str, long_forms: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    words: list[str] = []
    for word in re.findall(r"[^\s/]+", name):
        bare = word.strip("().,'\"").lower()
        singular = bare[:-1] if bare.endswith("s") else bare
        expansion = long_forms.get(bare) or long_forms.get(singular)
        words += expansion if expansion and any(c.isupper() for c in word) else stems(word)
    kept = frozenset(word for word in words if word not in _EMPTY and word)
    return kept or key_of(name)


def _item(
    key: frozenset[str],
    group: list[Candidate],
    acronyms: Mapping[str, tuple[str, int]],
    long_forms: Mapping[str, tuple[str, ...]],
) -> Item:
    group.sort(key=lambda c: (c.appendix, c.clause, _RANK[c.source], _role_rank(c), c.start))
    best = min(group, key=lambda c: (c.clause, _RANK[c.source], c.appendix, _role_rank(c), c.start))
    name = best.name
    if name.lower() in long_forms or name in acronyms:
        name = acronyms[name][0].strip('"') if name in acronyms else name
        name = name if len(name.split()) <= 6 else best.name
    item = Item(name, key, group)
    shorts = [short for short, form in long_forms.items() if frozenset(form) - _EMPTY == key]
    written = {short.lower(): short for short in acronyms}
    names = [*(written[short] for short in sorted(shorts)), best.name]
    names += [alias for c in group if c.source != "step" or c is best for alias in c.aliases] + [
        c.name for c in group if c.source != "step"
    ]
    seen = {item.name.lower()}
    for alias in names:
        plain = alias.strip("\"' ").lower()
        if plain and plain not in seen and plain.rstrip("s") not in seen and plain + "s" not in seen:
            seen.add(plain)
            item.aliases.append(alias.strip("\"' "))
    item.aliases = item.aliases[:5]
    structural = [c for c in group if c.source in STRUCTURAL]
    if structural:
        first = min(structural, key=lambda c: (c.appendix, c.source == "algorithm", _role_rank(c), c.start))
        item.node = first.node
    return item


def _role_rank(candidate: Candidate) -> int:
    order: Sequence[str] = ("method", "background", "experiment", "abstract", "intro", "conclusion", "related", "back")
    return order.index(candidate.role)
