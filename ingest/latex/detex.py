"""LaTeX as a person reads it: commands dropped, accents and symbols as characters, formulas roughly in line.

Symbols come from pylatexenc's tables. Its own converter took 1.8 s a paper in the median and failed on
deep braces by its recursion, so the walk here is our own: one pass, no recursion, linear.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache

from latex2mathml.symbols_parser import convert_symbol
from pylatexenc.latex2text import get_default_latex_context_db

from ingest.latex import names
from ingest.latex.lexer import Argument, Lexer
from ingest.latex.operands import is_joined, is_several, needs_brackets, spaces

__all__ = ["ACCENTS", "DROPPED", "LINE_SKIP", "VERB", "VERBS", "readable", "symbols"]

_TOKEN = re.compile(
    r"\\(?P<name>[a-zA-Z@]+)\*?(?P<gap>[ \t]*(?:(?:\r\n?|\n)[ \t]*)?)|\\(?P<char>.)|(?P<special>[{}$~&#]|``?|''|---?)"
    r"|[^\\{}$~&#`'-]+|.",
    re.DOTALL,
)
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
_MATH_ACCENTS = {
    **dict.fromkeys(("hat", "widehat"), "\u0302"), **dict.fromkeys(("tilde", "widetilde"), "\u0303"),
    **dict.fromkeys(("bar", "overline"), "\u0304"),
    "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "breve": "\u0306", "mathring": "\u030a",
}  # fmt: skip
DROPPED = {
    **dict.fromkeys(names.word_set("""
        vskip footnotemark arraystretch phantomsection vrule hrule itemsep parskip parsep topsep
        parindent
    """), 0),
    **dict.fromkeys(names.word_set("""
        label vspace hspace includegraphics input include color bibliographystyle bibliography pagestyle
        thispagestyle hyperlink phantom hphantom vphantom hypertarget raisebox scalebox rotatebox
        textcolor colorbox cline cmidrule usepackage index glsadd tag hyphenation rowcolor cellcolor
        lstset todo thanks marginpar selectlanguage enlargethispage nocite parbox stepcounter
        refstepcounter captionsetup setlist adjustbox orcidlink linespread inst IEEEauthorrefmark corref
        fnref titlenote authornote affiliation tnoteref arabic Roman roman Alph alph
    """), 1),
    **dict.fromkeys(names.word_set("""
        setlength addtolength setcounter addtocounter fontsize colorlet resizebox fcolorbox multicolumn
        multirow rule
    """), 2),
    **dict.fromkeys(("addcontentsline", "definecolor"), 3),
}  # fmt: skip
"""Commands whose first arguments are not read."""
_WORDS = {
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "par": "\n", "newline": "\n", "item": "\n", "linebreak": " ",
    "qquad": " ", "quad": " ", "xspace": "", "textbackslash": "\\", "and": ", ", "today": "", "ie": "i.e.",
    "eg": "e.g.",
    "enspace": " ", "thinspace": " ", "argmax": "argmax", "argmin": "argmin", "left": "", "right": "", "hline": "",
    "toprule": "", "midrule": "", "bottomrule": "", "colon": ":", "newblock": " ", "protect": "", "operatorname": "",
    "limits": "", "nolimits": "", "IEEEPARstart": "", "slash": "/", "textasciitilde": "~", "mathbb": "",
    "bmod": " mod ", "pmod": " mod ",
}  # fmt: skip
_SYMBOLS = names.word_set("""
    gets coloneq coloneqq eqqcolon implies impliedby iff ne owns neg land lor models Box checkmark leadsto triangle
    bot dashrightarrow centerdot blacktriangleright degree S pounds euro
""")
"""What pylatexenc's table lacks of LaTeX, amssymb and mathtools. Without them `a \\ne b` reads as `a b`."""
_OPERATORS = names.word_set("arg deg det dim gcd hom inf injlim ker lg mod Pr Re Im sgn tr rank diag")
_CHARS = {
    **dict.fromkeys(",;: \n\r[]", " "), **dict.fromkeys("!/-()@", ""), "{": "{", "}": "}", "|": "‖",
}  # fmt: skip
_SPECIAL = {"``": "“", "`": "'", "''": "”", "--": "–", "---": "—", "~": " ", "&": " ", "{": "", "}": "", "$": ""}
_DIMENSION = re.compile(r"\s*=?\s*-?[0-9.]+\s*(?:pt|cm|mm|in|em|ex|bp|sp)(?![a-z])")
LINE_SKIP = re.compile(r"\*?(?:\s*\[\s*-?(?:[0-9.]+\s*(?:pt|cm|mm|in|em|ex|bp|sp|pc|mu)|[0-9.]*\s*\\[a-zA-Z@]+)\s*\])?")
_SPACES = re.compile(r"\s+")
_TIDY = re.compile(r" +([,.;:!?)\]])|([(\[]) +")
_ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
VERB = re.compile(
    r"(?:[vV]erb\*?|lstinline\*?(?:\[[^\]]*\])?|mintinline(?:\[[^\]]*\])?\{[^{}]*\})"
    r"(?:\{([^{}]*)\}|([^\sa-zA-Z])(.*?)\2)"
)


