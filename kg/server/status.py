"""How the database is: for people by `xkg db status`, for programs by its --json."""

from typing import Any

import psutil

from kg.config import AUTOMATIC, Settings
from kg.connection import Address, Connection
from kg.errors import ServiceError
from kg.files import folder_size
from kg.server.archive import has_archive
from kg.server.jars import NEO4J_VERSION, missing_jars
from kg.server.java import find_java
from kg.server.local import LocalServer
from kg.server.memory import Memory, choose_memory, launched_memory, limits, machine_mb, store_mb

__all__ = ["local_status", "remote_status"]


def local_status(settings: Settings) -> dict[str, Any]:
    """The local server: installed, running, where, on which Java, how large. Starts nothing, needs no password.

    Heap and page cache are what it runs with, or what it would start with; beside the least and the most of each where
    it chooses them itself.
    """
    server = LocalServer(settings)
    running = server.find()
    machine = machine_mb()
    memory = (launched_memory(server.home) if running else None) or choose_memory(
        settings, store_mb(server.home), machine
    )
    try:
        java = find_java()
    except ServiceError:
        java = None
    return {
        "kind": "local",
        "running": running is not None,
        "installed": java is not None and not missing_jars(settings.cache),
        "version": NEO4J_VERSION,
        "uri": running.uri if running else None,
        "browser": running.browser_url if running else None,
        "pid": running.server_pid if running else None,
        "memory_mb": _memory_mb(running.server_pid) if running else None,
        **_memory(settings, memory, machine),
        "idle_minutes": round(server.home.idle_seconds() / 60, 1) if running else None,
        "stops_after_idle_minutes": settings.server.idle_minutes,
        "java": f"{java.version} ({java.source})" if java else None,
        "java_path": str(java.path) if java else None,
        "class_archive": java is not None and has_archive(settings.cache, java),
        "home": str(server.home.root),
        "data_mb": round(folder_size(server.home.data) / 1e6, 1),
        "log": str(server.home.neo4j_log),
    }


def _memory(settings: Settings, memory: Memory, machine: int) -> dict[str, Any]:
    within, server = limits(machine), settings.server
    told = ((server.heap, within.heap), (server.page_cache, within.page_cache))
    heap, cache = (f"{least}m to {most}m" if said == AUTOMATIC else None for said, (least, most) in told)
    return {
        "heap": memory.heap, "heap_limits": heap, "page_cache": memory.page_cache, "page_cache_limits": cache,
        "machine_mb": machine,
    }  # fmt: skip


def remote_status(settings: Settings) -> dict[str, Any]:
    """A database that somebody else runs. Raises DatabaseError when it can't be used."""
    with Connection.open(Address.of(settings.neo4j)) as connection:
        return {
            "kind": "remote",
            "running": True,
            "version": connection.server_version,
            "uri": connection.uri,
            "username": connection.username,
            "database": connection.database,
        }


def _memory_mb(pid: int) -> int | None:
    try:
        return round(psutil.Process(pid).memory_info().rss / 1e6)
    except psutil.Error:
        return None
