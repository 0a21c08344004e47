"""A door to a server that can be shut: then it is gone for whoever has come through it, and for others it is not."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["Relay", "relay"]


class Relay:
    """Passes on what comes to `port` of loopback to another port of it, until it is shut; `open` opens it again."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._passing: list[socket.socket] = []
        self._serve()

    def shut(self) -> None:
        for one in (self._listening, *self._passing):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def open(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self._serve()

    def _serve(self) -> None:
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                self._passing += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=_pass, args=pair, daemon=True).start()


@contextmanager
def relay(target: int) -> Iterator[Relay]:
    opened = Relay(target)
    try:
        yield opened
    finally:
        opened.shut()


def _pass(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_RDWR)
