"""From characters to events, in one pass over the tokens of the flattened text, total and linear.

Whatever is not understood is skipped. The author's own commands are looked into, so that ``\\be … \\ee``,
``\\newcommand{\\eqn}[1]{\\begin{equation}#1\\end{equation}}`` or ``\\figref{x}`` give the events of what they stand
for, at the place of the call.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from ingest.latex import commands, names
from ingest.latex.events import Event, place
from ingest.latex.lexer import Argument, Lexer
from ingest.latex.macros import Macro, Macros

__all__ = ["Scanner"]

_TOKEN = re.compile(
    r"\\(?:(?P<name>[a-zA-Z@]+)|(?P<char>.))|(?P<dollar>\$)"
    r"|(?P<blank>(?:\r\n|\r(?!\n)|\n)[ \t\f]*(?:\r\n|\r(?!\n)|\n)\s*)|(?P<hash>\#+[1-9])",
    re.DOTALL,
)
_STRUCTURAL = re.compile(
    r"\\(?:begin|end|\[|\]|renewcommand|[a-zA-Z]*(?:section|chapter|part|[rR]ef|caption|label|counter|appendix|paragraph"
    r"|graphics)(?![a-zA-Z])|[a-zA-Z]*[cC]ite)|\$\$"
)
_HARD = re.compile(
    r"\\(?:(?:sub)*section|chapter|item(?![a-zA-Z])|begin\s*\{(?:document|figure|table|equation|align|gather|thebibliography)"
    r"|end\s*\{(?:document|figure|table|equation|align|itemize|enumerate|abstract|center|proof))"
)
_DOLLAR = re.compile(r"(?<!\\)\$")
_INLINE_END = re.compile(r"\\\)")
MAX_INLINE = 600
"""Characters of a formula within a line; a `$` that is open for longer was a slip."""
_TAIL = re.compile(r"\\([a-zA-Z@]+\*?)\s*$")


class Scanner:
    """Scans `lexer` from `begin` to `end`; before `begin` (the preamble) for definitions and the title page only.

    `events` holds the result of `run`, `notes` what could not be read: start, end, message. `nested` is for the bodies
    of macros, where `first_argument` is the place of the first ``#n``.
    """

    def __init__(
        self, lexer: Lexer, macros: Macros, begin: int = 0, end: int | None = None, *, nested: bool = False
    ) -> None:
        self.lexer, self.macros, self.begin, self.nested = lexer, macros, begin, nested
        self.stop = len(lexer.scan) if end is None else end
        self.events: list[Event] = []
        self.notes: list[tuple[int, int, str]] = []
        self.first_argument: int | None = None
        self._math: list[str] = []
        self._in_display = False
        self._pending: list[tuple[int, tuple[Event, ...]]] = []
        self.templates: dict[str, tuple[tuple[Event, ...], tuple[Event, ...]]] = {}

    def run(self) -> list[Event]:
        """Scan; returns the events, those of a macro call when the call begins or ends."""
        at = 0
        while found := _TOKEN.search(self.lexer.scan, at, self.stop):
            while self._pending and self._pending[-1][0] <= found.start():
                self.emit(self._pending.pop()[1])
            at = max(self.take(found), found.start() + 1)
        while self._pending:
            self.emit(self._pending.pop()[1])
        return self.events

    def take(self, found: re.Match[str]) -> int:
        """Handle one token; returns where to go on."""
        start, end, name = found.start(), found.end(), found["name"]
        if name:
            return self.command(name, start, end)
        if found["hash"]:
            self.first_argument = start if self.first_argument is None else self.first_argument
        elif start < self.begin:
            return end
        elif found["dollar"]:
            return self.dollar(start)
        elif found["blank"]:
            self.add("break", start, end)
        elif found["char"] in ("[", "]"):
            self.add("begin" if found["char"] == "[" else "end", start, end, "\\[")
        elif found["char"] == "(" and (close := _INLINE_END.search(self.lexer.scan, end, min(end + 4000, self.stop))):
            self.add("math", start, close.end())
        return end

    def command(self, name: str, start: int, end: int) -> int:
        """A control word: what papers in general mean by it, else what this author means by it, else by its sound."""
        in_preamble = start < self.begin
        macro = self.macros.commands.get(name)
        handler = commands.HANDLERS.get(name)
        if handler and (macro is None or name in commands.FIRM):
            return end if in_preamble and name not in commands.IN_PREAMBLE else handler(self, name, start, end)
        if in_preamble:
            return end
        if macro:
            return self.macro(macro, name, start, end)
        if names.is_citing(name):
            return commands.on_cite(self, name, start, end)
        if name.lower().endswith("ref") and name not in names.NOT_REFERRING:
            return commands.on_ref(self, name, start, end)
        return end

    def add(
        self, kind: str, start: int, end: int, name: str = "", values: Iterable[str] = (), inner: Argument | None = None
    ) -> None:
        """Note one event."""
        self.emit((Event(kind, start, end, name, tuple(values), (inner.start, inner.end) if inner else None),))

    def emit(self, events: Iterable[Event]) -> None:
        """Note events. Inline mathematics goes over no paragraph and no environment of text: an open `$` was a slip."""
        for event in events:
            within = event.kind in ("begin", "end") and names.starless(event.name) in names.WITHIN_MATHS
            if not within and event.kind in ("begin", "end", "break", "heading", "item"):
                while self._math and self._math[-1] == "$":
                    self._math.pop()
            self.events.append(event)

    def text(self, argument: Argument) -> str:
        """An argument that is a name or a key, with the author's commands replaced."""
        value = self.lexer.value(argument)
        return self.macros.expand(value) if "\\" in value and not self.nested else value

    def dollar(self, at: int) -> int:
        """``$…$`` is skipped, ``$$…$$`` is a display; ``$a$$b$`` are two of the former."""
        double = self.lexer.scan.startswith("$$", at)
        if self._math and (self._math[-1] == "$" or double):
            if self._math.pop() == "$":
                return at + 1
            self.add("end", at, at + 2, "$$")
            return at + 2
        if not double:
            self._math.append("$")
            if partner := _DOLLAR.search(self.lexer.scan, at + 1, min(at + MAX_INLINE, self.stop)):
                self.add("math", at, partner.end())
            return at + 1
        if self.nested:
            is_open = sum(1 if event.kind == "begin" else -1 for event in self.events if event.name == "$$") > 0
            self.add("end" if is_open else "begin", at, at + 2, "$$")
            return at + 2
        close = self.lexer.scan.find("$$", at + 2, self.stop)
        if close < 0 or _HARD.search(self.lexer.scan, at + 2, close):
            self.notes.append((at, at + 2, "$$ has no partner"))
            return at + 2
        self.add("begin", at, at + 2, "$$")
        self._math.append("$$")
        return at + 2

    def macro(self, macro: Macro, name: str, start: int, end: int) -> int:
        """A call of the author's own command: its body's events; a command at the body's end takes what follows."""
        before, after = self.template(name, macro.body)
        values, stop = self.macros.call(macro, self.lexer, end)
        tail = _TAIL.search(macro.body)
        handler = commands.HANDLERS.get(tail[1].removesuffix("*")) if tail else None
        if sum(event.name == "$$" for event in (*before, *after)) % 2:
            before = self.toggled(before)
        if macro.until:
            after = ()
        if before:
            self.emit(place(before, start, stop, values))
        if after:
            self._pending.append((stop, place(after, start, stop, values)))
        if tail and handler in commands.TAKING:
            return handler(self, tail[1], start, stop)
        if not before and not after and names.is_citing(name) and macro.arguments:
            return commands.on_cite(self, name, start, end)
        return end

    def toggled(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Half a ``$$…$$`` in a macro: it opens a display, or closes the one that the last such macro opened."""
        self._in_display = not self._in_display
        kind = "begin" if self._in_display else "end"
        return tuple(replace(event, kind=kind) if event.name == "$$" else event for event in events)

    def template(self, key: str, body: str) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        """The events in a macro's body: those before its first argument, and the others."""
        if self.nested or key in self.templates:
            return self.templates.get(key, ((), ()))
        result: tuple[tuple[Event, ...], tuple[Event, ...]] = ((), ())
        expanded = self.macros.expand(body) if "\\" in body else body
        if _STRUCTURAL.search(expanded):
            inner = Scanner(Lexer(expanded), Macros(theorems=self.macros.theorems), nested=True)
            events = [event for event in inner.run() if event.kind not in ("break", "skip", "item", "front", "math")]
            split = len(expanded) if inner.first_argument is None else inner.first_argument
            result = tuple(e for e in events if e.start < split), tuple(e for e in events if e.start >= split)
        self.templates[key] = result
        return result
