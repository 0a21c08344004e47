"""Packages without wheels: one is built in the sandbox, from an index's sources, and what does not go is told."""

import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from environment_index import HERE, Index, wish

from agents.execution.environments import EnvironmentFailed, build_environment, sdists
from agents.execution.environments.cache import prune_environments
from agents.execution.environments.interpreters import interpreter
from kg.config import Settings
from kg.errors import ServiceError

pytestmark = pytest.mark.sandbox


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """Sources in a folder, beside the index of this machine, which has what they are built with."""
    made = Index(tmp_path / "sources")
    monkeypatch.setenv("UV_FIND_LINKS", str(made.folder))
    return made


def test_a_wheel_is_built_in_the_sandbox_and_installed(sources: Index, settings: Settings, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    sources.sdist("xkggamma", "1.0", ran)
    sources.sdist("xkggamma", "1.1", ran)
    built = build_environment(wish("xkggamma==1.0"), settings)
    assert built.packages == {"xkggamma": "1.0"}
    assert built.built == ("xkggamma-1.0-py3-none-any.whl",)
    assert (built.site / "xkggamma.py").read_text() == "version = '1.0'\n"
    assert build_environment(wish("xkggamma"), settings).packages == {"xkggamma": "1.1"}
    assert not ran.exists(), "setup.py has run on the host"


def test_what_a_package_needs_is_built_too_and_wheels_are_taken_where_there_are_any(
    sources: Index, settings: Settings, tmp_path: Path
) -> None:
    sources.wheel("xkgalpha", requires=("xkggamma>=1",))
    sources.sdist("xkggamma", "1.0", tmp_path / "ran", requires=("xkgdelta", "xkgbeta"))
    sources.sdist("xkgdelta", "3.0", tmp_path / "ran")
    sources.wheel("xkgbeta", "1.0")
    sources.sdist("xkgbeta", "2.0", tmp_path / "ran")
    built = build_environment(wish("xkgalpha"), settings)
    assert built.packages == {"xkgalpha": "1.0", "xkgbeta": "1.0", "xkgdelta": "3.0", "xkggamma": "1.0"}
    assert {name.partition("-")[0] for name in built.built} == {"xkggamma", "xkgdelta"}


def test_a_build_that_fails_is_told_and_not_tried_again(
    sources: Index, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources.wheel("xkgalpha")
    sources.sdist("xkggamma", "1.0", tmp_path / "ran", more="raise ImportError('PyTorch is not installed')")
    first = build_environment(wish("xkgalpha", "xkggamma"), settings)
    assert first.packages == {"xkgalpha": "1.0"}
    assert first.dropped == ("xkggamma: xkggamma 1.0 can't be built: ImportError: PyTorch is not installed",)
    monkeypatch.setattr(sdists, "open_sandbox", None)
    assert build_environment(wish("xkgalpha", "xkggamma", "xkgalpha>0"), settings).dropped == first.dropped


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("import time\ntime.sleep(60)", "limit of wall"),
        ("import sys\nsys.argv[1:1] = ['--name']\nraise SystemExit(0)", "can't be built"),
        (
            "import setuptools\nreal = setuptools.setup\n"
            "setuptools.setup = lambda **more: real(**{**more, 'name': 'xkgother'})",
            "xkggamma",
        ),
    ],
    ids=["endless", "silent", "of another name"],
)  # fmt: skip
def test_a_hostile_build_gives_nothing(
    more: str, said: str, sources: Index, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sdists, "_SECONDS", 10.0)
    sources.sdist("xkggamma", "1.0", tmp_path / "ran", more=more)
    with pytest.raises(EnvironmentFailed, match="none of 1 requirements") as caught:
        build_environment(wish("xkggamma"), settings)
    assert said in str(caught.value)


def test_a_wheel_that_is_lost_is_built_again_for_its_lock(sources: Index, settings: Settings, tmp_path: Path) -> None:
    sources.sdist("xkggamma", "1.0", tmp_path / "ran")
    first = build_environment(wish("xkggamma"), settings)
    prune_environments(settings, everything=True)
    assert not list((settings.cache / "environments").rglob("*.whl"))
    assert build_environment(wish("xkggamma"), settings) == first


