"""The Pythons of this machine, each asked for its version; none is ever downloaded."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from agents.execution.environments.models import EnvironmentFailed
from agents.execution.sandbox.interpreter import Interpreter, ask

__all__ = ["find_interpreters", "interpreter"]

_NAME = re.compile(r"python(\d(\.\d+)?)?")


def interpreter(version: str, extra: Iterable[Path] = ()) -> Interpreter:
    """The Python whose version starts with `version` ("3.8", "3.8.18"). Raises EnvironmentFailed if there is none."""
    found = find_interpreters(tuple(extra))
    for one in found:
        if one.version == version or one.version.startswith(f"{version}."):
            return one
    here = ", ".join(one.version for one in found)
    raise EnvironmentFailed(
        f"there is no Python {version} on this machine",
        where=f"found {here}",
        remedy=f"install it (`uv python install {version}`), or take another",
    )


@cache
def find_interpreters(extra: tuple[Path, ...] = ()) -> tuple[Interpreter, ...]:
    """One Python for each minor version, oldest first: the one that runs xkg for its own, else the newest patch.

    Looked for in `extra` (programs), PATH, the system's folders, and the folders of pyenv, uv and conda. Each is run
    once, isolated, to tell its version: what can't be run (pyenv's shims of versions that are off) is not there.
    """
    best: dict[str, Interpreter] = {}
    for program in _candidates(extra):
        found = _probe(program)
        if not found:
            continue
        known = best.get(found.minor)
        ours = found.prefix == Path(sys.base_prefix).resolve()
        if not known or ours or (known.prefix != Path(sys.base_prefix).resolve() and found.key > known.key):
            best[found.minor] = found
    return tuple(sorted(best.values(), key=lambda one: one.key))


def _candidates(extra: tuple[Path, ...]) -> Iterator[Path]:
    """Programs that may be Pythons, each real file once."""
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT", home / ".pyenv"))
    managed = Path(os.environ.get("UV_PYTHON_INSTALL_DIR", home / ".local/share/uv/python"))
    places = [
        Path(getattr(sys, "_base_executable", sys.executable)).parent,
        *(Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place),
        Path("/usr/local/bin"),
        Path("/usr/bin"),
        *_below(pyenv / "versions"),
        *_below(managed),
        *(place for name in ("miniconda3", "anaconda3", "miniforge3") for place in _below(home / name / "envs")),
    ]
    seen: set[Path] = set()
    programs = [*extra, *(program for place in places for program in _pythons(place))]
    for program in programs:
        try:
            real = program.resolve(strict=True)
        except OSError:
            continue
        if real not in seen and os.access(real, os.X_OK):
            seen.add(real)
            yield real


def _below(folder: Path) -> list[Path]:
    """The folders of programs of the versions in `folder`; none where it can't be read (another user's, or absent)."""
    try:
        return sorted(version / "bin" for version in folder.iterdir())
    except OSError:
        return []


def _pythons(place: Path) -> list[Path]:
    if place.name == "shims":
        return []
    try:
        return sorted(program for program in place.iterdir() if _NAME.fullmatch(program.name))
    except OSError:
        return []


def _probe(program: Path) -> Interpreter | None:
    try:
        found, final = ask(program)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return found if final else None
