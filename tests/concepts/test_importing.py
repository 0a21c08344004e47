"""xKG's JSON graphs out of a repository: names taken apart, techniques joined, and all of it out again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from servers.git_http import GitServer, commit
from servers.github_shapes import answer, repository
from servers.scripted import ScriptedServer

from ingest.cli.importing import import_xkg_json
from kg.cli.xkg_json import export_xkg_json
from kg.config import load_settings
from kg.errors import InputError
from kg.results.concept import ConceptRow, Instance
from kg.store import Store

pytestmark = pytest.mark.db

NAME, EMPTY = "someone/graphs", "someone/empty"


def graph(title: str, *names: str) -> dict[str, Any]:
    """A file with these techniques, each told in the same words."""
    said = "The activations of a language model are moved along the gradient of an attribute model before each token."
    techniques = [{"name": name, "description": said, "weight": 0.5, "code": None, "components": []} for name in names]
    return {"paper_title": title, "paper_abstract": "", "paper_references": [], "techniques": techniques}


GRAPHS = {
    "data/deep/first_graph.json": graph("Steering", "Plug and Play Language Model (PPLM)"),
    "data/second_graph.json": graph("Toxicity", "PPLM (Plug and Play Language Models)", "Other Thing"),
}


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitServer]:
    """A repository with two graphs and other JSON, served as GitHub would."""
    files = {name: json.dumps(value).encode() for name, value in GRAPHS.items()}
    commit(tmp_path / "work", {**files, "package.json": b'{"name": "x"}', "broken.json": b"{"})
    (tmp_path / "hub").mkdir()
    with GitServer(tmp_path / "hub").running() as hub, ScriptedServer().running() as host:
        hub.publish(tmp_path / "work", NAME)
        commit(tmp_path / "empty", {"package.json": b'{"name": "x"}'})
        hub.publish(tmp_path / "empty", EMPTY)
        for name in (NAME, EMPTY):
            host.play(f"/repos/{name}", answer(repository(name, api=host.url)))
        monkeypatch.setenv("XKG_GITHUB_GIT", hub.url)
        monkeypatch.setenv("XKG_GITHUB_API", host.url)
        monkeypatch.setenv("XKG_CACHE", str(tmp_path / "cache"))
        load_settings.cache_clear()
        yield hub
    load_settings.cache_clear()


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(import_xkg_json, [*arguments, "--json"], catch_exceptions=False)
    return json.loads(result.stdout)


def test_the_graphs_of_a_repository_are_joined(published: GitServer, store: Store, tmp_path: Path) -> None:
    told = run(NAME)
    assert [row["file"] for row in told["files"]] == ["first_graph.json", "second_graph.json"]
    assert told["concepts"]["added"] == 1
    assert {i.technique for i in store.rows(Instance, ids=None)} == {
        "local:steering#t/plug-and-play-language-model-pplm", "local:toxicity#t/pplm-plug-and-play-language-models",
    }  # fmt: skip
    (concept,) = store.rows(ConceptRow)
    assert {concept.name, *concept.aliases} == {
        "PPLM", "Plug and Play Language Model", "Plug and Play Language Models",
    }  # fmt: skip
    assert len(published.seen) > 0
    asked = len(published.seen)
    again = run(NAME)
    assert {row["status"] for row in again["files"]} == {"unchanged"}
    assert not any(again["concepts"].values())
    assert len(published.seen) == asked

    CliRunner().invoke(export_xkg_json, [str(tmp_path / "out")], catch_exceptions=False)
    out = {file.name: json.loads(file.read_text()) for file in (tmp_path / "out").iterdir()}
    assert out == {Path(name).name: value for name, value in GRAPHS.items()}


@pytest.mark.parametrize("source", ["no/such/path.json", "someone/else@@"])
def test_a_source_that_is_none_is_a_sentence(source: str) -> None:
    result = CliRunner().invoke(import_xkg_json, [source])
    assert isinstance(result.exception, InputError)
    assert source in str(result.exception)


def test_a_repository_without_graphs_is_told(published: GitServer, store: Store) -> None:
    result = CliRunner().invoke(import_xkg_json, [EMPTY])
    assert isinstance(result.exception, InputError)
    assert "has no xKG graphs" in str(result.exception)
