"""The graph → JSON graphs, one file per paper."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kg.errors import InputError
from kg.files import write_file
from kg.licences import may_pass_on
from kg.models.paper import Model
from kg.names import split_name
from kg.results.xkg_json import GraphCode, GraphPaper, GraphTechnique
from kg.store import Store
from kg.xkg_json.objects import DEFAULT_KEYS, restore
from kg.xkg_json.reader import join_item

__all__ = ["WrittenGraph", "write_graphs"]

ITEM_LISTS = {"finding": "findings", "resource": "resources"}


class WrittenGraph(Model):
    """One file that was written. `withheld` counts code left out because nobody gave a licence to pass it on."""

    paper: str
    title: str
    file: str
    techniques: int
    code: int
    withheld: int


def write_graphs(
    store: Store, folder: Path, *, papers: Sequence[str] | None = None, unlicensed: bool = False
) -> Iterator[WrittenGraph]:
    """Write the ingested papers of the graph, or those of these ids, into `folder`; each file whole or not at all.

    Code extracted from a repository without a licence is left out unless `unlicensed`; the technique keeps its place.
    Raises InputError for an unknown id.
    """
    rows = store.rows(GraphPaper, ids=None if papers is None else list(papers))
    if unknown := set(papers or ()) - {row.id for row in rows}:
        raise InputError(f"no ingested paper has the id {min(unknown)!r}", remedy="`xkg paper list` shows the ids")
    folder.mkdir(parents=True, exist_ok=True)
    used: set[str] = set()
    for row in rows:
        graph = _Graph(store, row, unlicensed)
        value = graph.value()
        name = _file_name(row, used)
        _write(folder / name, value)
        yield WrittenGraph(
            paper=row.id, title=row.title, file=name, techniques=len(graph.techniques), code=graph.code_count,
            withheld=graph.withheld,
        )  # fmt: skip


def _file_name(row: GraphPaper, used: set[str]) -> str:
    """The name of the file that was read, or the title with `_graph.json`; a number keeps two apart."""
    name = _visible(row.main)
    if not re.fullmatch(r"[^/\\]+\.json", name):
        title = _visible(re.sub(r"\s+", "_", re.sub(r"[/\\:*?\"<>|]", "", row.title or row.id))).strip("._")
        name = f"{title[:150] or 'paper'}_graph.json"
    stem, number, found = name.removesuffix(".json"), 1, name
    while found in used:
        number += 1
        found = f"{stem}_{number}.json"
    used.add(found)
    return found


def _visible(name: str) -> str:
    """Without control characters and those that nobody sees, which a title may hold: they steer whoever lists files."""
    return "".join(char for char in name if char.isprintable())


def _write(file: Path, value: Mapping[str, Any]) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        raw = json.dumps(value, indent=2).encode("ascii")
    write_file(file, raw)


class _Graph:
    """One paper's part of the graph as nested objects."""

    def __init__(self, store: Store, paper: GraphPaper, unlicensed: bool) -> None:
        self.paper, self.unlicensed = paper, unlicensed
        self.code: dict[str, GraphCode] = {}
        for row in store.rows(GraphCode, paper=paper.id):
            self.code.setdefault(row.technique, row)
        self.techniques = store.rows(GraphTechnique, paper=paper.id)
        self.children: dict[str | None, list[GraphTechnique]] = defaultdict(list)
        for technique in self.techniques:
            self.children[technique.parent].append(technique)
        self.code_count = self.withheld = 0

    def value(self) -> dict[str, Any]:
        """The file's object."""
        paper = self.paper
        top = self.children[None]
        files = paper.code_files
        values = {
            "paper_title": paper.title,
            "paper_abstract": paper.abstract,
            "paper_references": paper.reference_titles,
            "techniques": [self._technique(row, ()) for row in top if row.kind not in ITEM_LISTS],
            "code_file": self._files() if files is None else files,
            "code_overview": paper.code_overview,
        }
        for kind, key in ITEM_LISTS.items():
            values[key] = [_item(row) for row in top if row.kind == kind]
        return restore(_keys(paper, "paper"), paper.rest, values)

    def _files(self) -> str:
        return "\n".join(sorted({row.file for row in self.code.values() if row.file}))

    def _technique(self, row: GraphTechnique, above: tuple[str, ...]) -> dict[str, Any]:
        path = (*above, row.id)
        children = [child for child in self.children[row.id] if child.id not in path]
        values = {
            "name": _printed(row),
            "description": row.definition,
            "weight": row.weight,
            "code": self._code(row.id),
            "components": [self._technique(child, path) for child in children],
        }
        return restore(_keys(row, "technique"), row.rest, values)

    def _code(self, technique: str) -> dict[str, Any] | None:
        row = self.code.get(technique)
        if row is None:
            return None
        if not self.unlicensed and not may_pass_on(row.licence, row.origin):
            self.withheld += 1
            return None
        self.code_count += 1
        values: dict[str, Any] = {
            "implementation": row.implementation,
            "test": row.test,
            "documentation": row.documentation,
            "package": row.requirements,
        }
        keys = _keys(row, "code")
        executed = _executed(row)
        if executed is not None:
            values["pass_exec"] = executed
            keys = keys if "pass_exec" in keys else (*keys, "pass_exec")
        if row.origin != "imported":
            values |= {"source": _source(row), "licence": row.licence}
            keys = (*keys, "source", "licence")
        return restore(keys, row.rest, values)


def _keys(row: GraphPaper | GraphTechnique | GraphCode, what: str) -> tuple[str, ...]:
    return DEFAULT_KEYS[what] if row.keys is None else tuple(row.keys)


def _executed(row: GraphCode) -> bool | None:
    """What can be said of a block's running: what its execution showed, else what its file claims.

    An execution of other code than the block itself (a unit's tests that were too weak, code that has changed since)
    says nothing of the block.
    """
    if row.verdict in ("verified", "failed"):
        return row.verdict == "verified"
    shown = row.ran if row.origin == "imported" and row.verdict == "unverified" else None
    return row.claimed if shown is None else shown


def _source(row: GraphCode) -> str:
    home = f"{row.repository}@{row.commit}:" if row.repository else ""
    return f"{home}{row.file}:{row.line}-{row.end_line}"


def _printed(row: GraphTechnique) -> str:
    """The name as the file had it, with its alias, unless a curator gave another since."""
    return row.text if row.text and split_name(row.text)[0] == row.name else row.name


def _item(row: GraphTechnique) -> str:
    return row.text if row.text is not None else join_item(row.name, row.definition)
