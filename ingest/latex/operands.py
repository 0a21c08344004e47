"""Which operands need brackets, and which of a function a space, once they are read on one line."""

import re
from collections.abc import Sequence

from ingest.latex import names

__all__ = ["is_joined", "is_several", "needs_brackets", "spaces"]

_FUNCTIONS = names.word_set(
    "arg cos cosh cot coth csc deg det diag dim exp gcd hom inf ker lg lim liminf limsup ln log max min mod Pr rank sec"
    " sgn sin sinh sup tan tanh tr arcsin arccos arctan"
)
_OPERAND = re.compile(
    r"(?:[\s{]|\\left(?![a-zA-Z])|\\[,!:; ])*(?:[^\W_]|\\(?!left|[bB]ig|[lr][vV]ert|langle|lbrace|[|{]))"
)
"""A letter, a number or a command; not brackets, bars and indices."""


def spaces(name: str, before: Sequence[str], text: str, at: int) -> tuple[str, str]:
    """What sets the name of a function off from what is read before it and from its operand in `text` behind `at`, as
    TeX does: "2 log x" of "2\\log{x}"; nothing for another name, and within "argmax"."""
    if name not in _FUNCTIONS:
        return "", ""
    last = next((part for part in reversed(before) if part), "")
    first = last[-1:].isalnum() or last[-1:] in (")", "]")
    joined = name == "arg" and text.startswith(("\\max", "\\min"), at)
    return " " if first and last != "arg" else "", "" if joined or not _OPERAND.match(text, at) else " "


def needs_brackets(operand: str, below: bool) -> bool:
    """Whether `operand`, LaTeX above or (if `below`) below a line, means something else on one line without brackets.

    A sum does on either side, "i+2p-k"; below the line a product, "2\\pi" or "\\sigma^2 n", and a fraction do too.
    """
    return _is_sum(operand) or (below and _is_product(operand))


def _is_sum(operand: str) -> bool:
    """Whether a sign stands between two of its terms, outside of its own brackets."""
    depth, begun = 0, False
    for at, char in enumerate(operand):
        depth += (char in "{([") - (char in "})]")
        if depth <= 0 and begun and (char in "+-" or operand.startswith(("\\pm", "\\mp"), at)):
            return True
        begun |= not char.isspace()
    return False


_PAIRS = {"{": "}", "(": ")", "[": "]"}
_SKIPPED = re.compile(r"\s+|~|\\[,;:!> ]|\\(?:left|right|[bB]igg?[lr]?|displaystyle|quad|limits)(?![a-zA-Z])|['!.]")
_NUMBER = re.compile(r"\d[\d.,]*")
_COMMAND = re.compile(r"\\(?:[a-zA-Z]+\*?|.)", re.DOTALL)
_BARS = {"|": "|", r"\|": r"\|", r"\lVert": r"\rVert", r"\lvert": r"\rvert", r"\langle": r"\rangle"}
_TIMES = frozenset({r"\times", r"\cdot", r"\frac", r"\tfrac", r"\dfrac", r"\cfrac", r"\nicefrac", r"\sfrac"})
_PREFIXES = re.compile(  # what belongs to the operand behind it
    r"\\(?:log|ln|lg|exp|a?(?:sin|cos|tan)h?|arc(?:sin|cos|tan)|deg|det|dim|max|min|sup|inf|arg(?:max|min)|tr|operatorname"
    r"|sqrt|hat|bar|tilde|vec|dot|ddot|widehat|widetilde|overline|underline|mathrm|mathbf|mathcal|mathbb|mathit|mathsf"
    r"|boldsymbol|bm|text\w*|mbox|rm|bf|it|cal|partial|nabla|Delta)\*?"
)


def _is_product(operand: str) -> bool:
    """Whether there is more than one factor; a name with its argument, "f(x)" or "\\log n", is one."""
    factors, at, called, awaits = 0, 0, False, False
    while at < len(operand):
        if skipped := _SKIPPED.match(operand, at):
            at = skipped.end()
            continue
        if operand[at] in "^_":
            script = _SKIPPED.match(operand, at + 1)
            at = _behind(operand, script.end() if script else at + 1)
            continue
        command = _COMMAND.match(operand, at)
        if operand[at] in "/*" or (command and command[0] in _TIMES):
            return True
        is_argument = awaits or (called and operand[at] in "([")
        factors += not is_argument
        called = operand[at].isalpha() or command is not None
        awaits = command is not None and _PREFIXES.fullmatch(command[0]) is not None
        at = _behind(operand, at)
        if awaits and operand[at - 1] == "}":
            awaits = (command is not None) and command[0] == r"\operatorname"
    return factors > 1


def _behind(operand: str, at: int) -> int:
    """The place behind what TeX reads as one thing at `at`: a group, brackets, a number, a command with its groups."""
    if at >= len(operand):
        return at
    command = _COMMAND.match(operand, at)
    opener = command[0] if command else operand[at]
    if closer := _BARS.get(opener):
        end = operand.find(closer, at + len(opener))
        return len(operand) if end < 0 else end + len(closer)
    if opener in _PAIRS:
        depth = 0
        for end in range(at, len(operand)):
            depth += (operand[end] == opener) - (operand[end] == _PAIRS[opener])
            if depth == 0:
                return end + 1
        return len(operand)
    if command:
        at = command.end()
        while at < len(operand) and operand[at] == "{":
            at = _behind(operand, at)
        return at
    number = _NUMBER.match(operand, at)
    return number.end() if number else at + 1


_ATOM = re.compile(r"\\[a-zA-Z]+|\\.|\d[\d.]*|[^\s{}']")
_FONT = re.compile(
    r"\\(?:text[a-z]*|math[a-z]+|operatorname|mbox)\*?\s*\{[^{}]*\}|\\(?:rm|it|bf|sf|tt)(?![a-zA-Z])\s*\w*"
)
_OPERATOR = re.compile(
    r"[-+=<>:|/,]|\\(?:in|ni|neq?|leq?|geq?|ll|gg|to|gets|(?:left|right)arrow|mid|setminus|cup|cap|times|cdot|sim|pm"
    r"|mp|frac|wedge|vee|land|lor|circ|oplus|otimes|Rightarrow)(?![a-zA-Z])"
)
_NO_TERM = re.compile(r"\{[^{}]*\}|(?<=[A-Za-z])\([^()]*\)|\\[,:;! ]")


def is_several(operand: str, mark: str) -> bool:
    """Whether an index or exponent needs brackets on one line: "t-1" and "i=1" do, of exponents "2k" too; "max" and
    "-1" do not."""
    plain = _FONT.sub("w", operand).strip().lstrip("+-").strip()
    atoms = _ATOM.findall(plain)
    if len(atoms) < 2 or (plain[0] == "(" and plain[-1] == ")") or plain in ("th", "st", "nd", "rd"):
        return False
    return mark == "^" or any(map(str.isspace, plain)) or bool(_OPERATOR.search(plain))


def is_joined(group: str) -> bool:
    """Whether a group is terms with a sign between them, so that an accent over it is not one over its first letter."""
    plain = _NO_TERM.sub("", group).strip()
    return len(_ATOM.findall(plain)) > 2 and bool(_OPERATOR.search(plain[1:]))
