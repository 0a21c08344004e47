"""`xkg explore`: the pages, served on loopback until Ctrl-C."""

import contextlib
import getpass
import ipaddress
import secrets
import socket
from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode

import click

from kg.cli.common import emit, json_option, log
from kg.config import load_settings
from kg.errors import InputError
from kg.opening import open_store

__all__ = ["explore"]

PORT = 7480


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; beyond loopback a token is asked for."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Port.  [default: {PORT}, or a free one where that is taken]"
)
@click.option("--open/--no-open", "open_page", default=True, help="Open the page in the web browser of this desktop.")
@click.option(
    "--curate", is_flag=True, help="Accept and reject what awaits a curator; without it the graph is only read."
)
@click.option("--who", default=getpass.getuser, help="With --curate: who decides.  [default: your user name]")
@json_option
def explore(host: str, port: int | None, open_page: bool, curate: bool, who: str, as_json: bool) -> None:
    """Explore the graph in a web browser: search, papers beside their techniques, code with its verdict, pictures.

    Serves pages on this machine until Ctrl-C and prints their address. Nothing is fetched from the net.
    """
    import uvicorn

    from explore.app import make_app
    from explore.pages import Pages
    from kg.embeddings import open_embedder
    from kg.server.browser import open_in_desktop

    settings = load_settings()
    with _listening(host, port) as listening, open_store(settings) as store:
        if curate:
            store.demand_whole("--curate")
        bound = listening.getsockname()[1]
        token = None if _is_loopback(host) else secrets.token_urlsafe(24)
        pages = Pages(store, settings, open_embedder(settings), secrets.token_urlsafe(24) if curate else "")
        app = make_app(pages, hosts=_hosts(host, bound), token=token, curator=who if curate else None)
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{bound}/" + (f"?{urlencode({'token': token})}" if token else "")
        opened = open_page and open_in_desktop(url)
        result: dict[str, Any] = {"url": url, "curate": curate, "opened": opened}
        emit(result, as_json=as_json, text=lambda: url)
        log.print("Ctrl-C ends it" + ("" if curate else "; the graph is only read, --curate lets you decide"))
        config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, lifespan="off")
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens. Raises InputError where nothing can listen there."""
    choices = [port] if port is not None else [PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for choice in choices:
        try:
            return socket.create_server((host, choice), family=family)
        except OSError as error:
            failure = error
    raise InputError(f"nothing can listen on {host}:{choices[-1]}: {failure.strerror}", remedy="give another --port")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _hosts(host: str, port: int) -> Collection[str] | None:
    """The Host headers of who came by an address of this server; None, where it listens on all, for any."""
    if not _is_loopback(host):
        return None
    return {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
