"""Small repositories written on the spot, and ranked with the real embedder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.code.units import CodeBase, read_units
from ingest.ground import CodeIndex, Query, Ranking, rank
from kg.embeddings import Embedder


@pytest.fixture
def code(tmp_path: Path) -> Callable[..., CodeBase]:
    """Writes files given as path → text, and reads them as a code base."""

    def write(files: dict[str, str]) -> CodeBase:
        for name, text in files.items():
            file = tmp_path / "code" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        (tmp_path / "code").mkdir(exist_ok=True)
        return read_units(tmp_path / "code")

    return write


@pytest.fixture
def ask(embedder: Embedder) -> Callable[..., Ranking]:
    """Ranks a code base for phrases, or for whole queries, asked together."""

    def run(codebase: CodeBase, *asked: str | Query, paper: str = "") -> Ranking:
        queries = [q if isinstance(q, Query) else Query(q, q) for q in asked]
        return rank(CodeIndex(codebase), queries, paper, embedder)

    return run


def first(ranking: Ranking, query: int = 0) -> str:
    """``file#symbol`` of the best unit."""
    unit = ranking.index.units[ranking.order(query, 1)[0]]
    return f"{unit.file}#{unit.symbol}"
