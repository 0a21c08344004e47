"""The file of a backup: JSON lines.

* first line, the header: ``{"format": "xkg-graph/1", "migration": 2, "model": {…} or null, "nodes": 7, "edges": 9}``;
* a line for each node, sorted by label and id: ``{"node": "Paper", "id": "arxiv:…", "properties": {…}}``;
* a line for each edge, sorted by type and ends: ``{"edge": "CITES", "start": ["Paper", "…"], "end": …, …}``;
* last line, the trailer: ``{"sha256": "…"}``, of all bytes before it.

All but the header have the ``"seal"`` of the home that wrote them beside this: see kg.backup.foreign.

Keys are sorted and nothing else in the file depends on when or where it was written, so equal graphs of one home give
equal files.
Values that JSON lacks are objects with one key: ``$f32`` (base64 of little-endian float32: vectors), ``$float`` (nan,
inf), ``$date`` and ``$datetime`` (ISO 8601), ``$bytes`` (base64).
"""

import base64
import json
import math
from collections.abc import Callable
from typing import Any

import neo4j.time
import numpy as np

from kg.errors import DatabaseError

__all__ = ["FORMAT", "LABELS", "dump", "pack", "pack_vector", "unpack"]

FORMAT = "xkg-graph/1"

LARGEST = 2**63
"""Integers are below it, and not below its negative."""

LABELS = frozenset(
    {
        "Paper", "CitedWork", "Section", "Equation", "Algorithm", "Figure", "Table", "Technique", "Concept", "Code",
        "Repository", "Execution", "Run", "Decision", "IndexInfo",
    }
)  # fmt: skip
"""Labels that a backup may hold."""


def dump(value: dict[str, Any]) -> bytes:
    """One line of the file."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def pack_vector(values: list[float]) -> Any:
    """A vector as float32, if that loses nothing; else the list as it is."""
    narrow = np.asarray(values, dtype="<f4")
    if narrow.astype(np.float64).tolist() != values:
        return [pack(value) for value in values]
    return {"$f32": base64.b64encode(narrow.tobytes()).decode()}


def pack(value: Any) -> Any:
    """A property's value as JSON can hold it. Raises DatabaseError for a type that no backup can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list):
        return [pack(item) for item in value]
    if isinstance(value, neo4j.time.DateTime):
        return {"$datetime": value.iso_format()}
    if isinstance(value, neo4j.time.Date):
        return {"$date": value.iso_format()}
    if isinstance(value, bytes | bytearray):
        return {"$bytes": base64.b64encode(value).decode()}
    raise DatabaseError(
        f"a property of type {type(value).__name__} can't be exported",
        remedy="store it as text, or remove it from the node",
    )


def unpack(value: Any) -> Any:
    """The value that `pack` or `pack_vector` was given. Raises ValueError or KeyError for another object, and for what
    no property can hold: an integer of more than 64 bits, a list of lists, of nothing or of values of several kinds."""
    if isinstance(value, list):
        items = [unpack(item) for item in value]
        if len({_kind(item) for item in items}) > 1 or any(_kind(item) is None for item in items):
            raise ValueError("a list of several kinds")
        return items
    if isinstance(value, int) and not -LARGEST <= value < LARGEST:
        raise ValueError("an integer beyond 64 bits")
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    readers: dict[str, Callable[[Any], Any]] = {
        "$f32": lambda text: np.frombuffer(base64.b64decode(text, validate=True), "<f4").astype(np.float64).tolist(),
        "$float": float,
        "$datetime": neo4j.time.DateTime.from_iso_format,
        "$date": neo4j.time.Date.from_iso_format,
        "$bytes": lambda text: base64.b64decode(text, validate=True),
    }
    return readers[kind](content)


def _kind(item: Any) -> type | None:
    """The kind of an item of a list; numbers are of one. None for what no list may hold."""
    if item is None or isinstance(item, list):
        return None
    return float if type(item) is int else type(item)
