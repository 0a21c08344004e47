"""A parsed paper → its passages in reading order, each of which knows where it stands in the source.

Ids say what a passage is: ``h3`` a heading or run-in head, ``p12`` running text, an item or a footnote, ``e4`` a
displayed equation, ``a1`` an algorithm or listing, ``t2`` a table, ``f1`` a figure (its caption). Formulas within a
line are shown as the author wrote them: read as text, D and its estimate with a tilde would be one.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ingest.extract.judged.passages import Kind, Passage, Passages, Placed
from ingest.extract.outline import Node, Outline, outline
from ingest.latex import ParsedPaper, names
from ingest.latex.detex import readable
from ingest.latex.reading import Block, Token, text_of
from kg.models.paper import BibEntry, Piece, Span

__all__ = ["read_passages"]

LONGEST_FORMULA = 400
LONGEST_EQUATION = 1_200
LONGEST_ALGORITHM = 4_000
LONGEST_TABLE = 2_000
MOST_WORKS = 3
_IDLE = re.compile(
    r"acknowledge?ment|funding|author contribution|competing interest|conflicts? of interest|ethic|broader impact"
    r"|(?:\w+ )?checklist|disclosure|(?:data|code|software|materials?) (?:and \w+ )?availab",
    re.IGNORECASE,
)
"""How sections begin that tell nothing of what was done."""
_SPACES = re.compile(r"\s+")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_AROUND = re.compile(
    r"\\(?:begin|end)\s*\{(?:equation|align|displaymath|gather|multline|eqnarray)\*?\}|^\$\$|\$\$$|^\\\[|\\\]$"
)
_CODE = re.compile(
    r"(?P<dropped>\\label\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\[\]]*\])?|\\caption\s*\{(?:[^{}]|\{[^{}]*\})*\})"
    r"|(?P<command>\\[A-Za-z@]+\*?|\\.)|(?P<blank>\s+)|(?P<word>[^\W_]+)|(?P<other>.)",
    re.DOTALL,
)
"""Pseudo-code by its words; what stands around it and its caption are told elsewhere."""
_LETTER: Mapping[Kind, str] = {
    "heading": "h", "paragraph": "p", "equation": "e", "algorithm": "a", "table": "t", "figure": "f",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Float:
    kind: Kind
    piece: Piece
    start: int
    end: int


def read_passages(parsed: ParsedPaper) -> Passages:
    """The passages of `parsed`; what stands in acknowledgements, checklists and the like is left out."""
    plan = outline(parsed.reading)
    found = _Writer(parsed, plan).run()
    idle: set[int] = set()
    for number, node in enumerate(plan.nodes):
        if node.parent in idle or _IDLE.match(text_of(node.title)):
            idle.add(number)
    kept = [p for p in found if p.node not in idle]
    kept.sort(key=lambda p: p.node >= 0 and plan.nodes[p.node].appendix)
    return Passages(parsed, plan, tuple(kept), {p.id: p for p in kept})


class _Writer:
    def __init__(self, parsed: ParsedPaper, plan: Outline) -> None:
        self.parsed, self.plan, doc = parsed, plan, parsed.doc
        self.counts = dict.fromkeys(_LETTER.values(), 0)
        self.works = {entry.key: _work(entry) for entry in doc.bibliography}
        self.cited = {self.at(c): c.keys for c in doc.citations}
        self.referred = {self.at(r): r.target for r in doc.references if r.target}
        self.theorems = {
            start: f"{t.env.capitalize()} ({t.title}): " if t.title else f"{t.env.capitalize()}: "
            for t in doc.theorems
            if (start := self.at(t)) is not None
        }
        self.floats = sorted(self.located(), key=lambda each: each.start)
        self.numbers = sorted((at, s.number) for s in doc.sections if (at := self.at(s)) is not None)
        self.ids: dict[str, str] = {}
        self.names: dict[int, str] = {}

    def at(self, piece: Span) -> int | None:
        return self.parsed.flat.locate(piece.file, piece.start)

    def located(self) -> Iterator[_Float]:
        doc = self.parsed.doc
        groups: tuple[tuple[Kind, Iterable[Piece]], ...] = (
            ("algorithm", doc.algorithms), ("table", doc.tables), ("figure", doc.figures),
        )  # fmt: skip
        for kind, pieces in groups:
            for piece in pieces:
                start = self.at(piece)
                last = self.parsed.flat.locate(piece.file, max(piece.start, piece.end - 1))
                if start is not None and last is not None and last >= start:
                    yield _Float(kind, piece, start, last + 1)

    def run(self) -> list[Passage]:
        """Number everything first, as text refers to what comes later; then write."""
        things = sorted(self.things(), key=lambda thing: thing[0])
        for _, thing in things:
            self.number(thing)
        return [passage for start, thing in things for passage in self.write(start, thing)]

    def things(self) -> Iterator[tuple[int, int | _Float | Block]]:
        """Headings (as an index of the outline), floats, and blocks of text that stand in no float."""
        for index, node in enumerate(self.plan.nodes):
            if node.kind in ("heading", "paragraph", "run_in"):
                yield node.start, index
        yield from ((each.start, each) for each in self.floats)
        for block in self.parsed.reading.blocks:
            readable_words = any(c.isalnum() for token in block.tokens for c in token.text)
            if block.zone not in ("heading", "caption") and readable_words and not self.in_float(block.start):
                yield block.start, block

    def in_float(self, at: int) -> bool:
        number = bisect_right([each.start for each in self.floats], at) - 1
        return number >= 0 and at < self.floats[number].end

    def next_id(self, kind: Kind) -> str:
        letter = _LETTER[kind]
        self.counts[letter] += 1
        return f"{letter}{self.counts[letter]}"

    def number(self, thing: "int | _Float | Block") -> None:
        if isinstance(thing, int):
            start = self.plan.nodes[thing].start
            self.names[start] = self.next_id("heading")
            place = bisect_right(self.numbers, (start, "\uffff")) - 1
            if place >= 0 and self.plan.nodes[thing].kind == "heading":
                for section in self.parsed.doc.sections:
                    if self.at(section) == self.numbers[place][0]:
                        self.ids.setdefault(section.id, self.names[start])
        elif isinstance(thing, _Float):
            self.names[thing.start] = self.ids[thing.piece.id] = self.next_id(thing.kind)
        else:
            for token in thing.tokens:
                if token.kind == "display":
                    self.names[token.start] = name = self.next_id("equation")
                    for equation in self.parsed.doc.equations:
                        at = self.at(equation)
                        if at is not None and token.start <= at < token.end:
                            self.ids[equation.id] = name

    # -- what is shown -----------------------------------------------------------------------------------------------

    def write(self, start: int, thing: "int | _Float | Block") -> Iterator[Passage]:
        if isinstance(thing, int):
            node = self.plan.nodes[thing]
            level = max(1, min(node.level, 4)) if node.kind == "heading" else 5
            number = self.section_number(node)
            title, words, _ = self.words(node.title, f"{number} " if number else "")
            yield Passage(self.names[start], "heading", title, start, node.end, thing, words, level=level)
        elif isinstance(thing, _Float):
            yield self.float(thing)
        else:
            yield from self.block(thing)

    def section_number(self, node: Node) -> str:
        place = bisect_right(self.numbers, (node.start, "\uffff")) - 1
        return self.numbers[place][1] if place >= 0 and node.kind == "heading" else ""

    def float(self, found: _Float) -> Passage:
        captions = [b for b in self.parsed.reading.blocks if b.zone == "caption" and found.start <= b.start < found.end]
        text, words, _ = self.words([token for block in captions for token in block.tokens])
        latex, caption = getattr(found.piece, "latex", ""), getattr(found.piece, "caption", "")
        if found.kind == "algorithm":
            text += "\n" if text else ""
            body, more = self.lines(found, len(text))
            text, words = text + body, words + more
        elif found.kind == "table":
            beside = found.start >= self.parsed.reading.appendix
            text += "\n" + _cut(readable(latex).replace(caption, ""), LONGEST_TABLE // 5 if beside else LONGEST_TABLE)
        owner, env = self.owner(found.start), names.starless(getattr(found.piece, "env", ""))
        return Passage(
            self.names[found.start], found.kind, text.rstrip(), found.start, found.end, owner, words,
            listing=env in names.LISTINGS,
        )  # fmt: skip

    def lines(self, found: _Float, at: int) -> tuple[str, tuple[Placed, ...]]:
        """The lines of an algorithm as they were written, and its words; `at` is where they begin in the text."""
        parts: list[str] = []
        words: list[Placed] = []
        size = 0
        for piece in _CODE.finditer(self.parsed.flat.text, found.start, found.end):
            leading = piece.lastgroup == "blank" and not size
            if piece.lastgroup == "dropped" or leading or size >= LONGEST_ALGORITHM:
                continue
            text = ("\n" if "\n" in piece[0] else " ") if piece.lastgroup == "blank" else piece[0]
            if piece.lastgroup == "word":
                token = Token(text, "word", piece.start(), piece.end())
                words.append(Placed(at + size, at + size + len(text), token, True))
            parts.append(text)
            size += len(text)
        return "".join(parts), tuple(words)

    def owner(self, at: int) -> int:
        """The innermost titled stretch around a place, algorithms and items aside."""
        around = (
            i
            for i, node in enumerate(self.plan.nodes)
            if node.kind in ("heading", "paragraph", "run_in") and node.start <= at < node.end
        )
        return max(around, key=lambda i: self.plan.nodes[i].start, default=-1)

    def block(self, block: Block) -> Iterator[Passage]:
        before = {"footnote": "(footnote) ", "item": "- "}.get(block.zone, "")
        before = self.theorem(block) or before
        text, words, shows = self.words(block.tokens, before)
        owner = self.owner(block.start)
        if any(c.isalnum() for placed in words if placed.said for c in placed.token.text):
            yield Passage(self.next_id("paragraph"), "paragraph", text, block.start, block.end, owner, words, shows)
        for token in block.tokens:
            if token.kind == "display":
                latex = _AROUND.sub("", _plain(_LABEL.sub("", token.text)))
                yield Passage(
                    self.names[token.start], "equation", _cut(latex, LONGEST_EQUATION), token.start, token.end, owner
                )

    def theorem(self, block: Block) -> str:
        """What introduces a theorem whose first block this is."""
        starts = sorted(self.theorems)
        place = bisect_right(starts, block.start) - 1
        return self.theorems.pop(starts[place]) if place >= 0 and block.start - starts[place] < 200 else ""

    def words(self, tokens: Iterable[Token], before: str = "") -> tuple[str, tuple[Placed, ...], tuple[str, ...]]:
        """Tokens as text, where each of them stands in it, and the equations among them."""
        parts, at = [before], len(before)
        placed: list[Placed] = []
        shows = []
        for token in tokens:
            text = self.shown(token)
            if not text:
                continue
            gap = "" if token.glued or at == len(before) else " "
            parts += (gap, text)
            placed.append(Placed(at + len(gap), at + len(gap) + len(text), token, token.kind in _SAID))
            at += len(gap) + len(text)
            if token.kind == "display" and token.start in self.names:
                shows.append(self.names[token.start])
        return "".join(parts), tuple(placed), tuple(shows)

    def shown(self, token: Token) -> str:
        if token.kind == "math":
            source = self.parsed.flat.text[token.start : token.end]
            if not source.startswith(("$", "\\(")) or len(source) > LONGEST_FORMULA:
                return token.text
            inside = source.strip("$").removeprefix("\\(").removesuffix("\\)")
            return f"${_plain(self.parsed.macros.expand(inside))}$"
        if token.kind == "display":  # one of a heading or a caption has no name
            return f"[{self.names[token.start]}]" if token.start in self.names else token.text
        if token.kind == "cite":
            works = [self.works.get(key) or key for key in self.cited.get(token.start, ())]
            more = [f"{len(works) - MOST_WORKS} more"] if len(works) > MOST_WORKS else []
            return f"[{'; '.join(works[:MOST_WORKS] + more)}]" if works else ""
        if token.kind == "ref":
            name = self.ids.get(self.referred.get(token.start) or "")
            return f"[{name}]" if name else ""
        return token.text


_SAID = ("word", "math", "punct")


def _work(entry: BibEntry) -> str:
    """A work as it is cited: the first author's last name and the year."""
    name = entry.authors[0] if entry.authors else entry.title[:40] or entry.key
    last = name.split(",")[0] if "," in name else name.rsplit(" ", 1)[-1]
    return f"{last} {entry.year or ''}".strip()


def _plain(latex: str) -> str:
    """A formula on one line."""
    return _SPACES.sub(" ", latex.replace("\\ensuremath", "")).strip()


def _cut(text: str, limit: int) -> str:
    text = text.strip()
    return text if len(text) <= limit else text[:limit].rstrip() + " …"
