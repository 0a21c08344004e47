"""Every statement the graph ever sees, one file each, and the registry that loads them.

A query is ``queries/<topic>/<verb_noun>.cypher`` and is called ``<topic>/<verb_noun>``. It starts with comments:

* the first line tells what it is for;
* ``// params: a, b`` names every ``$parameter`` (nothing after the colon if there is none);
* ``// returns: x, y`` names the returned columns in their order;
* ``// access: read`` or ``write``.

A migration is ``migrations/<number>_<name>.cypher``: statements that end with ``;`` at the end of a line.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

__all__ = ["Migration", "Query", "migrations", "queries", "query"]

QUERIES, MIGRATIONS = (Path(__file__).with_name(name) for name in ("queries", "migrations"))
HEADER = re.compile(r"^//\s*(params|returns|access):\s*(.*?)\s*$")
NAME = re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)+")
COMMENT = re.compile(r"//[^\n]*")


@dataclass(frozen=True)
class Query:
    """One statement with its contract. `text` is the whole file, comments included."""

    name: str
    purpose: str
    params: tuple[str, ...]
    returns: tuple[str, ...]
    access: Literal["read", "write"]
    text: str


@dataclass(frozen=True)
class Migration:
    """One numbered change of the schema. `checksum` is the sha256 of the file's text."""

    number: int
    name: str
    checksum: str
    statements: tuple[str, ...]


def parse_query(name: str, text: str) -> Query:
    """Read a query file. Raises ValueError if its contract is missing or malformed."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith("//") or HEADER.match(lines[0]):
        raise ValueError(f"{name}: the first line must be a comment that tells what the query is for")
    found = {m[1]: m[2] for m in map(HEADER.match, lines) if m}
    if set(found) != {"params", "returns", "access"}:
        raise ValueError(f"{name}: the comments params, returns and access must all be there")
    if found["access"] not in ("read", "write"):
        raise ValueError(f"{name}: access must be read or write")
    listed = {
        key: tuple(part.strip() for part in found[key].split(",") if part.strip()) for key in ("params", "returns")
    }
    access: Literal["read", "write"] = "read" if found["access"] == "read" else "write"
    return Query(name, lines[0].lstrip("/ "), listed["params"], listed["returns"], access, text)


@cache
def query(name: str) -> Query:
    """The query of that name, read from its file the first time. Raises KeyError for an unknown name."""
    file = QUERIES / f"{name}.cypher"
    if not NAME.fullmatch(name) or not file.is_file():
        raise KeyError(name)
    return parse_query(name, file.read_text(encoding="utf-8"))


@cache
def queries() -> dict[str, Query]:
    """Every query, by name, sorted."""
    names = (file.relative_to(QUERIES).with_suffix("").as_posix() for file in QUERIES.rglob("*.cypher"))
    return {name: query(name) for name in sorted(names)}


def _statements(text: str) -> tuple[str, ...]:
    parts = (part.strip() for part in re.split(r";[ \t]*(?:\n|\Z)", text))
    return tuple(part for part in parts if COMMENT.sub("", part).strip())


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations by number. Raises ValueError if a file is misnamed or a number is missing or taken twice."""
    found = []
    for file in sorted(MIGRATIONS.glob("*.cypher")):
        match, text = re.fullmatch(r"(\d{4})_([a-z0-9_]+)", file.stem), file.read_text(encoding="utf-8")
        if not match:
            raise ValueError(f"migration {file.stem!r} is not called NNNN_name")
        checksum = hashlib.sha256(text.encode()).hexdigest()
        found.append(Migration(int(match[1]), match[2], checksum, _statements(text)))
    if [m.number for m in found] != list(range(1, len(found) + 1)):
        raise ValueError("migrations must be numbered 1, 2, 3 … without gaps")
    return tuple(found)
