"""From requirements to a lock: exact versions, wheels and their hashes, or what can't be met and why."""

import contextlib
import re
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.execution.environments.cuda import without_cuda
from agents.execution.environments.models import EnvironmentFailed, EnvironmentSpec
from agents.execution.environments.names import table
from agents.execution.environments.sdists import build_wheel
from agents.execution.environments.uv import Unresolvable, indexes, run_uv
from agents.execution.sandbox.interpreter import Interpreter
from kg.config import Settings
from kg.errors import ServiceError
from kg.models.paper import Model

__all__ = ["WHEELS", "Lock", "found_in", "resolve"]

MOST_BUILT = 8
"""Rounds of building wheels for one requirement: what is built may need more that has none."""
WHEELS = "wheels"
"""The folder of wheels that were built here, in the folder in which uv works."""
INDEX_SECONDS = 20.0
"""Seconds in which torch's index of CPU builds must answer."""


class Lock(Model):
    """What will be installed: `text` is a pylock.toml with hashes, `packages` version by name, `download` bytes.

    torch is the build of torch's own `cpu_index`, or the CUDA build `without_cuda`'s libraries. `built` are wheels that
    were built here, of packages that have none.
    """

    text: str
    packages: dict[str, str]
    download: int
    dropped: tuple[str, ...] = ()
    loosened: tuple[str, ...] = ()
    built: tuple[Path, ...] = ()
    cpu_index: bool = False
    without_cuda: bool = False

    def pinned(self) -> list[str]:
        """The lock as requirements with hashes: of a pylock.toml uv fetches every wheel anew, of these none twice."""
        rows = []
        for package in tomllib.loads(self.text).get("packages", []):
            digests = [wheel.get("hashes", {}).get("sha256") for wheel in package["wheels"]]
            hashes = "".join(f" --hash=sha256:{digest}" for digest in digests) if all(digests) else ""
            rows.append(f"{package['name']}=={package['version']}{hashes}")
        return rows


@dataclass
class _Kept:
    """The requirements that go together so far, and what became of the others."""

    lines: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    loosened: list[str] = field(default_factory=list)
    built: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class _Job:
    """What stays the same in all rounds of one resolution."""

    before: date | None
    python: Interpreter
    folder: Path
    settings: Settings
    locked: tuple[str, ...] = ()


def resolve(spec: EnvironmentSpec, python: Interpreter, folder: Path, settings: Settings) -> Lock:
    """The newest wheels that meet `spec` on `python`; `folder` is uv's working folder.

    What is published as sources alone is built in the sandbox. What has no wheel then, or contradicts what stands
    before it, is taken in another version or by another distribution of the same import if that helps, else dropped;
    all is told in the lock. The numeric stack stands first. Raises EnvironmentFailed if nothing is left of a spec that
    asked for something, NoNetwork if no index answers.
    """
    job = _Job(spec.before, python, folder, settings)
    lines = sorted(spec.requirements, key=_rank)
    if spec.locked:
        with contextlib.suppress(Unresolvable):
            return _compile(replace(job, locked=spec.locked), lines)
    with contextlib.suppress(Unresolvable):
        return _compile(job, lines)
    kept = _partial(job, lines)
    if not kept.lines:
        what = f"none of {len(lines)} requirements can be met on Python {python.version}"
        raise EnvironmentFailed(what, where=next(iter(kept.dropped), ""))
    told = {"dropped": tuple(kept.dropped), "loosened": tuple(kept.loosened), "built": tuple(kept.built)}
    return _compile(job, kept.lines).model_copy(update=told)


def _partial(job: _Job, lines: Sequence[str]) -> _Kept:
    """Halves that go together are taken at once, the others taken apart: few rounds where one line is to blame.

    Nothing is loosened before all that can be met as it stands is in: another version of one must not cost the pin of
    another.
    """
    kept = _Kept()
    blamed: list[tuple[str, Unresolvable]] = []
    waiting = [list(lines)]
    while waiting:
        group = waiting.pop(0)
        try:
            _ask(job, [*kept.lines, *group])
        except Unresolvable as error:
            if len(group) > 1:
                middle = len(group) // 2
                waiting[:0] = [group[:middle], group[middle:]]
            else:
                blamed.append((group[0], error))
        else:
            kept.lines += group
    for line, reason in blamed:
        if failed := _with_sources(job, line, reason, kept):
            _loosen(job, line, failed, kept)
    return kept


def _with_sources(job: _Job, line: str, error: Unresolvable, kept: _Kept) -> EnvironmentFailed | None:
    """Take `line` as it stands, with wheels built of all that it needs and that has none; why that does not go."""
    for _ in range(MOST_BUILT):
        try:
            wheels = [build_wheel(wanted, job.python, job.settings, job.before) for wanted in error.without_wheels]
        except EnvironmentFailed as failed:
            return failed
        if not wheels:
            return error
        (job.folder / WHEELS).mkdir(exist_ok=True)
        for wheel in wheels:
            shutil.copy(wheel, job.folder / WHEELS)
        kept.built += wheels
        try:
            _ask(job, [*kept.lines, line])
        except Unresolvable as further:
            error = further
        else:
            kept.lines.append(line)
            return None
    return error


