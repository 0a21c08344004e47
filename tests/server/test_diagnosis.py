"""Why a start failed, from what the JVM and Neo4j log."""

from pathlib import Path

import pytest

from kg.server.diagnosis import explain_failed_start, log_sizes
from kg.server.home import ServerHome


@pytest.mark.parametrize(
    ("logged", "sentence"),
    [
        ("Caused by: java.net.BindException: Address already in use", "port"),
        ("java.io.IOException: No space left on device", "disk is full"),
        ("Invalid maximum heap size: -Xmx12q", "XKG_SERVER_HEAP"),
        ("Error occurred during initialization of VM\nCould not reserve enough space for object heap", "memory"),
        (
            "ERROR Invalid memory configuration - exceeds physical memory. Check server.memory.pagecache.size",
            "free memory",
        ),
        ("FileLockException: Unable to obtain lock on store lock file: store_lock", "another process"),
        ("Error: Could not find or load main class org.neo4j.server.CommunityEntryPoint", "damaged"),
        ("java.nio.file.AccessDeniedException: /home/neo4j/data", "write"),
        ("2026 INFO up\nCaused by: java.lang.IllegalStateException: the moon is full\n\tat x", "the moon is full"),
    ],
)
@pytest.mark.parametrize("name", ["console.log", "neo4j.log", "debug.log"])
def test_each_cause_has_its_sentence(tmp_path: Path, logged: str, sentence: str, name: str) -> None:
    home = ServerHome(tmp_path)
    home.make()
    log = home.logs / name
    log.write_text("No space left on device, in an earlier run\n")
    before = log_sizes(home)
    with log.open("a") as file:
        file.write(logged)
    failure = explain_failed_start(home, before)
    if name == "debug.log" and sentence == "the moon is full":
        sentence = "without a word"  # the debug log tells of many exceptions that are none
    assert sentence in str(failure.error)
    assert "\n" not in str(failure.error)
    assert failure.port_taken == ("Address already in use" in logged)


def test_silence_is_told_too(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.make()
    assert "without a word" in str(explain_failed_start(home, log_sizes(home)).error)
