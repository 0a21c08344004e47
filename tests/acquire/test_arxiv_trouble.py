"""What arXiv's bad days do to us: waits it asks for, pages instead of data, cut bodies, and what is left behind."""

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import pytest
from servers.arxiv_shapes import ATOM, BUSY, TAR, TEX, entry, error, feed, gz, oai, tar_gz
from servers.scripted import Reply, ScriptedServer

from ingest.acquire import acquire_paper
from kg.config import Settings
from kg.errors import InputError, RemoteError, ServiceError

GOOD = Reply(body=feed(entry("2101.00001v2")), headers=ATOM)
EPRINT = "/e-print/2101.00001v2"
HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture(autouse=True)
def _arxiv(host: ScriptedServer) -> None:
    host.play("/api/query", GOOD)
    host.play("/oai", Reply(body=oai("2101.00001")))
    host.play(EPRINT, Reply(body=tar_gz({"a.tex": TEX}), headers=TAR))


def left(settings: Settings) -> list[str]:
    """Files of the arXiv cache."""
    return sorted(
        str(path.relative_to(settings.cache)) for path in (settings.cache / "arxiv").rglob("*") if path.is_file()
    )


BAD_THEN_GOOD = [
    Reply(429), Reply(429, headers={"Retry-After": "0"}), Reply(429, headers={"Retry-After": "soon"}),
    Reply(500, BUSY, HTML), Reply(503, headers={"Retry-After": "0"}),
    Reply(200, BUSY, HTML), Reply(body=GOOD.body, headers=ATOM, cut=300),
    Reply(body=GOOD.body[:-20], headers=ATOM, sized=False),
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD_THEN_GOOD)
def test_the_feed_is_asked_for_again(host: ScriptedServer, settings: Settings, bad: Reply) -> None:
    host.play("/api/query", bad, GOOD)
    assert acquire_paper("2101.00001", settings).status == "ok"
    assert len(host.asked("/api/query")) == 2


@pytest.mark.parametrize(
    "bad",
    [
        Reply(429), Reply(429, headers={"Retry-After": "0"}), Reply(500, BUSY, HTML), Reply(200, BUSY, HTML),
        Reply(body=tar_gz({"a.tex": TEX}), headers=TAR, cut=50),
    ],
)  # fmt: skip
def test_the_eprint_is_asked_for_again(host: ScriptedServer, settings: Settings, bad: Reply) -> None:
    good = Reply(body=tar_gz({"a.tex": TEX}), headers=TAR)
    host.play(EPRINT, bad, good)
    assert acquire_paper("2101.00001", settings).status == "ok"
    assert len(host.asked(EPRINT)) == 2


@pytest.mark.parametrize("path", ["/api/query", EPRINT])
@pytest.mark.parametrize("date", [False, True])
def test_retry_after_is_honoured(host: ScriptedServer, settings: Settings, path: str, date: bool) -> None:
    moment = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    good = GOOD if path == "/api/query" else Reply(body=tar_gz({"a.tex": TEX}), headers=TAR)
    wait = format_datetime(moment, usegmt=True) if date else "1"
    host.play(path, Reply(429, headers={"Retry-After": wait}), good)
    acquire_paper("2101.00001", settings)
    first, second = host.asked(path)
    assert second.clock >= moment.timestamp() if date else second.at - first.at >= 1


def test_a_wait_beyond_patience_is_told_at_once(host: ScriptedServer, settings: Settings) -> None:
    host.play("/api/query", Reply(429, headers={"Retry-After": "3000"}))
    with pytest.raises(RemoteError, match=r"HTTP 429, and asks to wait 3000 s"):
        acquire_paper("2101.00001", settings)
    assert len(host.requests) == 1


def test_without_retry_after_waits_grow(host: ScriptedServer, settings: Settings) -> None:
    host.play("/api/query", Reply(429))
    with pytest.raises(RemoteError, match="HTTP 429 after 5 tries"):
        acquire_paper("2101.00001", settings.replace(network__retry_wait=0.1))
    times = [request.at for request in host.asked("/api/query")]
    gaps = [after - before for before, after in pairwise(times)]
    assert all(gap >= wait for gap, wait in zip(gaps, (0.1, 0.2, 0.4, 0.8), strict=True))


