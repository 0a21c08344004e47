"""Candidates from rows of equations that spell out what a collective heading names: "k_2 scale function"."""

import re
from collections.abc import Iterable, Sequence

from ingest.extract.candidates import Candidate
from ingest.extract.naming import title_names
from ingest.extract.outline import Node, Outline
from ingest.latex.detex import readable
from ingest.latex.reading import Reading, Token

__all__ = ["rows"]

_ROW = re.compile(
    r"\s*&?\s*(?P<name>[A-Za-z]'?_(?:\{(?:\\(?:text|mathrm|rm)\s*\{)?[\w ,-]+\}{1,2}|\w))\s*(?:\([^()&=]*\))?"
    r"\s*&?\s*:?=.+",
    re.DOTALL,
)
MOST_ROWS = 6
LONGEST_ROW = 400
"""Characters of a row that is read: the blanks that it may hold anywhere make longer ones slow."""
_WEIGHT = 0.25


def rows(reading: Reading, plan: Outline) -> list[Candidate]:
    """Of each titled stretch whose title is a plural, the members that its displays define by symbols of one letter."""
    found: list[Candidate] = []
    for index, node in enumerate(plan.nodes):
        told = node.kind in ("heading", "paragraph", "run_in") and node.role in ("method", "background")
        if told and (noun := _collective(node)):
            found += _members(noun, index, node, _displays(reading, plan, index))
    return found


def _collective(node: Node) -> str:
    """The singular of a title's last two words at most, if it ends on a plural noun: "scale function"; else ""."""
    title = title_names(node.title)
    words = title.name.split() if title else []
    plain = not {"of", "for", "in", "on", "with", "and"} & set(words)
    if not words or not plain or not words[-1].endswith("s") or words[-1].endswith(("ss", "us", "is")):
        return ""
    last = words[-1][:-3] + "y" if words[-1].endswith("ies") else words[-1][:-1]
    return " ".join(
        [*words[-2:-1], last.removesuffix("e") if last.endswith(("sse", "xe", "che", "she")) else last]
    ).lower()


def _displays(reading: Reading, plan: Outline, index: int) -> list[Token]:
    return [
        token
        for block, owner in zip(reading.blocks, plan.of_block, strict=True)
        if owner == index
        for token in block.tokens
        if token.kind == "display"
    ]


def _members(noun: str, index: int, node: Node, displays: Sequence[Token]) -> Iterable[Candidate]:
    for display in displays:
        lines = [row for row in map(_ROW.match, _body(display.text)) if row]
        if (
            1 < len({row["name"] for row in lines}) == len(lines) <= MOST_ROWS
            and len({row["name"][0] for row in lines}) == 1
        ):
            for row in lines:
                name = readable(row["name"]).strip()
                yield Candidate(
                    f"{name} {noun}", "enumerated", display.start, display.end, index, node.role, node.appendix,
                    weight=_WEIGHT, text=readable(row[0].replace("&", "")).strip(" ,.;"),
                )  # fmt: skip


def _body(source: str) -> list[str]:
    """The rows of a display, each with single blanks."""
    inside = re.sub(
        r"\\(?:begin|end)\s*\{(?:align|gather|eqnarray|equation|split|aligned|alignat|multline)\*?\}", "", source
    )
    rows = (" ".join(row.split()) for row in re.split(r"\\\\(?:\[[^\]]*\])?", inside))
    return [row for row in rows if len(row) <= LONGEST_ROW]
