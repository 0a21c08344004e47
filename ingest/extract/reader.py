"""Reads flattened LaTeX into blocks of tokens, each token knowing its offsets in the flat text.

One pass without recursion: what stands inside another thing (footnote, caption, heading) is queued and read as a
block of its own, so hostile nesting costs no stack. Floats give their captions only; pseudo-code, tables and
drawings give nothing here.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass

from ingest.extract.blocks import Block, Mark, Reading, Token, TokenKind, Zone
from ingest.extract.commands import (
    BREAKS,
    CITES,
    DIMENSION,
    DROP,
    FLOATS,
    GLYPHS,
    HEADINGS,
    LEX,
    MATHS_ENVIRONMENTS,
    MUTE,
    REFS,
    STYLES,
)  # fmt: skip
from ingest.extract.macros import expand_maths, expand_text
from ingest.extract.masking import mask
from ingest.extract.maths import readable_maths

__all__ = ["read"]

_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
}  # fmt: skip
_JOINED = ("word", "math")


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
        self.begins = sorted(self.masked.environments)

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
            match = LEX.match(self.text, at, job.end)
            if match is None:
                break
            at = max(match.end(), self._dispatch(match))
        self._flush(job.end, job.zone)

    def _dispatch(self, match: re.Match[str]) -> int:
        kind, start, end = match.lastgroup, match.start(), match.end()
        if kind == "par":
            self._break(end)
        elif kind in ("word", "abbr"):
            if not DIMENSION.match(match[0]):
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
        elif kind == "punct" and match[0] not in "#&\x00":
            self._add({"`": "“", "[": "["}.get(match[0], match[0]), "punct", start, end)
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
        if name in HEADINGS:
            brace = self._argument(end)
            if brace < 0:
                return end
            self._break(start)
            return self._queue_group(brace, "heading", HEADINGS[name])
        if name in ("footnote", "footnotetext", "caption", "captionof"):
            brace = self._argument(end if name != "captionof" else self._skip(end, 1))
            return end if brace < 0 else self._queue_group(brace, "caption" if "caption" in name else "footnote")
        if CITES.match(name):
            after = self._skip(end, 1)
            self._add("[cite]", "cite", start, after)
            return after
        if name in REFS or name in self.masked.refs:
            after = self._skip(end, 1)
            self._add("[ref]", "ref", start, after)
            return after
        if name == "item":
            self._break(start, "item")
            return end
        if name in BREAKS:
            self._break(end)
            return end
        if name == "appendix":
            self.appendix = min(self.appendix, start)
            return end
        if name == "abstract":
            brace = self._argument(end)
            return end if brace < 0 else self._queue_group(brace, "abstract")
        if name in STYLES:
            return self._style(STYLES[name], end)
        if name in self.silent or name in DROP:
            return self._skip(end, DROP.get(name, 1))
        if name in self.macros:
            return self._expand(name, start, end)
        if name in GLYPHS:
            self._add(GLYPHS[name], "punct" if name not in ("LaTeX", "TeX") else "word", start, end)
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
        body = expand_text(self.masked, self.macros[name])
        if "$" in body or "ensuremath" in body:
            self._add(readable_maths(re.sub(r"\\ensuremath|\$|\\xspace", "", body), 60), "math", start, after)
            return after
        text = re.sub(r"\\[A-Za-z@]+\*?|[{}\\]", " ", body).replace("~", " ")
        for match in list(LEX.finditer(text))[:24]:
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
            self._add(expand_maths(self.masked, source), "display", start, close + 2)
            return close + 2
        self._add(readable_maths(expand_maths(self.masked, source), 60), "math", start, close + 1)
        return close + 1

    def _symbol(self, character: str, start: int, end: int) -> int:
        if character in "([":
            close = self.text.find("\\" + (")" if character == "(" else "]"), end, min(self.job.end, end + 4000))
            if close < 0:
                return end
            source = self.text[end:close]
            if character == "[":
                self._add(expand_maths(self.masked, source), "display", start, close + 2)
            else:
                self._add(readable_maths(expand_maths(self.masked, source), 60), "math", start, close + 2)
            return close + 2
        if character in "%&_#$":
            self._add(character, "punct", start, end)
        elif character in _ACCENTS and end < self.job.end:
            return self._accent(_ACCENTS[character], start, end)
        elif character == "-":
            self.last_end = end
        return end

    def _accent(self, accent: str, start: int, end: int) -> int:
        match = re.compile(r"\{?\\?([A-Za-z])\}?([^\W_]*)").match(self.text, end, self.job.end)
        if match is None:
            return end
        text = unicodedata.normalize("NFC", match[1] + accent) + match[2]
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
        if name in MATHS_ENVIRONMENTS:
            self._add(expand_maths(self.masked, self.text[after : known[2]]) if known else "", "display", start, close)
            return close
        if name in MUTE or (known and name in FLOATS) or name.startswith("algorithm"):
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
        captions = list(re.finditer(r"\\caption(?:of)?\b", self.text[start:end]))[:20]
        for caption in captions:
            brace = self._argument(start + caption.end())
            if brace >= 0:
                self._queue_group(brace, "caption", float_start=start)
        if name in ("figure", "wrapfigure", "table", "minipage") or not name.startswith("algorithm"):
            for position in self._inner_pseudo(start, end):
                self.pseudo.append(position)

    def _inner_pseudo(self, start: int, end: int) -> list[tuple[int, int]]:
        inside = self.begins[bisect_left(self.begins, start + 1) : bisect_left(self.begins, end)][:50]
        found = [self.masked.environments[at] for at in inside]
        return [(body, stop) for name, body, stop, _ in found if name.startswith("algorithm")][:5]


def _hyphens(left: str, right: str) -> str:
    """What joins two glued words into one: a hyphen always, a dash between names ("Metropolis–Hastings")."""
    return "-–" if left[:1].isupper() and right[:1].isupper() else "-"


def read(source: str) -> Reading:
    """Read a flattened document; never fails on malformed LaTeX, unmatched pieces are read as plain text."""
    return _Reader(source).run()