ALWAYS: list[tuple[str, Reply, type[Exception], str]] = [
    ("/api/query", Reply(body=feed(), headers=ATOM), InputError, "knows no paper 2101.00001"),
    ("/api/query", Reply(400, error("2101.00001"), ATOM), InputError, "incorrect id format"),
    ("/api/query", Reply(200, BUSY, HTML), RemoteError, "text/html, a page and not a feed"),
    ("/api/query", Reply(403, BUSY, HTML), RemoteError, "HTTP 403"),
    ("/api/query", Reply(500, BUSY, HTML), RemoteError, "HTTP 500"),
    ("/api/query", Reply(body=GOOD.body, headers=ATOM, cut=500), RemoteError, "cut"),
    (EPRINT, Reply(200, BUSY, HTML), RemoteError, "a page and not the file"),
    (EPRINT, Reply(200, b'{"error": 1}', {"Content-Type": "application/json"}), RemoteError, "application/json"),
    (EPRINT, Reply(200, BUSY), RemoteError, "a web page instead of the e-print"),
    (EPRINT, Reply(200, b""), RemoteError, "nothing instead of the e-print"),
    (EPRINT, Reply(200, bytes(range(256)) * 9), RemoteError, "something unknown"),
    (EPRINT, Reply(403), RemoteError, "HTTP 403"),
    (EPRINT, Reply(502), RemoteError, "HTTP 502"),
    (EPRINT, Reply(301, headers={"Location": EPRINT}), RemoteError, "circles"),
    (EPRINT, Reply(301, headers={"Location": "file:///etc/passwd"}), RemoteError, "address that is none"),
    (EPRINT, Reply(body=tar_gz({"a.tex": TEX})[:-40], headers=TAR, sized=False), RemoteError, "cut short"),
    (EPRINT, Reply(body=b"", headers={"Content-Length": "60000000"}, sized=False), InputError, "larger than 50 MB"),
]


@pytest.mark.parametrize(("path", "reply", "kind", "words"), ALWAYS)
def test_what_stays_bad_is_one_sentence_and_nothing_is_left(
    host: ScriptedServer, settings: Settings, path: str, reply: Reply, kind: type[Exception], words: str
) -> None:
    host.play(path, reply)
    with pytest.raises(kind, match=words) as caught:
        acquire_paper("2101.00001", settings)
    assert "\n" not in str(caught.value)
    assert left(settings) == []


def test_a_host_that_is_not_there(settings: Settings) -> None:
    nowhere = settings.replace(arxiv__api="http://127.0.0.1:9/api")
    with pytest.raises(RemoteError, match=r"no connection .* after 2 tries"):
        acquire_paper("2101.00001", nowhere)
    with pytest.raises(RemoteError, match=r"no connection .* after 2 tries"):
        acquire_paper("2101.00001", settings.replace(arxiv__eprint="http://127.0.0.1:9/e-print"))


def noise(size: int) -> bytes:
    """Bytes that don't compress, the same each time."""
    return hashlib.shake_128(b"noise").digest(size)


def big() -> bytes:
    return tar_gz({"a.tex": TEX, "noise.bin": noise(300_000)})


def test_a_cut_download_is_begun_anew(host: ScriptedServer, settings: Settings) -> None:
    body = big()
    host.play(EPRINT, Reply(body=body, cut=1000), Reply(body=body))
    assert acquire_paper("2101.00001", settings).status == "ok"
    assert len(host.asked(EPRINT)) == 2


def test_a_bomb_is_refused_and_leaves_nothing(host: ScriptedServer, settings: Settings) -> None:
    host.play(EPRINT, Reply(body=gzip.compress(b"\\section{a}" + b"a" * 30_000_000), headers=TAR))
    with pytest.raises(InputError, match="refused"):
        acquire_paper("2101.00001", settings)
    assert left(settings) == []


RUN = """
import json, resource, signal, sys
from ingest.acquire import acquire_paper
from kg.config import Settings
from kg.errors import XkgError
options = json.loads(sys.argv[1])
if limit := options.pop("file_size", 0):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    acquire_paper(options.pop("ref"), Settings(**options))
except XkgError as error:
    print(type(error).__name__, error)
except KeyboardInterrupt:
    print("interrupted")
"""


