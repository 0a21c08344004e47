"""A real git server on loopback: git's own http-backend below a folder of bare repositories."""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2021-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_COMMITTER_DATE": "2021-01-01T00:00:00Z",
}  # fmt: skip


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """What git prints, run in `folder` as nobody in particular; the same input gives the same hashes."""
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        input=stdin,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def commit(folder: Path, files: Mapping[str, bytes], message: str = "x") -> str:
    """Write `files` into the work tree `folder` (made a repository if it is none) and commit all of it."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


class GitServer:
    """Serves ``<root>/<owner>/<name>.git``.

    `refuse` holds statuses to answer with before git is asked, `seen` the headers of all requests; `stall_after` is the
    number of bytes after which a body stops coming.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.refuse: list[int] = []
        self.stall_after: int | None = None
        self.seen: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def publish(self, work_tree: Path, name: str) -> None:
        """Make the repository of `work_tree` available as owner/name."""
        bare = self.root / f"{name}.git"
        bare.parent.mkdir(parents=True, exist_ok=True)
        git(self.root, "clone", "-q", "--bare", str(work_tree), str(bare))

    def _handler(server) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.seen.append({**self.headers, ":path": self.path})
                if server.refuse:
                    self.send_error(server.refuse.pop(0))
                    return
                parts = urlsplit(self.path)
                if not (server.root / (parts.path.lstrip("/").split(".git/")[0] + ".git")).is_dir():
                    self.send_error(404, "Not Found")
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answer = subprocess.run(
                    ["git", "-c", "uploadpack.allowAnySHA1InWant=true", "-c", "safe.directory=*", "http-backend"],
                    env=ENVIRONMENT | server._cgi(self, parts.path, parts.query), input=body,
                    capture_output=True, check=False,
                )  # fmt: skip
                head, _, content = answer.stdout.partition(b"\r\n\r\n")
                headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
                self.send_response(int(headers.pop("Status", "200").split()[0]))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content[: server.stall_after])
                if server.stall_after is not None and len(content) > server.stall_after:
                    sleep(60)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def _cgi(self, request: BaseHTTPRequestHandler, path: str, query: str) -> dict[str, str]:
        return {
            "GIT_PROJECT_ROOT": str(self.root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
            "REQUEST_METHOD": request.command, "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""), "REMOTE_ADDR": "127.0.0.1",
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        }  # fmt: skip

    @contextmanager
    def running(self) -> Iterator["GitServer"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()
