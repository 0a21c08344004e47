"""Equations by their symbols, and by the words of the sentence around them."""

import re

from kg.errors import InputError
from kg.results.piece import FoundEquation
from kg.search.terms import EMPTY_WORDS, MAX_TERMS
from kg.store import Store

__all__ = ["find_equations"]

SYMBOL = re.compile(r"\w+")
COVERED = 0.5
"""Share of the query's symbols and words that an equation or its sentence must hold."""


def find_equations(store: Store, query: str, *, limit: int = 10) -> tuple[FoundEquation, ...]:
    """At most `limit` equations that match `query`, LaTeX, readable symbols or words, best first.

    Raises InputError for a query without symbol or word.
    """
    symbols = list(dict.fromkeys(s for s in SYMBOL.findall(query.replace("_{", "_")) if s.lower() not in EMPTY_WORDS))
    symbols = symbols[:MAX_TERMS] or SYMBOL.findall(query)[:MAX_TERMS]
    if not symbols:
        raise InputError("the query has neither symbol nor word", remedy='say what to look for, "softmax" or "x_i"')
    text = " ".join(f'"{symbol}"' for symbol in symbols)
    rows = store.rows(FoundEquation, query=text, limit=4 * limit)
    return tuple(row for row in rows if _covered(symbols, row) >= COVERED)[:limit]


def _covered(symbols: list[str], row: FoundEquation) -> float:
    """How many of the symbols an equation has, as they are or as the beginning of one of its words."""
    said = {part.lower() for text in (row.text, row.latex, row.context) for part in SYMBOL.findall(text)}
    known = [s for s in symbols if s.lower() in said or any(len(s) > 3 and w.startswith(s[:-2].lower()) for w in said)]
    return len(known) / len(symbols)
