"""The section tree: from headings in their order and level, with numbers as the document class prints them; and the
ids of sections and all other pieces, which stay when a new version adds or removes others."""

import hashlib
import re
from bisect import bisect_right
from dataclasses import dataclass, field

from ingest.latex import names
from ingest.latex.detex import readable
from ingest.latex.events import Event
from ingest.latex.flat import Flat
from ingest.latex.macros import Macros
from kg.models.ids import slug
from kg.models.paper import Section

__all__ = ["Ids", "Sections", "build_sections"]

_SPACE = re.compile(r"\s+")
_ORDER = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_PRINT = re.compile(r"\\(arabic|Roman|roman|Alph|alph)\s*\{\s*([a-z]+)\s*\}|\\the([a-z]+)")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_STYLES = {
    "ieee": {
        "section": r"\Roman{section}",
        "subsection": r"\thesection-\Alph{subsection}",
        "subsubsection": r"\thesubsection\arabic{subsubsection}",
    },
    "revtex": {
        "section": r"\Roman{section}",
        "subsection": r"\thesection.\Alph{subsection}",
        "subsubsection": r"\thesubsection.\arabic{subsubsection}",
    },
}
_APPENDIX = re.compile(r"(?:appendi(?:x|ces)|supplementa(?:l|ry) (?:materials?|information|appendix))\b", re.IGNORECASE)


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * min(count, 20)
    return text


def _letter(number: int) -> str:
    return chr(96 + number) if 1 <= number <= 26 else str(number or "")


class Ids:
    """Gives each piece an id that no other piece of the document has; repeated names get "-2", "-3" …"""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """`wanted`, or `wanted` with a number."""
        candidate = wanted
        while candidate in self._used:
            self._used[wanted] += 1
            candidate = f"{wanted}-{self._used[wanted]}"
        self._used[candidate] = 1
        return candidate

    def of(self, prefix: str, label: str | None, content: str) -> str:
        """By its label where it has one, else by what it says, so that neighbours don't matter."""
        name = re.sub(r"[^\w:.+-]+", "-", label)[:80].strip("-") if label else ""
        digest = hashlib.sha256(_SPACE.sub(" ", content).strip().encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return self.unique(f"{prefix}/{name or digest}")


@dataclass
class _Numbers:
    """LaTeX's section counters and how they are printed."""

    chapters: bool
    style: str = ""
    depth: int = 3
    values: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_ORDER, 0))
    formats: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.formats = {
            "part": r"\Roman{part}",
            "chapter": r"\arabic{chapter}",
            "section": r"\thechapter.\arabic{section}" if self.chapters else r"\arabic{section}",
            **{name: rf"\the{_ORDER[n + 2]}.\arabic{{{name}}}" for n, name in enumerate(_ORDER[3:])},
            **_STYLES.get(self.style, {}),
        }

    def step(self, name: str) -> str:
        """Count one more `name`; returns what is printed."""
        self.values[name] += 1
        if name != "part":
            for lower in _ORDER[_ORDER.index(name) + 1 :]:
                self.values[lower] = 0
        return self.printed(name)

    def printed(self, name: str) -> str:
        text = self.formats[name]
        for _ in range(8):
            expanded = _PRINT.sub(self._one, text)
            if expanded == text or len(expanded) > 200:
                break
            text = expanded
        return readable(text)[:20].strip(".- ")

    def _one(self, found: re.Match[str]) -> str:
        if found[3]:
            return self.formats.get(found[3], "")
        number = max(0, min(self.values.get(found[2], 0), 10_000))
        kind = found[1].lower()
        shape = _roman(number) if kind == "roman" else _letter(number) if kind == "alph" else str(number)
        return shape.upper() if found[1][0].isupper() else shape

    def set(self, command: str, name: str, value: str) -> None:
        """``\\setcounter`` or ``\\addtocounter`` of a section counter or of the depth that is numbered."""
        if not re.fullmatch(r"-?[0-9]{1,4}", value):
            return
        if name == "secnumdepth":
            self.depth = int(value)
        elif name in self.values:
            self.values[name] = int(value) + (self.values[name] if command == "addtocounter" else 0)

    def appendix(self) -> None:
        top = "chapter" if self.chapters else "section"
        self.formats[top] = rf"\Alph{{{top}}}"
        self.values |= dict.fromkeys(_ORDER[_ORDER.index(top) :], 0)


