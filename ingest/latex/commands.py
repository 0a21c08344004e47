"""What single commands mean to the scanner: one function for each kind of command.

Each takes the scanner, the command's name, where the command starts and where its name ends; it notes events and
returns where scanning goes on: inside an argument that may hold more structure, behind one that may not.
"""

import re
from collections.abc import Callable, Iterable
from typing import Protocol

from ingest.latex import names
from ingest.latex.events import Event, place
from ingest.latex.lexer import Argument, Lexer
from ingest.latex.macros import DEFINING, Macros, read_definition

__all__ = ["FIRM", "HANDLERS", "IN_PREAMBLE", "TAKING", "Handler", "Scanning", "on_cite", "on_ref"]

Templates = dict[str, tuple[tuple[Event, ...], tuple[Event, ...]]]


class Scanning(Protocol):
    """What a command needs of the scanner that meets it; `ingest.latex.scan` has the one there is.

    The text is read from `begin` (before it stands the preamble) to `stop`; `notes` are what could not be read.
    """

    lexer: Lexer
    macros: Macros
    begin: int
    stop: int
    notes: list[tuple[int, int, str]]
    templates: Templates

    def add(
        self, kind: str, start: int, end: int, name: str = "", values: Iterable[str] = (), inner: Argument | None = None
    ) -> None:
        """Note one event."""

    def emit(self, events: Iterable[Event]) -> None:
        """Note events."""

    def text(self, argument: Argument) -> str:
        """An argument that is a name or a key, with the author's commands replaced."""

    def template(self, key: str, body: str) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        """The events in a macro's body: those before its first argument, and the others."""


Handler = Callable[[Scanning, str, int, int], int]

_THE = re.compile(r"\s*\{?\s*\\the(part|chapter|section|subsection|subsubsection|paragraph)(?![a-zA-Z@])")
_LINE = re.compile(r"[^\r\n]{0,301}")
_CONTROL = re.compile(r"\s*\\[a-zA-Z@]+")
_EPS = re.compile(r"(?:file|figure)\s*=\s*([^,\s]+)")
_SPACE = re.compile(r"\s+")


def _star(scan: Scanning, at: int) -> int:
    return at + scan.lexer.scan.startswith("*", at)


def _after_option(scan: Scanning, at: int) -> int:
    option = scan.lexer.bracket(at)
    return option.after if option else at


