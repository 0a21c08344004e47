"""From requirements to a lock: exact versions, wheels and their hashes, or what can't be met and why."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.environments.models import EnvironmentFailed, EnvironmentSpec, Interpreter
from agents.environments.names import table
from agents.environments.uv import Unresolvable, run_uv

__all__ = ["Lock", "resolve"]

_SECONDS = 120.0
_ROUNDS = 60


@dataclass(frozen=True)
class Lock:
    """What will be installed: `text` is a pylock.toml with hashes, `packages` version by name, `download` bytes."""

    text: str
    packages: dict[str, str]
    download: int
    dropped: tuple[str, ...] = ()
    loosened: tuple[str, ...] = ()


@dataclass
class _Kept:
    """The requirements that go together so far, and what became of the others."""

    lines: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    loosened: list[str] = field(default_factory=list)


def resolve(spec: EnvironmentSpec, python: Interpreter, folder: Path) -> Lock:
    """The newest wheels that meet `spec` on `python`; `folder` is uv's working folder.

    What has no wheel here at all, or contradicts what stands before it in `spec.requirements`, is taken without its
    version specifier if that helps, else dropped; both are told in the lock. Raises EnvironmentFailed if nothing is
    left of a spec that asked for something, NoNetwork if no index answers.
    """
    lines = sorted(spec.requirements, key=_rank)
    try:
        return _compile(lines, spec.before, python, folder)
    except Unresolvable as error:
        if not lines:
            raise
        reason = error
    kept = _partial(lines, spec.before, python, folder)
    if not kept.lines:
        raise EnvironmentFailed(
            f"none of {len(lines)} requirements can be met on Python {python.version}", where=reason.what
        )
    lock = _compile(kept.lines, spec.before, python, folder)
    return Lock(lock.text, lock.packages, lock.download, tuple(kept.dropped), tuple(kept.loosened))


def _partial(lines: Sequence[str], before: date | None, python: Interpreter, folder: Path) -> _Kept:
    """Halves that go together are taken at once, the others taken apart: few rounds where one line is to blame."""
    kept = _Kept()
    waiting = [list(lines)]
    while waiting:
        group = waiting.pop(0)
        try:
            _compile([*kept.lines, *group], before, python, folder)
        except Unresolvable as error:
            if len(group) > 1:
                middle = len(group) // 2
                waiting[:0] = [group[:middle], group[middle:]]
            else:
                _loosen(group[0], error, kept, before, python, folder)
        else:
            kept.lines += group
    return kept


def _loosen(
    line: str, error: Unresolvable, kept: _Kept, before: date | None, python: Interpreter, folder: Path
) -> None:
    bare = bare_name(line)
    if bare != line:
        try:
            _compile([*kept.lines, bare], before, python, folder)
        except Unresolvable as again:
            error = again
        else:
            kept.lines.append(bare)
            kept.loosened.append(f"{line}: {error.what}")
            return
    kept.dropped.append(f"{line}: {error.what}")


def bare_name(line: str) -> str:
    """A requirement without its versions: the name and its extras."""
    requirement = Requirement(line)
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    return f"{requirement.name}{extras}"


def _rank(line: str) -> tuple[bool, str]:
    """The numeric stack first: where two contradict each other, it stays."""
    name = canonicalize_name(Requirement(line).name)
    return name not in table()["numeric"]["names"], line


def _compile(lines: Sequence[str], before: date | None, python: Interpreter, folder: Path) -> Lock:
    source, target = folder / "requirements.in", folder / "pylock.toml"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    target.unlink(missing_ok=True)
    dated = [
        part
        for name in (table()["numeric"]["names"] if before else ())
        for part in ("--exclude-newer-package", f"{name}={before}")
    ]
    run_uv(
        "pip", "compile", source.name, "--output-file", target.name, "--format", "pylock.toml", "--quiet",
        "--no-build", "--no-header", "--no-annotate", "--python", str(python.executable), *dated,
        folder=folder, seconds=_SECONDS,
    )  # fmt: skip
    text = target.read_text("utf-8")
    return read_lock(text)


def read_lock(text: str) -> Lock:
    """A pylock.toml as uv writes it. Raises EnvironmentFailed if a package has no wheel in it."""
    packages: dict[str, str] = {}
    download = 0
    for package in tomllib.loads(text).get("packages", []):
        wheels: list[dict[str, Any]] = package.get("wheels", [])
        if not wheels:
            raise EnvironmentFailed(f"{package['name']} has no wheel", remedy="only wheels are installed")
        packages[package["name"]] = package.get("version", "")
        download += int(wheels[0].get("size", 0))
    return Lock(text, dict(sorted(packages.items())), download)


def stable(text: str) -> str:
    """What of a lock decides the environment: names, versions and hashes, not addresses nor dates."""
    rows = []
    for package in tomllib.loads(text).get("packages", []):
        hashes = sorted(wheel.get("hashes", {}).get("sha256", wheel.get("path", "")) for wheel in package["wheels"])
        rows.append(f"{package['name']}=={package.get('version', '')} {' '.join(hashes)}")
    return re.sub(r"\s+$", "", "\n".join(sorted(rows)))
