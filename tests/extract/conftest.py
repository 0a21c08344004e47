"""Small documents of our own, written to a folder, parsed and extracted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.extract import StructuralExtractor
from ingest.latex import ParsedPaper, parse_paper
from kg.models.technique import TechniqueTree

PREAMBLE = "\\documentclass{article}\n\\title{A Paper About Things}\n\\begin{document}\n\\maketitle\n"


@pytest.fixture
def parse(tmp_path: Path) -> Callable[..., ParsedPaper]:
    """`parse(body, preamble=…)`: the body as a whole document."""

    def run(body: str, preamble: str = PREAMBLE) -> ParsedPaper:
        (tmp_path / "main.tex").write_text(preamble + body + "\n\\end{document}\n", encoding="utf-8")
        return parse_paper(tmp_path, "main.tex")

    return run


@pytest.fixture
def tree(parse: Callable[..., ParsedPaper]) -> Callable[..., TechniqueTree]:
    """`tree(body)`: the technique tree of a document."""
    return lambda *arguments, **more: StructuralExtractor().extract(parse(*arguments, **more))
