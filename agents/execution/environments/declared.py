"""What a repository says it needs, read as hostile text: names and version specifiers, nothing else.

No address, no editable or local install, no index option and no version control reference is ever taken; ``setup.py``
is read as a syntax tree and never run.
"""

import configparser
import contextlib
import os
import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import InvalidName, canonicalize_name

from agents.execution.environments.ci import CI_FILES, constants, installed
from agents.execution.environments.conda import read_conda
from agents.execution.environments.locks import LOCKS, locked
from agents.execution.environments.poetry import read_poetry
from agents.execution.environments.setup_py import read_setup_py
from kg.models.paper import Model

__all__ = ["Declared", "ci_variables", "read_declared"]

_LARGEST = 200_000
"""Bytes of a file that is read; a longer list of requirements is no list of requirements."""
_LARGEST_LOCK = 4_000_000
_MOST = 300
"""Requirements taken from one repository."""
_DEEPEST = 3
_OURS = {"pytest", "pip", "setuptools", "wheel", "uv", "poetry"}
"""Never locked: what runs the tests here, and what only installs."""
_TESTING = re.compile(r"test|dev|ci\b|all", re.I)
_IGNORED = re.compile(r"doc|lint|style|build|release|publish|conda|cuda|gpu|rocm", re.I)


class Declared(Model):
    """A repository's own word. `name` is its distribution's name; `requirements` those of the code, `testing` those of
    its tests and extras, as PEP 508 without addresses, one for each name; `python` is a version specifier, or "".
    `locked` are the exact versions of its lock files, also of what it does not ask for itself.
    """

    name: str = ""
    requirements: tuple[str, ...] = ()
    testing: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    python: str = ""

    @property
    def pinned(self) -> tuple[str, ...]:
        """The requirements that name one exact version."""
        return tuple(line for line in self.requirements if re.search(r"={2,3}\s*[^*\s;]+\s*(;|$)", line))

    @property
    def python_set(self) -> SpecifierSet:
        """`python` to ask whether it contains a version; without a word every version is in it."""
        return SpecifierSet(self.python)


class Reader:
    """Gathers lines of all files; the first one to name a distribution decides its versions."""

    def __init__(self, repo: Path) -> None:
        self.repo = repo.resolve()
        self.name = self.python = ""
        self.groups: dict[bool, dict[str, str]] = {False: {}, True: {}}

    def text(self, path: Path, largest: int = _LARGEST) -> str | None:
        """A regular file inside the repository, at most so many bytes of it, links not followed out of it."""
        try:
            real = path.resolve(strict=True)
            if not real.is_relative_to(self.repo):
                return None
            handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    return None
                return file.read(largest).decode("utf-8", "replace").lstrip("\ufeff").replace("\0", "")
        except (OSError, RuntimeError, ValueError):
            return None

    def add(self, line: str, *, testing: bool = False) -> None:
        """One requirement as PEP 508, its address taken away; nothing for what is not a name with versions."""
        try:
            found = Requirement(line.strip())
        except (InvalidRequirement, RecursionError):
            return
        if found.marker and not _holds(found):
            return
        name = canonicalize_name(found.name)
        if sum(map(len, self.groups.values())) >= _MOST or not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,80}", name):
            return
        extras = f"[{','.join(sorted(found.extras))}]" if found.extras else ""
        marker = f"; {found.marker}" if found.marker else ""
        self.groups[testing].setdefault(name, f"{name}{extras}{found.specifier}{marker}")

    def set_python(self, specifier_text: object) -> None:
        if self.python or not isinstance(specifier_text, str):
            return
        with contextlib.suppress(InvalidSpecifier):
            self.python = str(SpecifierSet(specifier_text))

    def _own_name(self) -> str:
        """The project's name, "" for what is none: it names a folder of the cache, and uv is asked for it."""
        try:
            return canonicalize_name(self.name, validate=True) if self.name.isascii() else ""
        except InvalidName:
            return ""

    def done(self) -> Declared:
        versions = locked({name: self.text(self.repo / name, _LARGEST_LOCK) or "" for name in LOCKS})
        main, testing = (
            {name: _at(line, versions.get(name)) for name, line in self.groups[key].items()} for key in (False, True)
        )
        project = self._own_name()
        return Declared(
            name=project,
            requirements=tuple(line for name, line in main.items() if name != project),
            testing=tuple(line for name, line in testing.items() if name not in main and name != project),
            locked=tuple(f"{name}=={version}" for name, version in sorted(versions.items()) if name not in _OURS),
            python=self.python,
        )


def read_declared(repo: Path) -> Declared:
    """The requirements of the repository in the folder `repo`; empty where it says nothing that can be understood.

    Read in this order: requirements files, pyproject.toml, setup.cfg, setup.py, environment.yml, what its CI installs.
    A lock file decides the versions of what is not pinned there.
    """
    reader = Reader(repo)
    sources: tuple[Callable[[Reader], None], ...] = (
        _requirement_files, _pyproject, _setup_cfg, _setup_py, _conda, _ci,
    )  # fmt: skip
    for source in sources:
        source(reader)
    return reader.done()


