"""Neo4j Browser on the graph: its address, which names the connection, and what to log in with."""

import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from kg.config import Settings
from kg.connection import Address, Connection
from kg.errors import DatabaseError
from kg.server.local import LocalServer

__all__ = ["BrowserAccess", "browser_access", "open_in_desktop"]

_PATIENCE = 20.0
"""Seconds for a page to come once its database answers."""


@dataclass(frozen=True)
class BrowserAccess:
    """Where Neo4j Browser is and how to log in; `password_file` is None for a server that is not ours."""

    url: str
    uri: str
    username: str
    password: str | None = field(repr=False)
    password_file: Path | None


def browser_access(settings: Settings, say: Callable[[str], None]) -> BrowserAccess:
    """Access to the graph of these settings; starts the local server if need be. Raises DatabaseError.

    For a server that is not ours the page is assumed at its usual place, port 7474 of the same host.
    """
    if settings.neo4j.uri is not None:
        address = Address.of(settings.neo4j)
        with Connection.open(address):
            host = urlsplit(address.uri).hostname or ""
        page = f"http://{f'[{host}]' if ':' in host else host}:7474/browser/"
        url = _url(page, address.uri, settings.neo4j.username, address.database)
        return BrowserAccess(url, address.uri, settings.neo4j.username, address.password, None)
    server = LocalServer(settings)
    running, secret = server.ensure(say), server.home.secret()
    _await(running.browser_url)
    url = _url(running.browser_url, running.uri, secret.username, None)
    return BrowserAccess(url, running.uri, secret.username, secret.password, server.home.secrets)


@retry(retry=retry_if_exception_type(OSError), stop=stop_after_delay(_PATIENCE), wait=wait_fixed(0.1), reraise=True)
def _answered(page: str) -> None:
    parts = urlsplit(page)
    socket.create_connection((parts.hostname or "", parts.port or 80), timeout=1).close()


def _await(page: str) -> None:
    """The page of a server comes a moment after its database. Raises DatabaseError if it does not come."""
    try:
        _answered(page)
    except OSError as error:
        raise DatabaseError(
            f"the local Neo4j does not serve its page: {error}", where=page, remedy="run `xkg db stop` and try again"
        ) from error


def _url(page: str, uri: str, user: str, database: str | None) -> str:
    scheme, _, host = uri.partition("://")
    target = quote(f"{scheme}://{quote(user, safe='')}@{host}", safe="")
    return f"{page}?connectURL={target}&preselectAuthMethod=NATIVE" + (f"&db={quote(database)}" if database else "")


def open_in_desktop(url: str) -> bool:
    """Open a page where there is a desktop; never a text browser in the terminal. False when there is none."""
    has_desktop = sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return has_desktop and webbrowser.open(url)
