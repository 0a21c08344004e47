"""A real HTTP server on loopback that plays a script: for each path the replies to give, one after the other."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, sleep, time
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Request:
    """What a client asked, when (monotonic seconds, and by the clock), and how many others were being answered then."""

    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    at: float
    clock: float
    others: int
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    """An answer. `cut` drops the connection after so many bytes of the body; `sized` False omits Content-Length.

    `pieces` are sent after the body, in turn: bytes, or a pause of so many seconds. They need `sized` False.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    sized: bool = True
    delay: float = 0.0
    pieces: Sequence[bytes | float] = ()


Answer = Reply | Callable[[Request], Reply]


class ScriptedServer:
    """`play(path, *answers)` sets the answers of a path; the last one is repeated. Anything else is a 404."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._answers: dict[str, list[Answer]] = defaultdict(list)
        self._open = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def play(self, path: str, *answers: Answer) -> None:
        self._answers[path] = list(answers)

    def asked(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    def _answer(self, request: Request) -> Reply:
        answers = self._answers.get(request.path, [])
        if not answers:
            return Reply(404, b"nothing here")
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return answer if isinstance(answer, Reply) else answer(request)

    def _handler(server) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with server._lock:
                    server._open += 1
                    request = Request(
                        parts.path,
                        parse_qs(parts.query),
                        dict(self.headers),
                        monotonic(),
                        time(),
                        server._open - 1,
                        body,
                    )
                    server.requests.append(request)
                    reply = server._answer(request)
                try:
                    self._send(reply)
                except ConnectionError:
                    self.close_connection = True  # a client that had enough hangs up
                finally:
                    with server._lock:
                        server._open -= 1

            do_POST = do_GET

            def _send(self, reply: Reply) -> None:
                sleep(reply.delay)
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.sized:
                    self.send_header("Content-Length", str(len(reply.body)))
                if reply.cut is not None or not reply.sized:
                    self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(reply.body if reply.cut is None else reply.body[: reply.cut])
                for piece in reply.pieces:
                    if isinstance(piece, bytes):
                        self.wfile.write(piece)
                    else:
                        sleep(piece)
                self.close_connection = reply.cut is not None or not reply.sized

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    @contextmanager
    def running(self) -> Iterator["ScriptedServer"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()
