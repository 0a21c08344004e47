"""A scripted Bolt server on loopback: enough of the protocol (5.0) to say who it is, and nothing more."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HANDSHAKE_BYTES = 20
BOLT_5_0 = b"\x00\x00\x00\x05"


def _text(value: str) -> bytes:
    """A PackStream string shorter than 256 bytes."""
    data = value.encode()
    return (bytes([0x80 + len(data)]) if len(data) < 16 else bytes([0xD0, len(data)])) + data


def _success(**metadata: str) -> bytes:
    """A SUCCESS message in one chunk."""
    body = b"\xb1\x70" + bytes([0xA0 + len(metadata)])
    body += b"".join(_text(key) + _text(value) for key, value in metadata.items())
    return len(body).to_bytes(2, "big") + body + b"\x00\x00"


@contextmanager
def tcp_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run `answer` on each connection, closing it afterwards; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(10)
                    try:
                        answer(connection)
                    except OSError:
                        continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=15)


@contextmanager
def bolt_server(agent: str) -> Iterator[int]:
    """A server that introduces itself as `agent`, as "Neo4j/4.4.9"; yields its port."""

    def introduce(connection: socket.socket) -> None:
        connection.recv(HANDSHAKE_BYTES)
        connection.sendall(BOLT_5_0)
        connection.recv(4096)  # HELLO
        connection.sendall(_success(server=agent, connection_id="bolt-1"))
        while connection.recv(4096):  # GOODBYE and the end
            connection.sendall(_success())

    with tcp_server(introduce) as port:
        yield port
