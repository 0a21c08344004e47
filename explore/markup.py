"""What is more than text on a page: formulas, code, links. Built out of known parts, whatever the text says.

LaTeX goes through latex2mathml, which passes on what a text holds as it is: of what it gives only elements and
attributes of MathML that say nothing but how a formula looks are taken over, and all text is escaped.
"""

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, urlencode, urlsplit
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from kg.cli.common import printable

__all__ = ["address", "code", "formula", "linked", "web_address"]

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
AROUND = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}|\\label\s*\{[^{}]*\}|\\(?:notag|nonumber)\b")
REFERENCE = re.compile(r"\[([^\[\]\s,]{1,80})\]")
COMMAND = re.compile(r"\\([A-Za-z]+)")
ADDRESSES = {"Paper": "/paper", "Technique": "/technique", "Code": "/code"}


@lru_cache(maxsize=20_000)
def formula(latex: str) -> Markup:
    """A displayed formula as MathML, or its LaTeX where it can't be read. A macro of the authors shows as its name."""
    latex = printable(latex)
    source = AROUND.sub(" ", latex).strip()
    if 0 < len(source) <= LONGEST_FORMULA:
        try:
            return Markup(_math(convert_to_element(source, display="block"), top=True))  # noqa: S704 -- built anew
        except Exception:  # noqa: BLE001, S110 -- whatever a parser makes of a stranger's LaTeX, it can be shown as it is
            pass
    return Markup('<pre class="latex">{}</pre>').format(latex)


def _math(element: Element, *, top: bool = False) -> str:
    if element.tag not in ELEMENTS:
        raise ValueError(element.tag)
    kept = {name: value for name, value in element.attrib.items() if name in ATTRIBUTES and VALUE.fullmatch(value)}
    if top:
        kept = {"display": "block"}
    said = "".join(f' {name}="{escape(value)}"' for name, value in sorted(kept.items()))
    text = COMMAND.sub(r"\1", html.unescape(element.text or ""))
    return f"<{element.tag}{said}>{escape(text)}{''.join(map(_math, element))}</{element.tag}>"


@lru_cache(maxsize=500)
def code(text: str, language: str | None) -> Markup:
    """Code with its syntax in classes; as it is where it is very long or of no known language."""
    text = printable(text)
    try:
        lexer = get_lexer_by_name(language or "text") if len(text) <= LONGEST_CODE else TextLexer()
    except ClassNotFound:
        lexer = TextLexer()
    lines = highlight(text, lexer, HtmlFormatter(nowrap=True))
    return Markup('<pre class="source" tabindex="0"><code>{}</code></pre>').format(Markup(lines))  # noqa: S704 -- escaped by pygments


def linked(text: str, anchors: Mapping[str, str]) -> Markup:
    """Text in which a label in brackets, as "[eq:push]", leads to the piece of this page that it names."""
    parts = REFERENCE.split(printable(text))
    for at in range(1, len(parts), 2):
        there = anchors.get(parts[at])
        parts[at] = Markup('<a href="#{}">[{}]</a>').format(quote(there), parts[at]) if there else f"[{parts[at]}]"
    return Markup("").join(parts)


def address(node: str, label: str = "", **more: str) -> str:
    """Where a node has its page: papers, techniques and code one of their own, all else its neighbourhood."""
    kind = label or ("Technique" if "#t/" in node else "Paper" if "#" not in node else "")
    place = ADDRESSES.get(kind, "/near")
    return f"{place}?{urlencode({'id': node, **more})}"


def web_address(text: str | None) -> str:
    """`text` if it is an address of the web; "" for all else, scripts among it."""
    try:
        parts = urlsplit(text or "")
    except ValueError:
        return ""
    return text or "" if parts.scheme in ("http", "https") and parts.netloc else ""
