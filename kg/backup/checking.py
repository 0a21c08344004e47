"""Whether a file is a whole and sound backup: every line is read before the graph is touched."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cypher
from kg.backup.claims import Claims
from kg.backup.format import FORMAT, LABELS, dump, unpack
from kg.errors import InputError
from kg.models.labels import node_key

__all__ = ["CheckedFile", "check_file", "read_items"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
TYPE = re.compile(r"[A-Z][A-Z0-9_]{0,127}")
LONGEST_LINE = 256_000_000
INDEXED = {
    "id", "arxiv_id", "doi", "title_key", "paper", "verdict", "repository", "slug", "verdict_program", "technique",
}  # fmt: skip
"""Properties of which Neo4j keeps an index, so that they may have `LONGEST_KEY` bytes and no more."""
LONGEST_KEY = 8_000
KINDS: dict[str, type] = {
    **dict.fromkeys(("line", "end_line", "start", "end", "rank", "year"), int),
    **dict.fromkeys(("confidence", "score", "weight"), float),
    **dict.fromkeys(("aliases", "authors", "signals", "spans"), list),
    **dict.fromkeys(("file", "id", "kind", "language", "name", "paper", "role", "symbol", "text", "title"), str),
}
"""What is read as one kind wherever it stands; another would break each answer in which it is. Lists are of texts."""
_CALLED = {int: "whole number", float: "number", list: "list of texts", str: "text"}


@dataclass(frozen=True)
class CheckedFile:
    """A sound backup. Its graph had `migration` migrations; `model` is (model id, dimension) of its vectors, None
    without any; `claims` are its verdicts, `seal` is what is said to seal all of it."""

    path: Path
    sha256: str
    migration: int
    nodes: int
    edges: int
    model: tuple[str, int] | None
    claims: Claims
    seal: object


class _Damage(Exception):
    """Why a line can't be."""


def _objects(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise _Damage("is not JSON") from error
            if not isinstance(value, dict):
                raise _Damage("is no JSON object")
            if b"\\u" in line or b"\xed" in line:
                try:
                    dump(value)
                except UnicodeEncodeError as error:
                    raise _Damage("a text has half a character (a lone surrogate)") from error
            yield line, value


def read_items(path: Path) -> Iterator[dict[str, Any]]:
    """Nodes, then edges, of a file that was checked."""
    return (value for _, value in _objects(path) if "node" in value or "edge" in value)


def check_file(path: Path) -> CheckedFile:
    """Read all of `path`. Raises InputError, naming the line, if it is not a whole backup that this program knows."""
    number = 0
    try:
        lines = _objects(path)
        checker = _Checker(*next(lines, (b"", {})))
        number = 1
        for line, value in lines:
            number += 1
            checker.add(line, value)
        return checker.finish(path)
    except _Damage as error:
        raise InputError(
            f"{path} is damaged: {error}",
            where=f"line {max(number, 1)}",
            remedy="export the graph again; nothing was changed",
        ) from error
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}", remedy="check the path") from error


def _fits(key: str) -> None:
    if len(key.encode("utf-8", "surrogatepass")) > LONGEST_KEY:
        raise _Damage(f"an id, or what is looked up by, has more than {LONGEST_KEY} bytes")


def _is_of_its_kind(name: str, value: Any) -> None:
    wanted = KINDS.get(name)
    kinds = (int, float) if wanted is float else (wanted,)
    texts = type(value) is not list or all(type(item) is str for item in value)
    if wanted and value is not None and not (type(value) in kinds and texts):
        raise _Damage(f"`{name}` is no {_CALLED[wanted]}")


class _Checker:
    """Follows a file line by line: header, nodes, edges, trailer."""

    def __init__(self, line: bytes, header: dict[str, Any]) -> None:
        if header.get("format") != FORMAT:
            raise _Damage(f"it does not start as an xkg graph ({FORMAT}) does")
        newest = len(cypher.migrations())
        if not isinstance(header.get("migration"), int) or header["migration"] > newest:
            raise _Damage(f"it was made by a newer xkg (migration {header.get('migration')}, known are {newest})")
        self.header, self.digest = header, hashlib.sha256(line)
        self.ids, self.keys = set[tuple[str, str]](), set[tuple[str, str]]()
        self.edges, self.sum = 0, ""
        self.seal: object = None
        self.claims = Claims()

    def add(self, line: bytes, value: dict[str, Any]) -> None:
        if self.sum:
            raise _Damage("something follows the end")
        if "sha256" in value:
            self.sum, self.seal = self.digest.hexdigest(), value.get("seal")
            if value["sha256"] != self.sum:
                raise _Damage("its checksum does not fit: bytes were changed or lost")
            return
        self.digest.update(line)
        self._properties(value.get("properties"))
        if "node" in value:
            self._node(value)
        else:
            self._edge(value)
        self.claims.add(value)

    def _properties(self, properties: Any) -> None:
        if not isinstance(properties, dict) or not all(NAME.fullmatch(key) for key in properties):
            raise _Damage("properties are missing or misnamed")
        try:
            for name, value in properties.items():
                _is_of_its_kind(name, unpack(value))
                if name in INDEXED and isinstance(value, str):
                    _fits(value)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _Damage("a property has a value that no backup holds") from error

    def _node(self, value: dict[str, Any]) -> None:
        label, node = value["node"], value.get("id")
        if not isinstance(label, str) or label not in LABELS or not isinstance(node, str):
            raise _Damage("a node has an unknown label or no id")
        _fits(node)
        if self.edges or node_key(label, node) in self.keys:
            raise _Damage("a node is there twice, or follows the edges")
        self.ids.add((label, node))
        self.keys.add(node_key(label, node))

    def _edge(self, value: dict[str, Any]) -> None:
        if not isinstance(value.get("edge"), str) or not TYPE.fullmatch(value["edge"]):
            raise _Damage("neither node nor edge")
        for end in (value.get("start"), value.get("end")):
            if not isinstance(end, list) or not all(isinstance(e, str) for e in end) or tuple(end) not in self.ids:
                raise _Damage("an edge starts or ends at a node that is not in the file")
        self.edges += 1

    def finish(self, path: Path) -> CheckedFile:
        if not self.sum:
            raise _Damage("its end is missing: the file was cut")
        if (self.header.get("nodes"), self.header.get("edges")) != (len(self.ids), self.edges):
            raise _Damage("it holds other numbers of nodes and edges than its header says")
        model = self.header.get("model")
        bound = (str(model["model_id"]), int(model["dimension"])) if model else None
        level = max(0, int(self.header["migration"]))
        return CheckedFile(path, self.sum, level, len(self.ids), self.edges, bound, self.claims, self.seal)
