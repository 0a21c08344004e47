"""Python 2 source as Python 3, where a mechanical translation keeps what it does."""

from dataclasses import dataclass

from ingest.slice.pyfile import PyFile

__all__ = ["Translation", "translate"]


@dataclass(frozen=True)
class Translation:
    """The translated file, or the problem that stands against it; neither where there is nothing to translate."""

    file: PyFile | None = None
    problem: str = ""


def translate(path: str, text: str, file: PyFile | None) -> Translation:
    """Translate `text` if it is Python 2; `file` is its reading as Python 3, None when that fails."""
    return Translation()
