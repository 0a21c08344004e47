"""What is more than text on a page or in a notebook: formulas, code, and templates that escape all else. Built out of
known parts, whatever the text says.

LaTeX goes through latex2mathml, which passes on what a text holds as it is: of what it gives only elements and
attributes of MathML that say nothing but how a formula looks are taken over, and all text is escaped.
"""

import html
import re
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from latex2mathml.commands import FUNCTIONS
from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from kg.printing import printable

__all__ = ["code", "formula", "templates", "web_address"]

LONGEST_FORMULA = 4_000
LONGEST_CODE = 200_000
ELEMENTS = frozenset(
    re.findall(
        r"\w+",
        "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable "
        "mtr mtd mstyle mpadded mphantom menclose mmultiscripts mprescripts none ",
    )
)
ATTRIBUTES = frozenset(
    re.findall(
        r"\w+",
        "accent accentunder columnalign columnspacing depth displaystyle fence form height largeop "
        "linethickness lspace mathvariant maxsize minsize movablelimits notation rowspacing rspace "
        "scriptlevel separator stretchy symmetric voffset width ",
    )
)
VALUE = re.compile(r"[\w .%+-]{0,60}")
AROUND = re.compile(
    r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}|\\[A-Za-z]*label\s*\{[^{}]*\}|\\(?:notag|nonumber)\b"
)
"""What is not shown of a formula; authors' own commands for labels (``\\eqlabel``) are called so."""
THREE_COLUMNS = re.compile(r"\\(begin|end)\{eqnarray\*?\}")
"""An environment that latex2mathml does not know (https://ctan.org/pkg/amsmath advises against it; papers use it)."""
COMMAND = re.compile(r"\\([A-Za-z]+)")


@lru_cache(maxsize=20_000)
def formula(latex: str) -> Markup:
    """A displayed formula as MathML, or its LaTeX where it can't be read. A macro of the authors shows as its name."""
    latex = printable(latex)
    source = THREE_COLUMNS.sub(_three_columns, AROUND.sub(" ", latex)).strip()
    if 0 < len(source) <= LONGEST_FORMULA:
        try:
            return Markup(_math(convert_to_element(source, display="block"), top=True))  # noqa: S704 -- built anew
        except Exception:  # noqa: BLE001, S110 -- whatever a parser makes of a stranger's LaTeX, it can be shown as it is
            pass
    return Markup('<pre class="latex">{}</pre>').format(latex)


def _three_columns(found: re.Match[str]) -> str:
    return r"\begin{array}{rcl}" if found[1] == "begin" else r"\end{array}"


def _math(element: Element, *, top: bool = False) -> str:
    if element.tag not in ELEMENTS:
        raise ValueError(element.tag)
    kept = {name: value for name, value in element.attrib.items() if name in ATTRIBUTES and VALUE.fullmatch(value)}
    if top:
        kept = {"display": "block"}
    text = COMMAND.sub(r"\1", html.unescape(element.text or ""))
    tag = element.tag
    if tag == "mi" and f"\\{text}" in FUNCTIONS:  # an identifier stands close to its argument: "degu"
        tag, kept = "mo", {"lspace": "0.167em", "rspace": "0.167em"}
    said = "".join(f' {name}="{escape(value)}"' for name, value in sorted(kept.items()))
    return f"<{tag}{said}>{escape(text)}{''.join(map(_math, element))}</{tag}>"


@lru_cache(maxsize=500)
def code(text: str, language: str | None, *, classes: bool = True) -> Markup:
    """Code with its syntax in `classes`, else in colours; as it is where it is very long or of no known language."""
    text = printable(text)
    try:
        lexer = get_lexer_by_name(language or "text") if len(text) <= LONGEST_CODE else TextLexer()
    except ClassNotFound:
        lexer = TextLexer()
    lines = highlight(text, lexer, HtmlFormatter(nowrap=True, noclasses=not classes))
    return Markup('<pre class="source" tabindex="0"><code>{}</code></pre>').format(Markup(lines))  # noqa: S704 -- escaped by pygments


def web_address(text: str | None) -> str:
    """`text` if it is an address of the web; "" for all else, scripts among it."""
    try:
        parts = urlsplit(text or "")
    except ValueError:
        return ""
    return text or "" if parts.scheme in ("http", "https") and parts.netloc else ""


def templates(folder: Path) -> Environment:
    """The templates of a folder: what they are given is escaped, and so is what would turn its order round or hide."""
    found = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, finalize=_finalized,
    )  # fmt: skip
    found.globals |= {"code": code, "formula": formula, "web_address": web_address}
    return found


def _finalized(value: Any) -> Any:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
