"""The examples from their sources to answers, and again."""

from pathlib import Path

import pytest
from e2e.command import EXAMPLES, Cli

pytestmark = [pytest.mark.e2e, pytest.mark.db]


def test_the_examples_become_a_graph_that_answers(cli: Cli) -> None:
    reports = cli.json("ingest", "corpus", EXAMPLES / "corpus.toml")
    assert {report["status"] for report in reports} == {"ingested"}
    assert all(report["nodes"]["added"] > 20 and report["edges"]["added"] > 20 for report in reports)

    papers = cli.json("paper", "list")["papers"]
    assert {paper["id"] for paper in papers} == {report["id"] for report in reports}

    hits = cli.json("search", "techniques", "uniform sample of a stream")["hits"]
    assert "Reservoir sampling" in {hit["name"] for hit in hits}
    assert cli.json("search", "techniques", "sourdough bread baking")["hits"] == []

    shown = cli.json("technique", "show", "local:heavy-hitters#t/reservoir-sampling")["code"]
    (whole,) = [code for code in shown if code["level"] == "file"]
    code = cli.json("code", "show", whole["id"])
    assert code["implementation"] == (EXAMPLES / "heavy-hitters/code" / whole["file"]).read_text()
    assert code["documentation"]

    assert "reservoir-sampling" in {concept["id"] for concept in cli.json("concept", "list")}
    assert cli.json("graph", "audit") == []


def test_a_second_ingest_changes_nothing_and_says_so(cli: Cli, tmp_path: Path) -> None:
    cli.run("ingest", "corpus", EXAMPLES / "corpus.toml")
    cli.run("graph", "export", tmp_path / "first.jsonl")
    for force in ((), ("--force",)):
        reports = cli.json("ingest", "corpus", EXAMPLES / "corpus.toml", *force)
        assert {report["status"] for report in reports} == {"unchanged"}
        assert all(sum(report[what].values()) == 0 for report in reports for what in ("nodes", "edges"))
    cli.run("graph", "export", tmp_path / "second.jsonl")
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "second.jsonl").read_bytes()


def test_a_new_version_shows_its_changes_before_and_after(cli: Cli, examples: Path) -> None:
    corpus = examples / "corpus.toml"
    cli.run("ingest", "corpus", corpus, "--only", "reservoir")
    code = examples / "reservoir/code/streamsample/sparkline.py"
    code.write_text(code.read_text() + "\n\ndef added_later(values):\n    return sorted(values)\n")
    (planned,) = cli.json("ingest", "corpus", corpus, "--only", "reservoir", "--dry-run", "--keys")
    assert planned["status"] == "planned"
    assert any("added_later" in key for key in planned["changes"]["nodes_added"]["Code"])
    (done,) = cli.json("ingest", "corpus", corpus, "--only", "reservoir", "--keys")
    assert done["status"] == "ingested"
    assert done["changes"] == planned["changes"]
    assert cli.json("graph", "audit") == []


def test_a_paper_is_found_by_its_name_in_the_corpus_file(cli: Cli, examples: Path) -> None:
    corpus = examples / "corpus.toml"
    corpus.write_text(corpus.read_text().replace("[reservoir]\n", '[reservoir]\narxiv = "2101.00001"\n'))
    (report,) = cli.json("ingest", "corpus", corpus, "--only", "reservoir")
    assert (report["name"], report["id"]) == ("reservoir", "arxiv:2101.00001")
    assert cli.json("paper", "show", report["name"])["id"] == report["id"]


def test_one_bad_paper_does_not_stop_the_others(cli: Cli, examples: Path) -> None:
    (examples / "empty").mkdir()
    corpus = examples / "corpus.toml"
    corpus.write_text(corpus.read_text() + '\n[broken]\npaper = "empty"\n')
    reports = {report["name"]: report for report in cli.json("ingest", "corpus", corpus, code=4)}
    assert reports["broken"]["status"] == "failed"
    assert "empty" in reports["broken"]["error"]
    assert reports["reservoir"]["status"] == "ingested"


def test_removing_all_papers_leaves_nothing(cli: Cli) -> None:
    cli.run("ingest", "corpus", EXAMPLES / "corpus.toml")
    for paper in cli.json("paper", "list")["papers"]:
        cli.run("paper", "remove", paper["id"], "--yes")
    assert sum(cli.json("graph", "stats")["nodes"].values()) == 0


def test_what_can_be_had_only_in_part_is_kept_and_told(cli: Cli, tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    paper.mkdir()
    (paper / "main.tex").write_text(
        "\\documentclass{article}\\title{Counting}\\begin{document}\\section{Sheep counting}\n"
        "We propose \\emph{sheep counting}, which counts sheep. Our code is available at\n"
        "https://github.com/nobody/counting.\n\\end{document}\n"
    )
    offline = Cli(cli.env | {"XKG_GITHUB_API": "http://127.0.0.1:1", "XKG_GITHUB_GIT": "http://127.0.0.1:1"})
    first = offline.json("ingest", "paper", paper, code=4)
    assert first["status"] == "partial"
    assert any("nobody/counting" in warning for warning in first["warnings"])
    assert offline.json("ingest", "paper", paper)["status"] == "unchanged"

    whole = cli.json("ingest", "paper", paper, "--repo", EXAMPLES / "reservoir/code")
    assert whole["status"] == "ingested"
    offline.json("ingest", "paper", paper, code=3)
    assert cli.json("graph", "stats")["nodes"]["Repository"] == 1, "a passing fault takes nothing from the graph"
