"""A project's own wheel: the data files and compiled modules that its repository does not hold."""

import os
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name

from agents.execution.environments.dating import python_of_date
from agents.execution.environments.interpreters import find_interpreters
from agents.execution.environments.models import EnvironmentFailed
from agents.execution.environments.uv import NoNetwork, run_uv
from agents.execution.sandbox.interpreter import Interpreter
from kg.caching import building, locked
from kg.config import Settings
from kg.models.paper import Model

__all__ = ["OwnFiles", "own_files"]

_SECONDS = 180.0
_AFTER = timedelta(days=180)
"""A release may come so long after the commit."""
_LARGEST = 50_000_000
"""Bytes of all files of a kind together."""
_CODE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".dll", ".dylib", ".pth", ".exe", ".sh")
_LIBRARIES = re.compile(r"\.libs$")


class OwnFiles(Model):
    """What the wheel `origin` ("name==version"), unpacked in `site`, has and the repository lacks: path in the
    repository to path in `site`, of data files, and of compiled modules with the libraries that they link."""

    origin: str
    site: Path
    files: dict[str, str]


def own_files(
    repo: Path, name: str, when: date | None, settings: Settings, python: Interpreter | None = None
) -> OwnFiles | None:
    """What the distribution `name`, in its release of the time `when`, has for `python` and `repo` lacks.

    None if there is no such wheel, if no index answers, or if less than half of its modules are in the repository:
    then it is another project by that name. Compiled modules are only taken where the repository has the package that
    they belong to, and for this very `python`. Raises InvalidName for what is no name of a distribution.
    """
    found = _unpacked(name, when, python, settings)
    if not found:
        return None
    origin, site = found
    lacking: dict[str, str] = {}
    for package in sorted(entry for entry in site.iterdir() if entry.is_dir() and entry.name.isidentifier()):
        home = _home(repo, package)
        if home is None:
            continue
        lacking |= _lacking(repo, home, site, _files(package, package, code=False))
        modules = _lacking(repo, home, site, _fitting(_files(package, package, code=True), python))
        if modules:
            linked = [folder for folder in sorted(site.iterdir()) if _LIBRARIES.search(folder.name)]
            beside = {file: base for folder in linked for file, base in _files(folder, site, code=True).items()}
            lacking |= modules | _lacking(repo, home.parent, site, beside)
    return OwnFiles(origin=origin, site=site, files=lacking)


def _lacking(repo: Path, home: Path, site: Path, files: dict[Path, Path]) -> dict[str, str]:
    """Of files with the folder that corresponds to `home` those that are not there, up to `_LARGEST` bytes."""
    found: dict[str, str] = {}
    total = 0
    for file, base in files.items():
        target = home / file.relative_to(base)
        size = file.stat().st_size
        nearest = next(folder for folder in target.parents if os.path.lexists(folder))
        inside = nearest.is_dir() and nearest.resolve().is_relative_to(repo.resolve())
        if os.path.lexists(target) or total + size > _LARGEST or not inside:
            continue
        total += size
        found[target.relative_to(repo).as_posix()] = file.relative_to(site).as_posix()
    return found


def _fitting(files: dict[Path, Path], python: Interpreter | None) -> dict[Path, Path]:
    """Compiled modules that this Python would load."""
    tag = f".cpython-{python.minor.replace('.', '')}" if python else ".cpython-"
    modules = {file: base for file, base in files.items() if file.name.endswith(".so")}
    return {file: base for file, base in modules.items() if tag in file.name or ".cpython-" not in file.name}


def _unpacked(name: str, when: date | None, python: Interpreter | None, settings: Settings) -> tuple[str, Path] | None:
    """The wheel's "name==version" and folder, kept in the cache."""
    name = canonicalize_name(name, validate=True)
    final = settings.cache / "environments" / "own" / f"{name}@{when or 'newest'}@{python.minor if python else 'any'}"
    with locked(settings.cache, f"own wheel {final.name}"):
        if not final.is_dir():
            try:
                with building(final) as new:
                    if not _install(name, when, python, new, settings):
                        (new / "site").mkdir(exist_ok=True)
            except NoNetwork:
                return None
    information = next((final / "site").glob("*.dist-info"), None)
    if not information:
        return None
    return "==".join(information.name.removesuffix(".dist-info").split("-")[:2]), final / "site"


def _install(name: str, when: date | None, python: Interpreter | None, folder: Path, settings: Settings) -> bool:
    pythons = [one for one in find_interpreters(settings.execution.pythons) if one.key >= (3, 6)]
    dated = ["--exclude-newer", str(when + _AFTER)] if when else []
    tries: list[tuple[Interpreter, list[str]]] = []
    if python:
        tries += [(python, dated), (python, [])]
    if when and pythons:
        tries.append((python_of_date(pythons, when), dated))
    tries += [(one, []) for one in pythons[-1:]]
    for one, limits in tries:
        try:
            run_uv(
                "pip", "install", name, "--no-deps", "--no-build", "--target", "site", "--quiet",
                "--python", str(one.executable), *limits,
                folder=folder, seconds=_SECONDS, more={"UV_HTTP_RETRIES": "1"},
            )  # fmt: skip
        except EnvironmentFailed:
            continue
        return True
    return False


def _home(repo: Path, package: Path) -> Path | None:
    """The folder of the repository that is the wheel's package, by its name and by most of its modules."""
    modules = [file.relative_to(package) for file in package.rglob("*.py")]
    for place in (repo / package.name, repo / "src" / package.name, *sorted(repo.glob(f"*/{package.name}"))):
        if place.is_dir() and not place.is_symlink() and modules:
            same = sum((place / module).is_file() for module in modules)
            if 2 * same >= len(modules):
                return place
    return None


def _files(folder: Path, base: Path, *, code: bool) -> dict[Path, Path]:
    """Regular files below `folder`, each with `base`: those that are code, or those that are not."""
    return {file: base for file in _walk(folder) if file.name.endswith(_CODE) is code or _LIBRARIES.search(folder.name)}


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        files = (Path(place) / name for name in sorted(names))
        yield from (file for file in files if file.is_file() and not file.is_symlink())