@cache
def symbols() -> dict[str, str]:
    """Commands that stand for fixed text: of pylatexenc and, of what it lacks, of latex2mathml; operators by name."""
    specs = get_default_latex_context_db().iter_macro_specs()
    table = {
        s.macroname: s.simplify_repl for s in specs if isinstance(s.simplify_repl, str) and "%" not in s.simplify_repl
    }
    fixed = {name: text for name, text in table.items() if not text.startswith("<") and len(text) < 12}
    more = {name: chr(int(found, 16)) for name in _SYMBOLS if (found := convert_symbol(f"\\{name}"))}
    return more | {name: name for name in sorted(_OPERATORS)} | fixed | _WORDS


class _Reader:
    def __init__(self, text: str, resolve: Callable[[str], str] | None, *, links: bool, code: bool) -> None:
        self.text = text
        self.links = links
        self.code, self.maths = code, False
        self.lexer = Lexer(text)
        self.resolve = resolve
        self.out: list[str] = []
        self.accent = ""
        self.ends: list[tuple[int, str, int]] = []
        """Arguments being read, the innermost last: where each ends, what is put there, and where to go on."""
        self.depth = 0
        self.environments: list[tuple[bool, int]] = []
        """Of each open environment whether its lines are rows, and how many braces were open at its begin."""
        self.row_ended = False

    def run(self) -> str:
        at = 0
        while at < len(self.text):
            if self.ends and self.ends[-1][0] <= at:
                end, behind, resume = self.ends.pop()
                self.out.append(behind)
                at = resume if at == end else at
                continue
            found = _TOKEN.match(self.text, at, self.ends[-1][0] if self.ends else len(self.text))
            if found is None:
                break
            at = self.take(found)
        self.out += [behind for _, behind, _ in reversed(self.ends)]
        return "".join(self.out)

    def put(self, text: str) -> None:
        if self.row_ended and text.strip():
            self.row_ended = False
            self.out.append("; ")
        if self.accent and text:
            text = text[0] + self.accent + text[1:]
            self.accent = ""
        self.out.append(text)

    def take(self, found: re.Match[str]) -> int:
        if found["name"]:
            return self.command(found["name"], found)
        if char := found["char"]:
            if char == "\\":
                return self.line_break(found.end())
            self.maths = char == "(" or (self.maths and char != ")")
            if char == ";" and self.code and not self.maths:
                self.out.append("; ")
                return found.end()
            if char in ACCENTS and char.isascii():
                self.accent = ACCENTS[char]
            else:
                self.put(_CHARS.get(char, char))
        elif found["special"]:
            special = found["special"]
            if special == "{" and (script := self.script(found.start())):
                self.out.append("(")
                self.ends.append((script, ")", script))
            self.depth += (special == "{") - (special == "}")
            self.maths ^= special == "$"
            if self.code and not self.maths and self.text[found.start() - 1 : found.end()] == "}{":
                self.out.append(" ")
            text = _SPECIAL.get(special, special)
            if text.strip():
                self.put(text)
            else:
                self.out.append(text)
        else:
            self.put(found[0])
        return found.end()

    def script(self, at: int) -> int:
        """Where the group at `at` ends if it is an index or exponent of more than one term, else 0."""
        mark = self.text[at - 1 : at]
        if mark not in ("_", "^") or self.text[at - 2 : at - 1] == "\\":
            return 0
        group = self.lexer.group(at)
        return group.after if group and is_several(self.lexer.value(group)[:300], mark) else 0

    def command(self, name: str, found: re.Match[str]) -> int:
        at, lexer = found.end(), self.lexer
        if name in VERBS and (verb := VERB.match(self.text, found.start() + 1)):
            self.put(verb[1] if verb[1] is not None else verb[3])
            return verb.end()
        if name in ACCENTS and (lexer.group(at) or (len(name) == 1 and found["gap"])):
            self.accent = ACCENTS[name]
            return at
        if name in _MATH_ACCENTS:
            group = lexer.group(at)
            if group and not self.accent and is_joined(lexer.value(group)[:300]):
                apart = "".join(self.out[-2:])[-1:] not in " ([{|+-=<>/,^_"
                self.put(f"{' ' * apart}{name}(")
                self.ends.append((group.after, ")", group.after))
            else:
                self.accent = _MATH_ACCENTS[name]
            return at
        if handler := _HANDLERS.get(name):
            return handler(self, name, at)
        symbol = symbols().get(name)
        if symbol is not None:
            around = spaces(name, self.out, self.text, at - len(found["gap"])) if symbol == name else ("", "")
            self.out.append(around[0])
            self.put({"i": "i", "j": "j"}.get(name, symbol) if self.accent else symbol)
            self.out.append(around[1])
            return at - len(found["gap"]) if symbol.strip() or name == "xspace" else at
        return self.unknown(name, at, found["gap"])

    def unknown(self, name: str, at: int, gap: str) -> int:
        """Past a command, and its option where arguments follow: these are read. In pseudo-code its word stays."""
        if self.code and (word := names.word_of_code(name)) is not None:
            return self.keyword(name, word, at - len(gap))
        self.out.append(gap and " ")
        option = self.lexer.bracket(at) if not gap else None
        return option.after if option and name not in ("max", "min") and self.lexer.group(option.after) else at

    def keyword(self, name: str, word: str, at: int) -> int:
        """A word of pseudo-code, or what a command prints that is its own name; of layout nothing, nor its arguments
        where it sets something."""
        while (
            not word
            and name.startswith(("Set", "Restyle"))
            and (argument := self.lexer.bracket(at) or self.lexer.group(at))
        ):
            at = argument.after
        apart = word != name or not self.maths
        self.out.append(" " * apart)
        self.put(word)
        self.out.append(" " * (apart or self.text[at : at + 1] == "{"))
        return at

    def dropped(self, name: str, at: int) -> int:
        """Past options and as many arguments as are not read."""
        while option := self.lexer.bracket(at):
            at = option.after
        for _ in range(DROPPED[name]):
            if argument := self.lexer.group(at):
                at = argument.after
        dimension = _DIMENSION.match(self.text, at) if name.endswith(("skip", "sep", "indent")) else None
        return dimension.end() if dimension else at

    def wrapped(self, name: str, at: int) -> int:
        """Something before, between and behind the arguments."""
        before, *others = _AROUND[name]
        if option := self.lexer.bracket(at):
            at = option.after
        ends: list[tuple[int, str, int]] = []
        for behind in others:
            argument = self.operand(self.lexer.space(ends[-1][0]) if ends else at)
            if argument is None:
                return at
            text = behind
            operand = self.text[argument.start : min(argument.end, argument.start + 300)]
            if name in _FRACTIONS and needs_brackets(operand, below=bool(ends)):
                text = f"){behind}"
                if ends:
                    ends[-1] = (ends[-1][0], f"{ends[-1][1]}(", ends[-1][2])
                else:
                    before += "("
            ends.append((argument.after, text, argument.after))
        self.put(before)
        self.ends += reversed([(end, text, self.lexer.space(end)) for end, text, _ in ends[:-1]] + ends[-1:])
        return at

    def operand(self, at: int) -> Argument | None:
        """A group, a character or a command, as TeX takes it; a fraction or root comes with its own groups."""
        argument = self.lexer.argument(at)
        if argument is None or argument.end < argument.after:
            return argument
        value = self.lexer.value(argument)
        name = value[1:]
        for _ in _AROUND.get(name, ("",))[1:]:
            if group := self.lexer.group(argument.after):
                argument = argument._replace(end=group.after, after=group.after)
        closes = value in _NO_OPERANDS or (name in _HANDLERS and name not in _AROUND)
        return None if closes else argument

    def line_break(self, at: int) -> int:
        """``\\\\*[length]``: the end of a row in an environment that has rows, if not in a group there."""
        self.row_ended |= bool(self.environments) and self.environments[-1] == (True, self.depth)
        self.out.append(" ")
        length = LINE_SKIP.match(self.text, at)
        return length.end() if length else at

    def address(self, name: str, at: int) -> int:
        """``\\url{x}`` is read as it is; of ``\\href{x}{text}`` the text, and the address behind it if asked for."""
        target = self.lexer.group(at)
        if not target:
            return at
        address = self.lexer.value(target).replace("\\", "")
        if name != "href":
            self.put(address)
        elif self.links and address.startswith("http") and (said := self.lexer.group(target.after)):
            self.ends.append((said.after, f" ({address})", said.after))
        return target.after

    def alternatives(self, _: str, at: int) -> int:
        """``\\texorpdfstring{typeset}{plain}``: the typeset one."""
        typeset = self.lexer.group(at)
        plain = self.lexer.group(typeset.after) if typeset else None
        if typeset and plain:
            self.ends.append((typeset.after, "", plain.after))
        return at

    def keys(self, name: str, at: int) -> int:
        """Citations as ``[key; key]``, references as what they resolve to."""
        keys: list[str] = []
        while True:
            start = at
            while option := self.lexer.bracket(at):
                at = option.after
            group = self.lexer.group(at)
            if not group or (keys and not name.endswith("cites")):
                at = start if keys else at
                break
            keys += [key.strip() for key in self.lexer.value(group).split(",") if key.strip()] or [""]
            at = group.after
        if name in names.CITING and name != "nocite":
            self.put(f"[{'; '.join(keys)}]" if any(keys) else "")
        elif name in names.REFERRING:
            self.put(", ".join((self.resolve(key) if self.resolve else "") or f"[{key}]" for key in keys))
        return at

    def environment(self, name: str, at: int) -> int:
        group = self.lexer.group(at)
        if not group:
            return at
        at = group.after
        self.out.append(" ")
        environment = names.starless(self.lexer.value(group))
        if name == "begin":
            while environment not in names.DISPLAY and (option := self.lexer.bracket(at)):
                at = option.after
            if environment in _WITH_COLUMNS and (columns := self.lexer.group(at)):
                at = columns.after
            self.environments.append((environment in _WITH_ROWS, self.depth))
        elif self.environments:
            self.environments.pop()
            self.row_ended = False
        return at


