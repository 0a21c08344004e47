"""xKG's JSON graphs through a real graph and out again: nothing lost, nothing changed twice, failures told."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from search_samples import HITTERS, SAMPLING, repository_paper

from ingest.cli.importing import import_xkg_json
from kg.cli.xkg_json import export_xkg_json
from kg.errors import InputError, PartialError
from kg.store import Store
from kg.write import remove_paper, write_paper
from kg.xkg_json import write_graphs

pytestmark = pytest.mark.db

CODE: dict[str, Any] = {
    "implementation": "x = 1\r\n\ty = '\x00\u2028'\n",
    "test": "",
    "documentation": "",
    "package": ["a", "a"],
}
LEAF: dict[str, Any] = {"name": "Same", "components": []}
STRANGE: dict[str, Any] = {
    "techniques": [
        {"components": None, "name": "Same", "weight": 0.1, "code": CODE, "description": "  spaces around \n"},
        {"weight": 1e-300, "code": {**CODE, "pass_exec": False, "more": {}}, **LEAF},
        {"name": "", "description": "\ud83d\ude00 \u00e9 e\u0301", "components": [LEAF]},
        {"name": 5, "description": ["no", "string"], "weight": "0.5", "code": {}, "components": []},
        {"name": "half \ud800 a pair", "weight": 3, "code": {"implementation": "\udfff", "package": [1]}},
    ],
    "paper_title": "A Strange Graph",
    "paper_references": ["", "", "Same", "same", "Ünïcode: \u201cquotes\u201d"],
    "findings": ["", "x", "a: b: c", "Finding: a: b", "a: b: c"],
    "resources": ["r\n: s"],
    "unknown": [{"deep": [True, None, 1, 1.0, "1"]}],
}


def run(command: click.Command, *arguments: object) -> Any:
    result = CliRunner().invoke(command, [*map(str, arguments), "--json"], catch_exceptions=False)
    return json.loads(result.stdout)


def same(one: Any, other: Any) -> bool:
    """Equal JSON values: also 1 and 1.0 differ, and the order of keys counts."""
    return json.dumps(one) == json.dumps(other)


def test_what_goes_in_comes_out(store: Store, tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    graphs = {"a_graph.json": SAMPLING, "b_graph_verified.json": HITTERS, "c.json": STRANGE}
    for name, value in graphs.items():
        (source / name).write_text(json.dumps(value, indent=2), encoding="utf-8")
    rows = run(import_xkg_json, source)["files"]
    assert [row["status"] for row in rows] == ["written"] * 3
    run(export_xkg_json, target)
    found = {file.name: json.loads(file.read_text("utf-8")) for file in target.iterdir()}
    assert sorted(found) == sorted(graphs)
    assert {name: same(found[name], graphs[name]) for name in graphs} == dict.fromkeys(graphs, True)


def test_twice_changes_nothing_and_a_dry_run_nothing_at_all(store: Store, graph_files: Path) -> None:
    planned = run(import_xkg_json, graph_files, "--dry-run")["files"]
    assert {row["status"] for row in planned} == {"would change"}
    assert store.read("xkg_json/read_papers", ids=None) == []
    assert {row["status"] for row in run(import_xkg_json, graph_files)["files"]} == {"written"}
    again = run(import_xkg_json, graph_files)["files"]
    assert {row["status"] for row in again} == {"unchanged"}
    assert sum(row[key] for row in again for key in row if key.endswith(("added", "changed", "removed"))) == 0


def test_an_imported_paper_cites_inside_the_graph_and_can_be_removed(store: Store, graph_files: Path) -> None:
    run(import_xkg_json, graph_files)
    (paper,) = store.read("show/read_paper", id="local:sampling-from-streams")
    assert [cited["id"] for cited in paper["cites"]] == ["local:counting-heavy-hitters"]
    remove_paper(store, "local:sampling-from-streams")
    assert [row["id"] for row in store.read("xkg_json/read_papers", ids=None)] == ["local:counting-heavy-hitters"]


def test_imported_code_is_unverified_whatever_the_file_claims(store: Store, graph_files: Path) -> None:
    run(import_xkg_json, graph_files)
    (row,) = store.read("xkg_json/read_code", paper="local:sampling-from-streams")
    assert (row["verdict"], row["claimed"], row["origin"]) == ("unverified", True, "imported")


def test_one_bad_file_does_not_keep_the_others_out(store: Store, graph_files: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    for file in graph_files.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "bad.json").write_text('{"paper_title": ')
    (folder / "then.json").write_text(json.dumps(SAMPLING))
    result = CliRunner().invoke(import_xkg_json, [str(folder)])
    assert isinstance(result.exception, PartialError)
    assert "2 of 4 files could not be imported: bad.json, then.json" in str(result.exception)
    assert "bad.json is not valid JSON" in result.stderr
    assert "then.json and sampling.json are graphs of one paper" in result.stderr
    assert len(store.read("xkg_json/read_papers", ids=None)) == 2
    alone = CliRunner().invoke(import_xkg_json, [str(folder / "bad.json")])
    assert isinstance(alone.exception, InputError)
    assert alone.exception.exit_code == 2


@pytest.mark.usefixtures("store")
def test_a_mistyped_path_is_no_repository() -> None:
    result = CliRunner().invoke(import_xkg_json, ["data/graph.json"])
    assert isinstance(result.exception, InputError)
    assert "there is no file or folder data/graph.json" in str(result.exception)


def test_an_ingested_paper_is_written_without_code_that_has_no_licence(store: Store, tmp_path: Path) -> None:
    record = repository_paper()
    write_paper(store, record)
    licensed = run(export_xkg_json, tmp_path / "with")["files"][0]
    assert (licensed["code"], licensed["withheld"]) == (1, 0)
    (file,) = (tmp_path / "with").iterdir()
    assert file.name == "Approximate_Set_Membership_graph.json"
    graph = json.loads(file.read_text())
    assert graph["paper_references"] == ["Random Sampling with a Reservoir"]
    code = graph["techniques"][0]["code"]
    assert code["implementation"] == record.units[0].text
    assert (code["licence"], code["source"]) == ("MIT", f"github:o/bloom@{'c' * 40}:bloom/filter.py:3-8")
    assert "pass_exec" not in code

    bare = record.model_copy(
        update={
            "units": tuple(unit.model_copy(update={"licence": None}) for unit in record.units),
            "repository": record.repository and record.repository.model_copy(update={"licence": None}),
        }
    )
    write_paper(store, bare)
    (withheld,) = write_graphs(store, tmp_path / "without")
    assert (withheld.code, withheld.withheld) == (0, 1)
    (written,) = write_graphs(store, tmp_path / "written", unlicensed=True)
    assert (written.code, written.withheld) == (1, 0)


@pytest.mark.parametrize("main", ["main.tex", "Bl\x1b]0;x\x07\u202eo\u200bom\x9b _graph.json"])
def test_no_name_of_a_file_steers_who_lists_it(store: Store, tmp_path: Path, main: str) -> None:
    record = repository_paper()
    title = "Bl\x1b]0;x\x07\u202eo\u200bom\x9b\u2066 Ünï"
    paper, doc = record.paper.model_copy(update={"title": title}), record.doc.model_copy(update={"main": main})
    write_paper(store, record.model_copy(update={"paper": paper, "doc": doc}))
    (written,) = write_graphs(store, tmp_path)
    assert written.file == ("Bl]0;xoom_Ünï_graph.json" if main == "main.tex" else "Bl]0;xoom _graph.json")
    assert [file.name for file in tmp_path.iterdir()] == [written.file]


def test_export_of_an_unknown_paper(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no ingested paper has the id 'arxiv:0'"):
        list(write_graphs(store, tmp_path, papers=["arxiv:0"]))
