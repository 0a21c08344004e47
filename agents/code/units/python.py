"""Units of Python files by the standard `ast`: functions, classes, methods and runs of module-level code.

A function inside a function belongs to the outer one; definitions under ``if``, ``try``, ``with`` and loops count as
if they stood there bare. Module-level code between definitions becomes a "script" unit, ``<module>``, when it does
something: at least `SCRIPT_STATEMENTS` statements that are not imports, docstrings or assignments of literals.
"""

import ast
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import TypeGuard

from agents.code.units.source import MAX_NESTING, Draft, Extraction, SourceText, one_line
from agents.execution.syntax import parse

__all__ = ["SCRIPT_STATEMENTS", "python_units"]

SCRIPT_STATEMENTS = 3
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_units(source: SourceText, script_statements: int = SCRIPT_STATEMENTS) -> Extraction:
    """Units of one file; module-level code counts from `script_statements` on. NotPython3 when `ast` refuses it."""
    bom = 3 if source.data.startswith(b"\xef\xbb\xbf") else 0
    tree = parse(source.text(bom))
    reader = _Reader(source, bom, script_statements)
    reader.walk(tree)
    found = Extraction("python", reader.drafts, reader.imports)
    if found.drafts and (doc := ast.get_docstring(tree)) and found.drafts[0].kind == "script":
        found.drafts[0].docstring = doc
    return found


class _Reader:
    """Collects drafts while walking statements with a stack of its own: hostile nesting costs memory, not the stack."""

    def __init__(self, source: SourceText, bom: int, script_statements: int) -> None:
        self.source, self.bom, self.script_statements = source, bom, script_statements
        self.drafts: list[Draft] = []
        self.imports: list[str] = []
        self.columns: dict[int, list[int]] = {}

    def offset(self, line: int, column: int) -> int:
        """Byte of the file at ast's position: `column` counts UTF-8 bytes of the decoded line."""
        start = self.source.line_starts[line - 1] + (self.bom if line == 1 else 0)
        if self.source.encoding == "utf-8":
            return start + column
        if line not in self.columns:
            ending = self.source.line_starts[line] if line < len(self.source.line_starts) else None
            self.columns[line] = list(accumulate(1 + (byte > 0x7F) for byte in self.source.data[start:ending]))
        return start + bisect_right(self.columns[line], column)

    def span(self, first: ast.stmt, last: ast.stmt) -> tuple[int, int]:
        opening: ast.AST = first
        if isinstance(first, Definition) and first.decorator_list:
            opening = first.decorator_list[0]
        start = self.offset(opening.lineno, opening.col_offset)  # type: ignore[attr-defined]  # statements and expressions
        if opening is not first:
            start = self.source.data.rfind(b"@", 0, start)
        return start, self.offset(last.end_lineno or last.lineno, last.end_col_offset or 0)

    def walk(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.imports += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                separator = "." if node.module else ""
                self.imports += [module if a.name == "*" else module + separator + a.name for a in node.names]
        self.scripts(tree.body)
        pending: list[tuple[ast.stmt, Draft | None]] = [(stmt, None) for stmt in tree.body]
        while pending:
            stmt, parent = pending.pop()
            if parent and parent.symbol.count(".") >= MAX_NESTING:
                continue
            if isinstance(stmt, ast.ClassDef):
                draft = self.add(stmt, "class", parent)
                pending += [(inner, draft) for inner in stmt.body]
            elif isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef) or lambda_name(stmt):
                self.add(stmt, "method" if parent else "function", parent)
            else:
                pending += [(inner, parent) for inner in inner_statements(stmt)]

    def add(self, stmt: ast.stmt, kind: str, parent: Draft | None) -> Draft:
        name = stmt.name if isinstance(stmt, Definition) else lambda_name(stmt)
        start, end = self.span(stmt, stmt)
        draft = Draft(
            symbol=f"{parent.symbol}.{name}" if parent else name,
            kind="class" if kind == "class" else "method" if kind == "method" else "function",
            start=start,
            end=end,
            text=self.source.text(start, end),
            parent=parent,
            calls=calls_of([stmt], into_definitions=kind != "class"),
        )
        if isinstance(stmt, Definition):
            draft.docstring = ast.get_docstring(stmt) or ""
            draft.signature = self.signature(stmt)
        if isinstance(stmt, ast.ClassDef):
            draft.bases = [name for base in stmt.bases if (name := dotted(base))]
        self.drafts.append(draft)
        return draft

    def signature(self, stmt: Definition) -> str:
        """The header without its colon, which is the first one after the last argument, base or return type."""
        start = self.offset(stmt.lineno, stmt.col_offset)
        if isinstance(stmt, ast.ClassDef):
            header: list[ast.AST] = [*stmt.bases, *stmt.keywords]
        else:
            header = [*ast.iter_child_nodes(stmt.args), *([stmt.returns] if stmt.returns else [])]
        ends = [self.offset(n.end_lineno, n.end_col_offset) for n in header]  # type: ignore[attr-defined]  # all have places
        last = max([start, *ends])
        colon = self.source.data.find(b":", last)
        return one_line(self.source.text(start, colon if colon >= 0 else last))

    def scripts(self, body: list[ast.stmt]) -> None:
        """Each run of statements between definitions, when it does something, is a unit."""
        run: list[ast.stmt] = []
        for stmt in [*body, None]:
            if stmt is not None and not holds_definition(stmt):
                run.append(stmt)
                continue
            while run and not weight(run[0]):
                run.pop(0)
            while run and not weight(run[-1]):
                run.pop()
            if sum(map(weight, run)) >= self.script_statements:
                start, end = self.span(run[0], run[-1])
                text = self.source.text(start, end)
                self.drafts.append(Draft("<module>", "script", start, end, text, calls=calls_of(run)))
            run = []


