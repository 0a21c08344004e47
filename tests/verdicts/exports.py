"""Exports that somebody edited, with counts and sum as they must be."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kg.backup.format import dump

Item = dict[str, Any]


def edited(file: Path, edit: Callable[[list[Item]], object]) -> Path:
    """A copy whose items were edited, with counts and sum as they must be."""
    header, *items, _ = (json.loads(line) for line in file.read_bytes().splitlines())
    edit(items)
    header |= {kind + "s": sum(kind in item for item in items) for kind in ("node", "edge")}
    lines = b"".join(map(dump, [header, *sorted(items, key=lambda item: "edge" in item)]))
    new = file.with_name("edited.jsonl")
    new.write_bytes(lines + dump({"sha256": hashlib.sha256(lines).hexdigest()}))
    return new
