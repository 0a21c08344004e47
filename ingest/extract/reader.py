"""Reads flattened LaTeX into blocks of tokens, each token knowing its offsets in the flat text.

One pass without recursion: what stands inside another thing (footnote, caption, heading) is queued and read as a
block of its own, so hostile nesting costs no stack. Floats give their captions only; pseudo-code, tables and
drawings give nothing here.
"""

import re
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from ingest.extract.masking import Masked, mask
from ingest.extract.maths import readable_maths

__all__ = ["Block", "Mark", "Reading", "Token", "Zone", "read"]

Zone = Literal["text", "abstract", "heading", "caption", "footnote", "item", "quote"]
TokenKind = Literal["word", "math", "display", "cite", "ref", "punct"]

_MATHS_ENVIRONMENTS = frozenset(
    "equation align gather multline eqnarray displaymath math flalign alignat dmath split subequations".split()
)
_MUTE = frozenset(
    "tabular tabularx tabulary longtable tikzpicture pgfpicture thebibliography algorithmic algorithm2e picture "
    "verbatim Verbatim lstlisting minted comment filecontents alltt forest filecontents CCSXML dot2tex axis "
    "bibunit acks acknowledgements acknowledgments titlepage tabbing array".split()
)
_FLOATS = frozenset(
    "figure table algorithm wrapfigure wraptable sidewaysfigure sidewaystable SCfigure listing float teaserfigure "
    "marginfigure margintable algo procedure function program".split()
)
_HEADINGS = {
    "part": 0, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4, "subparagraph": 5,
}  # fmt: skip
_CITES = re.compile(r"(?:[A-Za-z]*[cC]ite[a-zA-Z]*|footcite|nocite|shortcite\w*)\Z")
_REFS = frozenset("ref eqref cref Cref autoref pageref nameref vref Vref labelcref subref figref secref".split())
_DROP = {
    "label": 1, "input": 1, "include": 1, "includegraphics": 1, "vspace": 1, "hspace": 1, "url": 1, "bibliography": 1,
    "bibliographystyle": 1, "thispagestyle": 1, "pagestyle": 1, "setlength": 2, "addtolength": 2, "setcounter": 2,
    "addtocounter": 2, "textcolor": 1, "color": 1, "newcommand": 2, "renewcommand": 2, "providecommand": 2, "def": 1,
    "DeclareMathOperator": 2, "newtheorem": 2, "usepackage": 1, "hypersetup": 1, "graphicspath": 1, "captionsetup": 1,
    "phantom": 1, "hphantom": 1, "vphantom": 1, "rule": 2, "raisebox": 1, "resizebox": 2, "scalebox": 1, "href": 1,
    "multicolumn": 2, "hyperlink": 1, "hypertarget": 1, "index": 1, "todo": 1, "author": 1, "affil": 1, "date": 1,
    "thanks": 1, "email": 1, "fontsize": 2, "definecolor": 3, "vskip": 0, "lstset": 1, "colorbox": 1,
    "addcontentsline": 3, "title": 1, "affiliation": 1, "address": 1, "institute": 1, "newenvironment": 3,
    "pdfbookmark": 2, "markboth": 2, "fancyhead": 1, "lhead": 1, "rhead": 1, "icmltitle": 1, "keywords": 1,
}  # fmt: skip
_STYLES = {
    "emph": "emph", "textit": "emph", "em": "emph", "it": "emph", "itshape": "emph", "textsl": "emph",
    "textbf": "bold", "bf": "bold", "bfseries": "bold", "textsc": "caps", "texttt": "tt", "tt": "tt", "code": "tt",
    "mathbf": "", "underline": "emph", "enquote": "quote", "defn": "emph", "term": "emph", "newterm": "emph",
}  # fmt: skip
_BREAKS = frozenset("par newline linebreak smallskip medskip bigskip newpage clearpage maketitle hline break".split())
_GLYPHS = {"ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "ss": "ß", "ae": "æ", "o": "ø", "aa": "å",
           "l": "ł", "textasciitilde": "~", "LaTeX": "LaTeX", "TeX": "TeX", "S": "§"}  # fmt: skip

