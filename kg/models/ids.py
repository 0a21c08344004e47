"""Natural, deterministic ids of nodes: the same input has the same id on every machine."""

import hashlib
import re
import unicodedata

__all__ = ["code_id", "piece_id", "slug", "technique_id", "title_key"]

SHORT_TITLE_WORDS = 4


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in folded if not unicodedata.combining(c))


def slug(text: str, limit: int = 80) -> str:
    """Lower-case words joined by "-", accents folded; a hash where nothing readable is left."""
    words = "-".join(re.findall(r"[^\W_]+", _plain(text)))
    return words[:limit].rstrip("-") or hashlib.sha256(text.encode()).hexdigest()[:12]


def title_key(title: str, year: int | None = None) -> str:
    """What two spellings of one work's title share; "" for an empty title.

    The year tells works of short titles ("Deep learning") apart. A title of four words or more stands for itself,
    as preprint and proceedings of one work carry different years.
    """
    words = re.findall(r"[^\W_]+", _plain(title))
    if not words:
        return ""
    return " ".join(words) if len(words) >= SHORT_TITLE_WORDS else f"{' '.join(words)} ({year or 'n.d.'})"


def piece_id(paper: str, piece: str) -> str:
    """Id of the Section, Equation, Algorithm, Figure or Table that PaperDoc calls `piece`."""
    return f"{paper}#{piece}"


def technique_id(paper: str, technique: str) -> str:
    """Id of the node of the technique that the paper's TechniqueTree calls `technique`."""
    return f"{paper}#t/{technique}"


def code_id(repository: str, commit: str, unit: str) -> str:
    """Id of the Code node of a CodeUnit (``<path>#<symbol>``), or of a whole file (``<path>``)."""
    return f"{repository}@{commit}:{unit}"
