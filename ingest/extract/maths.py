"""Maths as a person would say it in running text: ``$\\ell_2$`` becomes "ℓ_2", ``\\frac{a}{b}`` "a/b"."""

import re
from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalkerError

__all__ = ["readable_maths"]

_PLAIN = re.compile(r"[A-Za-z0-9 +\-*/=<>().,_^|!:;']*")
_WRAPPER = re.compile(
    r"\\(?:mathbf|mathrm|mathit|mathsf|mathcal|mathbb|mathtt|mathfrak|boldsymbol|bm|text|textbf|textit|textrm|textsc|"
    r"operatorname\*?|mathop|mbox|ensuremath|vec|hat|bar|tilde|widehat|widetilde|overline|underline)"
    r"(?![A-Za-z])\s*"
)
_LAYOUT = re.compile(
    r"\\(?:left|right|big|Big|bigg|Bigg|bigl|bigr|Bigl|Bigr|displaystyle|textstyle|limits|nolimits|nonumber|notag|"
    r"quad|qquad|hline)(?![A-Za-z])|\\[,;:!]|\\label\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[^{}]*\}(?:\{[^{}]*\})?"
)
_DEEPEST = 12


def _depth(source: str) -> int:
    depth = deepest = 0
    for character in source:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    return deepest


@lru_cache(maxsize=1)
def _converter() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text", keep_comments=False, strict_latex_spaces=False)


@lru_cache(maxsize=20_000)
def readable_maths(source: str, limit: int = 300) -> str:
    """`source` without dollar signs as text of at most `limit` characters, longer or deeply nested maths as "…"."""
    source = source.strip()
    if _PLAIN.fullmatch(source):
        return source if len(source) <= limit else "…"
    if len(source) > 3 * limit or _depth(source) > _DEEPEST:
        return "…"
    stripped = _WRAPPER.sub("", _LAYOUT.sub(" ", source)).replace("&", " ").replace("\\\\", " ; ").replace("\\|", "‖")
    try:
        text = str(_converter().latex_to_text(stripped))
    except (LatexWalkerError, IndexError, ValueError, TypeError, AttributeError, KeyError):
        text = re.sub(r"[\\{}$]", "", stripped)
    text = re.sub(r"\s+([,.;)])", r"\1", " ".join(text.split())).strip(" ;")
    return text if len(text) <= limit else "…"
