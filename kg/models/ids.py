"""Natural, deterministic ids of nodes: the same input has the same id on every machine."""

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Container

__all__ = [
    "Ref",
    "bounded",
    "code_id",
    "numbered",
    "piece_id",
    "slug",
    "technique_id",
    "title_key",
    "unpinned",
    "vouched",
]

Ref = tuple[str, str]
"""A node's label and id."""

SHORT_TITLE_WORDS = 4
LONGEST_ID = 2000
"""Bytes of an id: the database's index takes no key beyond some 8 kB, and hostile names may be longer."""


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in folded if not unicodedata.combining(c))


def bounded(text: str) -> str:
    """The text, or its beginning and a hash of all of it where it is too long for an index."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= LONGEST_ID:
        return raw.decode()
    return f"{raw[: LONGEST_ID - 65].decode('utf-8', 'ignore')}~{hashlib.sha256(raw).hexdigest()}"


def slug(text: str, limit: int = 80) -> str:
    """Lower-case words joined by "-", accents folded; a hash where nothing readable is left."""
    words = "-".join(re.findall(r"[^\W_]+", _plain(text)))
    return words[:limit].rstrip("-") or hashlib.sha256(text.encode()).hexdigest()[:12]


def numbered(name: str, taken: Container[str]) -> str:
    """The name, with "-2", "-3" … behind it where it is taken."""
    candidates = (name if number == 1 else f"{name}-{number}" for number in itertools.count(1))
    return next(candidate for candidate in candidates if candidate not in taken)


def title_key(title: str, year: int | None = None) -> str:
    """What two spellings of one work's title share; "" for an empty title.

    The year tells works of short titles ("Deep learning") apart. A title of four words or more stands for itself,
    as preprint and proceedings of one work carry different years.
    """
    words = re.findall(r"[^\W_]+", _plain(title))
    if not words:
        return ""
    return bounded(" ".join(words) if len(words) >= SHORT_TITLE_WORDS else f"{' '.join(words)} ({year or 'n.d.'})")


def piece_id(paper: str, piece: str) -> str:
    """Id of the Section, Equation, Algorithm, Figure or Table that PaperDoc calls `piece`."""
    return bounded(f"{paper}#{piece}")


def technique_id(paper: str, technique: str) -> str:
    """Id of the node of the technique that the paper's TechniqueTree calls `technique`."""
    return bounded(f"{paper}#t/{technique}")


def code_id(repository: str, commit: str, unit: str) -> str:
    """Id of the Code node of a CodeUnit (``<path>#<symbol>``), or of a whole file (``<path>``)."""
    return bounded(f"{repository}@{commit}:{unit}")


def unpinned(code: str) -> str:
    """The id of a Code node without its commit: the same unit at every commit."""
    home, at, rest = code.partition("@")
    return f"{home}:{rest.partition(':')[2]}" if at else code


def vouched(name: str) -> str:
    """A repository's id, or that of code in it, as this home's notes and seals know it: a folder's was ``local:<slug>``
    until ``folder:<slug>`` told it from a paper's, and what was noted of it holds."""
    return f"local:{name.removeprefix('folder:')}" if name.startswith("folder:") else name
