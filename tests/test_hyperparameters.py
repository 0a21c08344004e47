"""docs/hyperparameters.md names each hyper-parameter of the xKG paper, and what it says of ours is so."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

import xkg
from kg.config import LlmProfile, Settings, keys

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/hyperparameters.md").read_text()
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


@cache
def read_of_settings() -> frozenset[tuple[str, str]]:
    """Every attribute that the program reads, with the name of what it is read of: of ``settings.a.b`` (a, b)."""
    files = [file for room in ("agents", "ingest", "kg") for file in (ROOT / room).rglob("*.py")]
    return frozenset(
        (getattr(node.value, "attr", getattr(node.value, "id", "")), node.attr)
        for file in files if file != ROOT / "kg/config.py"
        for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute)
    )  # fmt: skip


def used(command: click.Command) -> Iterator[str]:
    """The parameters that the body of a command uses: by name, out of those that it collects, or as a field of the job
    that it hands all these on to."""
    assert command.callback
    (function,) = ast.parse(inspect.cleandoc(inspect.getsource(inspect.unwrap(command.callback)))).body
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            yield str(node.slice.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Job":
            yield from (name for of, name in read_of_settings() if of == "job")


@pytest.mark.parametrize("row", [row for row in ROWS if row[2] != "none"], ids=lambda row: row[0])
def test_ours_goes_into_what_is_done(row: tuple[str, ...]) -> None:
    """A setting is read, by its group or where the group is handed on; an option is used by its command."""
    ours = row[2].strip("`")
    if ours.startswith("xkg "):
        command = xkg._load(xkg.COMMANDS[tuple(word for word in ours.split()[1:] if not word.startswith("-"))])
        names = {opt: str(param.name) for param in command.params for opt in param.opts}
        assert {names[word] for word in ours.split() if word.startswith("-")} <= set(used(command))
        return
    group, _, field = ours.rpartition(".")
    read = read_of_settings()
    handed_on = ("settings", group) in read and any(name == field for _, name in read)
    assert (group or "settings", field) in read or handed_on
