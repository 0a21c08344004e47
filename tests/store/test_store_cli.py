"""The commands of the store, as a person types them."""

import json
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from store_records import paper

import xkg
from kg.cli.concept import concept_list, concept_merge, concept_show, concept_split
from kg.cli.graph import graph_audit, graph_export, graph_import, graph_stats, paper_remove
from kg.concepts import Judgement, record_judgement, refresh_concepts
from kg.connection import Connection
from kg.errors import InputError, PartialError
from kg.results.concept import Instance, RelationRow
from kg.store import Store
from kg.write import write_paper

pytestmark = pytest.mark.db


def run(command: click.Command, *words: str) -> Result:
    """The command's result; what the program's entry point turns into a sentence is raised."""
    result = CliRunner().invoke(command, words)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(autouse=True)
def _two_papers(store: Store) -> None:
    write_paper(store, paper(1))
    write_paper(store, paper(2))
    refresh_concepts(store)


def test_an_argument_that_is_no_text_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["xkg", "paper", "show", "caf\udce9"])
    with pytest.raises(SystemExit) as ended:
        xkg.main()
    assert ended.value.code == 2
    assert "the argument 'caf\\ufffd' is not UTF-8" in capsys.readouterr().err


def test_stats_count_what_is_there() -> None:
    stats = json.loads(run(graph_stats, "--json").stdout)
    assert stats["papers"]["ingested"] == 2
    assert stats["nodes"]["Concept"] == 1
    assert stats["grounding"] == {"asserted": 4, "likely": 2, "candidates": 0, "none": 0}
    assert "Technique" in run(graph_stats).stdout


def test_audit_fails_on_errors_only(connection: Connection) -> None:
    assert json.loads(run(graph_audit, "--json").stdout) == []
    connection.driver.execute_query("MATCH (r:Repository)<-[:FROM_REPOSITORY]-(c) REMOVE r.licence, c.licence")
    assert "warning" in run(graph_audit).stdout
    connection.driver.execute_query(
        "MATCH (p:Paper {id: 'arxiv:2001.00001'})-[r:HAS_TECHNIQUE]->() DELETE r WITH count(*) AS done "
        "MATCH (s:Section) SET s.end = s.start - 1 WITH count(*) AS done "
        "MATCH ()-[r:IMPLEMENTED_BY]->() REMOVE r.score WITH count(*) AS done "
        "MATCH (t:Technique) SET t.embedding_model = 'another'"
    )
    with pytest.raises(PartialError, match="errors"):
        run(graph_audit)
    result = CliRunner().invoke(graph_audit, ["--json"])
    found = {finding["check"] for finding in json.loads(result.stdout) if finding["severity"] == "error"}
    assert found == {"orphans", "dangling spans", "implementations without score", "mixed embedding models"}


def test_export_and_import(tmp_path: Path) -> None:
    file = tmp_path / "graph.jsonl"
    assert json.loads(run(graph_export, str(file), "--json").stdout)["bodies_left_out"] == 0
    with pytest.raises(InputError, match="not empty"):
        run(graph_import, str(file))
    assert "were added" in run(graph_import, str(file), "--replace").stdout
    assert json.loads(run(graph_import, str(file), "--merge", "--json").stdout)["nodes_added"] == 0


def test_what_an_import_brings_is_joined(store: Store, tmp_path: Path) -> None:
    file, moved = tmp_path / "graph.jsonl", "arxiv:2001.00002#t/reservoir-sampling"
    said = Judgement(
        one=moved,
        other="arxiv:2001.00002#t/inner-step-2",
        relation="DIFFERS_FROM",
        score=0.7,
        why="a part",
        quotes=("defined",),
    )
    store.transact(lambda tx: record_judgement(tx, said, model="m", prompt="p"))
    run(graph_export, str(file), "--json")
    run(concept_split, "reservoir-sampling", moved, "--into", "Other sampling", "--why", "they differ")
    run(paper_remove, "arxiv:2001.00001", "--yes")
    write_paper(store, paper(3))
    run(graph_import, str(file), "--merge")
    found = {i.technique: (i.concept, i.decided_by) for i in store.rows(Instance, ids=None)}
    assert len(found) == len(store.rows(Instance, ids=None)) == 3
    assert found[moved] == ("other-sampling", "curator")
    assert found["arxiv:2001.00001#t/reservoir-sampling"][0] == found["arxiv:2001.00003#t/reservoir-sampling"][0]
    assert [(r.one, r.decided_by) for r in store.rows(RelationRow, ids=None) if r.type == "DIFFERS_FROM"] == [
        (moved, "model")
    ]
    assert refresh_concepts(store, whole=True).empty


def test_paper_remove_asks_first(store: Store) -> None:
    assert CliRunner().invoke(paper_remove, ["arxiv:2001.00001"], input="n\n").exit_code == 1
    assert len(json.loads(run(paper_remove, "arxiv:2001.00001", "--dry-run", "--json").stdout)["nodes_removed"]) > 3
    assert len(store.read("verdict/read_paper_version", id="arxiv:2001.00001")) == 1
    assert "removed" in run(paper_remove, "arxiv:2001.00001", "--yes").stdout
    assert store.read("concept/list_concepts") == []
    with pytest.raises(InputError, match="no ingested paper"):
        run(paper_remove, "arxiv:2001.00001", "--yes")


def test_concepts_are_listed_shown_split_and_merged() -> None:
    assert json.loads(run(concept_list, "--json").stdout)[0]["papers"] == 2
    moved = "arxiv:2001.00002#t/reservoir-sampling"
    split = ("reservoir-sampling", moved, "--into", "Other sampling", "--why", "they differ", "--who", "me", "--json")
    assert json.loads(run(concept_split, *split).stdout)["concept"] == "other-sampling"
    shown = json.loads(run(concept_show, "other-sampling", "--json").stdout)
    assert [member["technique"] for member in shown["members"]] == [moved]
    assert shown["decisions"][0]["who"] == "me"
    assert "they differ" in run(concept_show, "other-sampling").stdout
    merge = ("reservoir-sampling", "other-sampling", "--why", "they do not", "--json")
    assert json.loads(run(concept_merge, *merge).stdout)["techniques"] == 2
    with pytest.raises(InputError, match="other-sampling"):
        run(concept_show, "other-sampling")
