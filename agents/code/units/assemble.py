"""Drafts of files become the units of a repository: ids, parents, documentation from headers."""

from collections import Counter, defaultdict
from pathlib import PurePosixPath

from agents.code.units.roles import unit_role
from agents.code.units.source import Draft, Extraction, SourceText, unique
from kg.models.code import CodeUnit, Role

__all__ = ["file_units", "join_units"]

_C_FAMILY = {"c", "c++", "cuda"}


def file_units(source: SourceText, found: Extraction, role: Role, licence: str | None) -> list[CodeUnit]:
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


def join_units(units: list[CodeUnit], declared: dict[str, str]) -> list[CodeUnit]:
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
