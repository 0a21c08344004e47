"""What TeX does not read: comments, ``\\iffalse`` blocks, comment environments, text after ``\\endinput``.

They are replaced by spaces, character for character, so that offsets stay. A line that holds nothing but a comment
loses its line end too: TeX sees no blank line there, so neither may a reader that splits paragraphs at blank lines.
One pass, linear in the length of the text.
"""

import re
from dataclasses import dataclass, field

__all__ = ["Masked", "Verbatims", "mask"]

_TOKEN = re.compile(
    r"""
    (?P<comment>%)
  | \\(?:
        (?P<verb>(?:[vV]erb|lstinline|mintinline)(?![a-zA-Z@])\*?)
      | begin\s*\{\s*(?P<begin>[^{}\\%\s]{1,60})\s*\}
      | (?P<iffalse>iffalse(?![a-zA-Z@])|if[ ]?0(?=\s))
      | (?P<endinput>endinput(?![a-zA-Z@]))
      | (?:url|nolinkurl|path|href)\s*\{[^{}\r\n\\]*\}
      | .
    )""",
    re.VERBOSE | re.DOTALL,
)
_CONDITIONAL = re.compile(
    r"%[^\r\n]*|\\(?:(?P<fi>fi(?![a-zA-Z@]))|(?P<else>else(?![a-zA-Z@]))"
    r"|(?P<if>if(?!f(?![a-zA-Z@])|thenelse|def(?![a-zA-Z@])|undef|csdef|csundef|str|blank|bool|toggle|empty|notempty)[a-zA-Z@]*)|.)",
    re.DOTALL,
)
_DEFINED_AS = re.compile(
    r"\\(?:let\s*\\[a-zA-Z@]+|def\s*\\[a-zA-Z@]+\s*\{|newcommand\*?\s*\{?\s*\\[a-zA-Z@]+\s*\}?\s*\{)\s*=?\s*$"
)
_OPTIONS = re.compile(r"[ \t]*\[(?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\]")
_BLANK_LINE_START = re.compile(r"(?:^|[\r\n])[ \t]*$")
_LINE_END = re.compile(r"\r\n|\r|\n")
_DECLARED = re.compile(
    r"\\(?:lstnewenvironment|newtcblisting|DeclareTCBListing|NewTCBListing)\s*(?:\[[^\]]*\])?\s*\{([A-Za-z*@]+)\}"
    r"|\\(?:Define|Recustom)VerbatimEnvironment\s*\{([A-Za-z*@]+)\}"
    r"|\\newminted\s*\[([A-Za-z*@]+)\]|\\newminted\s*\{([A-Za-z]+)\}"
    r"|\\(?P<hidden>excludecomment|newcomment)\s*\{([A-Za-z*@]+)\}"
)
_SHOWN = re.compile(r"\\(?:(?:re)?newenvironment|includecomment|specialcomment)\s*\{comment\}")


@dataclass
class Verbatims:
    """Environments whose content is not TeX: printed as it is (`shown`), or not printed at all (`hidden`)."""

    shown: set[str] = field(
        default_factory=lambda: {
            "verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "LVerbatim", "SaveVerbatim", "VerbatimOut",
            "lstlisting", "lstlisting*", "minted", "minted*", "tcblisting", "filecontents", "filecontents*",
            "verbatimtab", "boxedverbatim", "pyverbatim", "pycode", "pyconsole", "asy", "asydef", "dot2tex",
        }
    )  # fmt: skip
    hidden: set[str] = field(default_factory=lambda: {"comment", "comment*"})

    def learn(self, text: str) -> bool:
        """Take up what `text` declares; True when something was new."""
        size = len(self.shown), len(self.hidden)
        for found in _DECLARED.finditer(text):
            if found["hidden"]:
                self.hidden.add(found[6])
            elif name := found[1] or found[2] or found[3]:
                self.shown.update((name, f"{name}*"))
            else:
                self.shown.update((f"{found[4]}code", f"{found[4]}code*"))
        if _SHOWN.search(text):
            self.hidden.discard("comment")
        return size != (len(self.shown), len(self.hidden))


@dataclass(frozen=True)
class Masked:
    """`text` without what TeX skips; `scan` also without verbatim content. Both as long as the original.

    `notes` are messages with the character range they are about.
    """

    text: str
    scan: str
    notes: tuple[tuple[int, int, str], ...] = ()


