"""Folder of a repository → `CodeBase`. Nothing in the folder is ever run, imported or followed out of it."""

import re
from pathlib import Path

from agents.code.units.assemble import file_units, join_units
from agents.code.units.codebase import CodeBase
from agents.code.units.files import Limits, SourceFilePath, source_files
from agents.code.units.grammars import TooSlow
from agents.code.units.licences import Licences
from agents.code.units.notebook import notebook_units
from agents.code.units.python import NotPython3, python_units
from agents.code.units.roles import file_role
from agents.code.units.source import Extraction, SourceText, decode
from agents.code.units.treesitter import treesitter_units
from kg.models.code import CodeUnit

__all__ = ["read_units"]

README_BYTES = 200_000
_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.S)
_CPP_SIGNS = re.compile(
    rb"(?m)^[ \t]*(class[ \t]+\w+[^;]{0,300}\{|namespace\b|template[ \t]*<|(public|private|protected)[ \t]*:)"
    rb"|^[ \t]*using[ \t]+\w|\w::\w"
)


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
        units += file_units(source, extraction, role, licences.nearest(file.path, source.data))
        if len(units) > limits.units:
            warnings.append(f"{file.path}: the limit of {limits.units:,} units is reached; the rest is skipped")
            break
    units = join_units(units[: limits.units], declared)
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
