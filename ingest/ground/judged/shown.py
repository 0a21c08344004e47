"""The code that a model is shown for each technique: candidates of the ranking, their bodies first, in a budget."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import fsum
from pathlib import Path
from types import MappingProxyType

from agents.llm import shortened, size
from ingest.ground.index import CodeIndex
from ingest.ground.rank import Ranking
from ingest.ground.words import words
from kg.models.code import CodeUnit

__all__ = ["LETTERS", "Shelf", "outline", "readme", "squeezed", "view"]

LETTERS = "ABCDEFGHIJKLMNOP"
LOOKED_THROUGH = 60
"""Places of the ranking in which candidates are looked for once copies are merged."""
MOST_NAMES = 5
MOST_README = 20_000
SENTENCE = 200
LONGEST_LINE = 400
NEIGHBOURS = 2
"""Lines before and after one with wanted words that are shown for it."""
_DOCSTRING = re.compile(r"^[ \t]*[rRuU]?(\"\"\"|''')(?:(?!\1).)*\1[ \t]*$", re.DOTALL | re.MULTILINE)
_OPENS = re.compile(r"^\s*(?:async\s+)?(?:def|class|func|fn|function|public|private|protected|static|template)\b")
_ASIDE = re.compile(
    r"^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|use\s|\w+\.add_argument\(|parser\b|print\(|(?:logg(?:er|ing)|warnings)\.|#\s|//\s)"
)
"""Lines that rarely carry out what a paper says, comments among them: they share most words with it."""
TELLING = 8
"""Characters without white space of a line that a quote may be said to hold; a bracket alone is in any."""
_SPACES = re.compile(r"\s+")
_NOTEBOOK = frozenset({"cell", "script"})
_BUILT = frozenset(
    {"build", "dist", "tutorial", "tutorials", "notebook", "notebooks", "docs", "doc", "examples", "demo"}
)


def squeezed(text: str) -> str:
    """Without any white space: what a quote of code is compared by."""
    return _SPACES.sub("", text)


def view(
    unit: CodeUnit, limit: int, wanted: Mapping[str, float] = MappingProxyType({}), quotes: Iterable[str] = ()
) -> str:  # fmt: skip
    """A unit's source with line numbers, docstrings left out, at most about `limit` characters.

    Of a longer one its first line stays and what stands in `quotes`, then what opens a function or class, then those
    lines that share `wanted` stems, the heaviest first, then as many others, from the top, as there is room for;
    imports, options, messages and comments come last. "…" and the number of lines stand where some are left out.
    """
    hidden = _docstring_lines(unit) if unit.language == "python" else frozenset()
    shown_ = (shortened(line, LONGEST_LINE) for line in unit.text.splitlines())
    lines = [(n, line) for n, line in enumerate(shown_) if n not in hidden and line.strip()]
    kept: set[int] = set()
    for n, line in _by_worth(lines, wanted, quotes) if sum(size(line) for _, line in lines) > limit else lines:
        if (limit := limit - size(line)) < 0 and kept:
            break
        kept.add(n)
    shown: list[str] = []
    left = 0
    for n, line in [*lines, (-1, "")]:
        if n in kept or n < 0:
            shown += [f"     … {left} lines"] if left else []
            left = 0
            shown += [f"{unit.line + n:4} {line.rstrip()}"] if n >= 0 else []
        else:
            left += 1
    return "\n".join(shown)


def _by_worth(
    lines: Sequence[tuple[int, str]], wanted: Mapping[str, float], quotes: Iterable[str]
) -> list[tuple[int, str]]:  # fmt: skip
    """Numbered lines, those first that stand in quotes, then those that tell most of what a unit does with respect to
    the `wanted` stems.

    What is summed is in no order that another run would share, and sums of another order differ in their last digits:
    a prompt would differ, too, and be paid for again.
    """
    shares = [fsum(wanted.get(word, 0.0) for word in set(words(line))) for _, line in lines]
    quoted = [squeezed(quote) for quote in quotes]
    near = [fsum(shares[max(0, i - NEIGHBOURS) : i + NEIGHBOURS + 1]) for i in range(len(lines))]

    def worth(i: int) -> tuple[int, float]:
        n, line = lines[i]
        text = squeezed(line)
        if n == 0 or any((len(text) >= TELLING and text in quote) or quote in text for quote in quoted):
            return (0, 0.0)
        if _OPENS.match(line):
            return (1, 0.0)
        return (3, 0.0) if _ASIDE.match(line) else (2, -near[i])

    return [lines[i] for i in sorted(range(len(lines)), key=worth)]


def _docstring_lines(unit: CodeUnit) -> frozenset[int]:
    starts = [0, *(match.end() for match in re.finditer("\n", unit.text))]
    found: set[int] = set()
    for match in _DOCSTRING.finditer(unit.text):
        found.update(range(bisect_right(starts, match.start()) - 1, bisect_right(starts, match.end() - 1)))
    return frozenset(found)


def heading(unit: CodeUnit) -> str:
    """Where a unit stands, what it is, and the first sentence of its documentation."""
    said = re.split(r"(?<=[.!?])\s|\n\s*\n", unit.docstring.strip(), maxsplit=1)[0]
    about = f" -- {' '.join(said.split())[:SENTENCE]}" if said else ""
    return f"{unit.file} {unit.symbol or unit.name} ({unit.kind}, lines {unit.line}-{unit.end_line}){about}"


class Shelf:
    """Which units are shown for which query of a ranking, copies of one text merged into the one that is shown."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking, self.index = ranking, ranking.index

    @cached_property
    def _originals(self) -> dict[int, int]:
        """For each row the row that stands for all units with its text: the least doubted, of the package itself."""
        same: dict[str, list[int]] = defaultdict(list)
        for row, unit in enumerate(self.index.units):
            same[squeezed(unit.text) if unit.language != "python" else squeezed(_DOCSTRING.sub("", unit.text))].append(
                row
            )
        return {row: min(rows, key=self._aside) for rows in same.values() for row in rows}

    def _aside(self, row: int) -> tuple[bool, bool, float, int, str]:
        unit = self.index.units[row]
        parts = {part.lower() for part in unit.file.split("/")[:-1]}
        built = bool(parts & _BUILT) or unit.file.endswith(".ipynb")
        return (
            unit.role != "source",
            built or unit.kind in _NOTEBOOK,
            self.index.penalties[row],
            len(unit.file),
            unit.id,
        )

    def copies(self, row: int) -> tuple[int, ...]:
        """All rows that `row` stands for, itself among them."""
        original = self._originals[row]
        return tuple(other for other, chosen in self._originals.items() if chosen == original)

    def candidates(self, query: int, most: int) -> tuple[int, ...]:
        """The best rows for a query, at most `most`, each of another text."""
        chosen: dict[int, None] = {}
        for row in self.ranking.order(query, LOOKED_THROUGH):
            if len(chosen) == most:
                break
            chosen[self._originals[row]] = None
        return tuple(chosen)

    def around(self, row: int) -> str:
        """The names of what calls a unit, and of what it calls."""
        said = []
        for what, column, other in (("called by", 1, 0), ("calls", 0, 1)):
            rows = self.index.calls[self.index.calls[:, column] == row][:, other][:MOST_NAMES]
            if len(rows):
                said.append(f"{what} {', '.join(self.index.units[int(r)].symbol for r in rows)}")
        return "; ".join(said)

    def wanted(self, text: str, query: int) -> tuple[int, ...]:
        """The rows that ``path``, ``path#symbol`` or a symbol means, at most four, the best for the query first.

        A method may go by its own name ("compress()" for "Tree.compress") where nothing else is called so.
        """
        path, _, symbol = text.strip().strip("`").removesuffix("()").partition("#")
        rows = [
            row
            for row, unit in enumerate(self.index.units)
            if (unit.file == path and (not symbol or unit.symbol == symbol)) or (not symbol and unit.symbol == path)
        ]
        rows = rows or [
            row
            for row, unit in enumerate(self.index.units)
            if unit.symbol.endswith(f".{symbol or path}") and unit.file == (path if symbol else unit.file)
        ]
        rows = [row for row in rows if not any(above in rows for above in self.index.ancestors[row])]
        rows.sort(key=lambda row: -self.ranking.scores[query, row])
        return tuple(rows[:4])


