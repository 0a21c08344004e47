"""Syntax trees and query matches by tree-sitter, bounded against hostile text."""

import re
from functools import cache
from pathlib import Path
from time import monotonic

from tree_sitter import Node, Parser, Query, QueryCursor, Tree
from tree_sitter_language_pack import get_language

from agents.code.units.source import SourceText

__all__ = ["GRAMMARS", "TooSlow", "largest_error", "matches", "syntax_tree"]

GRAMMARS = {
    "c": "c", "cpp": "c++", "csharp": "c#", "cuda": "cuda", "fortran": "fortran", "go": "go", "java": "java",
    "javascript": "javascript", "julia": "julia", "lua": "lua", "matlab": "matlab", "python": "python", "r": "r",
    "rust": "rust", "scala": "scala", "tsx": "typescript", "typescript": "typescript",
}  # fmt: skip
"""Grammar → language as shown."""

SECONDS, SMALL_BYTES = 10.0, 100_000
"""Parsing stops after so long: hostile text can make it quadratic; real files take milliseconds. The watch doubles the
time, so that it is kept only over files of more than so many bytes; smaller ones can't take long."""

ERROR_CHILDREN = 5_000
"""Query cursors are quadratic in the tokens of one stretch of errors; real files have a few."""

MAX_DEPTH = 2_000
"""What is nested deeper in the syntax tree is not looked at."""

LOST_LINES = 3
"""Errors that span fewer lines hide no unit and are not worth a warning."""

_CHUNK = 1 << 12
_CPLUSPLUS = re.compile(
    rb"(?m)^[ \t]*#[ \t]*if(?:def|[ \t]+defined)\b[ \t(]*__cplusplus\b[^\n]*\n[^#]{0,400}#[ \t]*endif"
)


class TooSlow(Exception):
    """A file that is made, or happens, to take for ever."""


@cache
def _query(grammar: str) -> Query:
    query = (Path(__file__).parent / "queries" / f"{grammar}.scm").read_text("utf-8")
    return Query(get_language(grammar), query)  # type: ignore[arg-type]  # our keys are names of the pack


def syntax_tree(source: SourceText, grammar: str) -> Tree:
    """The syntax tree of a file by a grammar of the pack. Raises TooSlow after `SECONDS`.

    Nodes of the tree know their bytes but not their text: read it from `source`. What a C file holds for C++ only
    (``extern "C" {`` under ``#ifdef __cplusplus``) is blanked at equal length.
    """
    data = source.data
    if grammar == "c":
        data = _CPLUSPLUS.sub(lambda match: re.sub(rb"[^\r\n]", b" ", match.group()), data)
    parser = Parser(get_language(grammar))  # type: ignore[arg-type]  # as above
    if len(data) <= SMALL_BYTES:
        return parser.parse(data)
    end = monotonic() + SECONDS
    try:
        return parser.parse(lambda at, _: data[at : at + _CHUNK], progress_callback=lambda *_: monotonic() > end)
    except ValueError as error:
        raise TooSlow(f"its syntax took more than {SECONDS} s to parse; skipped") from error


def matches(root: Node, grammar: str) -> list[tuple[int, dict[str, list[Node]]]]:
    """Matches of the grammar's query. Raises TooSlow for a tree on which a query cursor would be quadratic."""
    if any(node.child_count > ERROR_CHILDREN for node in _errors(root)):
        raise TooSlow(f"more than {ERROR_CHILDREN:,} tokens in a row make no sense as {GRAMMARS[grammar]}; skipped")
    cursor = QueryCursor(_query(grammar))
    cursor.set_max_start_depth(MAX_DEPTH)
    return cursor.matches(root)


def largest_error(root: Node) -> Node | None:
    """The longest stretch of text that the grammar does not know, if it spans `LOST_LINES` or more."""
    spans = [(node.end_point.row - node.start_point.row + 1, -node.start_byte, node) for node in _errors(root)]
    lines, _, node = max(spans, key=lambda span: span[:2], default=(0, 0, root))
    return node if lines >= LOST_LINES else None


def _errors(root: Node) -> list[Node]:
    """All ERROR nodes."""
    found, pending = [], [root] if root.has_error else []
    while pending:
        node = pending.pop()
        if node.type == "ERROR":
            found.append(node)
            if node.child_count > ERROR_CHILDREN:
                continue
        pending += [child for child in node.children if child.has_error]
    return found
