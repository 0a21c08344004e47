"""The words of a code unit, field by field: its name, its parent, its file, what it says and what it calls."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.ground.words import surface_words, word_list
from kg.models.code import CodeUnit
from kg.words import stem

__all__ = ["FIELDS", "UnitFields", "lex", "unit_fields"]

FIELDS = ("name", "parent", "path", "doc", "comments", "identifiers", "calls", "strings")
"""Names of the fields, in the order of every field array of this package."""

MAX_TEXT = 60_000
"""Characters of a unit that are read; the rest of a longer one adds nothing to its words."""

_PYTHON = re.compile(
    r"(?P<comment>\#[^\n]*)|(?P<doc>\"\"\".*?\"\"\"|'''.*?''')"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_CLIKE = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>\"(?:\\.|[^\"\\\n])*\"|`[^`]*`)"
    r"|'(?:\\.|[^'\\\n])'|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_KEYWORDS = word_list(
    """
    def class return if elif else for while try except finally with import from as pass break continue lambda
    yield raise assert not and or in is None True False self cls func var const int float double void bool
    boolean char string long short unsigned signed static public private protected final new this null nil true
    false struct type package range defer go switch case default interface map chan byte error throw throws
    catch extends implements abstract override template typename namespace using virtual inline auto size_t std
    include define endif ifdef ifndef async await print global nonlocal del enum union typedef extern sizeof
    goto let fn pub impl mut
    """
)


@dataclass(frozen=True)
class UnitFields:
    """Word counts of a unit: for each field of `FIELDS` a stem → count map, and stem → the word as written."""

    counts: Mapping[str, Counter[str]]
    surface: Mapping[str, str]
    comments: str = ""
    identifiers: tuple[str, ...] = field(default=())


def lex(text: str, language: str) -> tuple[list[str], list[str], list[str]]:
    """Comments, strings and identifiers of source text (Python's own rules, or those of the C family)."""
    comments: list[str] = []
    strings: list[str] = []
    names: list[str] = []
    pattern = _PYTHON if language in {"python", "python2", "notebook"} else _CLIKE
    for match in pattern.finditer(text[:MAX_TEXT]):
        kind, piece = match.lastgroup, match.group()
        if kind == "comment":
            comments.append(piece.strip("#/*! \t\n"))
        elif kind == "doc":
            comments.append(piece[3:-3])
        elif kind == "string":
            strings.append(piece[1:-1])
        elif kind == "word" and piece not in _KEYWORDS:
            names.append(piece)
    return comments, strings, names


def unit_fields(unit: CodeUnit, parent_bases: tuple[str, ...] = ()) -> UnitFields:
    """All words of `unit`.

    A class has the words of its methods too: without them it is so short that a few words in its documentation win.
    """
    comments, strings, names = lex(unit.text, unit.language)
    comment_text = "\n".join(comments)
    if unit.docstring and unit.docstring[:200] in comment_text:
        comment_text = comment_text.replace(unit.docstring, " ", 1)
    parts = unit.symbol.split(".")
    raw = {
        "name": unit.name,
        "parent": " ".join((*parts[:-1], *unit.bases, *parent_bases)),
        "path": unit.file,
        "doc": unit.docstring[:8_000],
        "comments": comment_text,
        "identifiers": " ".join(n for n in names if n != parts[-1]),
        "calls": " ".join(call.rsplit(".", 1)[-1] for call in unit.calls),
        "strings": " ".join(strings)[:8_000],
    }
    surface: dict[str, str] = {}
    counts: dict[str, Counter[str]] = {}
    for key, text in raw.items():
        counter: Counter[str] = Counter()
        for word in surface_words(text):
            root = stem(word)
            counter[root] += 1
            surface.setdefault(root, word)
        counts[key] = counter
    return UnitFields(counts, surface, comment_text, tuple(dict.fromkeys(names)))
