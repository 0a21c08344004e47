"""How much memory the local server gets: as its store asks, within what the machine spares, unless the settings say.

The heap holds the transactions and queries that run, which are larger in a larger graph; the page cache holds the
store, whose pages are taken only as they are read. Both are chosen at each start.
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from kg.config import AUTOMATIC, Settings
from kg.files import folder_size, write_file
from kg.server.home import ServerHome, read_json

__all__ = [
    "Limits", "Memory", "choose_memory", "launched_memory", "limits", "machine_mb", "note_memory", "store_mb",
]  # fmt: skip

LEAST_HEAP, MOST_HEAP = 512, 4096
LEAST_CACHE, MOST_CACHE = 128, 8192
"""Megabytes (of 2^20 bytes) whatever store and machine are."""
SHARE = 4
"""Heap and page cache may each take this part of the machine's memory: the rest is for indexes and other programs."""
HEAP_OF_STORE = 4
"""The heap grows by a megabyte with so many of the store."""
CONTROL_GROUP = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Limits:
    """Between what the automatic sizes stay, in megabytes."""

    heap: tuple[int, int]
    page_cache: tuple[int, int]


@dataclass(frozen=True)
class Memory:
    """Sizes as the JVM and Neo4j write them."""

    heap: str
    page_cache: str


def machine_mb() -> int:
    """Megabytes of this machine, or of the container it is."""
    most = psutil.virtual_memory().total
    with suppress(OSError, ValueError):  # no such file, or "max"
        most = min(most, int(CONTROL_GROUP.read_text()))
    return most >> 20


def limits(machine: int) -> Limits:
    """What is right on a machine of so many megabytes; the least is the same on any."""
    spared = machine // SHARE
    return Limits(
        (LEAST_HEAP, max(LEAST_HEAP, min(MOST_HEAP, spared))), (LEAST_CACHE, max(LEAST_CACHE, min(MOST_CACHE, spared)))
    )


def choose_memory(settings: Settings, store_mb: float, machine: int) -> Memory:
    """Memory for a store and a machine of so many megabytes, or what the settings say."""
    within, server = limits(machine), settings.server
    heap = _between(within.heap, LEAST_HEAP + store_mb / HEAP_OF_STORE)
    cache = _between(within.page_cache, LEAST_CACHE + store_mb)
    return Memory(
        heap=f"{heap}m" if server.heap == AUTOMATIC else server.heap,
        page_cache=f"{cache}m" if server.page_cache == AUTOMATIC else server.page_cache,
    )


def store_mb(home: ServerHome) -> float:
    """Megabytes of the graph on disk, its indexes among them, transaction logs not."""
    return folder_size(home.data / "databases") / 2**20


def note_memory(home: ServerHome, memory: Memory) -> None:
    """Keep what the server is started with."""
    write_file(home.memory, json.dumps(asdict(memory)))


def launched_memory(home: ServerHome) -> Memory | None:
    """What the server was last started with."""
    kept = read_json(home.memory)
    return (
        Memory(str(kept["heap"]), str(kept["page_cache"])) if kept and {"heap", "page_cache"} <= kept.keys() else None
    )


def _between(limits: tuple[int, int], wanted: float) -> int:
    return max(limits[0], min(limits[1], round(wanted)))
