"""Imports and helpers of several replies in one file: what stands is added to, and not bound anew where it is used."""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from agents.code.modules.check import inspect_files
from agents.execution.syntax import NotPython3, parse

__all__ = ["joined", "names_of", "needed", "reached", "rebound", "unbound"]


def joined(first: str, second: str, free: Collection[str] = ()) -> str:
    """`first`, and those statements of `second`, its imports one by one, that bind only names which it does not; a name
    that is `free` may be bound by both: then by `second` alone, in its place, after what that needs of `second`."""
    try:
        standing, more = _apart(first), _apart(second)
    except NotPython3:
        return first
    if not first.strip():
        return second
    known = {name for node in standing for name in _bound(node)} - set(free)
    there, same = {ast.dump(node) for node in standing}, set(map(_meaning, standing))
    added = [
        node
        for node in more
        if not known & set(_bound(node)) or (_meaning(node) in same and ast.dump(node) not in there)
    ]
    anew = {name for node in added for name in _bound(node)} & set(free)
    if not anew & {name for node in standing for name in _bound(node)}:
        return "\n".join([first.rstrip("\n"), *map(ast.unparse, added)])
    body: list[ast.stmt] = []
    for node in standing:
        mine = set(_bound(node))
        body += [] if mine <= anew else [node]
        wanted = _closed(added, mine)
        now = [one for one in added if wanted & set(_bound(one))]
        body += now
        added = [one for one in added if one not in now]
    return "\n".join(map(ast.unparse, [*body, *added]))


def rebound(first: str, second: str, free: Collection[str] = ()) -> list[str]:
    """Names that both bind, and not by the same statement or import, but for those that are `free`."""
    try:
        standing, more = _apart(first), _apart(second)
    except NotPython3:
        return []
    same = set(map(_meaning, standing))
    known = {name for node in standing for name in _bound(node)} - set(free)
    return sorted({name for node in more if _meaning(node) not in same for name in _bound(node)} & known)


def names_of(setup: str) -> set[str]:
    """What a setup binds."""
    return {name for node in parse(setup).body for name in _bound(node)}


def needed(setup: str, sources: Iterable[str]) -> str:
    """Of a setup what tests use, directly or not: what else it has need not be there for them."""
    body = parse(setup).body
    used = reached(setup, sources)
    kept = [node for node in body if used & set(_bound(node))]
    return setup if len(kept) == len(body) else "\n".join(map(ast.unparse, kept))


def reached(setup: str, sources: Iterable[str]) -> set[str]:
    """All names that tests use, and those that these need of a setup."""
    return _closed(parse(setup).body, {name for source in sources for name in _words(parse(source))})


def unbound(setup: str, source: str, bound: Sequence[str]) -> list[str]:
    """Names that a test takes, or what it uses of a setup, and that nothing binds; `bound` are there already."""
    head = "".join(f"{name} = None\n" for name in bound)
    found = inspect_files({"written.py": "\n".join([head, needed(setup, [source]), source])})
    return [one.what for one in found if one.kind == "name"]


def _apart(setup: str) -> list[ast.stmt]:
    """The statements of a setup, of imports one for each name."""
    found: list[ast.stmt] = []
    for node in parse(setup).body:
        if isinstance(node, ast.Import):
            found += [ast.Import([alias]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
        else:
            found.append(node)
    return found


def _meaning(node: ast.stmt) -> str:
    """What is alike for statements that bind their names to the same: also ``import a.b`` and ``import a.c``."""
    if isinstance(node, ast.Import) and not node.names[0].asname:
        return f"import {node.names[0].name.partition('.')[0]}"
    return ast.dump(node)


def _closed(body: Sequence[ast.stmt], names: Collection[str]) -> set[str]:
    """Names, and all that statements need which bind them."""
    used = set(names)
    while more := {word for node in body if used & set(_bound(node)) for word in _words(node)} - used:
        used |= more
    return used


def _words(tree: ast.AST) -> Iterator[str]:
    yield from (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name))
