"""The outputs of a run: what it left, as the result lists it and as plain files in the folder that keeps them."""

import errno
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agents.execution.sandbox.inside.leftovers import CHUNK, Leftovers
from agents.execution.sandbox.models import Output, SandboxError

__all__ = ["Collected", "collect", "not_kept", "open_kept"]


@dataclass(frozen=True)
class Collected:
    """The outputs, and whether there was `more` than may be: too many entries, or files larger than `most_bytes`."""

    outputs: tuple[Output, ...]
    more: bool


def collect(
    folder: int, globs: tuple[str, ...], given: Mapping[str, bytes], most_bytes: int, keep: Path | None
) -> Collected:
    """The files below `folder` (a descriptor) that `Leftovers` finds.

    Copies in `keep` are plain files and replace nothing. Raises SandboxError if `keep` can't be written.
    """

    def digest(path: str) -> str | None:
        return hashlib.sha256(given[path]).hexdigest() if path in given else None

    left = Leftovers(globs, digest, most_bytes)
    found = []
    for one, file in left.files(folder):
        found.append(Output(path=one.path, sha256=one.sha256, size=one.size))
        if keep is not None:
            try:
                with open_kept(keep, one.path) as copy:
                    while part := file.read(CHUNK):
                        copy.write(part)
            except OSError as error:
                raise not_kept(one.path, keep, error) from error
    return Collected(tuple(sorted(found, key=lambda output: output.path)), left.more)


def open_kept(keep: Path, path: str) -> BinaryIO:
    """A new file for an output; nowhere if the host can't hold its name: what foreign code calls a file is no error.

    Raises OSError.
    """
    target = keep / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return Path(os.devnull).open("wb")


def not_kept(path: str, keep: Path | None, error: OSError) -> SandboxError:
    """What is told of an output that can't be written."""
    return SandboxError(
        f"the output {path!r} could not be kept: {error.strerror}", where=str(keep), remedy="name an empty folder"
    )
