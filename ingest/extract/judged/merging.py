"""The model's tree and the structural one as one: the model's names, the places of both, and who found what."""

from collections.abc import Iterable, Iterator, Sequence

from ingest.extract.judged.checks import Entry
from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.judged.placing import Placed
from ingest.extract.judged.quotes import Found, completed
from ingest.extract.words import f1, key_of
from kg.models.ids import numbered, slug
from kg.models.paper import Span
from kg.models.technique import Quote, Status, Technique
from kg.names import split_name
from kg.words import is_acronym

__all__ = ["joined", "merge"]

ALIKE = 0.75
"""Token F1 from which two names are of one technique."""
MOST_SPANS = 16
LONGEST_SPAN = 5_800
_WORTH: dict[Status | None, float] = {"proposed": 0.8, "adapted": 0.7, None: 0.55, "used": 0.5, "baseline": 0.4}
_OF_ITS_OWN = ("heading", "paragraph", "algorithm")
"""What a structural item must be found by to stand where the model says nothing."""


def merge(
    tree: Placed, structural: Sequence[Technique], passages: Passages, silent: Iterable[Passage]
) -> tuple[Technique, ...]:
    """The whole tree, its root first and alone at the top unless the paper has findings and resources beside it.

    An item of the `structural` tree that means the same joins its entry; one whose heading or algorithm is among the
    `silent` passages, which nothing answers for, stands below the root by itself; others are left out.
    """
    return _Merger(structural, passages).run(tree, silent)


class _Merger:
    def __init__(self, structural: Sequence[Technique], passages: Passages) -> None:
        self.passages = passages
        self.items = [item for top in structural for item in top.walk()]
        self.same: dict[int, Technique] = {}
        self.ids: set[str] = set()
        self.defined: list[tuple[Entry, Found]] = []

    def run(self, tree: Placed, silent: Iterable[Passage]) -> tuple[Technique, ...]:
        entries = [each.entry for each in _walk(tree)]
        self.defined = [(entry, found) for entry in entries for role, found in entry.quotes if role == "definition"]
        self.pair(entries)
        root = self.technique(tree)
        beside = tuple(child for child in root.children if child.kind in ("finding", "resource"))
        below = tuple(child for child in root.children if child.kind not in ("finding", "resource"))
        below += tuple(self.alone(silent))
        return root.model_copy(
            update={"children": below, "score": _weight(tree.entry, self.same.get(id(tree.entry)), below)}
        ), *beside

    def technique(self, placed: Placed) -> Technique:
        """An entry with all below it; the item that means the same adds its places, acronyms and signals."""
        entry, quotes = placed.entry, self.quotes(placed.entry)
        same = self.same.get(id(entry))
        name, told = split_name(entry.name)
        identifier = self.id(name)
        children = tuple(self.technique(child) for child in placed.children)
        short = [alias for alias in same.aliases if is_acronym(alias)] if same else []
        return Technique(
            id=identifier, name=name, kind=entry.kind, status=entry.status, coined=entry.coined, gloss=entry.gloss,
            claim=entry.claim, aliases=tuple(dict.fromkeys((*told, *entry.aliases, *short))),
            definition=joined(list(dict.fromkeys(found.told for role, found in quotes if role == "definition"))),
            quotes=tuple(self.quote(role, found.text, found.span(self.passages)) for role, found in quotes),
            spans=self.spans(entry, same), signals=("model", *(same.signals if same else ())), method="llm",
            inputs=entry.inputs, outputs=entry.outputs, children=children,
            score=_weight(entry, same, children),
        )  # fmt: skip

    def quotes(self, entry: Entry) -> list[tuple[str, Found]]:
        """Its quotes, those that define it in their sentence, each once and in the order of the paper."""
        others = [found for other, found in self.defined if other is not entry]
        whole = ((role, completed(found, others) if role == "definition" else found) for role, found in entry.quotes)
        return sorted(dict.fromkeys(whole), key=lambda quoted: quoted[1].start)

    def quote(self, role: str, text: str, span: Span) -> Quote:
        return Quote.model_validate({"role": role, "text": text, "span": span})

    def id(self, name: str) -> str:
        identifier = numbered(slug(name), self.ids)
        self.ids.add(identifier)
        return identifier

    def pair(self, entries: Sequence[Entry]) -> None:
        """Give each structural item to the entry whose names it is most like, each entry at most one."""
        alike = []
        for entry in entries:
            keys = [key_of(name) for name in entry.names]
            for number, item in enumerate(self.items):
                likeness = max(f1(mine, key_of(name)) for mine in keys for name in (item.name, *item.aliases))
                if likeness >= ALIKE:
                    alike.append((-likeness, number, entry))
        for _, number, entry in sorted(alike, key=lambda found: found[:2]):
            if id(entry) not in self.same and self.items[number].id not in self.used:
                self.same[id(entry)] = self.items[number]

    @property
    def used(self) -> set[str]:
        return {item.id for item in self.same.values()}

    def spans(self, entry: Entry, same: Technique | None) -> tuple[Span, ...]:
        """Where the entry is told: its definition, its name, its evidence, then what structure knows of it."""
        quoted = sorted(entry.quotes, key=lambda pair: pair[0] != "definition")
        spans = [found.span(self.passages) for _, found in quoted]
        spans += [
            self.passages.span(passage.start, min(passage.end, passage.start + LONGEST_SPAN))
            for passage in entry.evidence
        ]
        spans += same.spans if same else ()
        return tuple(dict.fromkeys(span for span in spans if span.end > span.start))[:MOST_SPANS]

    def alone(self, silent: Iterable[Passage]) -> Iterator[Technique]:
        """The structural items of passages that the model says nothing of."""
        places = {(span.file, span.start) for each in silent if (span := self.passages.span(each.start, each.end))}
        for item in self.items:
            named = item.signals and item.signals[0] in _OF_ITS_OWN
            if named and item.id not in self.used and any((s.file, s.start) in places for s in item.spans):
                yield item.model_copy(update={"id": self.id(item.name), "children": (), "method": "structural"})


def joined(texts: Sequence[str]) -> str:
    """Quotes one after the other; "…" where one is not a sentence to its end."""
    return " ".join(text if text[-1:] in ".?!:" or text is texts[-1] else f"{text} …" for text in texts)


def _walk(placed: Placed) -> Iterator[Placed]:
    yield placed
    for child in placed.children:
        yield from _walk(child)


def _weight(entry: Entry, same: Technique | None, children: Sequence[Technique]) -> float:
    """How much of the paper a technique is, between 0 and 1, bottom-up: what it is to the paper, raised by what
    structure says of it, and always more than each of its parts."""
    own = _WORTH[entry.status]
    own += (1 - own) * (same.score if same else 0.0) / 4
    best = max((child.score for child in children), default=0.0)
    return round(max(own, best + (1 - best) / 10 if children else 0.0), 4)
