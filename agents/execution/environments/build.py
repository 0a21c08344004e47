"""Build an environment once, whoever asks first; everyone else finds it in the cache."""

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from agents.execution.environments.cuda import stand_in_for_cuda
from agents.execution.environments.interpreters import interpreter
from agents.execution.environments.models import Environment, EnvironmentFailed, EnvironmentSpec
from agents.execution.environments.resolve import WHEELS, Lock, found_in, resolve, stable
from agents.execution.environments.stubs import write_aliases, write_stubs
from agents.execution.environments.uv import run_uv
from agents.execution.sandbox.interpreter import Interpreter
from kg.caching import building, load, locked, save
from kg.config import Settings
from kg.files import disk_errors

__all__ = ["MARK", "build_environment", "folder_of", "mounts", "variables"]

SITE = "/opt/env"
"""Where an environment's packages are inside every sandbox."""
STANDINS = "/opt/standins"
"""Where its stand-ins are, if it has any."""

MARK = "complete"
"""The file that says that an environment is whole; its time is that of the last use."""
_RATIO = 3
"""A wheel's files are at most so many times its size; most libraries come to two or three."""

_RESOLVER = "4"
"""Raised when the same requirements are resolved in another way: it is part of what a kept lock answers to."""
_FORMAT = "2"
"""Raised when the same lock gives another folder: it is part of an environment's id."""


def mounts(env: Environment) -> dict[str, Path]:
    """What a run mounts read-only to have `env` (RunSpec.read_only)."""
    return {SITE: env.site} | ({STANDINS: env.standins} if env.standins else {})


def variables(env: Environment) -> dict[str, str]:
    """What a run sets to have `env` (RunSpec.environment): packages first, then what stands in for others."""
    return {"PYTHONPATH": f"{SITE}:{STANDINS}" if env.standins else SITE}


def folder_of(settings: Settings) -> Path:
    """Where environments are kept."""
    return settings.cache / "environments"


def build_environment(spec: EnvironmentSpec, settings: Settings) -> Environment:
    """The environment of `spec`, from the cache or built now.

    A spec resolves once: later calls give the same environment as long as it is in the cache, so that a verdict can be
    had again. Of wheels nothing is executed; sources alone are made into one in the sandbox. Raises EnvironmentFailed
    for what can't be had (no such Python, a conflict, no wheels, too large, out of time), ServiceError without network
    or disk.
    """
    python = interpreter(spec.python, settings.execution.pythons)
    root = folder_of(settings)
    asked = _hash(_FORMAT, _RESOLVER, python.version, spec.model_dump_json(exclude=None if spec.locked else {"locked"}))
    with locked(settings.cache, f"environment spec {asked}"):
        known = load(root / "specs" / f"{asked}.json", Environment)
        if known and (known.site.parent / MARK).is_file() and (not known.standins or known.standins.is_dir()):
            (known.site.parent / MARK).touch()
            return known
        with disk_errors(settings.cache):
            built = _build(spec, python, _lock(spec, python, settings), settings)
            save(root / "specs" / f"{asked}.json", built)
    return built


def _build(spec: EnvironmentSpec, python: Interpreter, lock: Lock, settings: Settings) -> Environment:
    _check_size(lock, settings)
    root = folder_of(settings)
    identity = _hash(_FORMAT, python.version, stable(lock.text))
    final = root / identity
    with locked(settings.cache, f"environment {identity}"):
        if not (final / MARK).is_file():
            with building(final) as new:
                _install(new, python, lock, settings)
    (final / MARK).touch()
    size = int((final / MARK).read_text())
    standins = None
    if spec.stubs or spec.aliases:
        identity = _hash(identity, *spec.stubs, *map(str, sorted(spec.aliases.items())))
        standins = root / f"{identity}.standins"
        with locked(settings.cache, f"environment {identity}"), building(standins) as new:
            write_stubs(new, spec.stubs, final / "site")
            write_aliases(new, spec.aliases, final / "site")
    return Environment(
        id=identity, spec=spec, python=python.executable, python_version=python.version, site=final / "site",
        standins=standins, packages=lock.packages, dropped=lock.dropped,
        loosened=lock.loosened, built=tuple(wheel.name for wheel in lock.built), size=size,
    )  # fmt: skip


