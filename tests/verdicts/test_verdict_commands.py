"""What the commands say of verdicts: shown with all they rest on, and never more than was shown."""

import gzip
import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from judgements import RUN, ask, evidence, execution, judgement, text_of, verify
from store_records import paper

from ingest.cli.code import code_verify
from ingest.cli.code_run import code_run
from kg.audit import audit_graph
from kg.cli.graph import graph_audit, graph_stats
from kg.cli.show import code_show, technique_show
from kg.config import Settings
from kg.connection import Connection
from kg.errors import InputError, PartialError, XkgError
from kg.store import Store
from kg.verdicts import LogStore, open_logs, write_judgement
from kg.write import write_paper
from kg.xkg_json import read_graph
from kg.xkg_json.writer import write_graphs

pytestmark = pytest.mark.db


@pytest.fixture
def logs(server_settings: Settings) -> LogStore:
    """Where the commands look for logs."""
    return open_logs(server_settings)


@pytest.fixture(autouse=True)
def _verified(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper())
    verify(store, connection, logs)


def run(command: click.Command, *words: str) -> str:
    done = CliRunner().invoke(command, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def run_json(command: click.Command, *words: str) -> Any:
    return json.loads(run(command, *words, "--json"))


def test_code_show_tells_what_a_verdict_rests_on(connection: Connection) -> None:
    text = run(code_show, RUN)
    assert "damaged" not in text
    for phrase in (
        "verdict: verified (2 tests of the repository pass and kill 4 of 5 mutants)",
        "4 of 5 mutants noticed by tests of its repository, 3 by an assertion",
        "not noticed: line 2: 3 becomes 4",
        "by bubblewrap in 1.5 s",
        "enforced: memory: cgroup v2: total; network: own namespace",
        "Python 3.11.7, numpy 2.0 (the repository's pins)",
    ):
        assert phrase in text, phrase
    shown = run_json(code_show, RUN)
    (execution_shown,) = shown["executions"]
    assert (execution_shown["current"], execution_shown["verdict"]) == (True, "verified")
    assert shown["survivors"] == ["line 2: 3 becomes 4"]


def test_code_show_prints_the_log(connection: Connection, logs: LogStore) -> None:
    assert run(code_show, RUN, "--log") == "1 passed\n"
    assert run_json(code_show, RUN, "--log")["log"] == "1 passed"
    (log,) = ask(connection, "MATCH (e:Execution) RETURN e.log")
    logs.path(log).unlink()
    with pytest.raises(InputError, match="not on this machine"):
        run(code_show, RUN, "--log")
    with pytest.raises(InputError, match="rests on no execution"):
        run(code_show, "step", "--log")


@pytest.mark.parametrize(
    "content",
    [gzip.compress(b"2 passed"), gzip.compress(b"1 passed")[:-4], b"1 passed", b""],
    ids=["another", "cut", "plain", "empty"],
)
def test_a_log_that_was_tampered_with_is_not_shown(content: bytes, connection: Connection, logs: LogStore) -> None:
    (log,) = ask(connection, "MATCH (e:Execution) RETURN e.log")
    logs.path(log).write_bytes(content)
    shown = run_json(code_show, RUN)
    assert (shown["verdict"], shown["log_damaged"]) == ("verified", True)
    assert f"NOT FOUNDED: the log {log} that it rests on is damaged" in run(code_show, RUN)
    with pytest.raises(XkgError, match=f"the log {log} is damaged: it is not what its name says") as caught:
        run(code_show, RUN, "--log")
    assert caught.value.exit_code == 1
    assert "\n" not in str(caught.value)
    ask(connection, "MATCH (e:Execution) SET e.log = '../../key' RETURN 1")
    with pytest.raises(InputError, match="is not the sha256 of a log"):
        run(code_show, RUN, "--log")
    (finding,) = [f for f in audit_graph(Store(connection), logs=logs) if f.check == "missing logs"]
    assert finding.id == RUN


def test_code_show_says_that_a_verdict_is_unfounded(connection: Connection) -> None:
    assert "NOT FOUNDED" not in run(code_show, RUN)
    assert run_json(code_show, RUN)["doubt"] is None
    ask(connection, "MATCH (c:Code {id: $id}) SET c.killed = 5 RETURN 1", id=RUN)
    assert "  NOT FOUNDED: it was altered since it was judged" in run(code_show, RUN)
    assert run_json(code_show, RUN)["doubt"] == "altered"


def test_code_is_found_by_its_place_alone(connection: Connection) -> None:
    assert run_json(code_show, "src/core.py#run")["id"] == RUN


def test_technique_show_and_stats_and_audit(connection: Connection, logs: LogStore) -> None:
    assert "verified · 4 of 5 mutants noticed by tests of its repository" in run(technique_show, "reservoir-sampling")
    (code,) = run_json(technique_show, "reservoir-sampling")["code"]
    assert (code["verdict"], code["test_kind"], code["killed"]) == ("verified", "repository", 4)
    assert run_json(graph_stats)["verified"] == {"repository": 1}
    assert run_json(graph_audit) == []
    ask(connection, "MATCH (c:Code {symbol: 'step'}) SET c.verdict = 'verified'")
    with pytest.raises(PartialError, match="1 errors"):
        run(graph_audit, "--json")


@pytest.mark.parametrize(
    ("claimed", "verdict", "exit_code", "exported"),
    [
        (True, None, None, True), (False, None, None, False), (None, None, None, None),
        (True, "failed", 1, False), (True, "unverified", 1, False), (False, "unverified", 0, True),
        (False, "verified", 0, True), (None, "verified", 0, True), (None, "unverified", None, None),
    ],
)  # fmt: skip
def test_an_export_claims_what_was_shown(
    claimed: bool | None, verdict: str | None, exit_code: int | None, exported: bool | None,
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path,
) -> None:  # fmt: skip
    code = {"implementation": "x = 1", "test": "assert x == 1", "documentation": "", "package": []}
    code |= {} if claimed is None else {"pass_exec": claimed}
    technique = {"name": "T", "description": "d", "weight": 1.0, "code": code, "components": []}
    (tmp_path / "g.json").write_text(json.dumps({"paper_title": "P", "techniques": [technique]}))
    write_paper(store, read_graph(tmp_path / "g.json"))
    (node,) = ask(connection, "MATCH (c:Code {origin: 'imported'}) RETURN c.id")
    if verdict:
        made = None if exit_code is None else execution(logs, "x = 1", exit_code=exit_code)
        judged = judgement(node, made, verdict=verdict, kind="imported")
        write_judgement(store, judged, evidence("x = 1"), logs)
    assert written(store, "local:p", tmp_path)[0]["code"].get("pass_exec") == exported


def written(store: Store, paper: str, folder: Path) -> list[dict[str, Any]]:
    """The techniques of the JSON graph that an export makes of a paper."""
    (graph,) = write_graphs(store, folder, papers=[paper])
    techniques: list[dict[str, Any]] = json.loads((folder / graph.file).read_text())["techniques"]
    return techniques


def test_an_export_of_a_units_weak_test_claims_nothing(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    text = text_of(connection, RUN)
    weak = judgement(RUN, execution(logs, text), verdict="unverified", reason="test too weak", killed=1)
    write_judgement(store, weak, evidence(text), logs)
    found = written(store, "arxiv:2001.00001", tmp_path)
    (code,) = [technique["code"] for technique in found if technique["name"] == "Reservoir Sampling"]
    assert "pass_exec" not in code


def test_a_wrong_id_names_what_is_near(connection: Connection) -> None:
    for command in (code_verify, code_run, code_show):
        with pytest.raises(InputError, match=r"no code 'src/core\.py#runn'"):
            CliRunner().invoke(command, ["src/core.py#runn"], catch_exceptions=False)
    with pytest.raises(InputError, match="no paper 'nothing'"):
        CliRunner().invoke(code_verify, ["--paper", "nothing"], catch_exceptions=False)


@pytest.mark.parametrize("words", [[], [RUN, "--all"], ["--all", "--paper", "x"], ["--all", "--jobs", "0"]])
def test_what_is_to_be_verified_must_be_said_once(words: list[str]) -> None:
    assert CliRunner().invoke(code_verify, words).exit_code == 2


def test_stale_alone_means_all_that_is_stale() -> None:
    """Nothing is stale here, so nothing is run: what is verified stays as it is."""
    assert run_json(code_verify, "--stale") == []
    assert "There is no such code" in run(code_verify, "--stale")
