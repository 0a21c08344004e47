"""A project's own wheel: the data files that its repository does not hold."""

import os
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name

from agents.environments.dating import python_of_date
from agents.environments.interpreters import find_interpreters
from agents.environments.models import EnvironmentFailed, Interpreter
from agents.environments.uv import NoNetwork, run_uv
from kg.caching import building, locked
from kg.config import Settings

__all__ = ["own_files"]

_SECONDS = 180.0
_AFTER = timedelta(days=180)
"""A release may come so long after the commit."""
_LARGEST = 50_000_000
"""Bytes of all data files together."""
_CODE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".dll", ".dylib", ".pth", ".exe", ".sh")


def own_files(repo: Path, name: str, when: date | None, settings: Settings) -> tuple[str, dict[str, bytes]]:
    """("name==version", files): data files of the distribution `name` that `repo` lacks, by their place in `repo`.

    Nothing if there is no such wheel, if no index answers, or if less than half of its modules are in the repository:
    then it is another project by that name.
    """
    found = _unpacked(name, when, settings)
    if not found:
        return "", {}
    origin, site = found
    files: dict[str, bytes] = {}
    total = 0
    for package in sorted(entry for entry in site.iterdir() if entry.is_dir() and entry.name.isidentifier()):
        home = _home(repo, package)
        for file in _data(package) if home else ():
            target = home / file.relative_to(package) if home else file
            size = file.stat().st_size
            if target.exists() or total + size > _LARGEST or not target.parent.resolve().is_relative_to(repo.resolve()):
                continue
            total += size
            files[target.relative_to(repo).as_posix()] = file.read_bytes()
    return origin, files


def _unpacked(name: str, when: date | None, settings: Settings) -> tuple[str, Path] | None:
    """The wheel's "name==version" and folder, kept in the cache."""
    name = canonicalize_name(name)
    final = settings.cache / "environments" / "own" / f"{name}@{when or 'newest'}"
    with locked(settings.cache, f"own wheel {final.name}"):
        if not final.is_dir():
            with building(final) as new:
                if not _install(name, when, new, settings):
                    (new / "site").mkdir(exist_ok=True)
    information = next((final / "site").glob("*.dist-info"), None)
    if not information:
        return None
    return "==".join(information.name.removesuffix(".dist-info").split("-")[:2]), final / "site"


def _install(name: str, when: date | None, folder: Path, settings: Settings) -> bool:
    pythons = [one for one in find_interpreters(settings.pythons) if one.key >= (3, 6)]
    tries: list[tuple[Interpreter, list[str]]] = []
    if when and pythons:
        tries.append((python_of_date(pythons, when), ["--exclude-newer", str(when + _AFTER)]))
    tries += [(one, []) for one in pythons[-1:]]
    for python, dated in tries:
        try:
            run_uv(
                "pip", "install", name, "--no-deps", "--no-build", "--target", "site", "--quiet",
                "--python", str(python.executable), *dated,
                folder=folder, seconds=_SECONDS,
            )  # fmt: skip
        except NoNetwork:
            raise
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


def _data(package: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            file = Path(folder) / name
            if not name.endswith(_CODE) and file.is_file() and not file.is_symlink():
                yield file
