"""A paper's own macros written out, a few levels deep and never longer than 2000 characters."""

import re

from ingest.extract.masking import Masked

__all__ = ["expand_maths", "expand_text"]

_CONTROL = re.compile(r"\\([A-Za-z@]+)")
_LONGEST = 2000


def expand_text(masked: Masked, source: str) -> str:
    """Running text with macros that take no argument replaced by what they print."""
    for _ in range(4):
        source = _CONTROL.sub(lambda match: masked.macros.get(match[1], match[0]), source)[:_LONGEST]
    return source


def expand_maths(masked: Masked, source: str) -> str:
    """Maths with the paper's own macros written out, those with arguments too."""
    if "\\" not in source:
        return source
    for _ in range(3):
        source = _CONTROL.sub(lambda match: masked.macros.get(match[1], match[0]).replace("$", ""), source)[:_LONGEST]
        source = _apply(masked, source)[:_LONGEST]
    return source


def _apply(masked: Masked, source: str) -> str:
    pieces: list[str] = []
    at = 0
    for match in _CONTROL.finditer(source):
        name = match[1]
        if match.start() < at or not (name in masked.functions or name in masked.silent):
            continue
        arity, body = masked.functions.get(name, (1, ""))
        arguments, end = _arguments(source, match.end(), arity)
        if len(arguments) == arity:
            for number, argument in enumerate(arguments, 1):
                body = body.replace(f"#{number}", argument)
            pieces += [source[at : match.start()], body]
            at = end
    return "".join([*pieces, source[at:]])


def _arguments(source: str, at: int, count: int) -> tuple[list[str], int]:
    """`count` braced arguments from `at` on, fewer if they are not there, and where they end."""
    found: list[str] = []
    while len(found) < count:
        while at < len(source) and source[at].isspace():
            at += 1
        if at >= len(source) or source[at] != "{":
            break
        depth, end = 0, at
        while end < len(source):
            depth += (source[end] == "{") - (source[end] == "}")
            end += 1
            if depth == 0:
                break
        found.append(source[at + 1 : end - 1])
        at = end
    return found, at
