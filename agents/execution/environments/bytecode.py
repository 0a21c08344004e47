"""Byte code of installed packages: compiled once for each wheel and Python, linked into every environment with it."""

import contextlib
import csv
import hashlib
import io
import os
import shutil
import signal
import subprocess
from importlib import resources
from pathlib import Path, PurePosixPath

from packaging.utils import canonicalize_name

from agents.execution.environments.resolve import Lock
from agents.execution.sandbox.interpreter import Interpreter
from kg.caching import building, locked

__all__ = ["compile_site"]

_WORKERS = 2
_LARGEST_RECORD = 50_000_000


def compile_site(site: Path, later: str, python: Interpreter, lock: Lock, seconds: float, cache: Path) -> None:
    """Give every module in `site` its ``.pyc``, with `later` as the folder it believes to be in.

    A read-only folder never gets any by itself, and torch takes twice as long to import without. What is compiled for a
    wheel is kept in `cache` by the wheel's hash, which uv has checked, so that no other wheel can pass its own off as
    it. What is not ready after `seconds` stays as it is. Test folders are left out: only tests import them.
    """
    keys = {name: key for name, digest in lock.wheels.items() if (key := _key(name, digest, python))}
    store = cache / "environments" / "bytecode"
    mine, known = {}, set()
    for name, files in _owners(site).items():
        if name in keys and (store / keys[name]).is_dir():
            _link_all(store / keys[name], site)
            known |= set(files)
        elif name in keys:
            mine[name] = files
    everything = {str(path.relative_to(site)) for path in site.rglob("*.py")}
    todo = sorted(name for name in everything - known if not {"test", "tests"} & set(PurePosixPath(name).parts))
    if not _run(site, later, python, todo, seconds):
        return
    for name, files in sorted(mine.items()):
        with locked(cache, f"bytecode {keys[name]}"):
            if not (store / keys[name]).is_dir():
                with building(store / keys[name]) as new:
                    _keep(site, files, new)


def _key(name: str, digest: str, python: Interpreter) -> str:
    """What decides the byte code of a wheel; "" without a hash of the wheel."""
    return hashlib.sha256(f"1 {name} {digest} {python.version}".encode()).hexdigest() if digest else ""


def _owners(site: Path) -> dict[str, list[str]]:
    """The Python files of each distribution, as its RECORD lists them; nothing outside `site`."""
    owners: dict[str, list[str]] = {}
    for record in sorted(site.glob("*.dist-info/RECORD")):
        if record.stat().st_size > _LARGEST_RECORD:
            continue
        name = canonicalize_name(record.parent.name.removesuffix(".dist-info").rsplit("-", 1)[0])
        rows = csv.reader(io.StringIO(record.read_text("utf-8", "replace").replace("\0", "")))
        with contextlib.suppress(csv.Error):
            paths = [row[0] for row in rows if row and row[0].endswith(".py")]
            owners[name] = [path for path in paths if ".." not in path.split("/") and not path.startswith("/")]
    return owners


def _run(site: Path, later: str, python: Interpreter, files: list[str], seconds: float) -> bool:
    """Compile `files` with a few processes; says whether all came to their end in time."""
    script = resources.files("agents.execution.environments").joinpath("inside", "compile_files.py").read_text("utf-8")
    workers = [
        subprocess.Popen(
            [python.executable, "-E", "-s", "-S", "-c", script, str(site), later],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            cwd=site.parent,
            start_new_session=True,
        )
        for _ in range(_WORKERS if files else 0)
    ]
    try:
        for number, worker in enumerate(workers):
            assert worker.stdin is not None  # noqa: S101 -- it is a pipe, see above
            worker.stdin.write(b"\0".join(os.fsencode(file) for file in files[number :: len(workers)]))
            worker.stdin.close()
        return all(worker.wait(seconds) == 0 for worker in workers)
    except (subprocess.TimeoutExpired, BrokenPipeError):
        return False
    finally:
        for worker in workers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()


def _pyc(file: str) -> PurePosixPath:
    path = PurePosixPath(file)
    return path.parent / "__pycache__" / path.stem


def _keep(site: Path, files: list[str], store: Path) -> None:
    for file in files:
        place = _pyc(file)
        for pyc in (site / place.parent).glob(f"{place.name}.cpython-*.pyc"):
            _link(pyc, store / pyc.relative_to(site))


def _link_all(store: Path, site: Path) -> None:
    for pyc in store.rglob("*.pyc"):
        target = site / pyc.relative_to(store)
        if target.parent.parent.is_dir():
            _link(pyc, target)


def _link(source: Path, target: Path) -> None:
    """A hard link where the file system has them, else a copy; what is there already stays."""
    if target.exists() or not source.is_file():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)
