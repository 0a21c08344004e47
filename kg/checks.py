"""What an installation needs, each tried for real: the checks of `xkg doctor`."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from kg.config import Settings
from kg.errors import ServiceError, XkgError
from kg.models.paper import Model

__all__ = ["Check", "run_checks"]

LEAST_FREE_GB = 1.0
"""The graph, the server's jars (152 MB), the model (91 MB), clones and e-prints."""
ONLINE_SECONDS = 15.0


class Check(Model):
    """One thing that was tried. `absent` is something optional that is not there; `mend` the command that helps."""

    name: str
    state: Literal["ok", "missing", "absent"]
    detail: str
    mend: str = ""


def run_checks(settings: Settings, *, online: bool) -> Iterator[Check]:
    """All checks, in the order in which one needs the other. The local server is started."""
    yield _python()
    yield from _disk(settings)
    installed = True
    if settings.neo4j.uri is None:
        for check in (_try("java", _java), _try("neo4j", partial(_jars, settings))):
            installed = installed and check.state == "ok"
            yield check
    model_id, model = _model(settings)
    yield model
    if installed:
        yield from _database(settings, model_id)
    else:
        yield Check(name="database", state="missing", detail="needs java and neo4j above", mend="xkg setup")
    yield _program("git", needed=True, mend="install git (Debian: sudo apt install git)")
    yield _program("chromium", needed=False, mend="only for tests of Neo4j Browser: sudo apt install chromium")
    if online:
        yield _answers("arxiv", settings.arxiv.api + "?search_query=id:1706.03762&max_results=1")
        yield _answers("github", settings.github.api)


def _try(name: str, look: Callable[[], str]) -> Check:
    """`look()` tells what is there, or raises an XkgError that tells what is not."""
    try:
        return Check(name=name, state="ok", detail=look())
    except XkgError as error:
        return _missing(name, error)


def _missing(name: str, error: XkgError) -> Check:
    where = f" ({error.where})" if error.where else ""
    return Check(name=name, state="missing", detail=error.what + where, mend=error.remedy)


def _python() -> Check:
    return Check(name="python", state="ok", detail=f"{platform.python_version()} at {sys.executable}")


def _disk(settings: Settings) -> Iterator[Check]:
    for name, folder in (("home", settings.home), ("cache", settings.cache)):
        there = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
        try:
            free = shutil.disk_usage(there).free / 1e9
        except OSError as error:
            yield Check(
                name=name, state="missing", detail=f"{folder}: {error.strerror}", mend=f"set XKG_{name.upper()}"
            )
            continue
        detail = f"{folder}, {free:.1f} GB free"
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            mend = f"make it writable, or set XKG_{name.upper()} to another folder"
            yield Check(name=name, state="missing", detail=f"{detail}, not writable", mend=mend)
        elif free < LEAST_FREE_GB:
            mend = f"free space, or set XKG_{name.upper()} to another folder"
            yield Check(name=name, state="missing", detail=detail, mend=mend)
        else:
            yield Check(name=name, state="ok", detail=detail)


def _java() -> str:
    from kg.server.java import find_java

    java = find_java()
    return f"{java.version} of {java.source}"


def _jars(settings: Settings) -> str:
    from kg.server.jars import NEO4J_VERSION, locked_jars, missing_jars

    if missing := missing_jars(settings.cache):
        raise ServiceError(f"{len(missing)} of {len(locked_jars())} jars are missing", remedy="xkg setup")
    return f"{NEO4J_VERSION}, {len(locked_jars())} jars"


def _model(settings: Settings) -> tuple[str | None, Check]:
    from kg.embeddings import open_embedder

    def look() -> str:
        embedder = open_embedder(settings, remember=False)
        length = embedder.embed(["what works here"]).shape[1]
        return f"{embedder.model_id}, {length} numbers a text"

    check = _try("model", look)
    return (open_embedder(settings).model_id if check.state == "ok" else None), check


def _database(settings: Settings, model_id: str | None) -> Iterator[Check]:
    from kg.migrations import index_info, pending
    from kg.opening import connect
    from kg.store import Store

    try:
        with connect(settings) as connection:
            detail = f"Neo4j {connection.server_version} at {connection.uri}"
            yield Check(name="database", state="ok", detail=detail)
            store = Store(connection)
            todo = pending(store)
            if todo:
                yield Check(name="schema", state="ok", detail=f"{len(todo)} migrations to come with the next command")
            else:
                yield Check(name="schema", state="ok", detail="up to date")
            info = index_info(store)
            if info and model_id and info.model_id != model_id:
                detail = f"the graph's vectors are of {info.model_id}"
                mend = "set embedding_model to the graph's model, or use another graph (XKG_HOME)"
                yield Check(name="vectors", state="missing", detail=detail, mend=mend)
            else:
                yield Check(name="vectors", state="ok", detail=info.model_id if info else "none yet")
    except XkgError as error:
        found = _missing("database", error)
        yield found.model_copy(update={"mend": found.mend or "xkg db status"})


def _program(name: str, *, needed: bool, mend: str) -> Check:
    path = shutil.which(name)
    if path is None:
        return Check(name=name, state="missing" if needed else "absent", detail="not installed", mend=mend)
    try:
        output = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        state: Literal["missing", "absent"] = "missing" if needed else "absent"
        return Check(name=name, state=state, detail=f"{path} does not run: {error}", mend=mend)
    return Check(name=name, state="ok", detail=output.strip().partition("\n")[0] or path)


def _answers(name: str, address: str) -> Check:
    import httpx

    mend = "see whether a proxy or firewall is in the way; what is cached works offline"
    try:
        reply = httpx.get(address, timeout=ONLINE_SECONDS, follow_redirects=True)
    except httpx.HTTPError as error:
        return Check(name=name, state="missing", detail=f"{address} does not answer: {error}", mend=mend)
    detail = f"{address} answers {reply.status_code}"
    return Check(name=name, state="ok" if reply.status_code < 400 else "missing", detail=detail, mend=mend)