def in_a_process(
    settings: Settings, during: Callable[[int], object] = lambda pid: None, *, ref: str = "2101.00001", **more: int
) -> str:
    """Acquire in a process of its own; `during` gets its id."""
    fields = {"cache", "arxiv", "network"}
    options = settings.model_dump(mode="json", include=fields)
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", RUN, json.dumps(options | more | {"ref": ref})],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
    )
    during(child.pid)
    return child.communicate(timeout=60)[0]


def test_a_full_disk_leaves_nothing_half_written(host: ScriptedServer, settings: Settings) -> None:
    host.play(EPRINT, Reply(body=big(), headers=TAR))
    assert in_a_process(settings, file_size=100_000).startswith(f"{ServiceError.__name__} the disk is full")
    assert left(settings) == []


def test_a_full_disk_while_unpacking_leaves_nothing_half_written(host: ScriptedServer, settings: Settings) -> None:
    host.play(EPRINT, Reply(body=tar_gz({"a.tex": TEX, "zeros.bin": bytes(900_000)}), headers=TAR))
    assert in_a_process(settings, file_size=500_000).startswith(f"{ServiceError.__name__} the disk is full")
    assert left(settings) == []


def test_an_interrupt_leaves_nothing_half_written(host: ScriptedServer, settings: Settings) -> None:
    body = big()
    host.play(EPRINT, Reply(body=body, headers=TAR, cut=100_000), Reply(body=body, headers=TAR, delay=20))

    def interrupt(pid: int) -> None:
        deadline = time.monotonic() + 30
        while len(host.asked(EPRINT)) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(pid, signal.SIGINT)

    assert in_a_process(settings, interrupt) == "interrupted\n"
    assert left(settings) == []


def test_requests_of_two_processes_take_turns(host: ScriptedServer, settings: Settings) -> None:
    slow = settings.replace(arxiv__interval=0.3)
    host.play("/api/query", lambda asked: Reply(body=feed(entry(asked.query["id_list"][0])), headers=ATOM))
    host.play("/e-print/2101.00001v1", Reply(body=gz(TEX), headers=TAR, delay=0.2))
    host.play("/e-print/2101.00003v1", Reply(body=gz(TEX), headers=TAR))
    in_a_process(slow, lambda _: acquire_paper("2101.00003v1", slow), ref="2101.00001v1")
    times = [request.at for request in host.requests]
    assert len(times) == 6
    assert all(after - before >= 0.29 for before, after in pairwise(times))
    assert max(request.others for request in host.requests) == 0


def test_what_a_killed_process_left_is_swept_away(host: ScriptedServer, settings: Settings) -> None:
    home = settings.cache / "arxiv" / "2101.00001"
    (home / ".v2.new" / "source").mkdir(parents=True)
    (home / ".v2.new" / "source" / "half.tex").write_bytes(b"x")
    (home / ".v2.new" / "eprint").write_bytes(b"half of something")
    (home / "newest.json").write_bytes(b'{"version": ')
    source = acquire_paper("2101.00001", settings)
    assert source.folder is not None
    assert [path.name for path in source.folder.iterdir()] == ["a.tex"]
    assert not list(home.glob(".v2*"))


def test_a_process_killed_outright_is_taken_over(host: ScriptedServer, settings: Settings) -> None:
    body, good = big(), Reply(body=tar_gz({"a.tex": TEX}), headers=TAR)
    host.play(EPRINT, Reply(body=body, headers=TAR, cut=100_000), Reply(body=body, headers=TAR, delay=20), good)

    def kill(pid: int) -> None:
        deadline = time.monotonic() + 30
        while len(host.asked(EPRINT)) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(pid, signal.SIGKILL)

    assert in_a_process(settings, kill) == ""
    assert acquire_paper("2101.00001", settings).status == "ok"


def test_two_that_want_the_same_paper_fetch_it_once(host: ScriptedServer, settings: Settings) -> None:
    host.play(EPRINT, Reply(body=gz(TEX), headers=TAR, delay=0.2))
    in_a_process(settings, lambda _: acquire_paper("2101.00001", settings))
    assert len(host.asked(EPRINT)) == 1
