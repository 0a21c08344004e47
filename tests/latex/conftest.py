"""Small papers written into a folder, and parsed."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from ingest.latex import ParsedPaper, parse_paper
from kg.models.paper import Span


class Parse(Protocol):
    """Parses a paper made of the text of its main file and of others."""

    def __call__(
        self, text: str | bytes, files: dict[str, str | bytes] | None = None, *, wrap: bool = True
    ) -> ParsedPaper: ...


@pytest.fixture
def parse(tmp_path: Path) -> Parse:
    """`text` is the body of main.tex, or with ``wrap=False`` all of it."""

    def run(text: str | bytes, files: dict[str, str | bytes] | None = None, *, wrap: bool = True) -> ParsedPaper:
        if wrap and isinstance(text, str):
            text = f"\\documentclass{{article}}\n\\begin{{document}}\n{text}\n\\end{{document}}\n"
        for name, content in {"main.tex": text, **(files or {})}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return parse_paper(tmp_path, "main.tex")

    return run


@pytest.fixture
def raw(tmp_path: Path) -> Callable[[Span], bytes]:
    """The bytes of a piece, read again from its file."""
    return lambda piece: (tmp_path / piece.file).read_bytes()[piece.start : piece.end]
