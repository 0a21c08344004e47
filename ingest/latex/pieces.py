"""Equations, algorithms, figures, tables, theorems, and the labels, references and citations among them."""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from ingest.latex import names
from ingest.latex.detex import readable
from ingest.latex.events import Event, Pairs
from ingest.latex.flat import Flat
from ingest.latex.macros import Macros
from ingest.latex.structure import Ids, Sections
from kg.models.paper import Algorithm, Citation, Equation, Figure, Label, Reference, Table, Theorem

__all__ = ["Pieces", "build_pieces", "kind_of", "tidy"]

Kind = Literal["equation", "algorithm", "figure", "table", "theorem", "shared", "other"]

_TRAILING = re.compile(r"[ \t]+(?=\r?\n|\Z)")
_WIDE = re.compile(r"(?<=\n)[ \t]{30,}(?=\S)")
_OPTION = re.compile(r"\b(caption|label|title)\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([^,\]]+))")
_NESTED_CAPTION = frozenset({"subfigure", "subtable", "subfloat"})

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(names.THEOREMS, "theorem"),
    **dict.fromkeys(names.TABLES, "table"),
    **dict.fromkeys(names.FIGURES, "figure"),
    **dict.fromkeys(names.ALGORITHMS, "algorithm"),
    **dict.fromkeys(names.DISPLAY, "equation"),
    "subequations": "shared",
}


def kind_of(name: str, macros: Macros) -> Kind:
    """What an environment is to a reader."""
    plain = names.starless(name)
    if plain in macros.theorems:
        return "theorem"
    if plain.lower().startswith("algorithm"):
        return "algorithm"
    return _KINDS.get(plain, "other")


def tidy(text: str) -> str:
    """Source without the blanks that comments left behind."""
    return _WIDE.sub("", _TRAILING.sub("", text)).strip()


@dataclass
class _Open:
    """An environment that is being read. `piece` is its id once it is known."""

    number: int
    event: Event
    kind: Kind
    label: str | None = None
    captions: list[str] = field(default_factory=list)
    graphics: list[str] = field(default_factory=list)
    piece: str | None = None
    part_of: "_Open | None" = None


@dataclass
class Pieces:
    """The finished lists, each in the order of the text."""

    equations: list[Equation] = field(default_factory=list)
    algorithms: list[Algorithm] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    theorems: list[Theorem] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)


