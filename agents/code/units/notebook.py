"""Units of Jupyter notebooks, cell by cell, read by the JSON grammar so that each keeps its place in the file.

A cell is a unit ``<cell 3>`` (counting code cells from 1) when it does more than import and define; what it defines
are units too. A unit's span covers the JSON strings of its lines, so the file's bytes there are JSON; its `text` is
the source itself. The text of a cell's Markdown neighbour above is its documentation. Magics and shell lines are
masked before parsing; cells that are wholly in another language (``%%bash``) are passed over.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from tree_sitter import Node

from agents.code.units.grammars import GRAMMARS, syntax_tree
from agents.code.units.python import python_units
from agents.code.units.source import Draft, Extraction, SourceText, without_surrogates
from agents.code.units.treesitter import treesitter_units
from agents.execution.syntax import NotPython3

__all__ = ["notebook_code", "notebook_units"]

DOC_LIMIT = 2_000
_FOREIGN = re.compile(
    r"\s*%%\s*(bash|sh|script|cmd|html|javascript|js|latex|markdown|svg|writefile|file|perl|ruby|cython|sql|bigquery)\b"
    r"|\s*%%\s*R\b"
)
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?\??[ \t]*)$", re.M)
_MAGIC_VALUE = re.compile(r"^([\w., \t]+=[ \t]*)[%!].*$", re.M)


@dataclass(frozen=True)
class _Cell:
    """One cell: `pieces` are the JSON strings of its source as (start, end, text)."""

    kind: str
    pieces: tuple[tuple[int, int, str], ...]

    @property
    def text(self) -> str:
        return "".join(text for _, _, text in self.pieces)

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Bytes of the notebook that hold the lines first..last (1-based) of the cell."""
        breaks = [0, *accumulate(text.count("\n") for _, _, text in self.pieces[:-1])]
        begin, end = bisect_right(breaks, first - 1) - 1, bisect_right(breaks, last - 1) - 1
        return self.pieces[begin][0], self.pieces[max(begin, end)][1]


def notebook_code(source: SourceText) -> str:
    """The code of a notebook's cells, one below the other."""
    document = _Json(source)
    return "\n\n".join(cell.text.rstrip() for cell in document.cells(document.top) if cell.kind == "code")


def notebook_units(source: SourceText) -> Extraction:
    """Units of one notebook; what is no notebook gives a warning and no units."""
    document = _Json(source)
    top = document.top
    metadata = document.members(top.get("metadata"))
    named = document.string(document.members(metadata.get("kernelspec")).get("language"))
    named = named or document.string(document.members(metadata.get("language_info")).get("name"))
    language = named.lower() or "python"
    result = Extraction("python" if language.startswith("ipython") else language)
    cells = list(document.cells(top))
    if not cells:
        result.warnings.append("holds no notebook cells")
    number, above = 0, ""
    for cell in cells:
        if cell.kind == "code":
            number += 1
            _read_cell(cell, number, above, result, source.path)
        above = cell.text if cell.kind == "markdown" else ""
    return result


def _read_cell(cell: _Cell, number: int, above: str, result: Extraction, path: str) -> None:
    if not cell.text.strip() or _FOREIGN.match(cell.text):
        return
    found = _extract(cell, result.language, path)
    if found is None:
        result.warnings.append(f"cell {number}: is not {result.language} that can be parsed")
        found = Extraction(result.language, [Draft("<module>", "script", 0, len(cell.text.encode()), cell.text)])
    result.imports += found.imports
    lines = cell.text.split("\n")
    inside = SourceText(path, _masked(cell.text).encode())
    scripts = [draft for draft in found.drafts if draft.kind == "script"]
    whole = None
    if scripts:
        start, end = cell.place(1, max(1, len(lines)))
        whole = Draft(f"<cell {number}>", "cell", start, end, cell.text, docstring=above[:DOC_LIMIT].strip())
        whole.calls = [name for script in scripts for name in script.calls]
        result.drafts.append(whole)
    for draft in found.drafts:
        if draft.kind == "script":
            continue
        first, last = inside.line_of(draft.start), inside.line_of(max(draft.start, draft.end - 1))
        draft.start, draft.end = cell.place(first, last)
        draft.text = "\n".join(lines[first - 1 : last])
        draft.parent = draft.parent or whole
        result.drafts.append(draft)


def _extract(cell: _Cell, language: str, path: str) -> Extraction | None:
    """Units of a cell with places inside of the cell; None if it can't be parsed."""
    inside = SourceText(path, (_masked(cell.text) if language == "python" else cell.text).encode())
    if language == "python":
        try:
            return python_units(inside, script_statements=1)
        except NotPython3:
            found = treesitter_units(inside, "python", script_lines=1)
            return found if found.drafts else None
    grammar = next((grammar for grammar, shown in GRAMMARS.items() if shown == language), None)
    return treesitter_units(inside, grammar, script_lines=1) if grammar else None


def _masked(text: str) -> str:
    """`text` with magics and shell lines as ``pass`` or ``None``, each on its line."""
    return _MAGIC_VALUE.sub(r"\1None", _MAGIC.sub(r"\1pass", text))


@dataclass(frozen=True)
class _Json:
    """A JSON document as syntax tree: what is broken or of another type reads as empty."""

    source: SourceText

    @property
    def top(self) -> dict[str, Node]:
        """Keys and values of the document."""
        return self.members(next(iter(syntax_tree(self.source, "json").root_node.named_children), None))

    def cells(self, top: dict[str, Node]) -> Iterator[_Cell]:
        """Cells of format 4 (``cells``) and of format 3 (``worksheets``, with ``input`` for code)."""
        lists = [top.get("cells")]
        if sheets := top.get("worksheets"):
            lists += [self.members(sheet).get("cells") for sheet in sheets.named_children]
        for cells in lists:
            for node in cells.named_children if cells else ():
                cell = self.members(node)
                text = cell.get("source") or cell.get("input")
                if text is None:
                    continue
                strings = [text] if text.type == "string" else [n for n in text.named_children if n.type == "string"]
                pieces = tuple((node.start_byte, node.end_byte, self.string(node)) for node in strings)
                if pieces:
                    yield _Cell(self.string(cell.get("cell_type")), pieces)

    def members(self, node: Node | None) -> dict[str, Node]:
        """Keys and values of an object."""
        found: dict[str, Node] = {}
        for pair in node.named_children if node is not None and node.type == "object" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                found[self.string(key)] = value
        return found

    def string(self, node: Node | None) -> str:
        """Value of a string."""
        if node is None or node.type != "string":
            return ""
        try:
            value = json.loads(self.source.text(node.start_byte, node.end_byte), strict=False)
        except json.JSONDecodeError:
            return ""
        return without_surrogates(value) if isinstance(value, str) else ""
