"""`xkg setup`: everything later commands need, fetched and made once."""

import time
from typing import Any

import click
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from kg.cli.common import emit, json_option, log
from kg.config import Settings, load_settings

__all__ = ["setup"]


@click.command()
@json_option
def setup(as_json: bool) -> None:
    """Fetch and prepare all that later commands need, so that they work offline. Doing it twice changes nothing.

    That is Neo4j with Neo4j Browser (152 MB, checked against sums kept here), a class archive that makes it start
    in half the time, the embedding model in the form that is loaded at run time, and the environment in which code
    that needs no packages is verified (pytest and what it needs). Code that imports packages has them fetched when it
    is first verified.
    """
    settings = load_settings()
    result = {
        "cache": str(settings.cache),
        "server": _server(settings),
        "model": _model(settings),
        "environment": _environment(settings),
    }
    emit(result, as_json=as_json, text=lambda: _sentences(result))


def _server(settings: Settings) -> dict[str, Any]:
    from kg.server import install

    columns = (TextColumn("Neo4j"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=log, transient=True, disable=not log.is_terminal) as bar:
        task = bar.add_task("jars", total=None)
        done = install(settings, lambda there, total: bar.update(task, completed=there, total=total), log.print)
    return {
        "version": done.version,
        "jars": done.jars,
        "fetched": done.fetched,
        "java": done.java.version,
        "java_source": done.java.source,
        "archive_made": done.archive_made,
        "seconds": round(done.seconds, 1),
    }


def _model(settings: Settings) -> dict[str, Any]:
    from kg.embeddings import open_embedder
    from kg.embeddings.minilm import convert

    began = time.monotonic()
    convert(settings.cache)
    return {"id": open_embedder(settings).model_id, "seconds": round(time.monotonic() - began, 1)}


def _environment(settings: Settings) -> dict[str, Any]:
    """The environment that the verifier takes for a repository which imports nothing but the standard library."""
    from agents.execution.environments import build_environment, strategies

    began = time.monotonic()
    built = build_environment(next(strategies(None, ["pytest"], None, settings)), settings)
    seconds = round(time.monotonic() - began, 1)
    return {"id": built.id, "python": built.python_version, "packages": built.packages, "seconds": seconds}


def _sentences(result: dict[str, Any]) -> str:
    server, model, environment = result["server"], result["model"], result["environment"]
    fetched = f"{server['fetched']} of {server['jars']} jars fetched" if server["fetched"] else "all jars were there"
    archive = "class archive made" if server["archive_made"] else "class archive was there"
    return "\n".join(
        (
            f"Neo4j {server['version']}: {fetched}, {archive}, Java {server['java']} of {server['java_source']}"
            f" ({server['seconds']} s)",
            f"embedding model {model['id']}: ready ({model['seconds']} s)",
            f"environment of code without packages: Python {environment['python']}, pytest"
            f" {environment['packages']['pytest']} ({environment['seconds']} s)",
            f"all of it is in {result['cache']}; later commands download only the packages of code that they verify",
        )
    )