def _loosen(job: _Job, line: str, error: EnvironmentFailed, kept: _Kept) -> None:
    """Take another distribution of the same import in place of `line`, or another version of it, or drop it."""
    other = table()["otherwise"].get(canonicalize_name(Requirement(line).name), "")
    instead = re.sub(r"^[A-Za-z0-9._-]+", other, line) if other else ""
    for wish in dict.fromkeys(filter(None, (instead, bare_name(line), bare_name(instead) if instead else ""))):
        if wish == line:
            continue
        try:
            _ask(job, [*kept.lines, wish])
            kept.lines.append(wish)
        except Unresolvable as reason:
            if _with_sources(job, wish, reason, kept):
                continue
        kept.loosened.append(f"{line}, {wish} instead: {error.what}")
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


def _compile(job: _Job, lines: Sequence[str]) -> Lock:
    """The lock of `lines`; with torch among its packages, that of torch's CPU build."""
    lock = _ask(job, lines)
    if "torch" not in lock.packages:
        return lock
    if _has_cpu_index(job.settings, job.folder):
        with contextlib.suppress(Unresolvable):
            return _ask(job, lines, "--torch-backend", "cpu").model_copy(update={"cpu_index": True})
    names = frozenset(canonicalize_name(Requirement(line).name) for line in lines)
    bare = without_cuda(lock.text, names)
    return lock if bare == lock.text else read_lock(bare).model_copy(update={"without_cuda": True})


_reachable: dict[str, bool] = {}


def _has_cpu_index(settings: Settings, folder: Path) -> bool:
    """Whether torch's index of CPU builds may be used (`execution.torch_index`) and answers; asked once a process."""
    if not settings.execution.torch_index:
        return False
    if "cpu" not in _reachable:
        (folder / "torch.in").write_text("torch\n", encoding="utf-8")
        try:
            run_uv(
                "pip", "compile", "torch.in", "--quiet", "--no-deps", "--no-build", "--torch-backend", "cpu",
                folder=folder, seconds=INDEX_SECONDS, more={"UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": "10"},
            )  # fmt: skip
            _reachable["cpu"] = True
        except (EnvironmentFailed, ServiceError):
            _reachable["cpu"] = False
    return _reachable["cpu"]


def _ask(job: _Job, lines: Sequence[str], *more: str) -> Lock:
    source, target = job.folder / "requirements.in", job.folder / "pylock.toml"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    target.unlink(missing_ok=True)
    if job.locked:
        (job.folder / "locked.txt").write_text("\n".join(job.locked) + "\n", encoding="utf-8")
        more = (*more, "--constraint", "locked.txt")
    dated = [
        part
        for name in (table()["numeric"]["names"] if job.before else ())
        for part in ("--exclude-newer-package", f"{name}={job.before}")
    ]
    run_uv(
        "pip", "compile", source.name, "--output-file", target.name, "--format", "pylock.toml", "--quiet",
        "--no-build", "--no-header", "--no-annotate", "--python", str(job.python.executable), *dated, *more,
        *found_in(job.folder),
        folder=job.folder, seconds=job.settings.execution.environment_seconds,
    )  # fmt: skip
    return read_lock(target.read_text("utf-8"))


def found_in(folder: Path) -> list[str]:
    """Options by which uv also looks for wheels in the folder `WHEELS` of its own one, if there is one."""
    if not (folder / WHEELS).is_dir():
        return []
    return [part for place in (WHEELS, *map(str, indexes()[1])) for part in ("--find-links", place)]


def read_lock(text: str) -> Lock:
    """A pylock.toml as uv writes it. Raises EnvironmentFailed if a package has no wheel in it."""
    packages: dict[str, str] = {}
    download = 0
    for package in tomllib.loads(text).get("packages", []):
        wheels: list[dict[str, Any]] = package.get("wheels", [])
        if not wheels:
            raise EnvironmentFailed(f"{package['name']} has no wheel", remedy="only wheels are installed")
        packages[package["name"]] = package.get("version", "")
        download += _size(wheels[0])
    return Lock(text=text, packages=dict(sorted(packages.items())), download=download)


def _size(wheel: dict[str, Any]) -> int:
    """Bytes of a wheel; those of a local folder are measured. 0 where nobody says."""
    address = urlsplit(str(wheel.get("url", "")))
    if address.scheme == "file":
        with contextlib.suppress(OSError):
            return Path(unquote(address.path)).stat().st_size
    return int(wheel.get("size", 0))


def stable(text: str) -> str:
    """What of a lock decides the environment: names, versions and hashes, not addresses nor dates."""
    rows = []
    for package in tomllib.loads(text).get("packages", []):
        hashes = sorted(wheel.get("hashes", {}).get("sha256", wheel.get("path", "")) for wheel in package["wheels"])
        rows.append(f"{package['name']}=={package.get('version', '')} {' '.join(hashes)}")
    return "\n".join(sorted(rows))
