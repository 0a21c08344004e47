"""The files that a module needs besides its own texts: data read by a name that is written in it, and what only the
project's own wheel has, since no build makes it here."""

import ast
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from agents.code.modules.pyfile import Statement
from agents.code.units.files import LANGUAGES
from agents.execution.environments import Rescue

__all__ = ["DataFiles", "wheel_parts"]

MAX_FILES = 100
MAX_NAME = 300
MAX_NAMES = 2_000
"""String literals of one statement that are looked for."""


class DataFiles:
    """Remembers for each statement which regular files below `folder` its string literals name.

    A name is looked for from the file's own folder, the folders above it, and the top; parts that are joined
    (``os.path.join("data", "x.csv")``, ``here / "data" / "x.csv"``) count together. Links are never followed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[Statement, frozenset[str]] = {}

    def of(self, statements: Iterable[Statement]) -> tuple[str, ...]:
        """The paths that the statements name, sorted, at most `MAX_FILES`."""
        found: set[str] = set()
        for statement in statements:
            if statement not in self._known:
                self._known[statement] = frozenset(self._of(statement))
            found |= self._known[statement]
        return tuple(sorted(found)[:MAX_FILES])

    def _of(self, statement: Statement) -> set[str]:
        found: set[str] = set()
        home = PurePosixPath(statement.file.path).parent
        for name in sorted(_names(statement.node))[:MAX_NAMES]:
            places = (_inside(above, name) for above in (home, *home.parents))
            path = next((p for p in places if p and _is_plain(self.folder, p)), None)
            if path and PurePosixPath(path).suffix.lower() not in LANGUAGES:
                found.add(path)
        return found


def _names(statement: ast.stmt) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
        elif isinstance(node, ast.Call):
            names.add("/".join(_literals(node.args)))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts: list[ast.expr] = []
            part: ast.expr = node
            while isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
                parts.insert(0, part.right)
                part = part.left
            names.add("/".join(_literals([part, *parts])))
    return {name for name in names if name and len(name) <= MAX_NAME and "\0" not in name and "\n" not in name}


def _literals(nodes: Iterable[ast.expr]) -> list[str]:
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _inside(home: PurePosixPath, name: str) -> str | None:
    """The path of `name` seen from `home`, None if it leaves the repository."""
    if name.startswith("/"):
        return None
    parts: list[str] = []
    for part in (*home.parts, *PurePosixPath(name).parts):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) or None


def _is_plain(folder: Path, path: str) -> bool:
    """Whether a path leads to a regular file without passing a link."""
    at = folder
    try:
        for part in PurePosixPath(path).parts:
            at = at / part
            if at.is_symlink():
                return False
        return at.is_file()
    except OSError:
        return False


def wheel_parts(files: Iterable[str], rescued: Iterable[Rescue]) -> dict[str, Path]:
    """Place in the module → file of the wheel, for each of the wheel's files that belongs to a package of the module.

    `files` are the module's paths. The folder that a repository keeps its packages in ("src") is no part of them.
    """
    packages = {path.partition("/")[0] for path in files if "/" in path}
    found: dict[str, Path] = {}
    for rescue in rescued:
        for target, source in rescue.taken.items() if rescue.site else ():
            parts = target.split("/")
            start = next((i for i, part in enumerate(parts[:-1]) if part.removesuffix(".libs") in packages), None)
            if start is not None and rescue.site:
                found["/".join(parts[start:])] = rescue.site / source
    return found
