"""Reads ``module_cases.txt``: small repositories, a unit of each, and what it must give alone."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["CASES", "Case"]


@dataclass(frozen=True)
class Case:
    """`absent` are words that no file of the slice may hold: what the unit does not need."""

    name: str
    files: dict[str, str]
    unit: str
    result: Any
    arguments: list[Any]
    absent: list[str]
    third_party: list[str]


def _read(text: str) -> Case:
    name, _, rest = text.partition("\n")
    body, _, last = rest.rpartition("\n+++ ")
    parts = re.split(r"^--- (.+)\n?", f"{body}\n", flags=re.M)[1:]
    return Case(name, dict(zip(parts[::2], parts[1::2], strict=True)), **json.loads(last))


CASES = [_read(text) for text in Path(__file__).with_name("module_cases.txt").read_text("utf-8").split("\n=== ")[1:]]
