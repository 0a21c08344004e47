"""`xkg db`: the graph database, wherever it is, and its local server."""

import sys
from typing import Any

import click

from kg.cli.common import emit, json_option, log
from kg.config import Settings, load_settings
from kg.errors import InputError
from kg.opening import bring_up_to_date, open_store
from kg.server import LocalServer
from kg.server.browser import browser_access, open_in_desktop
from kg.server.home import ServerHome
from kg.server.status import local_status, remote_status

__all__ = ["db_browser", "db_migrate", "db_path", "db_reset", "db_start", "db_status", "db_stop"]


@click.command()
@json_option
def db_start(as_json: bool) -> None:
    """Start the local server, or attach to it if it runs."""
    settings = load_settings()
    _require_local(settings, "start")
    running = LocalServer(settings).ensure(log.print)
    result = {"uri": running.uri, "browser": running.browser_url, "pid": running.server_pid, "started": running.started}
    done = "started" if running.started else "was running"
    emit(result, as_json=as_json, text=lambda: f"{done}: {running.uri}, Neo4j Browser at {running.browser_url}")


@click.command()
@json_option
def db_stop(as_json: bool) -> None:
    """Stop the local server; the graph is kept."""
    stopped = LocalServer(load_settings()).stop()
    emit({"stopped": stopped}, as_json=as_json, text=lambda: "stopped" if stopped else "was not running")


@click.command()
@json_option
def db_status(as_json: bool) -> None:
    """Tell where the graph is, whether it is up, and what runs it. Starts nothing."""
    settings = load_settings()
    result: dict[str, Any] = local_status(settings) if settings.neo4j.uri is None else remote_status(settings)
    emit(result, as_json=as_json, text=lambda: _lines(result))


@click.command()
@json_option
def db_migrate(as_json: bool) -> None:
    """Bring the schema of the graph up to date; other commands do that by themselves."""
    settings = load_settings()
    with open_store(settings, migrate=False) as store:
        applied = [{"number": one.number, "name": one.name} for one in bring_up_to_date(store, settings)]
    names = ", ".join(f"{row['number']:04} {row['name']}" for row in applied)
    emit({"applied": applied}, as_json=as_json, text=lambda: f"applied {names}" if applied else "up to date")


@click.command()
@click.option("--open/--no-open", "open_page", default=True, help="Open the page in the web browser of this desktop.")
@click.option("--show-password", is_flag=True, help="Print the password itself, not only where it is kept.")
@json_option
def db_browser(open_page: bool, show_password: bool, as_json: bool) -> None:
    """Open Neo4j Browser on this graph, and say how to log in.

    The address carries the connection and the user; Neo4j Browser takes no password from an address. Once connected to
    the local server it has our colours (verified code is green), and a guide with queries to click on.
    """
    access = browser_access(load_settings(), log.print)
    opened = open_page and open_in_desktop(access.url)
    result: dict[str, Any] = {
        "url": access.url,
        "uri": access.uri,
        "username": access.username,
        "password_file": str(access.password_file) if access.password_file else None,
        "opened": opened,
    }
    if show_password:
        result["password"] = access.password
    where = f"in {access.password_file}" if access.password_file else "the one in NEO4J_PASSWORD"
    password = access.password if show_password else f"{where} (--show-password prints it)"
    emit(
        result,
        as_json=as_json,
        text=lambda: f"{access.url}\nconnect to: {access.uri}\nuser:       {access.username}\npassword:   {password}",
    )


@click.command()
@json_option
def db_path(as_json: bool) -> None:
    """Print where the local graph, its log and its secrets are."""
    home = ServerHome(load_settings().home)
    result = {"home": home.root, "data": home.data, "log": home.neo4j_log, "secrets": home.secrets}
    emit({key: str(path) for key, path in result.items()}, as_json=as_json, text=lambda: str(home.root))


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def db_reset(yes: bool, as_json: bool) -> None:
    """Delete the local graph for good; the next command starts with an empty one."""
    settings = load_settings()
    _require_local(settings, "reset")
    if not yes and not sys.stdin.isatty():
        raise InputError("`xkg db reset` deletes the graph and nobody is here to confirm", remedy="add --yes")
    if not yes:
        click.confirm(f"Delete the graph in {settings.home} for good?", abort=True, err=True)
    deleted = LocalServer(settings).erase()
    result = {"deleted": deleted, "home": str(settings.home)}
    emit(result, as_json=as_json, text=lambda: f"deleted: {settings.home}" if deleted else "there was no graph")


def _require_local(settings: Settings, verb: str) -> None:
    if settings.neo4j.uri is not None:
        raise InputError(
            f"`xkg db {verb}` is for the local server, and NEO4J_URI points elsewhere",
            where=settings.neo4j.uri,
            remedy="unset NEO4J_URI, or use that server's own tools",
        )


def _lines(result: dict[str, Any]) -> str:
    width = max(len(key) for key in result) + 1
    shown = {key: "yes" if value is True else "no" if value is False else value for key, value in result.items()}
    return "\n".join(f"{key.replace('_', ' '):{width}} {value}" for key, value in shown.items() if value is not None)
