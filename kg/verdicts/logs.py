"""Full logs of executions beside the graph, kept by what they say: ``logs/ab/cd/abcd….gz`` holds the text of that hash.

A log is there whole or not at all, one text is kept once, and what is read is checked against its name. The folder is
the same for a local and for a remote graph: logs are large, and a graph is useful without them.
"""

import gzip
import hashlib
import re
import zlib
from pathlib import Path

from kg.config import Settings
from kg.errors import InputError, ServiceError, XkgError
from kg.files import write_file

__all__ = ["LogStore", "open_logs"]

LARGEST = 64 * 1024 * 1024
"""Bytes of a log; what is longer is cut in its middle when it is kept."""

CUT = b"\n[... %d bytes left out ...]\n"
SHA256 = re.compile(r"[0-9a-f]{64}")


class LogStore:
    """The logs in `folder`, which is made when the first is put."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where the log of this hash is or would be. Raises InputError for what is no sha256."""
        if not SHA256.fullmatch(sha256):
            raise InputError(f"{sha256[:80]!r} is not the sha256 of a log", remedy="`xkg code show` names it")
        return self.folder / sha256[:2] / sha256[2:4] / f"{sha256}.gz"

    def put(self, log: str | bytes) -> str:
        """Keep a log; its sha256. On disk for good when this returns. Raises ServiceError if it can't be written."""
        content = _bounded(log.encode("utf-8", "replace") if isinstance(log, str) else log)
        sha256 = hashlib.sha256(content).hexdigest()
        place = self.path(sha256)
        if not place.exists() or self._read(place) != content:
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                write_file(place, gzip.compress(content, 6, mtime=0))
            except OSError as error:
                raise ServiceError(
                    f"the log can't be written: {error.strerror}",
                    where=str(place),
                    remedy="free space or make the folder writable, and run again",
                ) from error
        return sha256

    def has(self, sha256: str) -> bool:
        """Whether the log is there and is what its name says."""
        content = self._read(self.path(sha256)) if SHA256.fullmatch(sha256) else None
        return content is not None and hashlib.sha256(content).hexdigest() == sha256

    def damaged(self, sha256: str) -> bool:
        """Whether there is a log of this name that is not what its name says."""
        return bool(SHA256.fullmatch(sha256)) and self.path(sha256).exists() and not self.has(sha256)

    def read(self, sha256: str) -> str:
        """The log of this hash. Raises InputError if it is not here, XkgError if it is damaged."""
        place = self.path(sha256)
        if not place.exists():
            raise InputError(
                f"the log {sha256} is not on this machine",
                where=str(place),
                remedy="`xkg code verify ID --force` runs it again; logs stay where they were made",
            )
        content = self._read(place)
        if content is None or hashlib.sha256(content).hexdigest() != sha256:
            raise XkgError(
                f"the log {sha256} is damaged: it is not what its name says",
                where=str(place),
                remedy="remove the file and run `xkg code verify ID --force`",
            )
        return content.decode("utf-8", "replace")

    def _read(self, place: Path) -> bytes | None:
        """The content of a file; None if it is not there, or no whole gzip file of a possible size."""
        try:
            with gzip.open(place, "rb") as file:
                content = file.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error) as error:
            if isinstance(error, PermissionError):
                raise ServiceError(
                    f"the log can't be read: {error.strerror}", where=str(place), remedy="make it readable"
                ) from error
            return None
        return content if len(content) <= LARGEST else None


def open_logs(settings: Settings) -> LogStore:
    """The logs of these settings' graph: below its home, wherever the database is."""
    return LogStore(settings.home / "logs")


def _bounded(content: bytes) -> bytes:
    if len(content) <= LARGEST:
        return content
    half = (LARGEST - 64) // 2
    return content[:half] + CUT % (len(content) - 2 * half) + content[-half:]
