"""Ids of pieces: deterministic, readable, and stable when a new version adds or removes other pieces."""

import hashlib
import re
import unicodedata

__all__ = ["Ids", "slug"]

_ODD = re.compile(r"[^a-z0-9]+")
_SPACE = re.compile(r"\s+")


def slug(text: str, length: int = 60) -> str:
    """Lower-case ASCII words of `text` joined by hyphens; "" when it has none."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return _ODD.sub("-", plain).strip("-")[:length].strip("-")


class Ids:
    """Gives each piece an id that no other piece of the document has; repeated names get "-2", "-3" …"""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """`wanted`, or `wanted` with a number."""
        candidate = wanted
        while candidate in self._used:
            self._used[wanted] += 1
            candidate = f"{wanted}-{self._used[wanted]}"
        self._used[candidate] = 1
        return candidate

    def of(self, prefix: str, label: str | None, content: str) -> str:
        """By its label where it has one, else by what it says, so that neighbours don't matter."""
        name = re.sub(r"[^\w:.+-]+", "-", label)[:80].strip("-") if label else ""
        digest = hashlib.sha256(_SPACE.sub(" ", content).strip().encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return self.unique(f"{prefix}/{name or digest}")
