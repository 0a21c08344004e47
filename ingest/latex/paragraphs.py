"""Running text: what stands between blank lines, headings, floats, lists and other structures.

A display equation does not end a paragraph, as in TeX; its formula is part of the text. Every item of a list is a
paragraph of its own.
"""

import re
from dataclasses import dataclass

from ingest.latex import names
from ingest.latex.detex import readable
from ingest.latex.events import Event, Pairs
from ingest.latex.flat import Flat
from ingest.latex.lexer import Lexer
from ingest.latex.macros import Macros
from ingest.latex.pieces import kind_of
from ingest.latex.structure import Ids, Sections
from kg.models.paper import Paragraph

__all__ = ["build_paragraphs"]

_INLINE = names.WITHIN_MATHS | names.word_set(
    """
    math subequations small footnotesize scriptsize normalsize large tiny sloppypar sloppy
    em bf it document linenomath linenomath* displayquote
    """
)
"""Environments within a paragraph."""
_WITH_ARGUMENT = {"minipage": 1, "multicols": 1, "adjustwidth": 2, "tcolorbox": 0, "spacing": 1, "parcolumns": 1}
_RUN_IN = re.compile(
    r"\s*(?:\\(?:noindent|indent|smallskip|medskip|bigskip|par|leavevmode|vspace\*?\s*\{[^{}]*\})\s*)*"
    r"(?:\{\s*\\(?:bf|it|em|sc|sf|bfseries|itshape|scshape)(?![a-z])\s*([^{}]{1,100})\}"
    r"|\\(?:textbf|emph|textit|textsc|textsf|underline)\s*\{([^{}]{1,100})\})\s*(?=([.:–—-])?)"
)
_WORD = re.compile(r"\w")
_MAX_TITLE = 12


@dataclass
class _Head:
    """A run-in heading that waits for its paragraph."""

    title: str = ""


class _Builder:
    def __init__(
        self, flat: Flat, macros: Macros, ids: Ids, sections: Sections, lexer: Lexer, resolve: dict[str, str]
    ) -> None:
        self.flat, self.macros, self.ids, self.sections, self.lexer = flat, macros, ids, sections, lexer
        self.resolve = resolve
        self.paragraphs: list[Paragraph] = []
        self.head = _Head()
        self.at = 0
        self.is_item = False

    def run(self, events: list[Event], pairs: Pairs, begin: int, end: int) -> list[Paragraph]:
        self.at = begin
        number = 0
        while number < len(events):
            event = events[number]
            closing = pairs.closing.get(number)
            number += 1
            if event.start < begin or event.end <= self.at:
                continue
            if event.kind == "begin":
                number = self.environment(event, events, closing) or number
            elif event.kind == "end":
                if names.starless(event.name) not in _INLINE and kind_of(event.name, self.macros) != "equation":
                    self.cut(event.start, event.end)
            elif event.kind in ("break", "heading", "item", "skip", "front", "caption", "bibliography", "counter"):
                self.cut(event.start, event.end)
                self.is_item = event.kind == "item"
                if event.kind == "heading":
                    run_in = names.HEADINGS[event.name] >= 5
                    self.head = _Head(readable(self.macros.expand(event.values[0])).rstrip(" .:") if run_in else "")
        self.cut(end, end)
        return self.paragraphs

    def environment(self, event: Event, events: list[Event], closing: int | None) -> int | None:
        """Where to go on: behind environments that are no running text, inside others."""
        kind = kind_of(event.name, self.macros)
        if kind == "equation" or names.starless(event.name) in _INLINE:
            return closing + 1 if closing is not None and kind == "equation" else None
        if closing is not None and (
            kind in ("figure", "table", "algorithm") or names.starless(event.name) in names.UNREAD
        ):
            self.cut(event.start, events[closing].end)
            return closing + 1
        self.cut(event.start, self.after_arguments(event))
        return None

    def after_arguments(self, event: Event) -> int:
        """Past the options and arguments of a begin."""
        at, declared = event.end, self.macros.environments.get(event.name)
        while self.lexer.scan.startswith("[", at) and (option := self.lexer.bracket(at)):
            at = option.after
        for _ in range(declared.arguments if declared else _WITH_ARGUMENT.get(event.name, 0)):
            if argument := self.lexer.group(at):
                at = argument.after
        return at

    def cut(self, stop: int, resume: int) -> None:
        """End the current paragraph at `stop`; the next starts at `resume`."""
        start, self.at = self.at, max(resume, self.at)
        if stop <= start:
            return
        for first, last in self.one_file(start, stop):
            self.add(first, last)

    def one_file(self, start: int, stop: int) -> list[tuple[int, int]]:
        """The range itself, or its parts where it begins in one file and ends in another."""
        text = self.flat.text[start:stop]
        start, stop = start + len(text) - len(text.lstrip()), stop - (len(text) - len(text.rstrip()))
        if stop <= start or self.flat.frame(start) == self.flat.frame(stop - 1):
            return [(start, stop)] if stop > start else []
        return [(max(start, first), min(stop, last)) for first, last in self.flat.runs(start, stop)]

    def add(self, start: int, stop: int) -> None:
        text = self.flat.text[start:stop]
        start, stop = start + len(text) - len(text.lstrip()), stop - (len(text) - len(text.rstrip()))
        raw = self.flat.text[start:stop]
        if not _WORD.search(raw):
            return
        title, raw = self.title(raw)
        text = readable(self.macros.expand(raw), self.resolve, links=True)
        if not _WORD.search(text):
            return
        self.head, self.is_item = _Head(), False
        span = self.flat.span(start, stop)
        self.paragraphs.append(
            Paragraph(
                id=self.ids.of("p", None, text),
                section=self.sections.at(start),
                file=span.file,
                start=span.start,
                end=span.end,
                text=text,
                title=title,
            )
        )

    def title(self, raw: str) -> tuple[str, str]:
        """The run-in heading of a paragraph, and its text (where an item's label is no longer in brackets)."""
        if self.is_item and (label := Lexer(raw).bracket(0)):
            title = readable(self.macros.expand(raw[label.start : label.end])).rstrip(" .:")
            return title, raw[label.start : label.end] + " " + raw[label.after :]
        if self.head.title:
            return self.head.title, raw
        found = _RUN_IN.match(raw)
        if not found:
            return "", raw
        title = readable(self.macros.expand(found[1] or found[2]))
        is_head = title[-1:] in (".", ":") or found[3] is not None
        return (title.rstrip(" .:") if is_head and len(title.split()) <= _MAX_TITLE else ""), raw


def build_paragraphs(
    events: list[Event], flat: Flat, macros: Macros, ids: Ids, sections: Sections, pairs: Pairs,
    *, lexer: Lexer, begin: int, end: int, resolve: dict[str, str],
) -> list[Paragraph]:  # fmt: skip
    """The paragraphs between characters `begin` and `end`; `resolve` gives the printed numbers of labels."""
    return _Builder(flat, macros, ids, sections, lexer, resolve).run(events, pairs, begin, end)