def ci_variables(repo: Path) -> dict[str, str]:
    """Variables that its CI sets for numeric libraries; see `constants`."""
    return constants(_ci_texts(Reader(repo)))


def _ci_texts(reader: Reader) -> list[str]:
    paths = sorted({path for pattern in CI_FILES for path in reader.repo.glob(pattern)})
    return [reader.text(path) or "" for path in paths[:20]]


def _ci(reader: Reader) -> None:
    for line in [*installed(_ci_texts(reader))][:_MOST]:
        reader.add(line, testing=True)


def _at(line: str, version: str | None) -> str:
    """A requirement at a locked version, if it allows it."""
    found = Requirement(line)
    if not version or not found.specifier.contains(version, prereleases=True):
        return line
    found.specifier = SpecifierSet(f"=={version}")
    return str(found)


def _holds(found: Requirement) -> bool:
    """Whether a marker may hold here; one on Python's version is left to the resolver."""
    text = str(found.marker)
    return "extra" not in text and (" or " in text or not re.search(r"== ?.(win32|Windows|darwin|Darwin)", text))


def _requirement_files(reader: Reader) -> None:
    found = [
        path
        for pattern in ("requirement*.txt", "requirement*/*.txt", "*/requirements.txt", "requirements*.in")
        for path in sorted(reader.repo.glob(pattern))
        if not any(part.startswith(".") for part in path.relative_to(reader.repo).parts)
    ]
    found.sort(key=lambda path: (len(path.relative_to(reader.repo).parts), path.name != "requirements.txt", str(path)))
    for path in found[:12]:
        name = str(path.relative_to(reader.repo))
        if not _IGNORED.search(name):
            _lines(reader, path, testing=bool(_TESTING.search(name)), depth=0)


def _lines(reader: Reader, path: Path, *, testing: bool, depth: int) -> None:
    text = reader.text(path) or ""
    for raw in re.sub(r"\\\r?\n", " ", text).splitlines()[: 4 * _MOST]:
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        line = re.sub(r"\s--(hash|config-settings|global-option|install-option)[= ].*", "", line).strip()
        nested = re.match(r"(-r|--requirement|-c|--constraint)[\s=]*(.+)", line)
        if nested and depth < _DEEPEST and nested[1] in ("-r", "--requirement"):
            _lines(reader, path.parent / nested[2].strip(), testing=testing, depth=depth + 1)
        elif line:
            reader.add(line, testing=testing)


def _pyproject(reader: Reader) -> None:
    tree = _toml(reader)
    project = _table(tree, "project")
    reader.name = reader.name or _string(project.get("name"))
    reader.set_python(project.get("requires-python"))
    _all(reader, project.get("dependencies"))
    groups = {**_table(project, "optional-dependencies"), **_table(tree, "dependency-groups")}
    for group, lines in groups.items():
        if not _IGNORED.search(str(group)):
            _all(reader, lines, testing=True)
    poetry = _table(_table(tree, "tool"), "poetry")
    reader.name = reader.name or _string(poetry.get("name"))
    for line, testing in read_poetry(poetry):
        if line.startswith("python "):
            reader.set_python(line.removeprefix("python "))
        else:
            reader.add(line, testing=testing)


def _setup_cfg(reader: Reader) -> None:
    text = reader.text(reader.repo / "setup.cfg")
    if text is None:
        return
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    reader.name = reader.name or parser.get("metadata", "name", fallback="")
    reader.set_python(parser.get("options", "python_requires", fallback=None))
    _all(reader, parser.get("options", "install_requires", fallback="").splitlines())
    extras = parser.items("options.extras_require") if parser.has_section("options.extras_require") else []
    for group, lines in extras:
        if not _IGNORED.search(group):
            _all(reader, lines.splitlines(), testing=True)


def _setup_py(reader: Reader) -> None:
    said = read_setup_py(reader.text(reader.repo / "setup.py") or "")
    reader.name = reader.name or _string(said.get("name"))
    reader.set_python(said.get("python_requires"))
    _all(reader, said.get("install_requires"))
    _all(reader, said.get("tests_require"), testing=True)
    extras = said.get("extras_require")
    for group, lines in extras.items() if isinstance(extras, dict) else ():
        if not _IGNORED.search(str(group)):
            _all(reader, lines, testing=True)


def _conda(reader: Reader) -> None:
    for path in sorted(reader.repo.glob("*env*.y*ml"))[:4]:
        for line in read_conda(reader.text(path) or ""):
            if line.startswith(("python=", "python>", "python<")):
                reader.set_python(line.removeprefix("python"))
            else:
                reader.add(line)


def _toml(reader: Reader) -> dict[str, Any]:
    try:
        return tomllib.loads(reader.text(reader.repo / "pyproject.toml") or "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _all(reader: Reader, lines: object, *, testing: bool = False) -> None:
    for line in lines if isinstance(lines, list | tuple) else ():
        if isinstance(line, str) and line.strip() and not line.strip().startswith("#"):
            reader.add(line, testing=testing)


def _table(tree: dict[str, Any], key: str) -> dict[str, Any]:
    value = tree.get(key)
    return value if isinstance(value, dict) else {}


def _string(value: object) -> str:
    return value[:100] if isinstance(value, str) else ""