_JOINED = ("word", "math")

_LEX = re.compile(
    r"(?P<par>\n[ \t\r\f\v]*\n\s*)"
    r"|(?P<space>[\s~]+)"
    r"|(?P<command>\\[A-Za-z@]+\*?)"
    r"|(?P<symbol>\\.)"
    r"|(?P<display>\$\$)"
    r"|(?P<math>\$)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<abbr>(?:e\.g\.|i\.e\.|cf\.|etc\.|vs\.|et al\.|[Ff]igs?\.|[Ee]qs?\.|[Ss]ecs?\.|[Rr]efs?\.|w\.r\.t\.|resp\.|approx\.)(?=\W))"
    r"|(?P<word>[^\W_]+(?:(?:['’/+]|-(?!-)|(?<=\d)[.,](?=\d))[^\W_]+)*(?:\+\+)?)"
    r"|(?P<dash>-{2,3})"
    r"|(?P<punct>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, mark or formula; `start`, `end` are offsets of the flat text; `glued`: no space stands before it."""

    text: str
    kind: TokenKind
    start: int
    end: int
    glued: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Tokens ``[first, last)`` of a block printed in a style: "emph", "bold", "caps", "tt" or "quote"."""

    style: str
    first: int
    last: int


@dataclass(slots=True)
class Block:
    """A run of tokens without a break. `level` counts as in `kg.models.paper.Section` for headings, 4 a \\paragraph.

    `environment` is the innermost list or theorem environment, `float_start` the offset of the float of a caption.
    """

    zone: Zone
    start: int
    end: int
    tokens: list[Token] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    level: int = -1
    environment: str = ""
    float_start: int = -1


@dataclass(frozen=True)
class Reading:
    """All blocks in order of their place, pseudo-code regions ``(start, end)``, and where the appendix starts."""

    text: str
    blocks: tuple[Block, ...]
    pseudo_code: tuple[tuple[int, int], ...]
    appendix: int
    masked: Masked


@dataclass(slots=True)
class _Job:
    start: int
    end: int
    zone: Zone
    level: int = -1
    environment: str = ""
    float_start: int = -1


class _Reader:
    def __init__(self, source: str) -> None:
        self.masked = mask(source)
        self.text = self.masked.text
        self.macros, self.silent = self.masked.macros, self.masked.silent
        self.blocks: list[Block] = []
        self.pseudo: list[tuple[int, int]] = []
        self.appendix = len(self.text)
        self.jobs: deque[_Job] = deque()
        self.displays = [m.start() for m in re.finditer(r"\$\$", self.text)]

    # -- the loop --------------------------------------------------------------------------------------------------

    def run(self) -> Reading:
        begin = self.text.find("\\begin{document}")
        end = self.text.rfind("\\end{document}")
        body = begin + len("\\begin{document}") if begin >= 0 else 0
        for match in re.finditer(r"\\abstract\s*\{", self.text[:body]):
            self._queue_group(match.end() - 1, "abstract")
        self.jobs.append(_Job(body, end if end > body else len(self.text), "text"))
        while self.jobs:
            self._read(self.jobs.popleft())
        self.blocks.sort(key=lambda block: (block.start, block.end))
        pseudo = tuple(sorted(set(self.pseudo)))
        return Reading(self.text, tuple(self.blocks), pseudo, self.appendix, self.masked)

    def _read(self, job: _Job) -> None:
        self.job = job
        self.environments: list[str] = []
        self.frames: list[tuple[str, int]] = []
        self.block = Block(job.zone, job.start, job.end, [], [], job.level, job.environment, job.float_start)
        self.last_end = job.start
        at = job.start
        while at < job.end:
            match = _LEX.match(self.text, at, job.end)
            if match is None:
                break
            at = max(match.end(), self._dispatch(match))
        self._flush(job.end, job.zone)

    def _dispatch(self, match: re.Match[str]) -> int:
        kind, start, end = match.lastgroup, match.start(), match.end()
        if kind == "par":
            self._break(end)
        elif kind in ("word", "abbr"):
            self._add(match[0].replace("’", "'"), "word", start, end)
        elif kind == "open":
            self.frames.append(("", len(self.block.tokens)))
        elif kind == "close":
            self._close()
        elif kind == "command":
            return self._command(match[0][1:].rstrip("*"), start, end)
        elif kind in ("math", "display"):
            return self._dollar(kind, start, end)
        elif kind == "symbol":
            return self._symbol(match[0][1], start, end)
        elif kind == "dash":
            self._add("—" if end - start == 3 else "–", "punct", start, end)
        elif kind == "punct":
            self._add({"`": "“", "[": "[", "\x00": " "}.get(match[0], match[0]), "punct", start, end)
        return end

    # -- tokens and blocks -----------------------------------------------------------------------------------------

    def _add(self, text: str, kind: TokenKind, start: int, end: int) -> None:
        if text.strip():
            tokens = self.block.tokens
            glued = start == self.last_end and bool(tokens)
            if glued and kind in _JOINED:
                if tokens[-1].kind == "word" and kind == "word":
                    text, start, glued = tokens[-1].text + text, tokens[-1].start, tokens.pop().glued
                elif (
                    len(tokens) > 1
                    and tokens[-1].text in _hyphens(tokens[-2].text, text)
                    and tokens[-1].glued
                    and tokens[-2].kind in _JOINED
                ):
                    text, start, kind = tokens[-2].text + tokens[-1].text + text, tokens[-2].start, "word"
                    glued = tokens[-2].glued
                    del tokens[-2:]
            tokens.append(Token(text, kind, start, end, glued))
            self.last_end = end

    def _close(self) -> None:
        if not self.frames:
            return
        style, first = self.frames.pop()
        if style and len(self.block.tokens) > first:
            self.block.marks.append(Mark(style, first, len(self.block.tokens)))
        if self.block.tokens and self.block.tokens[-1].end == self.last_end:
            self.last_end += 1

    def _flush(self, end: int, zone: Zone) -> None:
        if self.block.tokens:
            self.block.start, self.block.end = self.block.tokens[0].start, max(end, self.block.tokens[-1].end)
            while self.frames:
                self._close()
            self.blocks.append(self.block)
        environment = next((name for name in reversed(self.environments) if name), self.job.environment)
        zone = "abstract" if "abstract" in self.environments else zone
        self.block = Block(zone, end, end, [], [], self.job.level, environment, self.job.float_start)
        self.frames = [(style, 0) for style, _ in self.frames[-5:]]

    def _break(self, at: int, zone: Zone | None = None) -> None:
        self._flush(at, zone or self.job.zone)

    def _queue_group(self, brace: int, zone: Zone, level: int = -1, float_start: int = -1) -> int:
        close = self.masked.groups.get(brace)
        if close is None:
            return brace + 1
        self.jobs.append(_Job(brace + 1, close, zone, level, "", float_start))
        return close + 1

    # -- commands --------------------------------------------------------------------------------------------------

    def _skip(self, at: int, groups: int) -> int:
        """Past optional arguments and up to `groups` braced ones."""
        text, limit = self.text, self.job.end
        for _ in range(groups + 3):
            probe = at
            while probe < limit and probe - at < 80 and text[probe].isspace():
                probe += 1
            if probe < limit and text[probe] == "[":
                close = text.find("]", probe, min(limit, probe + 400))
                if close < 0:
                    return at
                at = close + 1
            elif probe < limit and text[probe] == "{" and groups and probe in self.masked.groups:
                groups -= 1
                at = self.masked.groups[probe] + 1
            else:
                return at
        return at

    def _argument(self, at: int) -> int:
        """Offset of the "{" of the first braced argument at `at`, or -1."""
        at = self._skip(at, 0)
        while at < self.job.end and self.text[at].isspace():
            at += 1
        return at if at < self.job.end and self.text[at] == "{" and at in self.masked.groups else -1

    def _command(self, name: str, start: int, end: int) -> int:  # noqa: PLR0911, PLR0912 -- a table of LaTeX's words
        if name in ("begin", "end"):
            brace = self._argument(end)
            if brace < 0:
                return end
            after = self.masked.groups[brace] + 1
            return self._environment(name, self.text[brace + 1 : after - 1], start, after)
        if name in self.masked.shorthands:
            return self._environment(*self.masked.shorthands[name], start, end)
        if name in _HEADINGS:
            brace = self._argument(end)
            if brace < 0:
                return end
            self._break(start)
            return self._queue_group(brace, "heading", _HEADINGS[name])
        if name in ("footnote", "footnotetext", "caption", "captionof"):
            brace = self._argument(end if name != "captionof" else self._skip(end, 1))
            return end if brace < 0 else self._queue_group(brace, "caption" if "caption" in name else "footnote")
        if _CITES.match(name):
            after = self._skip(end, 1)
            self._add("[cite]", "cite", start, after)
            return after
        if name in _REFS:
            after = self._skip(end, 1)
            self._add("[ref]", "ref", start, after)
            return after
        if name == "item":
            self._break(start, "item")
            return end
        if name in _BREAKS:
            self._break(end)
            return end
        if name == "appendix":
            self.appendix = min(self.appendix, start)
            return end
        if name == "abstract":
            brace = self._argument(end)
            return end if brace < 0 else self._queue_group(brace, "abstract")
        if name in _STYLES:
            return self._style(_STYLES[name], end)
        if name in self.silent or name in _DROP:
            return self._skip(end, _DROP.get(name, 1))
        if name in self.macros:
            return self._expand(name, start, end)
        if name in _GLYPHS:
            self._add(_GLYPHS[name], "punct" if name not in ("LaTeX", "TeX") else "word", start, end)
        return end

    def _style(self, style: str, end: int) -> int:
        if end < self.job.end and self.text[end : end + 1] == "{" and end in self.masked.groups:
            self.frames.append((style, len(self.block.tokens)))
            return end + 1
        if self.frames:
            _, first = self.frames[-1]
            self.frames[-1] = (style, first)
        return end

    def _expand(self, name: str, start: int, end: int) -> int:
        after = end + 2 if self.text.startswith("{}", end) else end
        body = self.macros[name]
        for _ in range(4):
            body = re.sub(r"\\([A-Za-z@]+)", lambda m: self.macros.get(m[1], m[0])[:200], body)[:2000]
        if "$" in body or "ensuremath" in body:
            self._add(readable_maths(re.sub(r"\\ensuremath|\$|\\xspace", "", body), 60), "math", start, after)
            return after
        text = re.sub(r"\\[A-Za-z@]+\*?|[{}\\]", " ", body).replace("~", " ")
        for match in list(_LEX.finditer(text))[:24]:
            if match.lastgroup == "word":
                self._add(match[0], "word", start, after)
        return after

    # -- maths, environments, symbols ------------------------------------------------------------------------------

    def _dollar(self, kind: str, start: int, end: int) -> int:
        limit = min(self.job.end, end + (4000 if kind == "display" else 600))
        mark = "$$" if kind == "display" else "$"
        close = self.text.find(mark, end, limit)
        while close > 0 and self.text[close - 1] == "\\" and mark == "$":
            close = self.text.find(mark, close + 1, limit)
        if close < 0:
            return end
        source = self.text[end:close]
        if kind == "display":
            self._add(source, "display", start, close + 2)
            return close + 2
        self._add(readable_maths(self._own_maths(source), 60), "math", start, close + 1)
        return close + 1

    def _own_maths(self, source: str) -> str:
        if "\\" not in source:
            return source
        for _ in range(3):
            source = re.sub(r"\\([A-Za-z@]+)", lambda m: self.macros.get(m[1], m[0]).replace("$", ""), source)[:2000]
        return source

    def _symbol(self, character: str, start: int, end: int) -> int:
        if character in "([":
            close = self.text.find("\\" + (")" if character == "(" else "]"), end, min(self.job.end, end + 4000))
            if close < 0:
                return end
            source = self.text[end:close]
            if character == "[":
                self._add(source, "display", start, close + 2)
            else:
                self._add(readable_maths(self._own_maths(source), 60), "math", start, close + 2)
            return close + 2
        if character in "%&_#$":
            self._add(character, "punct", start, end)
        elif character in "'`^\"~=.cuvH" and end < self.job.end:
            return self._accent(start, end)
        elif character == "-":
            self.last_end = end
        return end

    def _accent(self, start: int, end: int) -> int:
        match = re.compile(r"\{?\\?([A-Za-z])\}?([^\W_]*)").match(self.text, end, self.job.end)
        if match is None:
            return end
        text = match[1] + match[2]
        tokens = self.block.tokens
        if tokens and tokens[-1].end == start and tokens[-1].kind == "word":
            text, start = tokens[-1].text + text, tokens.pop().start
            self.last_end = -1
        self._add(text, "word", start, match.end())
        return match.end()

    def _environment(self, which: str, name: str, start: int, after: int) -> int:
        name = name.strip().rstrip("*")
        if which == "end":
            if name in self.environments:
                self._break(start)
                del self.environments[len(self.environments) - 1 - self.environments[::-1].index(name) :]
                self._break(after)
            return after
        known = self.masked.environments.get(start)
        close = min(known[3], self.job.end) if known else after
        if name in _MATHS_ENVIRONMENTS:
            self._add(self.text[after : known[2]] if known else "", "display", start, close)
            return close
        if name in _MUTE or (known and name in _FLOATS) or name.startswith("algorithm"):
            self._float(name, start, known[2] if known else close)
            self._break(close)
            return close
        self._break(start)
        if len(self.environments) < 200:
            self.environments.append(name)
        if name == "appendices":
            self.appendix = min(self.appendix, start)
        self._break(after)
        self.block.environment = name
        return self._skip(after, 0)

    def _float(self, name: str, start: int, end: int) -> None:
        if name.startswith("algorithm") or name in ("algo", "procedure", "function", "program"):
            self.pseudo.append((start, end))
        captions = [m for m in re.finditer(r"\\caption(?:of)?\b", self.text[start:end])][:20]
        for caption in captions:
            brace = self._argument(start + caption.end())
            if brace >= 0:
                self._queue_group(brace, "caption", float_start=start)
        if name in ("figure", "wrapfigure", "table", "minipage") or not name.startswith("algorithm"):
            for position in self._inner_pseudo(start, end):
                self.pseudo.append(position)

    def _inner_pseudo(self, start: int, end: int) -> list[tuple[int, int]]:
        begins = sorted(self.masked.environments) if not hasattr(self, "_begins") else self._begins
        self._begins = begins
        inside = begins[bisect_left(begins, start + 1) : bisect_left(begins, end)][:50]
        found = [self.masked.environments[at] for at in inside]
        return [(body, stop) for name, body, stop, _ in found if name.startswith("algorithm")][:5]


def _hyphens(left: str, right: str) -> str:
    """What joins two glued words into one: a hyphen always, a dash between names ("Metropolis–Hastings")."""
    return "-–" if left[:1].isupper() and right[:1].isupper() else "-"


def read(source: str) -> Reading:
    """Read a flattened document; never fails on malformed LaTeX, unmatched pieces are read as plain text."""
    return _Reader(source).run()
