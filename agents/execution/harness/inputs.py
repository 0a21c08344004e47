"""What a job read of the repository, as the supervisor inside saw it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Self

__all__ = ["Inputs"]


@dataclass(frozen=True)
class Inputs:
    """Paths in the repository's copy: files `read` and folders `listed` ("" is its top).

    Only if it is `complete` nothing else of the repository can have mattered, but for the presence and the sizes of
    files that were asked for without opening them.
    """

    read: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    complete: bool = True

    def __or__(self, other: "Inputs") -> "Inputs":
        return Inputs(self.read | other.read, self.listed | other.listed, self.complete and other.complete)

    @classmethod
    def union(cls, parts: "Iterable[Inputs | None]") -> Self:
        """All of it together; incomplete if one of `parts` is not known."""
        known = list(parts)
        whole = [part for part in known if part is not None]
        return cls(
            frozenset().union(*(part.read for part in whole)),
            frozenset().union(*(part.listed for part in whole)),
            len(whole) == len(known) and all(part.complete for part in whole),
        )

    @classmethod
    def parse(cls, record: object) -> Self:
        """From the JSON of a watch inside; what has no such shape is incomplete."""
        parts = [record.get(name) for name in ("read", "listed")] if isinstance(record, dict) else []
        found = [frozenset(part) for part in parts if isinstance(part, list) and all(map(_is_path, part))]
        if len(found) < 2 or not isinstance(record, dict) or record.get("complete") is not True:
            return cls(complete=False)
        return cls(found[0], found[1])


def _is_path(part: object) -> bool:
    """Whether it is a path that stays below its root."""
    return isinstance(part, str) and not part.startswith("/") and ".." not in PurePosixPath(part).parts
