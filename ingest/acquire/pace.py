"""One request at a time and so many seconds apart, over all processes of this user: what arXiv's terms ask for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from kg.caching import locked
from kg.config import Settings
from kg.files import disk_errors

__all__ = ["Pace"]

_FAR = 3600.0
"""Seconds; a noted moment farther away than this is a clock that was set back, not a wait."""


class Pace:
    """The turn-taking before one host. Its state is a lock and a moment in `settings.cache`, shared by processes."""

    def __init__(self, settings: Settings, host: str) -> None:
        self._settings, self._host = settings, host
        self._note = settings.cache / "locks" / f"{host}.next"

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for our turn, hold it while the block talks to the host, then leave the interval to the next one."""
        with locked(self._settings.cache, f"requests to {self._host}"):
            time.sleep(max(0.0, self._next() - time.time()))
            try:
                yield
            finally:
                self._write(max(self._next(), time.time() + self._settings.arxiv.interval))

    def hold(self, seconds: float) -> None:
        """Let nobody ask before `seconds` from now: the host said so."""
        self._write(max(self._next(), time.time() + min(seconds, _FAR - 1)))

    def _next(self) -> float:
        try:
            moment = float(self._note.read_text())
        except (OSError, ValueError):
            return 0.0
        return moment if moment < time.time() + _FAR else 0.0

    def _write(self, moment: float) -> None:
        with disk_errors(self._settings.cache):
            self._note.write_text(f"{moment:.3f}")
