"""`xkg db` and `xkg setup` where no server is needed: refusals, and that looking starts nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def xkg(home: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "xkg", *words],
        env={**os.environ, "XKG_HOME": str(home), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_status_starts_nothing_and_makes_nothing(home: Path) -> None:
    done = xkg(home, "db", "status", "--json")
    status = json.loads(done.stdout)
    assert (done.returncode, status["kind"], status["running"], status["pid"]) == (0, "local", False, None)
    assert not home.exists()


def test_path_tells_where_things_are(home: Path) -> None:
    assert xkg(home, "db", "path").stdout.strip() == str(home)
    places = json.loads(xkg(home, "db", "path", "--json").stdout)
    assert set(places) == {"home", "data", "log", "secrets"}
    assert all(place.startswith(str(home)) for place in places.values())


def test_reset_wants_a_word_of_confirmation(home: Path) -> None:
    done = xkg(home, "db", "reset")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--yes" in done.stderr
    assert json.loads(xkg(home, "db", "reset", "--yes", "--json").stdout) == {"deleted": False, "home": str(home)}


@pytest.mark.parametrize("words", [("db", "start"), ("db", "reset", "--yes")])
def test_a_server_that_is_not_ours_is_left_alone(home: Path, words: tuple[str, ...]) -> None:
    done = xkg(home, *words, NEO4J_URI="bolt://db.example")
    assert done.returncode == 2
    assert "NEO4J_URI points elsewhere (bolt://db.example)" in done.stderr
    assert not home.exists()


def test_no_jars_is_one_sentence(home: Path, tmp_path: Path) -> None:
    done = xkg(home, "db", "start", XKG_CACHE=str(tmp_path / "empty"))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "run `xkg setup` once" in done.stderr


def test_a_cache_that_cannot_be_written_is_one_sentence(home: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = xkg(home, "setup", XKG_CACHE=str(tmp_path / "file"))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "XKG_CACHE" in done.stderr


@pytest.mark.db
def test_setup_a_second_time_does_nothing(home: Path) -> None:
    done = xkg(home, "setup", "--json")
    assert done.returncode == 0, done.stderr
    server = json.loads(done.stdout)["server"]
    assert (server["fetched"], server["archive_made"], server["version"]) == (0, False, "5.26.30")
    assert server["jars"] > 200
    assert not home.exists()


def test_an_unreachable_database_is_exit_code_3(home: Path) -> None:
    done = xkg(home, "db", "status", NEO4J_URI="bolt://127.0.0.1:1", NEO4J_PASSWORD="geheim-und-lang")
    assert (done.returncode, done.stdout) == (3, "")
    assert "nothing listens there" in done.stderr
    assert "geheim" not in done.stderr
