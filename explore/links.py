"""Where nodes have their pages, and links to them."""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from markupsafe import Markup

from kg.printing import printable

__all__ = ["address", "linked"]

REFERENCE = re.compile(r"\[([^\[\]\s,]{1,80})\]")
ADDRESSES = {"Paper": "/paper", "Technique": "/technique", "Code": "/code"}


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