class _Masker:
    def __init__(self, text: str, verbatims: Verbatims) -> None:
        self.text, self.verbatims = text, verbatims
        self.dropped: list[tuple[int, int]] = []
        self.hidden: list[tuple[int, int]] = []
        self.notes: list[tuple[int, int, str]] = []
        self.unclosed: set[str] = set()

    def run(self) -> Masked:
        at = 0
        while found := _TOKEN.search(self.text, at):
            at = self.take(found)
        text = _blank(self.text, self.dropped)
        return Masked(text, _blank(text, self.hidden), tuple(self.notes))

    def take(self, found: re.Match[str]) -> int:
        """Handle one token; returns where to go on."""
        kind = found.lastgroup
        if kind == "comment":
            return self.comment(found.start())
        if kind == "verb":
            return self.verb(found)
        if kind == "begin":
            return self.environment(found)
        if kind == "iffalse":
            return self.conditional(found)
        if kind == "endinput":
            line = _LINE_END.search(self.text, found.end())
            start = line.start() if line else len(self.text)
            self.dropped.append((start, len(self.text)))
            return len(self.text)
        return found.end()

    def comment(self, start: int) -> int:
        line = _LINE_END.search(self.text, start)
        end = line.start() if line else len(self.text)
        if line and _BLANK_LINE_START.search(self.text, max(0, start - 200), start):
            end = line.end()
        self.dropped.append((start, end))
        return end

    def verb(self, found: re.Match[str]) -> int:
        """``\\verb|code|``: up to the same delimiter on the same line."""
        at = found.end()
        if "inline" in found[0]:
            option = re.compile(r"\s*(?:\[[^\]\r\n]*\])?" + (r"\s*\{[^{}\r\n]*\}" if "mint" in found[0] else "")).match(
                self.text, at
            )
            at = option.end() if option else at
        if at >= len(self.text) or self.text[at] in "\r\n*" or self.text[at].isspace():
            return found.end()
        close = self.text.find("}" if self.text[at] == "{" else self.text[at], at + 1, at + 2000)
        line = _LINE_END.search(self.text, at, at + 2000)
        if close < 0 or (line and line.start() < close):
            return found.end()
        self.hidden.append((at, close + 1))
        return close + 1

    def environment(self, found: re.Match[str]) -> int:
        name = found["begin"]
        is_hidden = name in self.verbatims.hidden
        if not is_hidden and name not in self.verbatims.shown:
            return found.end()
        close = -1 if name in self.unclosed else self.text.find(f"\\end{{{name}}}", found.end())
        if close < 0:
            self.unclosed.add(name)
            self.notes.append((found.start(), found.end(), f"\\begin{{{name}}} is never closed"))
            return found.end()
        end = close + len(name) + 6
        if is_hidden:
            self.dropped.append((found.start(), end))
        else:
            options = _OPTIONS.match(self.text, found.end(), close) if not name.startswith("verbatim") else None
            self.hidden.append((options.end() if options else found.end(), close))
        return end

    def conditional(self, found: re.Match[str]) -> int:
        """Drop ``\\iffalse`` up to its ``\\fi`` or ``\\else``, nested conditionals included."""
        if "if" in self.unclosed or _DEFINED_AS.search(self.text, max(0, found.start() - 120), found.start()):
            return found.end()
        depth, at = 1, found.end()
        while inner := _CONDITIONAL.search(self.text, at):
            at = inner.end()
            if inner["if"]:
                depth += 1
            elif inner["fi"]:
                depth -= 1
            if depth == 0 or (depth == 1 and inner["else"]):
                self.dropped.append((found.start(), at))
                return at
        self.unclosed.add("if")
        self.notes.append(
            (found.start(), found.end(), "\\iffalse is never closed by \\fi; read as if it were not there")
        )
        return found.end()


def _blank(text: str, ranges: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in ranges:
        if end > at:
            parts += [text[at : max(at, start)], " " * (end - max(at, start))]
            at = end
    return "".join([*parts, text[at:]])


def mask(text: str, verbatims: Verbatims) -> Masked:
    """Blank what TeX does not read in `text`; see `Masked`."""
    return _Masker(text, verbatims).run()
