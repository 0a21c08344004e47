"""Techniques out of a paper's LaTeX without any model: structure, wording and counting, always the same result."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from ingest.extract.acronyms import acronyms, spelled
from ingest.extract.admitting import admitted, names_task
from ingest.extract.allotting import allot
from ingest.extract.candidates import SOURCES, Candidate, Source
from ingest.extract.counting import frequent
from ingest.extract.describing import definition, points_at
from ingest.extract.equations import rows
from ingest.extract.folding import folded
from ingest.extract.mentions import Mentions
from ingest.extract.merge import STRUCTURAL, Item, merge
from ingest.extract.naming import title_names
from ingest.extract.outline import Outline, outline
from ingest.extract.phrases import listed, named
from ingest.extract.ranking import score
from ingest.extract.referring import kinds_of, pointing_at, targets_of
from ingest.extract.selecting import cover, select
from ingest.extract.sentences import Sentence, sentences
from ingest.extract.steps import algorithm_steps, steps
from ingest.extract.titling import own_names
from ingest.extract.tree import Branch, grow
from ingest.extract.words import RESOURCE_HEADS, f1, stems
from ingest.latex import ParsedPaper
from ingest.latex.reading import Block, Reading, text_of
from kg.models.ids import numbered, slug
from kg.models.paper import Span, Theorem
from kg.models.technique import Kind, Technique, TechniqueTree

__all__ = ["StructuralExtractor", "TechniqueExtractor"]

_LONGEST_SPAN = 5800
_LONGEST_DEFINITION = 420
_SOURCE: dict[str, Source] = {
    "heading": "heading", "paragraph": "paragraph", "run_in": "run-in", "item": "item", "algorithm": "algorithm",
}  # fmt: skip
MOST_FINDINGS = 2
_RESULT = re.compile(r"theorem|thm|prop|lemma|corollary|claim", re.IGNORECASE)
_PLAIN_CLAIM = re.compile(r"(?P<claim>[A-Z][A-Za-z' -]{16,100})[.:]")
_PROOF = re.compile(r"\\(begin|end)\s*\{proof\}")
_UNNAMED = re.compile(r"(?:theorem|lemma|\d|\W)*", re.IGNORECASE)


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
        text = sentences(reading, plan, proofs(parsed.flat.scan))
        items = _items(reading, plan, text, parsed.doc.title)
        chosen = select(items)
        chosen += cover(items, chosen, text)
        chosen = folded(chosen, plan, parsed.doc.title)
        targets = targets_of(parsed)
        described = allot(chosen, plan, text, pointing_at(targets, parsed, plan, text))
        lines = lines_of(chosen, plan, algorithm_steps(reading, plan))
        branches = grow([item for item in chosen if id(item) in described], plan)
        writer = _Writer(parsed, plan, text, described, lines, kinds_of(targets, parsed))
        found = [writer.technique(branch) for branch in branches]
        found += [writer.finding(theorem, name) for theorem, name in findings(parsed.doc.theorems)]
        return TechniqueTree(items=tuple(found), method="structural")


def proofs(scan: str) -> list[tuple[int, int]]:
    """Where proofs stand in a flat text."""
    found: list[tuple[int, int]] = []
    begun = -1
    for mark in _PROOF.finditer(scan):
        if mark[1] == "begin":
            begun = mark.start() if begun < 0 else begun
        elif begun >= 0:
            found.append((begun, mark.end()))
            begun = -1
    return found


def _titled(plan: Outline, text: Sequence[Sentence]) -> list[Candidate]:
    """One candidate for each titled stretch that has a name of its own and says something below it."""
    found = []
    starts = [sentence.start for sentence in text if sentence.zone in ("text", "item")]
    for index, node in enumerate(plan.nodes):
        if node.role in ("back", "intro"):
            continue
        told = bisect_left(starts, node.end) > bisect_left(starts, node.body)
        if (node.kind in ("heading", "paragraph") and not told) or (node.role == "related" and node.kind != "heading"):
            continue
        title = title_names(node.title) if node.title else None
        if title is not None and not names_task(title.name, index, plan):
            found.append(
                Candidate(
                    title.name, _SOURCE[node.kind], node.start, node.end, index, node.role, node.appendix,
                    aliases=title.aliases, clause=title.clause,
                )
            )  # fmt: skip
    return found


def lines_of(items: Sequence[Item], plan: Outline, lines: Sequence[Candidate]) -> dict[int, list[str]]:
    """By ``id(item)`` the lines of pseudo-code that are its own or of an algorithm without a name below it."""
    owners = {c.node: item for item in items for c in item.candidates if c.source in STRUCTURAL}
    found: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        at = line.node
        while at >= 0 and at not in owners:
            at = plan.nodes[at].parent
        if at >= 0 and line.text not in found[id(owners[at])]:
            found[id(owners[at])].append(line.text)
    return found


def _items(reading: Reading, plan: Outline, text: Sequence[Sentence], title: str) -> list[Item]:
    short = acronyms(text)
    mentions = Mentions(text)
    counted = frequent(text)
    titled = _titled(plan, text)
    candidates = [
        *titled,
        *named(text),
        *listed(text),
        *counted,
        *steps(text),
        *own_names(title, text, mentions),
        *rows(reading, plan),
    ]
    for name, (long, index) in short.items():
        s = text[index]
        candidates.append(
            Candidate(long.strip('"'), "acronym", s.start, s.end, s.node, s.role, s.appendix, index, (name,))
        )
    unsaid = spelled((title.name for title in titled), text)
    items = admitted(merge(candidates, {**unsaid, **short}), mentions)
    for item in items:
        if not item.steps_only:
            item.mentions = mentions.of([item.name, *item.aliases])
        item.score = score(item, text, mentions)
    return items


def findings(theorems: Sequence[Theorem]) -> list[tuple[Theorem, str]]:
    """At most `MOST_FINDINGS` results that the paper proves, with the names it gives them, or the plain words it states
    them in; named ones first."""
    chosen: list[tuple[Theorem, str]] = []
    results = [(theorem, _finding_name(theorem)) for theorem in theorems if _RESULT.match(theorem.env)]
    for theorem, name in sorted(results, key=lambda pair: (not pair[0].title.strip(), pair[1])):
        if len(chosen) == MOST_FINDINGS:
            break
        telling = 2 <= len(name.split()) <= 14 and not _UNNAMED.fullmatch(name)
        if telling and all(f1(frozenset(stems(name)), frozenset(stems(other))) < 0.5 for _, other in chosen):
            chosen.append((theorem, name))
    return chosen


def _finding_name(theorem: Theorem) -> str:
    plain = _PLAIN_CLAIM.match(theorem.text)
    return theorem.title.strip() or (plain["claim"] if plain else "")


LINES_THAT_TELL = 3
"""Lines of an algorithm, in words, that say what it does where no sentence refers to it."""


class _Writer:
    """Turns branches into `Technique`s with unique ids."""

    def __init__(
        self,
        parsed: ParsedPaper,
        plan: Outline,
        text: Sequence[Sentence],
        described: Mapping[int, Sequence[int]],
        lines: Mapping[int, Sequence[str]],
        kinds: Mapping[int, str],
    ) -> None:
        self.parsed, self.plan, self.text, self.described, self.lines = parsed, plan, text, described, lines
        self.ids: set[str] = set()
        self.kinds = kinds

    def technique(self, branch: Branch) -> Technique:
        item = branch.item
        best = self.described[id(item)]
        order = sorted(item.sources, key=SOURCES.index)
        identifier = self._id(item.name)
        return Technique(
            id=identifier, name=item.name, aliases=tuple(item.aliases), kind=_kind(branch, self.plan),
            definition=self._definition(item, best) or self._caption(item), score=round(item.score, 4),
            spans=self._spans(item, best), signals=tuple(order), steps=tuple(self.lines.get(id(item), ())),
            children=tuple(self.technique(child) for child in branch.children),
        )  # fmt: skip

    def finding(self, theorem: Theorem, name: str) -> Technique:
        """A result that the paper proves; its definition is what the theorem says."""
        return Technique(
            id=self._id(name), name=name, kind="finding", definition=theorem.text[:_LONGEST_DEFINITION],
            score=0.66 if theorem.title.strip() else 0.58, signals=("theorem",),
            spans=(Span(file=theorem.file, start=theorem.start, end=theorem.end),),
        )  # fmt: skip

    def _id(self, name: str) -> str:
        identifier = numbered(slug(name), self.ids)
        self.ids.add(identifier)
        return identifier

    def _definition(self, item: Item, best: Sequence[int]) -> str:
        others = {one[0] for key, one in self.described.items() if one and key != id(item)}
        if not (best and self._speaks_of(item, best[0])) and (said := self._pseudo_code(item)):
            return said
        return definition(item, self.text, best, others, self.kinds)

    def _speaks_of(self, item: Item, index: int) -> bool:
        """Whether a sentence names an item, or refers to the algorithm that it stands in."""
        words = frozenset(stems(text_of(self.text[index].tokens)))
        wanted = frozenset(stems(item.name)) or item.key
        return wanted <= words or points_at("algorithm", self.text[index], self.kinds)

    def _pseudo_code(self, item: Item) -> str:
        """The algorithm that it stands in by the words of its lines; by its caption
        alone if these are formulas or too few."""
        if item.node < 0 or self.plan.nodes[item.node].kind != "algorithm":
            return ""
        node = self.plan.nodes[item.node]
        lines = [line for one in self.parsed.reading.algorithms if one.start == node.start for line in one.lines]
        title = text_of(node.title)
        told = [text_of(line.tokens) for line in lines if _is_said(line)]
        told = [line for line in dict.fromkeys(told) if line not in title and line[-1] != "(" and line[0] != ")"]
        if len(told) < LINES_THAT_TELL:
            return title if len(title.split()) > LINES_THAT_TELL else ""
        return f"{title.rstrip('.:')}: {'; '.join(told)}"[:_LONGEST_DEFINITION]

    def _caption(self, item: Item) -> str:
        """The caption of its algorithm, for one that no sentence describes."""
        told = item.node >= 0 and self.plan.nodes[item.node].kind == "algorithm"
        return text_of(self.plan.nodes[item.node].title) if told else ""

    def _spans(self, item: Item, best: Sequence[int]) -> tuple[Span, ...]:
        ranges = [(self.text[index].start, self.text[index].end) for index in best[:4]]
        for candidate in item.candidates:
            if candidate.sentence < 0:
                node = self.plan.nodes[candidate.node]
                for start in range(node.start, node.end, _LONGEST_SPAN):
                    ranges.append((start, min(node.end, start + _LONGEST_SPAN)))
            else:
                ranges.append((candidate.start, candidate.end))
        spans = [self.parsed.flat.span(start, end) for start, end in ranges[:12]]
        return tuple(dict.fromkeys(span for span in spans if span.end > span.start))


def _is_said(line: Block) -> bool:
    """Whether a line of pseudo-code is words, and neither a formula nor a label."""
    words = [token for token in line.tokens if token.kind == "word" and len(token.text) > 1]
    label = any(token.text == "_" for token in line.tokens)
    return len(words) >= 3 and 2 * len(words) > len(line.tokens) and not label


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
