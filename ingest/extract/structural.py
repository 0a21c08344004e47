"""Techniques out of a paper's LaTeX without any model: structure, wording and counting, always the same result."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ingest.extract.acronyms import acronyms
from ingest.extract.candidates import SOURCES, Candidate
from ingest.extract.counting import frequent
from ingest.extract.describing import definition, inside_of, places
from ingest.extract.facts import MOST_FINDINGS, Fact, claims_in_titles, findings, resources, theorems
from ingest.extract.mentions import Mentions
from ingest.extract.merge import Item, merge
from ingest.extract.outline import Outline, outline
from ingest.extract.phrases import listed, named
from ingest.extract.ranking import score
from ingest.extract.selecting import cover, select
from ingest.extract.sentences import Sentence, sentences
from ingest.extract.steps import algorithm_steps, steps
from ingest.extract.structures import structures
from ingest.extract.tree import Branch, grow
from ingest.extract.words import RESOURCE_HEADS, slug
from ingest.latex import ParsedPaper
from ingest.latex.reading import Reading, text_of
from kg.models.paper import Span
from kg.models.technique import Kind, Technique, TechniqueTree

__all__ = ["StructuralExtractor", "TechniqueExtractor"]

_LONGEST_SPAN = 5800
_LONGEST_DEFINITION = 420


@runtime_checkable
class TechniqueExtractor(Protocol):
    """Reads the techniques out of one parsed paper.

    An extractor fills `TechniqueTree.method` with what it is, takes names from the paper's own words, and gives spans
    as bytes of the original files (`Flat.span`). It raises `kg.errors.XkgError` when something it needs is missing;
    a paper it finds nothing in is an empty tree.
    """

    def extract(self, parsed: ParsedPaper) -> TechniqueTree:
        """The technique tree of `parsed`."""
        ...


class StructuralExtractor:
    """The extractor that needs nothing but the paper."""

    def extract(self, parsed: ParsedPaper) -> TechniqueTree:
        """The technique tree; empty for a paper without a readable sentence or heading."""
        reading = parsed.reading
        plan = outline(reading)
        text = sentences(reading, plan)
        items = _items(reading, plan, text, parsed.doc.title)
        chosen = select(items)
        chosen += cover(items, chosen, text)
        branches = grow(chosen, plan)
        writer = _Writer(parsed, plan, text)
        found = [writer.technique(branch) for branch in branches]
        found += [writer.fact(fact, "finding") for fact in _findings(parsed, plan, text, chosen)]
        taken = {name.lower() for item in chosen for name in (item.name, *item.aliases)}
        found += [
            writer.fact(fact, "resource") for fact in resources(text, Mentions(text)) if fact.name.lower() not in taken
        ]
        return TechniqueTree(items=tuple(found), method="structural")


def _items(reading: Reading, plan: Outline, text: Sequence[Sentence], title: str = "") -> list[Item]:
    short = acronyms(text)
    counted = frequent(text)
    candidates = [
        *structures(plan),
        *named(text),
        *listed(text),
        *counted,
        *steps(text),
        *algorithm_steps(reading, plan),
    ]
    for name, (long, index) in short.items():
        s = text[index]
        candidates.append(
            Candidate(long.strip('"'), "acronym", s.start, s.end, s.node, s.role, s.appendix, index, (name,))
        )
    items = merge(candidates, short)
    mentions = Mentions(text)
    for item in items:
        if not item.steps_only:
            item.mentions = mentions.of([item.name, *item.aliases])
        item.score = score(item, text, mentions, title)
    return items


def _findings(parsed: ParsedPaper, plan: Outline, text: Sequence[Sentence], chosen: Sequence[Item]) -> list[Fact]:
    claims = claims_in_titles(plan, text)
    proved = theorems(parsed.doc.theorems)
    return [*proved, *claims[: MOST_FINDINGS - 1], *findings(text, [item.key for item in chosen])][:MOST_FINDINGS]


class _Writer:
    """Turns branches into `Technique`s with unique ids."""

    def __init__(self, parsed: ParsedPaper, plan: Outline, text: Sequence[Sentence]) -> None:
        self.parsed, self.plan, self.text = parsed, plan, text
        self.ids: dict[str, int] = {}

    def technique(self, branch: Branch) -> Technique:
        item = branch.item
        inside = inside_of(item, self.plan, self.text)
        best = places(item, self.text, inside)
        order = sorted(item.sources, key=SOURCES.index)
        identifier = self._id(item.name)
        return Technique(
            id=identifier, name=item.name, aliases=tuple(item.aliases), kind=_kind(branch, self.plan),
            definition=definition(item, self.text, best) or self._caption(item), score=round(item.score, 4),
            spans=self._spans(item, best), signals=tuple(order),
            children=tuple(self.technique(child) for child in branch.children),
        )  # fmt: skip

    def fact(self, fact: Fact, kind: Kind) -> Technique:
        """A finding or resource; its definition is the sentence that says it."""
        spans = [self.parsed.flat.span(self.text[i].start, self.text[i].end) for i in fact.sentences]
        said = text_of(self.text[fact.sentences[0]].tokens) if fact.sentences else ""
        if fact.piece is not None:
            spans = [Span(file=fact.piece.file, start=fact.piece.start, end=fact.piece.end)]
            said = fact.piece.text[:_LONGEST_DEFINITION]
        return Technique(
            id=self._id(fact.name),
            name=fact.name,
            kind=kind,
            definition=said,
            score=fact.score,
            spans=tuple(dict.fromkeys(span for span in spans if span.end > span.start)),
            signals=(fact.signal,),
        )

    def _id(self, name: str) -> str:
        base = slug(name)
        count = self.ids.get(base, 0) + 1
        self.ids[base] = count
        return base if count == 1 else f"{base}-{count}"

    def _caption(self, item: Item) -> str:
        """The title or caption of its structure, for one that no sentence describes."""
        return text_of(self.plan.nodes[item.node].title) if item.node >= 0 else ""

    def _spans(self, item: Item, best: Sequence[int]) -> tuple[Span, ...]:
        ranges = [(self.text[index].start, self.text[index].end) for index in best[:4]]
        for candidate in item.candidates:
            if candidate.sentence < 0 and candidate.source != "pseudo-code":
                node = self.plan.nodes[candidate.node]
                for start in range(node.start, node.end, _LONGEST_SPAN):
                    ranges.append((start, min(node.end, start + _LONGEST_SPAN)))
            else:
                ranges.append((candidate.start, candidate.end))
        spans = [self.parsed.flat.span(start, end) for start, end in ranges[:12]]
        return tuple(dict.fromkeys(span for span in spans if span.end > span.start))


def _kind(branch: Branch, plan: Outline) -> Kind:
    """A resource by its head or by standing as a proper name in a section on data sets; a methodology has parts."""
    words = branch.item.name.lower().split()
    if words[-1] in RESOURCE_HEADS and not words[0].endswith("ing"):
        return "resource"
    if branch.item.structural and len(words) == 1 and _among_data_sets(branch.item.node, plan):
        return "resource"
    return "methodology" if len(branch.children) >= 2 and branch.item.structural else "technique"


def _among_data_sets(node: int, plan: Outline) -> bool:
    parent = plan.nodes[node].parent
    if plan.nodes[node].kind not in ("paragraph", "run_in", "item") or parent < 0:
        return False
    return any(token.text.lower().removesuffix("s") in RESOURCE_HEADS for token in plan.nodes[parent].title)