def on_heading(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\section*[short]{title}``; without braces the rest of the line is the title."""
    lexer = scan.lexer
    at = _star(scan, end)
    starred = at > end or name.endswith("*") or name.startswith("add")
    at = _after_option(scan, at)
    title = lexer.group(at)
    if title is None:
        line = _LINE.match(lexer.scan, at)
        stop = line.end() if line else at
        if not lexer.scan[at:stop].strip(" \t}\\{*") or stop > at + 300:
            return at
        scan.notes.append((start, stop, f"\\{name} has no title in closed braces"))
        title = Argument(at, stop, stop)
    scan.add("heading", start, title.after, name.removesuffix("*"), (lexer.value(title), "*" if starred else ""), title)
    return title.start


def on_begin(scan: Scanning, _: str, start: int, end: int) -> int:
    """``\\begin{name}[options]``; for an author's environment also what it begins with."""
    group = scan.lexer.group(end)
    if not group:
        return end
    name = scan.lexer.value(group).strip()
    option = scan.lexer.bracket(group.after)
    scan.add("begin", start, group.after, name, (scan.lexer.value(option),) if option else ())
    declared = scan.macros.environments.get(name)
    if declared and names.starless(name) not in _KNOWN:
        values, _after = scan.macros.call(declared, scan.lexer, group.after)
        before, after = scan.template(f"begin {name}", declared.begin)
        scan.emit(place((*before, *after), start, group.after, values))
    return group.after


def on_end(scan: Scanning, _: str, start: int, end: int) -> int:
    """``\\end{name}``."""
    group = scan.lexer.group(end)
    if not group:
        return end
    name = scan.lexer.value(group).strip()
    declared = scan.macros.environments.get(name)
    if declared and names.starless(name) not in _KNOWN:
        before, after = scan.template(f"end {name}", declared.end)
        scan.emit(place((*before, *after), start, group.after, []))
    scan.add("end", start, group.after, name)
    return group.after


_KNOWN = (
    names.DISPLAY | names.ALGORITHMS | names.FIGURES | names.TABLES | names.ABSTRACTS | names.APPENDICES | names.UNREAD
    | names.THEOREMS.keys()
)  # fmt: skip
"""Environments that keep their meaning when a paper redefines them."""


def on_label(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\label[type]{key}``."""
    key = scan.lexer.group(_after_option(scan, end))
    if not key:
        return end
    value = _SPACE.sub(" ", scan.text(key)).strip()
    if value:
        scan.add("label", start, key.after, name, (value,))
    return key.after


def on_caption(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\caption*[short]{text}``, ``\\captionof{figure}{text}``."""
    at = _star(scan, end)
    if name == "captionof" and (kind := scan.lexer.group(at)):
        at = kind.after
    text = scan.lexer.group(_after_option(scan, at))
    if not text:
        return end
    scan.add("caption", start, text.after, name, (scan.lexer.value(text),), text)
    return text.start


def on_graphics(scan: Scanning, name: str, start: int, end: int) -> int:
    """Commands that place an image file."""
    at = _after_option(scan, _after_option(scan, _star(scan, end)))
    for _ in range(2 if name == "plottwo" else 1):
        if file := scan.lexer.group(at):
            value = _SPACE.sub(" ", scan.text(file)).strip()
            keyed = _EPS.search(value)
            scan.add("graphics", start, file.after, name, (keyed[1] if keyed else value,))
            at = file.after
    return at


def on_listing(scan: Scanning, name: str, start: int, end: int) -> int:
    """Commands that print a program file."""
    option = scan.lexer.bracket(end)
    at = option.after if option else end
    while group := scan.lexer.group(at):
        at = group.after
    scan.add("listing", start, at, name, (scan.lexer.value(option),) if option else ())
    return at


def on_point(scan: Scanning, name: str, start: int, end: int) -> int:
    """Commands without arguments that end a paragraph or change the numbering."""
    kind = {"item": "item", "appendix": "appendix", "appendices": "appendix"}.get(name, "break")
    scan.add("matter" if name.endswith("matter") else kind, start, end, name)
    return end


def on_class(scan: Scanning, name: str, start: int, end: int) -> int:
    """A document of its own, read by \\input or \\subfile: its preamble is no running text."""
    close = scan.lexer.scan.find("\\begin{document}", end, scan.stop) if start >= scan.begin else -1
    if close >= 0:
        scan.add("skip", start, close, name)
    return end


def on_counter(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\setcounter{counter}{value}``."""
    counter = scan.lexer.group(end)
    value = scan.lexer.group(counter.after) if counter else None
    if not counter or not value:
        return end
    scan.add("counter", start, value.after, name, (scan.text(counter).strip(), scan.text(value).strip()))
    return value.after


def _keys(scan: Scanning, argument: Argument) -> tuple[str, ...]:
    keys = (_SPACE.sub(" ", key).strip().strip("{}") for key in scan.text(argument).split(","))
    return tuple(key for key in keys if key and "\\" not in key)


def on_ref(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\ref{key}``, ``\\cref{a,b}``, ``\\crefrange{a}{b}``."""
    key = scan.lexer.group(_after_option(scan, _star(scan, end)))
    if not key:
        return end
    keys, at = _keys(scan, key), key.after
    if "range" in name and (last := scan.lexer.group(at)):
        keys, at = keys + _keys(scan, last), last.after
    scan.add("ref" if name in names.REFERRING else "softref", start, at, name, keys)
    return at


def on_hyperref(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\hyperref[key]{text}``."""
    key = scan.lexer.bracket(end)
    if not key:
        return end
    scan.add("ref", start, key.after, name, _keys(scan, key))
    return key.after


def on_cite(scan: Scanning, name: str, start: int, end: int) -> int:
    """All argument shapes of natbib, biblatex and apacite: ``*``, ``<…>``, ``(…)``, ``[…]`` before each key list."""
    lexer = scan.lexer
    at = _star(scan, end)
    keys: tuple[str, ...] = ()
    several = name.removesuffix("*").endswith("cites")
    skipped = "volcite" in name
    while True:
        before = at
        while (
            option := lexer.bracket(before) or lexer.bracket(before, "<>") or (several and lexer.bracket(before, "()"))
        ):
            before = option.after
        group = lexer.group(before)
        if not group:
            break
        at = group.after
        if skipped:
            skipped = False
            continue
        keys += _keys(scan, group)
        if not several:
            break
    if keys:
        scan.add("cite", start, at, name.removesuffix("*"), keys)
    return at


def on_bibliography(scan: Scanning, name: str, start: int, end: int) -> int:
    """``\\bibliography{files}`` and ``\\addbibresource[options]{file}``."""
    files = scan.lexer.group(_after_option(scan, end))
    if not files:
        return end
    scan.add("bibliography", start, files.after, name, _keys(scan, files))
    return files.after


def on_front(scan: Scanning, name: str, start: int, end: int) -> int:
    """A command of the title page; its arguments are scanned too, as thanks may cite."""
    at, first = _star(scan, end), None
    values: list[str] = []
    for _ in range(5 if name == "abstract" else 2 if name in ("icmlauthor", "name", "addauthor") else 1):
        while option := scan.lexer.bracket(at):
            at = option.after
        group = scan.lexer.group(at)
        if not group:
            break
        first = first or group
        values.append(scan.lexer.value(group))
        at = group.after
    if first is None:
        return end
    scan.add("front", start, at, name, values, first)
    return first.start


def on_skipped(scan: Scanning, _: str, start: int, end: int) -> int:
    """Commands whose arguments only look like structure, such as ``\\titleformat{\\section}…``."""
    at = _star(scan, end)
    if control := _CONTROL.match(scan.lexer.scan, at):
        at = control.end()
    while argument := scan.lexer.bracket(at) or scan.lexer.group(at):
        at = argument.after
    scan.add("skip", start, at)
    return at


def on_definition(scan: Scanning, name: str, start: int, end: int) -> int:
    """A definition: learnt, and its body not taken for text."""
    counter = _THE.match(scan.lexer.scan, _star(scan, end))
    at = read_definition(scan.lexer, name, end, scan.macros)
    scan.templates.clear()
    if counter and (macro := scan.macros.commands.get(f"the{counter[1]}")):
        scan.add("the", start, at, counter[1], (macro.body,))
    scan.add("skip", start, at)
    return at


_SKIPPED = {
    "titleformat", "titlespacing", "sectionfont", "patchcmd", "pretocmd", "apptocmd", "xpatchcmd", "hypersetup",
    "lstset", "defcitealias", "crefname", "Crefname", "AtBeginEnvironment", "AtEndEnvironment", "expandafter"
}  # fmt: skip
_GRAPHICS = {"includegraphics", "plotone", "plottwo", "epsfig", "psfig", "epsfbox", "includesvg"}
_POINTS = {
    "par", "item", "bibitem", "maketitle", "clearpage", "newpage", "printbibliography", "appendix", "appendices",
    "frontmatter", "mainmatter", "backmatter", "tableofcontents",
}  # fmt: skip
_BIBLIOGRAPHIES = {"bibliography", "addbibresource", "nobibliography", "addglobalbib"}

HANDLERS: dict[str, Handler] = {
    "begin": on_begin, "end": on_end, "label": on_label, "hyperref": on_hyperref, "documentclass": on_class,
    "setcounter": on_counter, "addtocounter": on_counter,
    **dict.fromkeys(("caption", "captionof", "tablecaption", "figcaption", "tabcaption"), on_caption),
    **dict.fromkeys(("lstinputlisting", "inputminted", "verbatiminput", "VerbatimInput"), on_listing),
    **dict.fromkeys(_GRAPHICS, on_graphics),
    **dict.fromkeys(_POINTS, on_point),
    **dict.fromkeys(_BIBLIOGRAPHIES, on_bibliography),
    **dict.fromkeys(names.HEADINGS, on_heading),
    **dict.fromkeys(names.CITING, on_cite),
    **dict.fromkeys(names.REFERRING, on_ref),
    **dict.fromkeys(names.FRONT, on_front),
    **dict.fromkeys(DEFINING, on_definition),
    **dict.fromkeys(_SKIPPED, on_skipped),
}  # fmt: skip
"""The commands that papers in general agree on."""

TAKING = (on_heading, on_cite, on_ref, on_label, on_caption)
"""Handlers of commands that an author's abbreviation may end with, as in ``\\def\\Fig{Figure~\\ref}``."""

IN_PREAMBLE = names.FRONT | DEFINING | _SKIPPED | _BIBLIOGRAPHIES | {"setcounter", "addtocounter", "documentclass"}
"""Commands that are heeded before ``\\begin{document}``."""

FIRM = (
    {"begin", "end", "label", "caption", "item", "par", "includegraphics", "setcounter", "appendix", "maketitle"}
    | names.HEADINGS.keys() | names.CITING | names.REFERRING | names.TITLES | names.AUTHORS | names.ABSTRACT_COMMANDS
    | DEFINING | _BIBLIOGRAPHIES
)  # fmt: skip
"""Commands that keep their meaning when a paper or its style redefines them; others then mean what the author says."""
