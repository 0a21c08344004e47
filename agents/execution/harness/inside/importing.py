"""Imports one module of the repository, in one of several ways. Standard library only, Python 3.6 or later."""

import __future__

import ast
import importlib
import importlib.util
import linecache
import os
import sys
import types
from typing import Any, Callable

from .records import Events


def by_name(name: str, folder: str, path: "str | None") -> types.ModuleType:
    """As the code's own imports name it; it must be the file `path`, or else any below `folder`."""
    module = importlib.import_module(name)
    real = os.path.realpath(getattr(module, "__file__", None) or "")
    if path is None:
        right = real.startswith(os.path.realpath(folder) + os.sep)
    else:
        right = real == os.path.realpath(os.path.join(folder, path))
    if not right:
        raise ImportError("module %r was found in %s, not in the repository" % (name, real or "no file"))
    return module


def by_path(path: str) -> types.ModuleType:
    """As if run from its own folder."""
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    os.chdir(folder)
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("%s is not a Python file" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def by_statements(path: str, failed: "Callable[[BaseException], object]") -> types.ModuleType:
    """Its top-level statements one by one, going on after one that fails: scripts do work at import."""
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    os.chdir(folder)
    with open(path, "rb") as stream:
        source = stream.read()
    name = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    linecache.checkcache(path)
    body = ast.parse(source, path).body
    futures = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    flags = 0  # each statement is compiled by itself, and all as their file says
    for name in (alias.name for node in futures for alias in node.names):
        flags |= getattr(__future__, name).compiler_flag
    for statement in body:
        block = ast.Module([statement], []) if sys.version_info >= (3, 8) else ast.Module([statement])  # type: ignore[call-arg]  # of old
        try:
            exec(compile(block, path, "exec", flags, dont_inherit=True), module.__dict__)  # noqa: S102 -- this is the sandbox
        except BaseException as error:  # noqa: BLE001 -- a script's statement may raise anything, SystemExit too
            failed(error)
    return module


def load(path: str, name: "str | None" = None, way: str = "name") -> types.ModuleType:
    """The module at `path` of the repository's copy, loaded in the way that was found to work."""
    folder = os.path.join(os.environ["XKG_WORK"], "repo")
    full = os.path.join(folder, path)
    sys.argv = [full]
    if way == "name" and name:
        return by_name(name, folder, path)
    return by_statements(full, print) if way == "statements" else by_path(full)


def resolves(module: types.ModuleType, symbol: str) -> bool:
    """Whether a dotted symbol is there."""
    value = module  # type: object
    for part in symbol.split(".") if symbol else ():
        try:
            value = getattr(value, part)
        except Exception:  # noqa: BLE001 -- a lazy module or a descriptor may raise anything
            return False
    return True


def run(job: "dict[str, Any]", work: str, events: Events) -> None:
    """Import and report: `ok`, the symbols that are there, the exception, the statements that failed.

    `way` says how, `file` (if given) which file of the folder `root` it must be.
    """
    root, file = os.path.join(work, job["root"]), job.get("file")
    path = os.path.join(root, file or "")
    failures = []  # type: list[dict[str, object]]
    os.chdir(root)
    sys.argv = [path if file else job["name"]]
    sys.path[0:0] = [os.path.join(work, place) for place in job.get("path") or ()]
    before = set(sys.modules)
    event = {"event": "import", "ok": False}  # type: dict[str, object]
    try:
        if job["way"] == "name":
            module = by_name(str(job["name"]), root, file)
        elif job["way"] == "path":
            module = by_path(path)
        else:
            module = by_statements(path, lambda error: failures.append(events.raised(error)))
    except BaseException as error:  # noqa: BLE001 -- importing may raise anything, SystemExit too
        event["raised"] = events.raised(error)
    else:
        event["ok"] = True
        event["symbols"] = [name for name in job.get("symbols") or () if resolves(module, name)]
    event["failures"] = failures[:20]
    event["loaded"] = sorted({name.split(".")[0] for name in set(sys.modules) - before})[:500]
    events.emit(event)
