"""How long tests took the last time. What is run first, and how long it may take, rests on it; never a verdict."""

import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kg.files import write_file
from kg.models.paper import Model
from kg.verdicts import sha256_of

__all__ = ["Durations"]


class _Record(Model):
    """Seconds of the tests of a file by their ids: `whole` after those before them, None for one that had not ended
    within the longest time that a test may have; `alone` those of the slowest run in which it was among a few."""

    whole: dict[str, float | None] = {}
    alone: dict[str, float] = {}


class Durations:
    """What is remembered in the folder `cache` of the test files of the repository in `folder`, each as it is now: a
    file that has changed is a new one. A source of tests is named by its path below ``/work``."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self._folder, self._cache = folder, cache / "durations"
        self._lock = threading.Lock()
        self._records: dict[str, _Record] = {}

    def slowest(self, source: str) -> float:
        """Seconds of the slowest test of a file that has ended; 0 if nothing is known."""
        return max((seconds for seconds in self._read(source).whole.values() if seconds), default=0.0)

    def together(self, source: str) -> float:
        """Seconds of all tests of a file that have ended; 0 if nothing is known."""
        return sum(seconds for seconds in self._read(source).whole.values() if seconds)

    def endless(self, source: str, test: str) -> bool:
        """Whether a test had not ended within the longest time."""
        return self._read(source).whole.get(test, 0.0) is None

    def alone(self, source: str, test: str) -> float:
        """Seconds of a test in a run of a few; 0 if nothing is known."""
        return self._read(source).alone.get(test, 0.0)

    def note(self, source: str, tests: Mapping[str, float | None], *, alone: bool = False) -> None:
        """Remember the seconds of tests of a file. A cache that can't be written remembers nothing."""
        known, path = self._read(source), self._path(source)
        if path is None or not tests:
            return
        with self._lock:
            if alone:
                longest = {test: max(seconds or 0.0, known.alone.get(test, 0.0)) for test, seconds in tests.items()}
                known = known.model_copy(update={"alone": known.alone | longest})
            else:
                known = known.model_copy(update={"whole": {**known.whole, **tests}})
            self._records[source] = known
            with suppress(OSError):
                write_file(path, known.model_dump_json())

    def _read(self, source: str) -> _Record:
        if source not in self._records:
            path, record = self._path(source), _Record()
            with suppress(OSError, ValueError):
                record = _Record.model_validate_json(path.read_bytes()) if path and path.is_file() else record
            with self._lock:
                self._records.setdefault(source, record)
        return self._records[source]

    def _path(self, source: str) -> Path | None:
        """Where a file's record lies; None for a source that is no file of the repository."""
        file = self._folder / source.removeprefix("repo/")
        if not source.startswith("repo/") or not file.is_file():
            return None
        content = file.read_bytes().decode("utf-8", "surrogateescape")
        return self._cache / f"{sha256_of(f'{source} {content}')}.json"
