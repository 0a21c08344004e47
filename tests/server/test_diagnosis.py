"""Why a start failed, from what the JVM and Neo4j log."""

from pathlib import Path

import pytest

from kg.server.diagnosis import explain_failed_start
from kg.server.home import ServerHome


@pytest.mark.parametrize(
    ("logged", "told"),
    [
        ("Caused by: java.net.BindException: Address already in use", "port"),
        ("java.io.IOException: No space left on device", "disk is full"),
        ("Invalid maximum heap size: -Xmx12q", "XKG_SERVER_HEAP"),
        ("Error occurred during initialization of VM\nCould not reserve enough space for object heap", "memory"),
        ("FileLockException: Unable to obtain lock on store lock file: store_lock", "another process"),
        ("Error: Could not find or load main class org.neo4j.server.CommunityEntryPoint", "damaged"),
        ("java.nio.file.AccessDeniedException: /home/neo4j/data", "write"),
        ("2026 INFO up\nCaused by: java.lang.IllegalStateException: the moon is full\n\tat x", "the moon is full"),
    ],
)
def test_each_cause_has_its_sentence(tmp_path: Path, logged: str, told: str) -> None:
    home = ServerHome(tmp_path)
    home.make()
    home.console_log.write_text("No space left on device, in an earlier run\n" + logged)
    failure = explain_failed_start(home, len("No space left on device, in an earlier run\n"))
    assert told in str(failure.error)
    assert "\n" not in str(failure.error)
    assert failure.port_taken == ("Address already in use" in logged)


def test_silence_is_told_too(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.make()
    assert "without a word" in str(explain_failed_start(home, 0).error)