def _lock(spec: EnvironmentSpec, python: Interpreter, settings: Settings) -> Lock:
    """Resolved once for the same requirements, whichever strategy asks for them."""
    root = folder_of(settings)
    asked = (*sorted(spec.requirements), *(f"locked {line}" for line in spec.locked))
    kept = root / "locks" / f"{_hash(_RESOLVER, python.version, str(spec.before), *asked)}.json"
    lock = load(kept, Lock)
    if not lock or not all(wheel.is_file() for wheel in lock.built):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".resolve-", dir=root) as folder:
            lock = resolve(spec, python, Path(folder), settings)
        save(kept, lock)
    return lock


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _install(new: Path, python: Interpreter, lock: Lock, settings: Settings) -> None:
    """Fill ``new/site``; the last file beside it is `MARK`, with the size in bytes.

    Until then the folder has a name of this process: a uv that outlives a killed xkg writes into nobody's environment.
    Modules are compiled here, as the folder is read-only later and torch takes twice as long to import without; where
    Python can (3.7), the byte code is trusted without a look at the file.
    """
    site = new / f"site-{os.getpid()}"
    site.mkdir()
    (new / "pylock.toml").write_text(lock.text, encoding="utf-8")
    pinned = lock.pinned()
    (new / "requirements.txt").write_text("\n".join(pinned), encoding="utf-8")
    hashed = all("--hash=" in line for line in pinned)
    for wheel in lock.built:
        (new / WHEELS).mkdir(exist_ok=True)
        shutil.copy(wheel, new / WHEELS)
    if lock.packages:
        run_uv(
            "pip", "install", "--requirement", "requirements.txt", "--target", site.name, "--no-deps", "--no-build",
            "--quiet", "--compile-bytecode", "--python", str(python.executable),
            *found_in(new), *(["--require-hashes"] if hashed else []),
            *(["--torch-backend", "cpu"] if lock.cpu_index else []),
            folder=new, seconds=settings.execution.environment_seconds,
            largest=settings.execution.environment_limit_mb * 1_000_000,
            more={"PYC_INVALIDATION_MODE": "UNCHECKED_HASH"} if python.key >= (3, 7) else {},
        )  # fmt: skip
    if lock.without_cuda:
        stand_in_for_cuda(site)
    size = _measure(site, settings)
    site.rename(new / "site")
    (new / MARK).write_text(str(size))


def _measure(site: Path, settings: Settings) -> int:
    """Bytes of a site folder. Raises EnvironmentFailed if it is too large unpacked, or holds what no wheel should."""
    size = 0
    for folder, folders, files in os.walk(site):
        for name in (*folders, *files):
            about = (Path(folder) / name).lstat()
            if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)):
                raise EnvironmentFailed("a wheel holds what is neither file nor folder", where=name)
            size += about.st_size if stat.S_ISREG(about.st_mode) else 0
    limit = settings.execution.environment_limit_mb * _RATIO
    if size > limit * 1_000_000:
        raise EnvironmentFailed(
            f"its packages are {size / 1e6:,.0f} MB, more than the {limit:,} MB allowed",
            remedy="raise `execution.environment_limit_mb`",
        )
    return size


def _check_size(lock: Lock, settings: Settings) -> None:
    limit = settings.execution.environment_limit_mb
    if lock.download > limit * 1_000_000:
        raise EnvironmentFailed(
            f"its wheels are {lock.download / 1e6:,.0f} MB, more than the {limit:,} MB allowed",
            remedy="raise `execution.environment_limit_mb`",
        )
