"""Folders of the cache appear whole or not at all, whoever else is at work and whatever goes wrong."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from kg.errors import ServiceError
from kg.files import disk_errors, write_file

__all__ = ["building", "load", "locked", "save"]

M = TypeVar("M", bound=BaseModel)

_PATIENCE = 900.0
"""Seconds to wait for another process that fetches or builds the same thing."""


@contextmanager
def locked(cache: Path, key: str) -> Iterator[None]:
    """One process at a time works on `key`; the lock is freed by the system if its holder dies."""
    folder = cache / "locks"
    with disk_errors(cache):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.lock", timeout=_PATIENCE)
        try:
            lock.acquire()
        except Timeout as error:
            raise ServiceError(
                f"another xkg has been working on {key} for {_PATIENCE / 60:.0f} minutes",
                where=lock.lock_file,
                remedy="wait for it or end it, then run again",
            ) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def building(final: Path) -> Iterator[Path]:
    """An empty folder that takes the place of `final` when the block ends, and vanishes if it fails or is interrupted.

    Hold a lock on `final` meanwhile: what a killed process left behind is swept away here. The folder's name is this
    process's own, as a program that a killed process had started may still be writing into the other's.
    """
    new, old = final.with_name(f".{final.name}~{os.getpid()}.new"), final.with_name(f".{final.name}.old")
    left = re.compile(rf"\.{re.escape(final.name)}(~\d+)?\.new")
    try:
        with disk_errors(final.parent):
            final.parent.mkdir(parents=True, exist_ok=True)
            for folder in final.parent.iterdir():
                if left.fullmatch(folder.name):
                    shutil.rmtree(folder, ignore_errors=True)
            new.mkdir()
            yield new
            shutil.rmtree(old, ignore_errors=True)
            if final.exists():
                final.rename(old)
            new.rename(final)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def load(path: Path, model: type[M]) -> M | None:
    """The model kept in a JSON file; None if there is none, or none that can still be read."""
    try:
        return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def save(path: Path, value: BaseModel) -> None:
    """Keep a model as JSON, whole or not at all."""
    write_file(path, value.model_dump_json(indent=1))
