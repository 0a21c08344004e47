"""docs/hyperparameters.md names each hyper-parameter of the xKG paper, and what it says of ours is so."""

import re
from pathlib import Path
from typing import Any

import click
import pytest

import xkg
from kg.config import LlmProfile, Settings, keys

PAGE = (Path(__file__).parent.parent / "docs/hyperparameters.md").read_text()
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| theirs", "| *"))
]
PAPER = {
    "code.embedder.model", "code.text_splitter.chunk_size", "code.text_splitter.chunk_overlap",
    "code.retriever.faiss.top_k", "code.retriever.llm.top_files", "code.exec_check_code",
    "paper.rag", "paper.embedder.model", "paper.text_splitter.chunk_size", "paper.retriever.faiss.top_k",
    "retrieve.embedding_model", "retrieve.technique_similarity", "retrieve.paper_similarity",
    "log_level", "kg_path", "max_prompt_code_bytes", "model", "paper_model", "code_model",
}  # fmt: skip
"""Tables 4 to 7."""


def test_each_of_the_paper_is_there_once() -> None:
    assert all(len(row) == 5 for row in ROWS)
    told = [row[0].strip("`") for row in ROWS]
    assert len(told) == len(set(told))
    assert set(told) >= PAPER


def default_of(ours: str) -> Any:
    """The default of a setting or of an option. Fails where there is none of that name."""
    if not ours.startswith("xkg "):
        group, _, field = ours.rpartition(".")
        fields = LlmProfile.model_fields if group == "llm.profiles.NAME" else keys()
        return fields[field if group == "llm.profiles.NAME" else ours].get_default(call_default_factory=True)
    words = tuple(word for word in ours.split()[1:] if not word.startswith("-"))
    command = xkg._load(xkg.COMMANDS[words])
    options = {name: param for param in command.params if isinstance(param, click.Option) for name in param.opts}
    given = command.make_context("xkg", [], resilient_parsing=True).params
    return next((given[str(options[word].name)] for word in ours.split() if word.startswith("-")), "")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_ours_exists_with_the_default_that_is_told(row: tuple[str, ...]) -> None:
    _, _, ours, default, why = row
    if ours == "none":
        assert (default, len(why) > 40) == ("", True)
    elif ours == "`home`":
        assert Settings.model_fields["home"].default_factory
    else:
        assert re.fullmatch(r"`[^`]+`", ours)
        assert str(default_of(ours.strip("`"))) == default
