"""The local server's memory: what store and machine make of it, what settings do, and what status tells."""

from pathlib import Path

import pytest

from kg.config import Settings
from kg.server.home import ServerHome
from kg.server.memory import Memory, choose_memory, limits, machine_mb
from kg.server.status import local_status
from tests.server.conftest import OwnServer


@pytest.mark.parametrize(
    ("store", "machine", "heap", "page_cache"),
    [
        (0, 16_000, "512m", "128m"),
        (1_000, 16_000, "762m", "1128m"),
        (5_000, 16_000, "1762m", "4000m"),
        (100_000, 16_000, "4000m", "4000m"),
        (100_000, 256_000, "4096m", "8192m"),
        (5_000, 1_000, "512m", "250m"),
        (5_000, 200, "512m", "128m"),
    ],
)
def test_memory_grows_with_the_store_as_far_as_the_machine_allows(
    store: float, machine: int, heap: str, page_cache: str
) -> None:
    assert choose_memory(Settings(), store, machine) == Memory(heap, page_cache)


def test_what_the_settings_say_holds_on_any_machine() -> None:
    settings = Settings().replace(server__heap="9g")
    assert choose_memory(settings, 1_000, 16_000) == Memory("9g", "1128m")
    assert choose_memory(settings.replace(server__page_cache="64m"), 1_000, 16_000) == Memory("9g", "64m")


def test_a_container_is_a_small_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = tmp_path / "memory.max"
    monkeypatch.setattr("kg.server.memory.CONTROL_GROUP", told)
    whole = machine_mb()
    told.write_text("max\n")
    assert machine_mb() == whole
    told.write_text(f"{300 << 20}\n")
    assert machine_mb() == 300


def test_status_tells_what_the_next_start_takes_and_its_limits(tmp_path: Path) -> None:
    settings = Settings().replace(home=tmp_path, server__page_cache="64m")
    folder = ServerHome(tmp_path).data / "databases" / "neo4j"
    folder.mkdir(parents=True)
    with (folder / "neostore").open("wb") as file:
        file.truncate(400 << 20)
    status = local_status(settings)
    least, most = limits(status["machine_mb"]).heap
    assert (status["heap"], status["heap_limits"]) == (f"{min(612, most)}m", f"{least}m to {most}m")
    assert (status["page_cache"], status["page_cache_limits"]) == ("64m", None)


@pytest.mark.db
def test_the_server_runs_with_what_status_tells(own_server: OwnServer) -> None:
    own_server.settings = own_server.settings_with(server__heap="600m")
    own_server.ensure()
    assert "-Xmx600m" in own_server.home.arguments.read_text()
    status = local_status(own_server.settings_with(server__heap="700m"))
    assert (status["heap"], status["page_cache"]) == ("600m", "128m")
    assert "server.memory.pagecache.size=128m" in own_server.home.conf.read_text()
