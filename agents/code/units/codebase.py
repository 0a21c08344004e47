"""Folder of a repository → `CodeBase`. Nothing in the folder is ever run, imported or followed out of it.

Drafts of files become units here: with ids, parents, and documentation from headers.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

from agents.code.units.files import Limits, SourceFilePath, source_files
from agents.code.units.grammars import TooSlow
from agents.code.units.licences import Licences
from agents.code.units.notebook import notebook_units
from agents.code.units.python import python_units
from agents.code.units.roles import file_role, unit_role
from agents.code.units.source import Draft, Extraction, SourceText, unique
from agents.code.units.treesitter import treesitter_units
from agents.execution.syntax import NotPython3
from kg.models.code import CodeUnit, Role
from kg.models.paper import Model

__all__ = ["CodeBase", "read_units"]

_C_FAMILY = {"c", "c++", "cuda"}
_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.S)
_CPP_SIGNS = re.compile(
    rb"(?m)^[ \t]*(class[ \t]+\w+[^;]{0,300}\{|namespace\b|template[ \t]*<|(public|private|protected)[ \t]*:)"
    rb"|^[ \t]*using[ \t]+\w|\w::\w"
)


class CodeBase(Model):
    """All units of a repository in order of file and place, and what could not be read.

    `licence` is the SPDX id of the licence at the top ("unknown" if its text is not recognised, None without one).
    """

    units: tuple[CodeUnit, ...] = ()
    licence: str | None = None
    warnings: tuple[str, ...] = ()


def read_units(folder: Path, *, limits: Limits | None = None) -> CodeBase:
    """All code units below `folder`. What can't be read is named in the result's `warnings`, never raised;
    only a `folder` that is no folder raises InputError."""
    limits = limits or Limits()
    warnings: list[str] = []
    licences = Licences(folder)
    units: list[CodeUnit] = []
    declared: dict[str, str] = {}
    for file in source_files(folder, limits, warnings):
        found = _read_file(file, warnings)
        if found is None:
            continue
        source, extraction = found
        warnings += [f"{file.path}: {warning}" for warning in extraction.warnings]
        role = file_role(file.path, source.data if file.grammar != "notebook" else b"")
        declared = {**extraction.declared, **declared}
        units += _file_units(source, extraction, role, licences.nearest(file.path, source.data))
        if len(units) > limits.units:
            warnings.append(f"{file.path}: the limit of {limits.units:,} units is reached; the rest is skipped")
            break
    units = _join_units(units[: limits.units], declared)
    return CodeBase(units=tuple(units), licence=licences.nearest("README"), warnings=tuple(warnings))


def _read_file(file: SourceFilePath, warnings: list[str]) -> tuple[SourceText, Extraction] | None:
    try:
        data = file.location.read_bytes()
    except OSError as error:
        warnings.append(f"{file.path}: {error.strerror}; skipped")
        return None
    if b"\0" in data:
        warnings.append(f"{file.path}: holds NUL bytes, so it is no text; skipped")
        return None
    source = SourceText(file.path, data)
    if source.encoding != "utf-8":
        warnings.append(f"{file.path}: is not UTF-8; read as {source.encoding}")
    try:
        return source, _extract(source, file.grammar)
    except TooSlow as error:
        warnings.append(f"{file.path}: {error}")
        return None


def _extract(source: SourceText, grammar: str) -> Extraction:
    if grammar == "notebook":
        return notebook_units(source)
    if grammar == "header":
        grammar = "cpp" if _CPP_SIGNS.search(_COMMENT.sub(b"", source.data)) else "c"
    if grammar != "python":
        return treesitter_units(source, grammar)
    try:
        return python_units(source)
    except NotPython3 as error:
        extraction = treesitter_units(source, "python")
        extraction.warnings = [f"is not Python 3 ({error}); read by tree-sitter"]
        return extraction


def _file_units(source: SourceText, found: Extraction, role: Role, licence: str | None) -> list[CodeUnit]:
    """Drafts of one file as units, with ids, lines and what is true of the whole file."""
    for draft in found.drafts:
        draft.line = source.line_of(draft.start)
        draft.end_line = source.line_of(max(draft.start, draft.end - 1))
    shared = Counter(draft.symbol for draft in found.drafts)
    ids: dict[Draft, str] = {}
    taken: set[str] = set()
    for draft in sorted(found.drafts, key=lambda d: (d.start, -d.end)):
        key = f"{source.path}#{draft.symbol}" + (f"@{draft.line}" if shared[draft.symbol] > 1 else "")
        ids[draft] = key if key not in taken else f"{key}:{draft.start}"
        taken.add(ids[draft])
    imports = unique(sorted(found.imports))
    return [
        CodeUnit(
            file=source.path,
            start=draft.start,
            end=draft.end,
            id=ids[draft],
            symbol=draft.symbol,
            name=draft.symbol.rpartition(".")[2],
            kind=draft.kind,
            language=found.language,
            role=unit_role(role, draft.symbol, found.language),
            line=draft.line,
            end_line=draft.end_line,
            parent=ids[draft.parent] if draft.parent else None,
            signature=draft.signature,
            docstring=draft.docstring,
            bases=unique(draft.bases),
            calls=unique(draft.calls),
            imports=imports,
            licence=licence,
            text=draft.text,
        )
        for draft in found.drafts
    ]


def _join_units(units: list[CodeUnit], declared: dict[str, str]) -> list[CodeUnit]:
    """All units in order of file and place, completed by what other files say of them.

    A method defined outside of its type (Go, C++, Rust) gets it as parent: in its file, else its folder, else
    anywhere, when there is exactly one. A C or C++ definition without a comment takes its declaration's (`declared`).
    """
    types: dict[str, list[CodeUnit]] = defaultdict(list)
    for unit in units:
        if unit.kind == "class":
            types[unit.symbol].append(unit)
    joined = []
    for unit in sorted(units, key=lambda u: (u.file, u.start, -u.end, u.symbol)):
        news: dict[str, str] = {}
        if unit.kind == "method" and unit.parent is None and (owner := _owner(unit, types)):
            news["parent"] = owner
        if not unit.docstring and unit.language in _C_FAMILY and unit.symbol in declared:
            news["docstring"] = declared[unit.symbol]
        joined.append(unit.model_copy(update=news) if news else unit)
    return joined


def _owner(method: CodeUnit, types: dict[str, list[CodeUnit]]) -> str | None:
    known = [t for t in types.get(method.symbol.rpartition(".")[0], ()) if t.language == method.language]
    folder = PurePosixPath(method.file).parent
    for near in (
        [t for t in known if t.file == method.file],
        [t for t in known if PurePosixPath(t.file).parent == folder],
        known,
    ):
        if near:
            return near[0].id if len(near) == 1 else None
    return None