VERBS = {"verb", "Verb", "lstinline", "mintinline"}
_WITH_COLUMNS = {
    "tabular",
    "array",
    "subarray",
    "tabularx",
    "minipage",
    "alignat",
    "alignedat",
    "xalignat",
    "xxalignat",
    "multicols",
    "IEEEeqnarray",
    "spacing",
}
_WITH_ROWS = names.WITHIN_MATHS | names.word_set(
    """
    align alignat flalign gather eqnarray xalignat xxalignat IEEEeqnarray darray dgroup empheq numcases subnumcases
    equationarray eqsplit
    """
)
_NO_OPERANDS = frozenset((*"$&~#^_)]", r"\\", r"\)", r"\]", r"\right"))

_FRACTIONS = frozenset({"frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac"})
_AROUND: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_FRACTIONS, ("", "/", "")),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), ("(", " choose ", ")")),
    **dict.fromkeys(("footnote", "footnotetext"), (" (", ")")),
    "sqrt": ("√(", ")"),
}
"""What stands before, between and behind the arguments of a command."""
_HANDLERS: dict[str, Callable[[_Reader, str, int], int]] = {
    **dict.fromkeys(DROPPED, _Reader.dropped),
    **dict.fromkeys(_AROUND, _Reader.wrapped),
    **dict.fromkeys(names.CITING | names.REFERRING, _Reader.keys),
    **dict.fromkeys(("begin", "end"), _Reader.environment),
    **dict.fromkeys(("url", "nolinkurl", "path", "href"), _Reader.address),
    "texorpdfstring": _Reader.alternatives,
}


def readable(
    text: str, resolve: Mapping[str, str] | Callable[[str], str] | None = None, *, links: bool = False,
    code: bool = False,
) -> str:  # fmt: skip
    """`text` (LaTeX without comments) as plain text on one line; `resolve` gives the printed number of a label.

    `links` asks for the addresses behind linked words. `code` says that it is pseudo-code, where commands with a
    capital are keywords and functions, not layout.
    """
    call = resolve if callable(resolve) or resolve is None else (lambda key: resolve.get(key, ""))
    plain = _Reader(text, call, links=links, code=code).run() if re.search(r"[\\{}$~&`'-]", text) else text
    plain = unicodedata.normalize("NFC", _ODD.sub(" ", plain))
    return _TIDY.sub(lambda found: found[1] or found[2], _SPACES.sub(" ", plain)).strip()