def inner_statements(stmt: ast.stmt) -> Iterator[ast.stmt]:
    """Statements that a compound statement holds at the next level."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(stmt, name, ())
    for part in (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())):
        yield from part.body


def holds_definition(stmt: ast.stmt) -> bool:
    """Whether `stmt` is a unit of its own or holds one."""
    pending = [stmt]
    while pending:
        inner = pending.pop()
        if isinstance(inner, Definition) or lambda_name(inner):
            return True
        pending += inner_statements(inner)
    return False


def weight(stmt: ast.stmt) -> int:
    """How many statements in `stmt` do something; 0 for imports, docstrings and assignments of literals."""
    total, pending = 0, [stmt]
    while pending:
        inner = pending.pop()
        if isinstance(inner, ast.Import | ast.ImportFrom | ast.Pass):
            continue
        if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant):
            continue
        if isinstance(inner, ast.Assign | ast.AnnAssign) and is_literal(inner.value):
            continue
        total += 1
        pending += inner_statements(inner)
    return total


def is_literal(value: ast.expr | None) -> bool:
    """Whether an assigned value is data written out: no name is called in it."""
    return value is None or not any(isinstance(node, ast.Call) for node in ast.walk(value))


def lambda_name(stmt: ast.stmt) -> str:
    """The name of ``name = lambda …``, else an empty string."""
    if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Lambda) and len(stmt.targets) == 1:
        return stmt.targets[0].id if isinstance(stmt.targets[0], ast.Name) else ""
    return ""


def is_unit(node: ast.AST) -> TypeGuard[Definition]:
    return isinstance(node, Definition)


def calls_of(statements: list[ast.stmt], into_definitions: bool = True) -> list[str]:
    """Called names in order of place; without `into_definitions`, those of definitions in the body are left out."""
    found: list[tuple[int, int, str]] = []
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and (name := dotted(node.func)):
            found.append((node.lineno, node.col_offset, name))
        for child in ast.iter_child_nodes(node):
            if into_definitions or not is_unit(child):
                pending.append(child)
    return [name for _, _, name in sorted(found)]


def dotted(node: ast.expr) -> str:
    """``a.b.c`` of a name or attribute chain; what stands before a call or subscript is left out."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))
