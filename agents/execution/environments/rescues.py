"""Files that a repository lacks although its code needs them, from where its own build would have taken them."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path, PurePosixPath

from agents.execution.environments.declared import Reader, read_declared
from agents.execution.environments.own_wheel import own_files
from agents.execution.sandbox.interpreter import Interpreter
from agents.execution.syntax import NotPython3, parse
from kg.config import Settings
from kg.models.paper import Model

__all__ = ["Rescue", "rescues", "version_stubs"]

_MOST_FILES = 5000
_NUMBER = "0.0.0"
_NAMES = {
    **dict.fromkeys(("__version__", "version", "VERSION", "short_version", "full_version"), f'"{_NUMBER}"'),
    **dict.fromkeys(("__version_tuple__", "version_tuple", "version_info"), "(0, 0, 0)"),
    **dict.fromkeys(("commit_id", "__commit_id__", "git_revision", "git_version"), '""'),
}
_TEXT = '"""A stand-in for the file that the build would have generated."""\n\n' + "".join(
    f"{name} = {value}\n" for name, value in sorted(_NAMES.items())
)
_TEXT += (
    '\n\ndef get_versions():\n    return {"version": "0.0.0", "full-revisionid": "", "dirty": False, "error": None}\n'
)


class Rescue(Model):
    """What to add to a copy of a repository: `files` (path in it to content), and `taken` (path in it to path in the
    folder `site`). `name` is stored with the verdict."""

    name: str
    files: dict[str, bytes] = {}
    taken: dict[str, str] = {}
    site: Path | None = None


def rescues(repo: Path, when: date | None, settings: Settings, python: Interpreter | None = None) -> tuple[Rescue, ...]:
    """What can be added to a copy of the repository in `repo`; never anything in the place of a file that it has.

    "version stub": modules named like a version, imported by the repository and missing in it, which setuptools_scm,
    versioneer and their kin generate. "package metadata": what lets code ask for the version of its own package, that
    is not installed. "own wheel NAME==VERSION": data files, and modules compiled for `python`, that the project's wheel
    of the time `when` holds where the repository has none; only if most of the wheel's modules are the repository's.
    """
    found = []
    stubs = version_stubs(repo)
    if stubs:
        found.append(Rescue(name="version stub", files=stubs))
    name = read_declared(repo).name
    if not name:
        return tuple(found)
    found.append(Rescue(name="package metadata", files=_metadata(name)))
    own = own_files(repo, name, when, settings, python)
    if own and own.files:
        found.append(Rescue(name=f"own wheel {own.origin}", taken=own.files, site=own.site))
    return tuple(found)


def _metadata(name: str) -> dict[str, bytes]:
    folder = f"{re.sub(r'[-_.]+', '_', name)}-{_NUMBER}.dist-info"
    return {f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {_NUMBER}\n".encode()}


def version_stubs(repo: Path) -> dict[str, bytes]:
    """Modules that the repository imports a version from, and that only its build would generate: path to content."""
    return {path: _TEXT.encode() for path in sorted(set(_missing_versions(repo)))}


def _missing_versions(repo: Path) -> Iterator[str]:
    """Paths of version modules that a file imports by names which a stand-in can give, and that are not there."""
    reader = Reader(repo)
    for number, file in enumerate(sorted(repo.rglob("*.py"))):
        if number >= _MOST_FILES:
            return
        text = reader.text(file)
        if text is None or "version" not in text or "import" not in text:
            continue
        home = PurePosixPath(file.relative_to(repo).as_posix()).parent
        for node in _imports(text):
            for path in _places(node, home, repo):
                if not (repo / f"{path}.py").exists() and not (repo / path).exists() and (repo / path).parent.is_dir():
                    yield f"{path}.py"


def _imports(text: str) -> Iterator[ast.ImportFrom]:
    try:
        tree = parse(text)
    except NotPython3:
        return
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))


def _places(node: ast.ImportFrom, home: PurePosixPath, repo: Path) -> Iterator[PurePosixPath]:
    """Where the version module that `node` imports from would lie, without its suffix."""
    names = {alias.name for alias in node.names}
    module = node.module or ""
    if node.level and not module:
        wanted = [name for name in names if "version" in name and name not in _NAMES and name.isidentifier()]
    elif "version" in module.rpartition(".")[2] and names <= {*_NAMES, "get_versions", "*"}:
        wanted = [module]
    else:
        return
    for name in wanted:
        parts = name.split(".")
        if node.level:
            yield _up(home, node.level, parts)
        elif len(parts) > 1:
            roots = [PurePosixPath(), PurePosixPath("src"), *home.parents]
            here = [root for root in dict.fromkeys(roots) if (repo / root / parts[0] / "__init__.py").is_file()]
            yield from (root.joinpath(*parts) for root in here[:1])


def _up(home: PurePosixPath, level: int, parts: list[str]) -> PurePosixPath:
    for _ in range(level - 1):
        home = home.parent
    return home.joinpath(*parts)
