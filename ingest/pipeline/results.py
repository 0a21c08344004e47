"""What the stages of one paper gave, kept for the next ingest: a stage whose inputs are the same is not redone."""

import hashlib
import os
import pickle
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from ingest.stages import Stage, before, fingerprint
from kg.config import Settings
from kg.files import disk_errors, write_file

__all__ = ["StageResults", "stage_key"]

T = TypeVar("T")

DIGEST = hashlib.sha256().digest_size
MINE_ALONE = stat.S_IWGRP | stat.S_IWOTH
"""Permissions that nobody else may have on a file whose content is unpickled."""


def stage_key(stage: Stage, *inputs: str) -> bytes:
    """What decides the result of `stage`: its program and that of the stages before it, and `inputs` from outside."""
    return hashlib.sha256("\0".join((fingerprint(*before(stage)), *inputs)).encode()).digest()


class StageResults:
    """The last result of each stage for one paper, below the home, and what was spent on stages: seconds, and the
    processor's seconds of this process, which a busy machine changes less.

    `forget` does every stage anew, whatever is kept. Results are pickled: only files that belong to this user and that
    nobody else may write are read.
    """

    def __init__(self, settings: Settings, paper: str, *, forget: bool = False) -> None:
        self._folder = settings.home / "stages" / hashlib.sha256(paper.encode()).hexdigest()[:32]
        self._forget = forget
        self.seconds: dict[str, float] = {}
        self.processor_seconds: dict[str, float] = {}

    @contextmanager
    def timed(self, stage: Stage) -> Iterator[None]:
        """Add the time of the block to that of `stage`, also when it fails."""
        clocks = ((self.seconds, time.perf_counter), (self.processor_seconds, time.process_time))
        starts = [now() for _, now in clocks]
        try:
            yield
        finally:
            for (spent, now), start in zip(clocks, starts, strict=True):
                spent[stage.value] = round(spent.get(stage.value, 0.0) + now() - start, 3)

    def of(self, stage: Stage, key: bytes, make: Callable[[], T], whole: Callable[[T], bool] = lambda _: True) -> T:
        """The kept result of `stage` if it was made with the same `key`, else what `make` gives, which is kept if it is
        `whole`."""
        place = self._folder / stage.value
        known = None if self._forget else _read(place, key)
        if known is not None:
            result: T = pickle.loads(known)  # noqa: S301 -- the user's own file, checked when it was read
            return result
        with self.timed(stage):
            result = make()
        if not whole(result):
            return result
        content = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        with disk_errors(self._folder):
            write_file(place, key + hashlib.sha256(content).digest() + content)
        return result


def _read(place: Path, key: bytes) -> bytes | None:
    """The content of a kept result, None if it is not there, of another key, damaged or not this user's alone."""
    try:
        with place.open("rb") as file:
            facts = os.fstat(file.fileno())
            mine = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
            if not mine or facts.st_mode & MINE_ALONE or file.read(DIGEST) != key:
                return None
            digest, content = file.read(DIGEST), file.read()
    except OSError:
        return None
    return content if hashlib.sha256(content).digest() == digest else None