class _Builder:
    def __init__(self, flat: Flat, macros: Macros, ids: Ids, sections: Sections, pairs: Pairs) -> None:
        self.flat, self.macros, self.ids, self.sections, self.pairs = flat, macros, ids, sections, pairs
        self.stack: list[_Open] = []
        self.labels: list[tuple[Event, _Open | None]] = []
        self.uses: list[Event] = []
        self.placed: list[tuple[int, str, Any]] = []

    def run(self, events: list[Event]) -> Pieces:
        ends = {end: begin for begin, end in self.pairs.closing.items()}
        for number, event in enumerate(events):
            if event.kind == "begin" and number in self.pairs.closing:
                self.stack.append(_Open(number, event, kind_of(event.name, self.macros)))
            elif event.kind == "end" and number in ends:
                while self.stack and self.stack[-1].number > ends[number]:
                    self.stack.pop()
                if self.stack:
                    self.close(self.stack.pop(), event)
            elif event.kind == "listing":
                self.finish(_Open(number, event, "algorithm"), event)
            else:
                self.inside(event)
        return self.collect()

    def inside(self, event: Event) -> None:
        """A command inside whatever is open."""
        if event.kind == "label":
            owner = next((o for o in reversed(self.stack) if o.kind != "other"), None)
            if owner:
                owner.label = owner.label or event.values[0]
            self.labels.append((event, owner))
        elif event.kind == "caption" and not any(o.event.name in _NESTED_CAPTION for o in self.stack[-3:]):
            if owner := next((o for o in reversed(self.stack) if o.kind in ("figure", "table", "algorithm")), None):
                owner.captions.append(event.values[0])
        elif event.kind == "graphics":
            if owner := next((o for o in reversed(self.stack) if o.kind in ("figure", "table")), None):
                owner.graphics += event.values
        elif event.kind in ("ref", "softref", "cite"):
            self.uses.append(event)

    def close(self, opened: _Open, end: Event) -> None:
        if opened.kind == "other":
            return
        if opened.kind == "shared":
            opened.piece = opened.piece or None
            return
        if opened.kind == "algorithm" and any(outer.kind == "algorithm" for outer in self.stack):
            outer = next(o for o in reversed(self.stack) if o.kind == "algorithm")
            outer.label = outer.label or opened.label
            outer.captions += opened.captions
            opened.part_of = outer
            return
        self.finish(opened, end)

    def finish(self, opened: _Open, end: Event) -> None:
        """Make the piece from its first to its last character."""
        begin = opened.event
        options = (
            {m[1]: (m[2] or m[3] or "").strip() for m in _OPTION.finditer(begin.values[0])} if begin.values else {}
        )
        if opened.kind == "algorithm":
            opened.label = opened.label or options.get("label")
            opened.captions = opened.captions or [options[key] for key in ("caption", "title") if key in options]
        group = next((o for o in reversed(self.stack) if o.kind == "shared"), None)
        if opened.kind == "equation" and group and group.piece is None:
            opened.label = opened.label or group.label
        latex = tidy(self.flat.text[begin.start : end.end])
        prefix = {"equation": "eq", "algorithm": "alg", "figure": "fig", "table": "tab", "theorem": "thm"}[opened.kind]
        opened.piece = self.ids.of(prefix, opened.label, latex)
        latex = latex.replace("\r\n", "\n")
        if opened.kind == "equation" and group:
            group.piece = group.piece or opened.piece
        span = self.flat.span(begin.start, end.end)
        common = {
            "id": opened.piece, "file": span.file, "start": span.start, "end": span.end, "env": begin.name,
            "section": self.sections.at(begin.start), "label": opened.label,
        }  # fmt: skip
        piece = self.piece(opened, common, latex, self.flat.text[begin.end : end.start])
        self.placed.append((begin.start, opened.kind, piece))

    def piece(self, opened: _Open, common: dict[str, Any], latex: str, content: str) -> Any:
        if opened.kind == "equation":
            return Equation(**common, latex=latex)
        if opened.kind == "theorem":
            title = opened.event.values[0] if opened.event.values else ""
            text = content.lstrip()
            text = text[len(title) + 2 :] if title and text.startswith(f"[{title}]") else text
            return Theorem(**common, title=self.read(title), text=self.read(text))
        common |= {"caption": self.read(" ".join(opened.captions)), "latex": latex}
        if opened.kind == "figure":
            return Figure(**common, graphics=tuple(opened.graphics))
        return Table(**common) if opened.kind == "table" else Algorithm(**common)

    def read(self, text: str) -> str:
        return readable(self.macros.expand(text))

    def target(self, event: Event, owner: _Open | None) -> str | None:
        """What a label names: the piece around it, else the section it stands in."""
        while owner is not None and owner.part_of is not None:
            owner = owner.part_of
        return owner.piece if owner and owner.piece else self.sections.at(event.start)

    def collect(self) -> Pieces:
        result = Pieces()
        lists: dict[str, list[Any]] = {
            "equation": result.equations, "algorithm": result.algorithms, "figure": result.figures,
            "table": result.tables, "theorem": result.theorems,
        }  # fmt: skip
        for _, kind, piece in sorted(self.placed, key=lambda item: item[0]):
            lists[kind].append(piece)
        targets: dict[str, str | None] = {}
        for event, owner in sorted(self.labels, key=lambda item: item[0].start):
            target = self.target(event, owner)
            targets.setdefault(event.values[0], target)
            result.labels.append(
                Label(**self.common("label", event, event.values[0]), key=event.values[0], target=target)
            )
        for event in sorted(self.uses, key=lambda event: event.start):
            if event.kind == "cite":
                keys = tuple(dict.fromkeys(event.values))
                if keys:
                    common = self.common("cite", event, ",".join(keys))
                    result.citations.append(Citation(**common, keys=keys, command=event.name))
                continue
            for key in event.values:
                if event.kind == "ref" or key in targets:
                    common = self.common("ref", event, key)
                    result.references.append(Reference(**common, key=key, command=event.name, target=targets.get(key)))
        return result

    def common(self, prefix: str, event: Event, name: str) -> dict[str, Any]:
        span = self.flat.span(event.start, event.end)
        return {
            "id": self.ids.of(prefix, name, name), "section": self.sections.at(event.start),
            "file": span.file, "start": span.start, "end": span.end,
        }  # fmt: skip


def build_pieces(events: list[Event], flat: Flat, macros: Macros, ids: Ids, sections: Sections, pairs: Pairs) -> Pieces:
    """All pieces that are no sections and no paragraphs."""
    return _Builder(flat, macros, ids, sections, pairs).run(events)