def outline(index: CodeIndex, limit: int) -> str:
    """Each file with the names of its functions and classes, as far as `limit` characters go: those of the package
    first, then examples, where a whole is often put together; no tests, and nothing of others."""
    names: Mapping[tuple[bool, str], list[str]] = defaultdict(list)
    for row, unit in enumerate(index.units):
        if unit.role in ("source", "example") and not index.ancestors[row]:
            names[unit.role != "source", unit.file].append(unit.symbol or unit.name)
    lines = [f"{file}: {', '.join(dict.fromkeys(found))}" for (_, file), found in sorted(names.items())]
    return _within(lines, limit)


def _within(lines: Iterable[str], limit: int) -> str:
    kept: list[str] = []
    for line in lines:
        if (limit := limit - len(line) - 1) < 0:
            kept.append("…")
            break
        kept.append(line)
    return "\n".join(kept)


def readme(folder: Path | None) -> str:
    """The text of a repository's README, cut at `MOST_README` bytes; "" without one."""
    found = sorted(folder.glob("[Rr][Ee][Aa][Dd][Mm][Ee]*")) if folder else []
    files = [file for file in found if file.is_file() and not file.is_symlink()]
    if not files:
        return ""
    with files[0].open("rb") as stream:
        return stream.read(MOST_README).decode("utf-8", "replace")