@dataclass
class Sections:
    """All sections, and which one a character of the flat text stands in."""

    items: list[Section] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ids: list[str | None] = field(default_factory=list)

    def at(self, place: int) -> str | None:
        """The id of the innermost section around character `place`."""
        number = bisect_right(self.starts, place) - 1
        return self.ids[number] if number >= 0 else None


def _style(document_class: str) -> str:
    lower = document_class.lower()
    return "ieee" if lower.startswith("ieee") else "revtex" if lower.startswith("revtex") else ""


@dataclass
class _Open:
    section: Section
    start: int


class _Builder:
    def __init__(self, flat: Flat, macros: Macros, ids: Ids, document_class: str, chapters: bool, end: int) -> None:
        self.flat, self.macros, self.ids, self.end = flat, macros, ids, end
        self.chapters = chapters
        self.numbers = _Numbers(chapters, _style(document_class), 2 if chapters else 3)
        self.in_appendix, self.is_numbered = False, True
        self.open: list[_Open] = []
        self.done: list[tuple[int, Section]] = []
        self.result = Sections()

    def take(self, event: Event) -> None:
        if event.kind == "heading":
            self.heading(event)
        elif event.kind == "counter":
            self.numbers.set(event.name, *event.values)
        elif event.kind == "the":
            self.numbers.formats[event.name] = event.values[0]
        elif event.kind == "appendix" or (event.kind == "begin" and event.name in names.APPENDICES):
            self.in_appendix = True
            self.numbers.appendix()
        elif event.kind == "matter":
            self.is_numbered = event.name == "mainmatter"
        elif event.name in ("bibliography", "printbibliography") or (event.kind, event.name) == (
            "begin",
            "thebibliography",
        ):
            self.close(event.start, -1)
            self.mark(event.start, None)

    def mark(self, start: int, id_: str | None) -> None:
        if not self.result.starts or start >= self.result.starts[-1]:
            self.result.starts.append(start)
            self.result.ids.append(id_)

    def close(self, at: int, level: int) -> None:
        """End the open sections of this level and below."""
        while self.open and self.open[-1].section.level >= level:
            ended = self.open.pop()
            span = self.flat.trimmed(ended.start, max(at, ended.start))
            self.done.append((ended.start, ended.section.model_copy(update={"end": span.end})))

    def heading(self, event: Event) -> None:
        depth = names.HEADINGS[event.name]
        level = depth if self.chapters or depth == 0 else depth - 1
        title = readable(self.macros.expand(event.values[0]))
        title = title.rstrip(" .:") if depth >= 5 else title
        starred = bool(event.values[1]) or depth - 1 > self.numbers.depth or (not self.is_numbered and depth <= 1)
        self.in_appendix = self.in_appendix or (depth <= 2 and _APPENDIX.match(title) is not None)
        self.close(event.start, level)
        number = "" if starred else self.numbers.step(_ORDER[depth])
        parent = self.open[-1].section if self.open else None
        wanted = (
            f"s/{number}" if number else f"{parent.id if parent else 's'}/{slug(title, 60) if title else 'untitled'}"
        )
        wanted = f"s/part-{number}" if number and depth == 0 else wanted
        span = self.flat.span(event.start, event.end)
        section = Section(
            id=self.ids.unique(wanted[:160]), file=span.file, start=span.start, end=span.end, number=number,
            title=title, level=level, parent=parent.id if parent else None, section=parent.id if parent else None,
            appendix=self.in_appendix,
        )  # fmt: skip
        self.open.append(_Open(section, event.start))
        self.mark(event.start, section.id)

    def finish(self) -> Sections:
        self.close(self.end, -1)
        self.result.items = [section for _, section in sorted(self.done, key=lambda item: item[0])]
        return self.result


def build_sections(
    events: list[Event], flat: Flat, macros: Macros, ids: Ids, *, document_class: str = "", end: int | None = None
) -> Sections:
    """The sections of the events of a document whose body ends at character `end`."""
    chapters = any(event.kind == "heading" and names.HEADINGS[event.name] == 1 for event in events)
    builder = _Builder(flat, macros, ids, document_class, chapters, len(flat.text) if end is None else end)
    for event in events:
        builder.take(event)
    return builder.finish()
