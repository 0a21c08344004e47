"""The two transports: the process's own stdin and stdout, and HTTP, behind a token where others reach it."""

import hmac
import socket
from collections.abc import AsyncIterable, Awaitable, Callable, MutableMapping
from ipaddress import ip_address
from typing import Any

import anyio
import uvicorn
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage

from agents.mcp.lines import answer_to, mended
from kg.errors import InputError, ServiceError

__all__ = ["PATH", "bound", "is_loopback", "serve_http", "serve_stdio"]

PATH = "/mcp"

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]


def serve_stdio(server: Server[Any]) -> None:
    """Answer on stdin and stdout until stdin ends. Nothing else may be written to stdout meanwhile."""

    async def run() -> None:
        understood, received = anyio.create_memory_object_stream[SessionMessage | Exception]()
        async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
            tasks.start_soon(_understand, incoming, understood, outgoing.send)
            await server.run(received, outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()

    anyio.run(run)


async def _understand(
    incoming: AsyncIterable[SessionMessage | Exception],
    understood: MemoryObjectSendStream[SessionMessage | Exception],
    say: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Hand on what comes in; what is no message is answered at once, as nobody behind this would."""
    async with understood:
        async for item in incoming:
            message = mended(item) if isinstance(item, Exception) else item
            if message is not None:
                await understood.send(message)
            elif isinstance(item, Exception) and (answer := answer_to(item)):
                await say(answer)


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches `host`."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one. Raises InputError for no address, ServiceError if taken."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise InputError(f"{host} is no address of this machine", remedy="give another --host") from error
    listening = socket.socket(family, kind)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise ServiceError(
            f"{host}:{port} can't be listened on: {error.strerror}", remedy="give another --host or --port"
        ) from error
    listening.listen()
    return listening


def serve_http(server: Server[Any], listening: socket.socket, token: str = "") -> None:
    """Answer requests at PATH until the process is told to end; with `token`, only those that bear it.

    Without one, only requests that name this machine as their host are answered, so that no page in a browser reaches
    the server under a name of its own.
    """
    host = listening.getsockname()[0]
    if not token and not is_loopback(host):
        raise InputError(f"{host} is reached by others", remedy="set a token")
    open_to = TransportSecuritySettings(enable_dns_rebinding_protection=False) if token else None
    app: App = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=open_to, host="127.0.0.1"
    )
    config = uvicorn.Config(
        _guarded(app, token) if token else app, log_config=None, access_log=False, server_header=False
    )
    anyio.run(lambda: uvicorn.Server(config).serve([listening]))


def _guarded(app: App, token: str) -> App:
    """`app` for those alone who send ``Authorization: Bearer <token>``, the scheme in any case (RFC 9110, 11.1)."""
    wanted = token.encode()

    async def checked(scope: Scope, receive: Any, send: Any) -> None:
        scheme, _, sent = dict(scope.get("headers") or ()).get(b"authorization", b"").partition(b" ")
        allowed = scheme.lower() == b"bearer" and hmac.compare_digest(sent.strip(b" "), wanted)
        if scope["type"] != "lifespan" and not allowed:
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await app(scope, receive, send)

    return checked
