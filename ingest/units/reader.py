"""Folder of a repository → `CodeBase`. Nothing in the folder is ever run, imported or followed out of it."""

import re
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

from ingest.units.codebase import CodeBase
from ingest.units.files import Limits, SourceFilePath, source_files
from ingest.units.licences import Licences
from ingest.units.notebook import notebook_units
from ingest.units.python import NotPython3, python_units
from ingest.units.roles import file_role, unit_role
from ingest.units.source import Draft, Extraction, SourceText, decode, unique
from ingest.units.treesitter import treesitter_units
from kg.models.code import CodeUnit, Role

__all__ = ["read_units"]

README_BYTES = 200_000
_CPP_SIGNS = re.compile(rb"(?m)^\s*(class\s+\w|namespace\b|template\s*<|public:|private:|using\s)|\w::\w")


def read_units(folder: Path, *, limits: Limits | None = None) -> CodeBase:
    """All code units below `folder`. What can't be read is named in the result's `warnings`, never raised;
    only a `folder` that is no folder raises InputError."""
    limits = limits or Limits()
    warnings: list[str] = []
    licences = Licences(folder)
    units: list[CodeUnit] = []
    for file in source_files(folder, limits, warnings):
        found = _read_file(file, warnings)
        if found is None:
            continue
        source, extraction = found
        warnings += [f"{file.path}: {warning}" for warning in extraction.warnings]
        role = file_role(file.path, source.data if file.grammar != "notebook" else b"")
        units += _finished(source, extraction, role, licences.nearest(file.path, source.data))
        if len(units) > limits.units:
            warnings.append(f"{file.path}: the limit of {limits.units:,} units is reached; the rest is skipped")
            break
    units = _with_owners(sorted(units[: limits.units], key=lambda u: (u.file, u.start, -u.end, u.symbol)))
    return CodeBase(
        units=tuple(units), readme=_readme(folder), licence=licences.nearest("README"), warnings=tuple(warnings)
    )


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
    return source, _extract(source, file.grammar)


def _extract(source: SourceText, grammar: str) -> Extraction:
    if grammar == "notebook":
        return notebook_units(source)
    if grammar == "header":
        grammar = "cpp" if _CPP_SIGNS.search(source.data) else "c"
    if grammar != "python":
        return treesitter_units(source, grammar)
    try:
        return python_units(source)
    except NotPython3 as error:
        extraction = treesitter_units(source, "python")
        extraction.warnings = [f"is not Python 3 ({error}); read by tree-sitter"]
        return extraction


def _finished(source: SourceText, found: Extraction, role: Role, licence: str | None) -> list[CodeUnit]:
    """Drafts of one file with their ids, lines and file-wide facts."""
    for draft in found.drafts:
        draft.line = draft.line or source.line_of(draft.start)
        draft.end_line = draft.end_line or source.line_of(max(draft.start, draft.end - 1))
    shared = Counter(draft.symbol for draft in found.drafts)
    taken: set[str] = set()
    ids: dict[int, str] = {}
    for draft in sorted(found.drafts, key=lambda d: (d.start, -d.end)):
        key = f"{source.path}#{draft.symbol}" + (f"@{draft.line}" if shared[draft.symbol] > 1 else "")
        ids[id(draft)] = key if key not in taken else f"{key}:{draft.start}"
        taken.add(ids[id(draft)])
    imports = unique(sorted(found.imports))
    return [_unit(draft, ids, source.path, found.language, role, licence, imports) for draft in found.drafts]


def _unit(
    draft: Draft,
    ids: dict[int, str],
    path: str,
    language: str,
    role: Role,
    licence: str | None,
    imports: tuple[str, ...],
) -> CodeUnit:
    return CodeUnit(
        file=path,
        start=draft.start,
        end=draft.end,
        id=ids[id(draft)],
        symbol=draft.symbol,
        name=draft.symbol.rpartition(".")[2],
        kind=draft.kind,
        language=language,
        role=unit_role(role, draft.symbol, language),
        line=draft.line,
        end_line=draft.end_line,
        parent=ids[id(draft.parent)] if draft.parent else None,
        signature=draft.signature,
        docstring=draft.docstring,
        bases=unique(draft.bases),
        calls=unique(draft.calls),
        imports=imports,
        licence=licence,
        text=draft.text,
    )


def _with_owners(units: list[CodeUnit]) -> list[CodeUnit]:
    """Methods defined outside of their type (Go, C++) get it as parent: in the file, else its folder, else anywhere."""
    types: dict[str, list[CodeUnit]] = defaultdict(list)
    for unit in units:
        if unit.kind == "class":
            types[unit.symbol].append(unit)
    result = []
    for unit in units:
        if unit.kind == "method" and unit.parent is None:
            known = types.get(unit.symbol.rpartition(".")[0], [])
            for near in (_same_file, _same_folder, _anywhere):
                fitting = [t for t in known if t.language == unit.language and near(t, unit)]
                if len(fitting) == 1:
                    unit = unit.model_copy(update={"parent": fitting[0].id})
                if fitting:
                    break
        result.append(unit)
    return result


def _same_file(one: CodeUnit, other: CodeUnit) -> bool:
    return one.file == other.file


def _same_folder(one: CodeUnit, other: CodeUnit) -> bool:
    return PurePosixPath(one.file).parent == PurePosixPath(other.file).parent


def _anywhere(_one: CodeUnit, _other: CodeUnit) -> bool:
    return True


def _readme(folder: Path) -> str:
    """The README at the top, Markdown before others; empty if there is none."""
    found = sorted(
        (p for p in folder.iterdir() if p.name.lower().startswith("readme") and p.is_file() and not p.is_symlink()),
        key=lambda p: (p.suffix.lower() != ".md", p.name),
    )
    for path in found:
        try:
            with path.open("rb") as stream:
                return decode(stream.read(README_BYTES))[0].replace("\0", "")
        except OSError:
            continue
    return ""
