"""Small repositories written on the spot, and ranked with the real embedder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from judged_samples import CODE, LATEX, TREE
from servers.model import ModelServer

from agents.code.units import CodeBase, read_units
from agents.llm import LLM
from ingest.ground import CodeIndex, Query, Ranking, rank
from ingest.ground.judged import Judgement, judge_tree
from ingest.latex import ParsedPaper, parse_paper
from kg.config import LlmProfile, Settings
from kg.embeddings import Embedder
from kg.models.technique import TechniqueTree


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


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def llm(server: ModelServer, tmp_path: Path) -> LLM:
    profile = LlmProfile(model="scripted", base_url=server.base_url, timeout=20, replies=tmp_path / "replies")
    changes = {"home": tmp_path / "home", "llm__profiles": {"strict": profile}, "network__retry_wait": 0.01}
    return LLM(Settings().replace(**changes), "strict", run="run")


@pytest.fixture
def parsed(tmp_path: Path) -> ParsedPaper:
    folder = tmp_path / "latex"
    folder.mkdir()
    (folder / "main.tex").write_text(LATEX)
    return parse_paper(folder)


@pytest.fixture
def judged(
    parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder, llm: LLM
) -> Callable[..., Judgement]:
    def run(files: dict[str, str] = CODE, tree: TechniqueTree = TREE, **options: Any) -> Judgement:
        return judge_tree(parsed, tree, code(files), embedder, llm, paper="local:p", **options)

    return run