class _Pages(http.server.BaseHTTPRequestHandler):
    """An index's answers (JSON of PEP 691) and files, by path."""

    answers: dict[str, bytes]

    def do_GET(self) -> None:
        found = self.answers.get(self.path)
        self.send_response(200 if found is not None else 404)
        self.send_header("Content-Type", "application/vnd.pypi.simple.v1+json")
        self.send_header("Content-Length", str(len(found or b"")))
        self.end_headers()
        self.wfile.write(found or b"")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """What an index of its own answers, by path."""
    answers: dict[str, bytes] = {}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Pages,), {"answers": answers}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("UV_INDEX", f"http://127.0.0.1:{server.server_address[1]}/simple/")
    yield answers
    server.shutdown()
    server.server_close()


def listed(*files: dict[str, object]) -> bytes:
    """A project's page."""
    return json.dumps({"meta": {"api-version": "1.0"}, "name": "xkggamma", "files": list(files)}).encode()


def test_sources_of_an_index_are_taken_by_version_python_and_hash(
    pages: dict[str, bytes], settings: Settings, tmp_path: Path
) -> None:
    archive = Index(tmp_path / "made").sdist("xkggamma", "1.0", tmp_path / "ran").read_bytes()
    digest = hashlib.sha256(archive).hexdigest()
    later: dict[str, object] = {"url": "../../no.tar.gz", "hashes": {"sha256": "0" * 64}}
    pages["/xkggamma-1.0.tar.gz"] = archive
    pages["/simple/xkggamma/"] = listed(
        {"filename": "xkggamma-1.0.tar.gz", "url": "../../xkggamma-1.0.tar.gz", "hashes": {"sha256": digest}},
        {"filename": "xkggamma-2.0.tar.gz", "requires-python": ">=9", **later},
        {"filename": "xkggamma-3.0.tar.gz", "yanked": True, **later},
        {"filename": "xkggamma-4.0.dev1.tar.gz", **later},
        {"filename": "xkggamma-5.0.tar.gz", "url": "../../no.tar.gz", "hashes": {}},
        {"filename": "another-6.0.tar.gz", **later},
    )
    assert build_environment(wish("xkggamma"), settings).packages == {"xkggamma": "1.0"}
    assert not (tmp_path / "ran").exists()


def test_of_a_dated_stack_the_sources_are_of_that_day(
    pages: dict[str, bytes], settings: Settings, tmp_path: Path
) -> None:
    made = Index(tmp_path / "made")
    files = []
    for version, day in (("1.0", "2019-03-01"), ("1.1", "2020-01-05"), ("2.0", "2024-03-01")):
        archive = made.sdist("xkggamma", version, tmp_path / "ran").read_bytes()
        pages[f"/xkggamma-{version}.tar.gz"] = archive
        files.append(
            {
                "filename": f"xkggamma-{version}.tar.gz",
                "url": f"../../xkggamma-{version}.tar.gz",
                "hashes": {"sha256": hashlib.sha256(archive).hexdigest()},
                "upload-time": f"{day}T10:00:00.000000Z",
            }
        )
    pages["/simple/xkggamma/"] = listed(*files)
    for day, version in (("2020-06-01", "1.1"), ("2018-01-01", "2.0"), (None, "2.0")):
        assert build_environment(wish("xkggamma", before=day), settings).packages == {"xkggamma": version}


@pytest.mark.parametrize("wrong", ["other bytes", "gone", "large"])
def test_an_archive_that_is_not_what_the_index_says_is_not_built(
    wrong: str, pages: dict[str, bytes], settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Index(tmp_path / "made").sdist("xkggamma", "1.0", tmp_path / "ran").read_bytes()
    entry = {"filename": "xkggamma-1.0.tar.gz", "url": "../../xkggamma-1.0.tar.gz"}
    pages["/simple/xkggamma/"] = listed({**entry, "hashes": {"sha256": hashlib.sha256(archive).hexdigest()}})
    if wrong != "gone":
        pages["/xkggamma-1.0.tar.gz"] = archive + b"\0" * (wrong == "other bytes")
    if wrong == "large":
        monkeypatch.setattr(sdists, "_LARGEST", 100)
    with pytest.raises(EnvironmentFailed, match=r"none of 1 requirements.*xkggamma"):
        build_environment(wish("xkggamma"), settings)
    assert not list((settings.cache / "environments").rglob("*.whl"))


def test_an_index_that_does_not_answer_is_no_word_on_a_package(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_INDEX", "http://127.0.0.1:9/simple/")
    with pytest.raises(ServiceError, match="can't be reached"):
        sdists.build_wheel("xkggamma", interpreter(HERE), settings)
