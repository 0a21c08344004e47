"""Whole files as units: what stands for a file where code implements a technique and no one unit of it does."""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

from agents.code.units.files import Limits, source_files
from agents.code.units.notebook import notebook_code
from agents.code.units.source import SourceText, one_line
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["file_units"]

_HEADER = re.compile(r"/\*(.*?)\*/|((?:[ \t]*(?://|#|%|--|!|;)[^\n]*\n)+)", re.S)
_MARKS = re.compile(r"(?m)^[ \t]*(?://+|#+!?|%+|--+|!+|;+|\*+)[ \t]?")


def file_units(folder: Path, units: Sequence[CodeUnit], files: Collection[str]) -> tuple[CodeUnit, ...]:
    """A unit of kind "file" for each of `files` that has `units`, in order of their paths; its id is its path.

    `text` is all of it, of a notebook the code of its cells; `docstring` what stands at its top, `signature` names the
    units at its top level. What can't be read any more is left out.
    """
    inside: dict[str, list[CodeUnit]] = defaultdict(list)
    for unit in units:
        if unit.file in files:
            inside[unit.file].append(unit)
    found = []
    for file in source_files(folder, Limits(), []) if inside else ():
        if siblings := inside.get(file.path):
            try:
                source = SourceText(file.path, file.location.read_bytes())
            except OSError:
                continue
            found.append(_whole(source, siblings, notebook=file.grammar == "notebook"))
    return tuple(found)


def _whole(source: SourceText, siblings: Sequence[CodeUnit], *, notebook: bool) -> CodeUnit:
    first = min(siblings, key=lambda unit: (unit.role != "source", unit.start))
    text = notebook_code(source) if notebook else source.text()
    top = [unit.symbol for unit in siblings if unit.parent is None and not unit.symbol.startswith("<")]
    return CodeUnit(
        id=source.path,
        symbol="",
        name=source.path.rpartition("/")[2],
        kind="file",
        language=first.language,
        role=first.role,
        file=source.path,
        start=0,
        end=len(source.data),
        line=1,
        end_line=source.line_of(max(0, len(source.data) - 1)),
        signature=one_line(", ".join(top)),
        docstring=_documentation(text, first.language),
        imports=first.imports,
        licence=first.licence,
        text=text,
    )


def _documentation(text: str, language: str) -> str:
    """The docstring of a Python file, else the comment that a file begins with."""
    if language == "python":
        try:
            return ast.get_docstring(parse(text)) or ""
        except NotPython3:
            return ""
    header = _HEADER.match(text.lstrip())
    return _MARKS.sub("", header[1] or header[2] or "").strip() if header else ""
