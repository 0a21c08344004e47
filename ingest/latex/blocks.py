"""The scanned document as blocks of words: what stands between its events, cut into words, formulas and marks.

One pass without recursion: what stands inside another thing (footnote, caption, heading) is queued and read as a
block of its own, so hostile nesting costs no stack. Floats give their captions only, and pseudo-code its lines; tables
and drawings give nothing.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingest.latex import names
from ingest.latex.block_writer import BlockWriter
from ingest.latex.detex import ACCENTS, DROPPED, LINE_SKIP, VERB, VERBS, readable, symbols
from ingest.latex.events import Event, Pairs
from ingest.latex.lexer import Lexer
from ingest.latex.macros import Macro, Macros, substitute
from ingest.latex.pieces import kind_of
from ingest.latex.reading import Block, PseudoCode, Reading, Zone, formula

__all__ = ["build_reading"]

MAX_CHARS = 1_500_000
"""Characters that are read: three times a long dissertation; what stands beyond them is not looked at."""
MAX_OPEN = 200
MAX_LINES = 400
MAX_INNER = 60
"""Characters of a formula within a line that are shown."""

_LEX = re.compile(
    r"(?P<space>[^\S\r\n]+|[\r\n~$#&\x00])"
    r"|(?P<command>\\[A-Za-z@]+\*?)"
    r"|(?P<symbol>\\.)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<abbr>(?:e\.g\.|i\.e\.|cf\.|etc\.|vs\.|et al\.|[Ff]igs?\.|[Ee]qs?\.|[Ss]ecs?\.|[Rr]efs?\.|w\.r\.t\."
    r"|resp\.|approx\.)(?=\W))"
    r"|(?P<word>[^\W_]+(?:(?:['’/+]|-(?!-)|(?<=\d)[.,](?=\d))[^\W_]+)*(?:\+\+)?)"
    r"|(?P<dash>-{2,3})"
    r"|(?P<punct>.)",
    re.DOTALL,
)
_DIMENSION = re.compile(r"\d*\.?\d+(?:pt|em|ex|cm|mm|in|pc|sp)\Z")
_ACCENTED = re.compile(r"\s*\{?\\?([A-Za-z])\}?([^\W_]*)")
_CODE_LINE = re.compile(
    r"\\(?:STATE|State|STATEX|Statex|RETURN|Return|FOR|For|ForAll|FORALL|ForEach|WHILE|While|IF|If|ELSIF|ElsIf|ELSE|Else|"
    r"ENDFOR|EndFor|ENDWHILE|EndWhile|ENDIF|EndIf|REPEAT|Repeat|UNTIL|Until|LOOP|Loop|ENDLOOP|EndLoop|PROCEDURE|Procedure|"
    r"FUNCTION|Function|EndFunction|EndProcedure|REQUIRE|Require|ENSURE|Ensure|INPUT|OUTPUT|KwIn|KwOut|KwData|KwResult|"
    r"KwRet|COMMENT|Comment|tcp|tcc|uIf|eIf|uElse|lIf|Begin|BEGIN|END|End|caption|label)\b\*?|\\;|\\\\|\n\s*\n|[{}]"
)
"""What parts the lines of pseudo-code, over the packages for it."""
_STYLES = {
    "emph": "emph", "textit": "emph", "em": "emph", "it": "emph", "itshape": "emph", "textsl": "emph",
    "textbf": "bold", "bf": "bold", "bfseries": "bold", "textsc": "caps", "texttt": "tt", "tt": "tt", "code": "tt",
    "mathbf": "", "underline": "emph", "enquote": "quote", "defn": "emph", "term": "emph", "newterm": "emph",
}  # fmt: skip
_BREAKS = frozenset(("newline", "linebreak", "smallskip", "medskip", "bigskip", "hline", "break"))
_UNREAD = names.UNREAD | {"acks", "acknowledgements", "acknowledgments", "comment", "bibunit"}
_PSEUDO_CODE = names.ALGORITHMS - names.LISTINGS
_DROPPED = DROPPED | {"url": 1, "nolinkurl": 1, "href": 1, "pdfbookmark": 2, "fancyhead": 1, "lhead": 1, "rhead": 1}


@dataclass(slots=True)
class _Job:
    """Characters that are read into blocks of their own."""

    start: int
    end: int
    zone: Zone
    level: int = -1
    float_start: int = -1


class _Builder:
    def __init__(self, lexer: Lexer, macros: Macros, events: Sequence[Event], pairs: Pairs) -> None:
        self.text, self.lexer, self.macros = lexer.scan, lexer, macros
        self.events, self.closing = events, pairs.closing
        self.starting: dict[int, list[int]] = {}
        for number, event in enumerate(events):
            self.starting.setdefault(event.start, []).append(number)
        self.captions = [(e.start, e.inner) for e in events if e.kind == "caption" and e.inner]
        self.pseudo_code = [
            (event.start, event.end, events[self.closing[number]].start)
            for number, event in enumerate(events)
            if number in self.closing and _is_pseudo_code(event.name)
        ]
        self.out = BlockWriter()
        self.jobs: deque[_Job] = deque()
        self.algorithms: set[tuple[int, int]] = set()
        self.appendix = len(self.text)
        self.prints: dict[str, bool] = {}

    def run(self, begin: int, end: int) -> Reading:
        for event in self.events:
            if event.start < begin and event.kind == "front" and event.name in names.ABSTRACT_COMMANDS:
                self.queue(event.inner, "abstract")
        self.jobs.append(_Job(begin, min(end, begin + MAX_CHARS), "text"))
        while self.jobs:
            self.read(self.jobs.popleft())
        blocks = tuple(sorted(self.out.blocks, key=lambda block: (block.start, block.end)))
        algorithms = tuple(PseudoCode(*place, self.lines(*place)) for place in sorted(self.algorithms))
        return Reading(blocks, algorithms, self.appendix, len(self.text))

    def lines(self, start: int, end: int) -> tuple[Block, ...]:
        """The lines of pseudo-code that are one block each."""
        marks = [(start, start), *(m.span() for m in _CODE_LINE.finditer(self.text, start, end)), (end, end)]
        found: list[Block] = []
        for (_, first), (last, _) in pairwise(marks[: MAX_LINES + 2]):
            if 8 <= len(self.text[first:last].strip()) <= 300:
                self.out = BlockWriter()
                self.read(_Job(first, last, "code"))
                found += self.out.blocks if len(self.out.blocks) == 1 else []
        self.jobs.clear()
        return tuple(found)

    def read(self, job: _Job) -> None:
        self.job = job
        self.environments: list[str] = []
        self.out.begin(Block(job.zone, job.start, job.end, level=job.level, float_start=job.float_start))
        at = job.start
        while at < job.end:
            if at in self.starting and (after := self.structure(at)) > at:
                at = after
                continue
            match = _LEX.match(self.text, at, job.end)
            if match is None:
                break
            at = max(match.end(), self.piece(match))
        self.flush(job.end, job.zone)

    def piece(self, match: re.Match[str]) -> int:
        """Take in one piece of running text; returns where to go on."""
        kind, start, end = match.lastgroup, match.start(), match.end()
        if kind in ("word", "abbr"):
            if not _DIMENSION.match(match[0]):
                self.out.add(match[0].replace("’", "'"), "word", start, end)
        elif kind == "open":
            self.out.open("")
        elif kind == "close":
            self.out.close()
        elif kind == "command":
            return self.command(match[0][1:].rstrip("*"), start, end)
        elif kind == "symbol":
            return self.symbol(match[0][1], start, end)
        elif kind == "dash":
            self.out.add("—" if end - start == 3 else "–", "punct", start, end)
        elif kind == "punct":
            self.out.add("‘" if match[0] == "`" else match[0], "punct", start, end)
        return end

    def flush(self, end: int, zone: Zone | None = None) -> None:
        """End the block; the next one is of `zone`, else of the job's."""
        zone = "abstract" if "abstract" in self.environments else zone or self.job.zone
        self.out.flush(end, Block(zone, end, end, level=self.job.level, float_start=self.job.float_start))

    def queue(self, inner: tuple[int, int] | None, zone: Zone, level: int = -1, float_start: int = -1) -> None:
        if inner is not None:
            self.jobs.append(_Job(*inner, zone, level, float_start))

    # -- structure -------------------------------------------------------------------------------------------------

    def structure(self, at: int) -> int:
        """Heed the events at a place; returns where to go on, which is `at` where the text there is to be read."""
        after = at
        for number in self.starting[at]:
            event = self.events[number]
            after = max(after, self.event(number, event))
        return after

    def event(self, number: int, event: Event) -> int:
        kind, start, end = event.kind, event.start, event.end
        if kind == "begin":
            return self.begin(number, event)
        if kind == "label" and not self.text.startswith("\\label", start):
            return start
        if kind == "end":
            self.end(event)
        elif kind == "heading":
            self.heading(event)
        elif kind == "caption":
            self.queue(event.inner, "caption")
        elif kind == "front" and event.name in names.ABSTRACT_COMMANDS:
            self.queue(event.inner, "abstract")
        elif kind == "appendix":
            self.appendix = min(self.appendix, start)
        elif kind in ("cite", "ref", "softref", "math"):
            self.inline(event)
        elif kind == "item":
            self.flush(start, "item")
        elif kind == "break" and not (self.out.ends_in_display() and self.text[end : end + 1].islower()):
            self.flush(end)
        return end

    def inline(self, event: Event) -> None:
        """What stands within a line as one token."""
        if event.kind == "math":
            inside = self.text[event.start : event.end].strip("$").removeprefix("\\(").removesuffix("\\)")
            self.out.add(formula(self.macros.expand(inside), MAX_INNER), "math", event.start, event.end)
        elif event.kind == "cite":
            self.out.add("[cite]", "cite", event.start, event.end)
        else:
            self.out.add("[ref]", "ref", event.start, event.end)

    def heading(self, event: Event) -> None:
        depth = names.HEADINGS[event.name]
        level = depth if depth < 2 else depth - 1
        self.flush(event.start)
        if event.inner is not None:
            self.queue(event.inner, "heading", level)
        else:
            self.out.block = Block("heading", event.start, event.end, level=level)
            self.printed(event.values[0], event.start, event.end)
            self.flush(event.end)

    def begin(self, number: int, event: Event) -> int:
        """An environment: a display is one token, a float gives its captions, others are read."""
        kind, name = kind_of(event.name, self.macros), names.starless(event.name)
        closing = self.closing.get(number)
        end = self.events[closing] if closing is not None else None
        if self.job.zone == "code":
            return event.end
        if end is not None and (kind in ("equation", "shared") or name == "math"):
            self.out.resume()
            self.out.add(self.macros.expand(self.text[event.start : end.end]), "display", event.start, end.end)
            return end.end
        if end is not None and (kind in ("figure", "table", "algorithm") or name in _UNREAD):
            self.floating(event, end)
            self.flush(end.end)
            return end.end
        self.flush(event.start)
        if len(self.environments) < MAX_OPEN:
            self.environments.append("abstract" if name in names.ABSTRACTS else name)
        if name in names.APPENDICES:
            self.appendix = min(self.appendix, event.start)
        self.flush(event.end)
        at = event.end
        while option := self.lexer.bracket(at):
            at = option.after
        return at

    def end(self, event: Event) -> None:
        name = "abstract" if names.starless(event.name) in names.ABSTRACTS else names.starless(event.name)
        if name in self.environments:
            self.flush(event.start)
            del self.environments[len(self.environments) - 1 - self.environments[::-1].index(name) :]
            self.flush(event.end)

    def floating(self, begin: Event, end: Event) -> None:
        """A float's captions, and its pseudo-code."""
        first = bisect_left(self.captions, (begin.start,))
        for start, inner in self.captions[first : first + 20]:
            if start < end.start:
                self.queue(inner, "caption", float_start=begin.start)
        if _is_pseudo_code(begin.name):
            self.algorithms.add((begin.start, end.start))
        else:
            first = bisect_left(self.pseudo_code, (begin.start + 1,))
            inside = [found for found in self.pseudo_code[first : first + 5] if found[0] < end.start]
            self.algorithms.update((body, stop) for _, body, stop in inside)

    # -- commands and symbols --------------------------------------------------------------------------------------

    def command(self, name: str, start: int, end: int) -> int:
        """A control word within running text; returns where to go on."""
        after = end
        if name in ("footnote", "footnotetext"):
            after = self.footnote(end)
        elif name in _BREAKS:
            self.flush(end)
        elif name in _STYLES:
            after = self.style(_STYLES[name], end)
        elif macro := self.macros.commands.get(name):
            after = self.call(macro, start, end)
        elif name in _DROPPED:
            after = self.skip(end, _DROPPED[name])
        elif name in VERBS and (verb := VERB.match(self.lexer.text, start + 1)):
            self.out.add(verb[1] if verb[1] is not None else verb[3], "word", start, verb.end())
            after = verb.end()
        elif name in ACCENTS and (self.lexer.group(end) or self.text[end : end + 1].isspace()):
            after = self.accent(ACCENTS[name], start, end)
        else:
            symbol = symbols().get(name, "").strip()
            self.out.add(symbol, "word" if symbol.isalnum() else "punct", start, end)
        return after

    def footnote(self, end: int) -> int:
        option = self.lexer.bracket(end)
        note = self.lexer.group(option.after if option else end)
        self.queue((note.start, note.end) if note else None, "footnote")
        return note.after if note else end

    def skip(self, at: int, groups: int) -> int:
        """Past optional arguments and up to `groups` braced ones."""
        while True:
            if option := self.lexer.bracket(at):
                at = option.after
            elif groups and (group := self.lexer.group(at)):
                at, groups = group.after, groups - 1
            else:
                return at

    def style(self, style: str, end: int) -> int:
        if self.text.startswith("{", end) and self.lexer.group(end):
            self.out.open(style)
            return end + 1
        self.out.restyle(style)
        return end

    def call(self, macro: Macro, start: int, end: int) -> int:
        """An author's command: what it prints, with its arguments read where they stand."""
        _, stop = self.macros.call(macro, self.lexer, end)
        if macro.arguments:
            if macro.name not in self.prints:
                said = readable(self.macros.expand(substitute(macro.body, ["mark"] * macro.arguments)))
                self.prints[macro.name] = "mark" in said
            if self.prints[macro.name]:
                option = self.lexer.bracket(end) if macro.default is not None else None
                return option.after if option else end
        stop += 2 if self.text.startswith("{}", stop) else 0
        if "#" not in macro.body:
            self.printed(macro.body, start, stop)
        return stop

    def printed(self, source: str, start: int, end: int) -> None:
        """What stands in a macro's body, at the place of the call."""
        source = self.macros.expand(source)
        if "$" in source or "ensuremath" in source:
            self.out.add(formula(source, MAX_INNER), "math", start, end)
            return
        for match in list(_LEX.finditer(readable(source) + " "))[:24]:
            if match.lastgroup in ("word", "abbr"):
                self.out.add(match[0], "word", start, end)

    def symbol(self, character: str, start: int, end: int) -> int:
        if character in "%&_#$":
            self.out.add(character, "punct", start, end)
        elif character in ACCENTS:
            return self.accent(ACCENTS[character], start, end)
        elif character == "-":
            self.out.last_end = end
        elif character == "\\" and (skip := LINE_SKIP.match(self.text, end, self.job.end)):
            return skip.end()
        return end

    def accent(self, accent: str, start: int, end: int) -> int:
        match = _ACCENTED.match(self.text, end, self.job.end)
        if match is None:
            return end
        self.out.add_to_word(unicodedata.normalize("NFC", match[1] + accent) + match[2], start, match.end())
        return match.end()


def _is_pseudo_code(environment: str) -> bool:
    name = names.starless(environment)
    return name in _PSEUDO_CODE or name.lower().startswith("algorithm")


def build_reading(lexer: Lexer, macros: Macros, events: Sequence[Event], pairs: Pairs, begin: int, end: int) -> Reading:
    """Read characters ``[begin, end)``; never fails on malformed LaTeX, unmatched pieces are read as plain text."""
    return _Builder(lexer, macros, events, pairs).run(begin, end)
