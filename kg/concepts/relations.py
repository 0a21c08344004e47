"""How two techniques of different papers relate that are not one: a function of these two alone.

The thresholds of all joining stand here; `python -m benchmarks.concepts` measures them on hand-judged pairs.
"""

from typing import Literal, NamedTuple

from kg.concepts.forms import GENERIC, Form

__all__ = ["ACRONYM", "ASKED", "WEAK", "Kind", "Relation", "overlap", "relate"]

WEAK = 0.6
"""Cosine that must back up a name that may mean another thing elsewhere ("sampling")."""
ACRONYM = 0.45
"""Cosine that must back up an acronym whose expansion is not printed, or is another."""
EXPANSION = 0.5
"""Share of words from which two expansions of one acronym are the same in other words."""
CONTAINED = 0.43
"""Cosine from which a name within a longer one makes the longer a variant."""
ALIKE = 0.57
"""Cosine from which two are similar that share two words and half of the shorter name."""
HALF = 0.5
ASKED = 0.65
"""Cosine from which two that are not one may be: a model or a person is asked."""

Kind = Literal["VARIANT_OF", "SIMILAR_TO"]


class Relation(NamedTuple):
    """`one` is a variant of `other`, or similar to it; `shared` are the stems of words that both names have."""

    kind: Kind
    one: str
    other: str
    score: float
    shared: tuple[str, ...]


def overlap(one: Form, other: Form) -> float:
    """The largest Jaccard index of the words of their names."""
    return max((len(a & b) / len(a | b) for a in one.words for b in other.words), default=0.0)


def relate(one: tuple[str, Form], other: tuple[str, Form], cosine: float | None) -> Relation | None:
    """The relation of two techniques, given as id and form; None for most."""
    (first, mine), (second, theirs) = sorted((one, other))
    if cosine is None or cosine < CONTAINED or (mine.telling | mine.weak) & (theirs.telling | theirs.weak):
        return None
    score = round(cosine, 4)
    if shared := _within(theirs, mine):
        return Relation("VARIANT_OF", first, second, score, shared)
    if shared := _within(mine, theirs):
        return Relation("VARIANT_OF", second, first, score, shared)
    shares = [a & b for a in mine.words for b in theirs.words]
    common = max(shares, key=_size) if shares else frozenset[str]()
    least = min(min(map(len, mine.words), default=0), min(map(len, theirs.words), default=0))
    if cosine >= ALIKE and len(common) > 1 and not common <= GENERIC and len(common) >= HALF * least:
        return Relation("SIMILAR_TO", first, second, score, tuple(sorted(common)))
    return None


def _within(short: Form, long: Form) -> tuple[str, ...]:
    """The words of a name of `short` that all stand in a longer one of `long`.

    They are several, not all generic; or one that was coined, or that the longer name ends with.
    """
    found = [
        a
        for a in short.words
        for b in long.words
        if a < b and not a <= GENERIC and (len(a) > 1 or short.coined or a & long.heads)
    ]
    longest = max(found, key=_size) if found else frozenset[str]()
    return tuple(sorted(longest))


def _size(words: frozenset[str]) -> tuple[int, list[str]]:
    return len(words), sorted(words)
