"""Tables of a module that are the repository's, from other files than that of the module's unit: what stands in them
(texts that an experiment shows, words that it looks up) the unit only uses, as it does where it comes from."""

import ast
import re
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass

from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["Table", "foreign_tables", "untried"]


@dataclass(frozen=True)
class Table:
    """A constant at the top of a module: its name, and the lines that it stands on."""

    name: str
    lines: range


def foreign_tables(unit: CodeUnit, verdicts: UnitVerdicts) -> list[Table]:
    """The constants of `unit`, a whole module that was made for a unit, which another file of the repository than that
    unit's own binds under the same name, to the same or (of dictionaries) to that and more; none of other units."""
    session = verdicts.prepared.session
    if session is None or unit.text != verdicts.text(unit.file):
        return []
    constants = {name: node for node in parse(unit.text).body for name in _names(node)}
    own = {one.file for one in verdicts.hashes.units.values() if one.symbol == unit.symbol} - {unit.file}
    if not own or not unit.symbol:
        return []
    files = [file for file in session.layout.files if file.endswith(".py") and file != unit.file]
    found: dict[str, Table] = {}
    kept: set[str] = set()
    for file in files:
        for name, node in _bound(verdicts.text(file), constants.keys()):
            if file in own:
                kept.add(name)
            elif _holds(node, constants[name]):
                mine = constants[name]
                found[name] = Table(name, range(mine.lineno, (mine.end_lineno or mine.lineno) + 1))
    return [table for name, table in sorted(found.items()) if name not in kept]


def _bound(text: str, names: Set[str]) -> Iterator[tuple[str, ast.stmt]]:
    """Which of these names a file binds at its top, and how."""
    if any(re.search(rf"^{re.escape(name)}\b", text, re.MULTILINE) for name in names):
        with suppress(NotPython3):
            yield from ((name, node) for node in parse(text).body for name in _names(node) if name in names)


def _names(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def untried(tables: Sequence[Table]) -> str:
    """What a verdict's reason says of tables whose entries were not exchanged, from its "; " on."""
    names = ", ".join(table.name for table in tables)
    return f"; what stands in {names} is the repository's, and its entries were not exchanged" if names else ""


def _holds(theirs: ast.stmt, ours: ast.stmt) -> bool:
    """Whether `theirs` binds what `ours` does: the same, or a dictionary with all entries of it."""
    one, other = getattr(theirs, "value", None), getattr(ours, "value", None)
    with suppress(RecursionError):
        if isinstance(one, ast.Dict) and isinstance(other, ast.Dict):
            return _entries(other) <= _entries(one)
        return one is not None and other is not None and ast.dump(one) == ast.dump(other)
    return False


def _entries(table: ast.Dict) -> set[tuple[str, str]]:
    pairs = zip(table.keys, table.values, strict=True)
    return {(ast.dump(key) if key else "**", ast.dump(value)) for key, value in pairs}
