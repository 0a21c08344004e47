"""The life of a local server: started once by two at once, private, moved off taken ports, ended without a trace."""

import fcntl
import json
import os
import socket
import stat
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from kg.errors import DatabaseError
from kg.files import write_file
from kg.opening import connect
from kg.server.browser import browser_access
from kg.server.processes import find_leftovers
from tests.server.conftest import OwnServer

pytestmark = pytest.mark.db


def finished(*processes: Any) -> list[dict[str, Any]]:
    """The JSON of `xkg … --json` processes that must end well."""
    results = []
    for process in processes:
        out, err = process.communicate(timeout=400)
        assert process.returncode == 0, err
        results.append(json.loads(out))
    return results


def everything_told(own_server: OwnServer, *results: object) -> str:
    """All that other users or a log could show: command lines, configuration, logs, what commands printed."""
    lines = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
    kept = [path for path in own_server.home.root.rglob("*") if path.suffix in {".log", ".conf", ".args"}]
    assert own_server.home.console_log in kept
    return "\n".join([*lines, *(path.read_text("utf-8", "replace") for path in kept), json.dumps(results)])


def test_two_commands_at_once_start_one_server(own_server: OwnServer) -> None:
    first, second = finished(own_server.xkg("db", "start", "--json"), own_server.xkg("db", "start", "--json"))
    assert sorted([first["started"], second["started"]]) == [False, True]
    assert first["pid"] == second["pid"]
    assert len(find_leftovers(own_server.home)) == 2  # the server and its supervisor

    server = psutil.Process(first["pid"])
    assert {connection.laddr.ip for connection in server.net_connections("tcp")} <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert not {name for name in server.environ() if name.startswith(("XKG_", "GITHUB_", "AWS_"))}

    assert "shared" not in own_server.home.console_log.read_text()  # the JVM complains of a class archive that is unfit

    (status,) = finished(own_server.xkg("db", "status", "--json"))
    assert (status["running"], status["pid"], status["uri"]) == (True, first["pid"], first["uri"])
    assert stat.S_IMODE(own_server.home.secrets.stat().st_mode) == 0o600
    assert own_server.home.secret().password not in everything_told(own_server, first, second, status)

    assert finished(own_server.xkg("db", "stop", "--json")) == [{"stopped": True}]
    assert find_leftovers(own_server.home) == []
    assert finished(own_server.xkg("db", "stop", "--json")) == [{"stopped": False}]


def test_taken_ports_and_stale_notes_do_not_stop_a_start(own_server: OwnServer) -> None:
    own_server.home.make()
    before, _ = own_server.home.choose_ports()
    me = psutil.Process()
    someone = {"pid": me.pid, "created": me.create_time() - 1000}  # our number, another program's time
    note = {"supervisor": someone, "server": someone, "bolt": before.bolt, "http": before.http}
    write_file(own_server.home.state, json.dumps(note))
    remarks: list[str] = []
    with socket.create_server(("127.0.0.1", before.bolt)):
        running = own_server.ensure(remarks.append)
    assert running.started
    assert str(before.bolt) not in running.uri
    assert remarks and f"port {before.bolt} is taken" in remarks[0]
    assert me.is_running()

    right = own_server.home.secrets.read_text()
    write_file(own_server.home.secrets, json.dumps({"username": "neo4j", "password": "not the one"}))
    with pytest.raises(DatabaseError, match=r"refuses the password.*secrets\.json.*xkg db reset"):
        connect(own_server.settings)
    write_file(own_server.home.secrets, right)

    with connect(own_server.settings) as connection:
        connection.driver.execute_query("CREATE (:Paper {id: 'kept'})")
    running = own_server.find()
    assert running
    supervisor = psutil.Process(running.supervisor_pid)
    supervisor.kill()
    supervisor.wait(timeout=60)
    with connect(own_server.settings) as connection:
        found = connection.driver.execute_query("MATCH (p:Paper) RETURN p.id AS id").records
    assert [row["id"] for row in found] == ["kept"]

    assert own_server.erase()
    assert not own_server.home.neo4j.exists()
    assert not own_server.home.secrets.exists()
    assert not own_server.erase()


def test_no_file_of_its_caller_stays_open(own_server: OwnServer, tmp_path: Path) -> None:
    place = tmp_path / "lock"
    with place.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        os.set_inheritable(held.fileno(), True)
        running = own_server.ensure()
        os.set_inheritable(held.fileno(), False)
    for process in find_leftovers(own_server.home):
        assert str(place) not in {file.path for file in process.open_files()}
    assert {process.pid for process in find_leftovers(own_server.home)} == {running.supervisor_pid, running.server_pid}
    with place.open("w") as again:
        fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_the_time_of_a_start_is_not_idle_time(own_server: OwnServer) -> None:
    home = own_server.home
    own_server.ensure()
    assert home.used.stat().st_mtime_ns > home.state.stat().st_mtime_ns


def test_it_stops_when_nobody_uses_it_and_not_before(own_server: OwnServer) -> None:
    idle_seconds = 6.0
    impatient = OwnServer(own_server.settings_with(server__idle_minutes=idle_seconds / 60))
    with connect(impatient.settings) as connection:
        running = impatient.find()
        assert running
        supervisor = psutil.Process(running.supervisor_pid)
        with pytest.raises(psutil.TimeoutExpired):
            supervisor.wait(timeout=2 * idle_seconds)
        connection.driver.verify_connectivity()
    supervisor.wait(timeout=120)
    assert impatient.find() is None
    assert find_leftovers(impatient.home) == []


def test_a_missing_installation_names_the_command(own_server: OwnServer, tmp_path: Path) -> None:
    elsewhere = OwnServer(own_server.settings_with(cache=tmp_path))
    with pytest.raises(DatabaseError, match=r"not installed: \d+ of its jars are missing.*`xkg setup`"):
        elsewhere.ensure()


def test_the_page_is_there_when_its_address_is_told(own_server: OwnServer) -> None:
    own_server.stop()
    access = browser_access(own_server.settings, print)
    assert httpx.get(access.url, timeout=5).status_code == 200
