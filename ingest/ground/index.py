"""All that is known of a repository's units before any question is asked."""

from collections.abc import Mapping

import numpy as np

from agents.code.units import CodeBase, call_graph
from ingest.ground.bm25f import FieldIndex
from ingest.ground.fields import unit_fields
from ingest.ground.names import NameIndex
from ingest.ground.ngrams import NgramIndex
from ingest.ground.priors import penalties
from ingest.ground.soft import SoftIndex
from ingest.ground.words import split_identifier
from kg.models.code import CodeUnit

__all__ = ["CodeIndex"]

_SKIPPED_ROLES = {"generated", "minified"}


class CodeIndex:
    """The units of a repository that may implement something, with their words, names, calls and enclosing units.

    Generated and minified code is left out; tests and vendored code stay, for a penalty to judge. `calls` holds pairs
    of rows (caller, callee), `penalties` what speaks against each unit, `ancestors` for each unit the rows of the units
    around it, nearest first.
    """

    def __init__(self, codebase: CodeBase) -> None:
        self.units = tuple(unit for unit in codebase.units if unit.role not in _SKIPPED_ROLES)
        by_id = {unit.id: unit for unit in self.units}
        self.fields = [
            unit_fields(unit, by_id[unit.parent].bases if unit.parent in by_id else ()) for unit in self.units
        ]
        self.bm25f = FieldIndex(self.fields)
        self.soft = SoftIndex(self.fields)
        self.by_name = NameIndex(self.units, self.bm25f.idf, self.bm25f.unseen_idf)
        self.ngrams = NgramIndex([_name_words(unit) for unit in self.units])
        rows = {unit.id: row for row, unit in enumerate(self.units)}
        calls = {
            (rows[c.caller], rows[c.callee]) for c in call_graph(codebase) if c.caller in rows and c.callee in rows
        }
        self.calls = np.array(sorted(calls), dtype=np.int64).reshape(-1, 2)
        self.penalties = penalties(self.units)
        self.ancestors = [_ancestors(unit, by_id, rows) for unit in self.units]
        self.terms = frozenset(self.bm25f.rows)
        self.names = frozenset(
            part for fields in self.fields for name in fields.identifiers for part in _parts(name)
        ) | frozenset(word for unit in self.units for part in unit.symbol.split(".") for word in _parts(part))


def _parts(identifier: str) -> tuple[str, ...]:
    whole = identifier.lower().strip("_")
    return (*split_identifier(identifier), whole) if whole.isalnum() else split_identifier(identifier)


def _name_words(unit: CodeUnit) -> list[str]:
    return [word for part in unit.symbol.split(".") for word in split_identifier(part)]


def _ancestors(unit: CodeUnit, by_id: Mapping[str, CodeUnit], rows: Mapping[str, int]) -> tuple[int, ...]:
    chain: list[int] = []
    parent = unit.parent
    while parent is not None and parent in by_id and rows[parent] not in chain:
        chain.append(rows[parent])
        parent = by_id[parent].parent
    return tuple(chain)
