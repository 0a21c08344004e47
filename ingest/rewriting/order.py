"""Which units are to be made into modules, of which techniques, and after which components."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kg.results.rewrite import RewriteTask
from kg.store import Store

__all__ = ["Wanted", "arrange", "module_file", "wanted"]


@dataclass(frozen=True)
class Wanted:
    """A unit to be rewritten: its rows, one for each technique that it stands first for; `parts` are the ids of the
    code whose modules it may use."""

    rows: tuple[RewriteTask, ...]
    parts: tuple[str, ...]

    @property
    def code(self) -> str:
        """The id of its Code node."""
        return self.rows[0].code

    @property
    def pin(self) -> tuple[str, str]:
        """Its repository and commit."""
        return self.rows[0].repository, self.rows[0].commit


def wanted(
    store: Store, *, ids: Sequence[str] | None = None, papers: Sequence[str] | None = None, likely: bool = False
) -> tuple[list[Wanted], set[str]]:
    """All units of the papers of `ids`, or of `papers`, components first; and the ids of those that are asked for."""
    chosen = store.rows(RewriteTask, ids=ids, papers=papers, likely=likely)
    asked = {row.code for row in chosen}
    if ids is not None:
        whole = store.rows(RewriteTask, ids=None, papers=sorted({row.paper for row in chosen}), likely=likely)
        known = {(row.technique, row.code) for row in whole}
        chosen = [*whole, *(row for row in chosen if (row.technique, row.code) not in known)]
    return arrange(chosen), asked


def arrange(rows: Sequence[RewriteTask]) -> list[Wanted]:
    """The units of these rows, each after the nearest units of its components; these are its parts."""
    by_code: dict[str, list[RewriteTask]] = {}
    for row in rows:
        by_code.setdefault(row.code, []).append(row)
    below = {code: _parts(code, by_code[code], rows) for code in by_code}
    ordered = _ordered(by_code, below)
    place = {code: number for number, code in enumerate(ordered)}
    found = []
    for code in ordered:
        parts = tuple(
            part for part in below[code] if place[part] < place[code] and _pin(by_code[part]) == _pin(by_code[code])
        )
        found.append(Wanted(tuple(by_code[code]), parts))
    return found


def _pin(rows: Sequence[RewriteTask]) -> tuple[str, str]:
    return rows[0].repository, rows[0].commit


def _parts(code: str, rows: Sequence[RewriteTask], everything: Sequence[RewriteTask]) -> tuple[str, ...]:
    """The code of the nearest components of the techniques of `rows` that have code of their own."""
    own = {row.technique for row in rows}
    beneath = [row for row in everything if own & set(row.above) and row.technique not in own]
    techniques = {row.technique for row in beneath}
    nearest = {row.code for row in beneath if not techniques & set(row.above)}
    return tuple(sorted(nearest - {code}))


def _ordered(codes: Iterable[str], below: dict[str, tuple[str, ...]]) -> list[str]:
    """Components before what they are components of; where two are components of each other, the first name first."""
    found: dict[str, None] = {}
    for first in sorted(codes):
        waiting, open_ = [(first, False)], set[str]()
        while waiting:
            code, done = waiting.pop()
            if done:
                found[code] = None
            elif code not in found and code not in open_:
                open_.add(code)
                waiting.append((code, True))
                waiting += [(part, False) for part in reversed(below[code])]
    return list(found)


def module_file(code: str, symbol: str) -> str:
    """The name of the file of the module of this code: the same whatever else is rewritten."""
    words = re.sub(r"\W+", "_", symbol, flags=re.ASCII).strip("_").lower()[:40] or "unit"
    path = code.partition("@")[2].partition(":")[2] or code
    return f"module_{words}_{hashlib.sha256(path.encode()).hexdigest()[:6]}.py"
