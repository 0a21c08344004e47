"""`xkg db`: the graph database and its local server."""

import click

from kg.cli.common import emit, json_option, log
from kg.config import load_settings

__all__ = ["db_start", "db_status", "db_stop"]


@click.command()
@json_option
def db_start(as_json: bool) -> None:
    """Start the local server, or attach to it."""
    from kg.server import LocalServer

    running = LocalServer(load_settings()).ensure(log.print)
    result = {"uri": running.uri, "browser": running.browser_url, "started": running.started}
    emit(result, as_json=as_json, text=lambda: f"{running.uri} ({'started' if running.started else 'was running'})")


@click.command()
@json_option
def db_stop(as_json: bool) -> None:
    """Stop the local server."""
    from kg.server import LocalServer

    stopped = LocalServer(load_settings()).stop()
    emit({"stopped": stopped}, as_json=as_json, text=lambda: "stopped" if stopped else "was not running")


@click.command()
@json_option
def db_status(as_json: bool) -> None:
    """Tell where the graph is and whether it is up; starts nothing."""
    from kg.server import LocalServer

    running = LocalServer(load_settings()).find()
    result = {"running": running is not None, "uri": running.uri if running else None}
    emit(result, as_json=as_json, text=lambda: running.uri if running else "not running")
