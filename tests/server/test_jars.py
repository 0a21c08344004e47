"""Jars: the lock, and a download that is whole or not there, against a real HTTP server in Maven's layout."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kg.errors import ServiceError
from kg.server import jars

FILES = {f"/org/example/part{n}/1.0/part{n}-1.0.jar": bytes([n]) * (5000 + n) for n in range(3)}


class Repository(ThreadingHTTPServer):
    """Serves FILES; `cut` paths break off half-way, `damaged` ones arrive with other bytes."""

    cut: set[str]
    damaged: set[str]
    served: list[str]


class Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        body = FILES.get(self.path)
        if body is None:
            self.send_error(404)
            return
        self.server.served.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path in self.server.damaged:
            body = body[::-1][:-1] + b"!"
        self.wfile.write(body[: len(body) // 2] if self.path in self.server.cut else body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    """A Maven repository that the user's jgo configuration names, and a lock of its three jars."""
    server = Repository(("127.0.0.1", 0), Handler)
    server.cut, server.damaged, server.served = set(), set(), []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    config = tmp_path / "user" / ".config"
    config.mkdir(parents=True)
    (config / "jgo.conf").write_text(f"[repositories]\nmirror = http://127.0.0.1:{server.server_port}\n")
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    lock = tuple(
        jars.Jar(f"org.example:part{n}:1.0", hashlib.sha256(body).hexdigest(), len(body))
        for n, body in enumerate(FILES.values())
    )
    monkeypatch.setattr(jars, "locked_jars", lambda: lock)
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_lock_names_each_jar_once_and_no_address() -> None:
    locked = jars.locked_jars()
    assert len({jar.filename for jar in locked}) == len({jar.coordinate for jar in locked}) == len(locked) > 200
    assert all(len(jar.sha256) == 64 and jar.size > 0 for jar in locked)
    assert {"org.neo4j.app:neo4j-server:5.26.30", "org.neo4j.client:neo4j-browser:5.24.0"} <= {
        jar.coordinate for jar in locked
    }
    assert not [jar for jar in locked if "/" in jar.coordinate]


def test_a_second_fetch_asks_for_nothing(repository: Repository, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    assert jars.fetch_jars(tmp_path, lambda there, total: seen.append((there, total))) == 3
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1] == sum(map(len, FILES.values()))
    repository.served.clear()
    assert jars.fetch_jars(tmp_path) == 0
    assert repository.served == []
    assert jars.missing_jars(tmp_path) == []


def test_a_cut_download_is_not_there_and_the_next_run_resumes(repository: Repository, tmp_path: Path) -> None:
    broken = next(iter(FILES))
    repository.cut = {broken}
    with pytest.raises(ServiceError, match=r"org\.example:part0:1\.0 .*`xkg setup` again"):
        jars.fetch_jars(tmp_path)
    assert next(jar.coordinate for jar in jars.missing_jars(tmp_path)) == "org.example:part0:1.0"
    assert not list(jars.jar_folder(tmp_path).parent.glob("fetching-*"))
    repository.cut = set()
    jars.fetch_jars(tmp_path)
    assert jars.missing_jars(tmp_path, check_sums=True) == []


def test_other_bytes_are_refused(repository: Repository, tmp_path: Path) -> None:
    repository.damaged = {next(iter(FILES))}
    with pytest.raises(ServiceError, match="damaged or altered"):
        jars.fetch_jars(tmp_path)
    assert not (jars.jar_folder(tmp_path) / jars.locked_jars()[0].filename).exists()


def test_a_jar_damaged_on_disk_is_fetched_again(repository: Repository, tmp_path: Path) -> None:
    jars.fetch_jars(tmp_path)
    jar = jars.locked_jars()[1]
    path = jars.jar_folder(tmp_path) / jar.filename
    path.write_bytes(b"x" * jar.size)
    assert jars.missing_jars(tmp_path) == []
    assert jars.missing_jars(tmp_path, check_sums=True) == [jar]
    assert jars.fetch_jars(tmp_path) == 1
    path.write_bytes(b"short")
    assert jars.missing_jars(tmp_path) == [jar]


def test_an_unreachable_repository_is_one_sentence_without_its_address(repository: Repository, tmp_path: Path) -> None:
    repository.shutdown()
    repository.server_close()
    with pytest.raises(ServiceError) as caught:
        jars.fetch_jars(tmp_path)
    assert "Connection refused" in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)
    assert "\n" not in str(caught.value)
