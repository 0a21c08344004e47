"""Pruning takes what no code backs, tells it before, keeps what must stay, and does not have to be done again."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from judgements import RUN, ask, evidence, execution, judgement, text_of, verify
from store_records import paper

from kg.audit import audit_graph
from kg.cli.prune import graph_prune
from kg.connection import Connection
from kg.models.code import Grounding
from kg.models.record import PaperRecord
from kg.models.technique import Technique
from kg.pruning import prune, restore
from kg.store import Store
from kg.verdicts import LogStore, write_judgement
from kg.write import remove_paper, write_paper
from kg.xkg_json import read_graph

pytestmark = pytest.mark.db

PAPER = "arxiv:2001.00001"
ALL = {"paper-1-method", "inner-step-1", "reservoir-sampling", "extra-2", "a-finding"}


def record(**more: Any) -> PaperRecord:
    """Techniques: a method (its file asserted) above an ungrounded step, one with a unit, one without, a finding."""
    made = paper(version=2)
    finding = Technique(id="a-finding", name="A finding", kind="finding", score=0.0, definition="It is better.")
    items = (*made.techniques.items, finding)
    made = made.model_copy(update={"techniques": made.techniques.model_copy(update={"items": items})})
    return made.model_copy(update=more)


def left(connection: Connection) -> set[str]:
    return {id.partition("#t/")[2] for id in ask(connection, "MATCH (t:Technique) RETURN t.id")}


@pytest.fixture(autouse=True)
def _written(store: Store) -> None:
    write_paper(store, record())


def test_what_no_code_grounds_goes_with_a_reason(store: Store, connection: Connection) -> None:
    planned = prune(store, "grounded", dry_run=True)
    assert left(connection) == ALL
    assert {item.id.partition("#t/")[2]: item.why for item in planned.techniques} == {
        "inner-step-1": "no code is asserted for it", "extra-2": "no code is asserted for it",
    }  # fmt: skip
    assert planned.kept == {"finding or resource": 1, "grounded": 2}
    assert prune(store, "grounded") == planned
    assert left(connection) == ALL - {"inner-step-1", "extra-2"}
    assert audit_graph(store) == ()
    again = prune(store, "grounded")
    assert (again.techniques, again.code) == ((), ())


def test_a_parent_of_something_kept_stays(store: Store, connection: Connection) -> None:
    ask(connection, "MATCH (t {name: 'Inner step 1'}), (c:Code {symbol: 'run'}) CREATE (t)-[:IMPLEMENTED_BY]->(c)")
    ask(connection, "MATCH (:Technique {name: 'Paper 1 Method'})-[r:IMPLEMENTED_BY]->() DELETE r")
    plan = prune(store, "grounded")
    assert left(connection) == ALL - {"extra-2"}
    assert plan.kept["above one that is kept"] == 1


TOUCHES = {
    "the node": "MATCH (t:Technique {name: 'Extra 2'}) SET t.curated = true",
    "its making": "MATCH (t:Technique {name: 'Extra 2'}) SET t.extraction_method = 'curator'",
    "its place": "MATCH ()-[r:HAS_TECHNIQUE]->(t:Technique {name: 'Extra 2'}) SET r.curated = true",
    "its concept": "MATCH (t:Technique {name: 'Extra 2'}) "
    "CREATE (t)-[:INSTANCE_OF {decided_by: 'curator', score: 1.0}]->(:Concept {id: 'x', name: 'X', aliases: []})",
    "its code": "MATCH (t:Technique {name: 'Extra 2'}), (c:Code {symbol: 'run'}) "
    "CREATE (t)-[:MAY_BE_IMPLEMENTED_BY {extraction_method: 'curator'}]->(c)",
}


@pytest.mark.parametrize("touch", TOUCHES)
def test_what_a_curator_touched_stays(touch: str, store: Store, connection: Connection) -> None:
    ask(connection, TOUCHES[touch])
    prune(store, "verified")
    assert "extra-2" in left(connection)


def test_levels_ask_more_and_more(store: Store, connection: Connection, logs: LogStore) -> None:
    assert len(prune(store, "verified", dry_run=True).techniques) == 4
    text = text_of(connection, RUN)
    weak = judgement(RUN, execution(logs, text), verdict="unverified", reason="test too weak", killed=1)
    write_judgement(store, weak, evidence(text), logs)
    kept = {level: prune(store, level, dry_run=True).kept.get("grounded", 0) for level in ("executable", "verified")}
    assert kept == {"executable": 1, "verified": 0}
    failed = judgement(RUN, execution(logs, text, environment="x", exit_code=1), verdict="failed", reason="1 == 2")
    write_judgement(store, failed, evidence(text), logs)
    assert "grounded" not in prune(store, "executable", dry_run=True).kept
    verify(store, connection, logs)
    assert prune(store, "verified").kept["grounded"] == 1
    assert left(connection) == {"reservoir-sampling", "a-finding"}
    assert audit_graph(store) == ()


def test_a_unit_of_an_asserted_file_speaks_for_it(store: Store, connection: Connection, logs: LogStore) -> None:
    verify(store, connection, logs, RUN.replace("#run", "#step"))
    assert "paper-1-method" not in {i.id.partition("#t/")[2] for i in prune(store, "verified", dry_run=True).techniques}


def test_the_same_sources_bring_nothing_back(store: Store, connection: Connection) -> None:
    prune(store, "grounded")
    pruned = left(connection)
    planned = write_paper(store, record(), dry_run=True)
    assert planned.empty
    assert write_paper(store, record()).empty
    assert left(connection) == pruned


def test_other_sources_bring_it_back_and_say_so(store: Store, connection: Connection) -> None:
    prune(store, "grounded")
    changed = record(doc=record().doc.model_copy(update={"source_sha256": "other"}))
    planned = write_paper(store, changed, dry_run=True)
    changes = write_paper(store, changed)
    assert changes == planned
    assert {key.partition("#t/")[2] for key in changes.nodes_added["Technique"]} == {"inner-step-1", "extra-2"}
    assert left(connection) == ALL
    assert ask(connection, "MATCH (p:Paper) WHERE p.pruned IS NOT NULL RETURN p.id") == []


def test_code_that_is_asserted_now_brings_its_technique_back(store: Store, connection: Connection) -> None:
    prune(store, "grounded")
    grounding = Grounding(technique="extra-2", level="unit", confidence=0.9, method="fused",
                          candidates=record().groundings[0].candidates)  # fmt: skip
    changes = write_paper(store, record(groundings=(*record().groundings, grounding)))
    assert changes.nodes_added["Technique"] == (f"{PAPER}#t/extra-2",)
    assert left(connection) == ALL - {"inner-step-1"}


def test_restoring_lets_the_next_ingest_bring_it_back(store: Store, connection: Connection) -> None:
    prune(store, "grounded")
    assert list(restore(store)) == [PAPER]
    assert restore(store) == {}
    write_paper(store, record())
    assert left(connection) == ALL
    assert write_paper(store, record()).empty


def test_a_removed_paper_forgets_its_pruning(store: Store, connection: Connection) -> None:
    prune(store, "grounded")
    remove_paper(store, PAPER)
    write_paper(store, record())
    assert left(connection) == ALL


def test_an_imported_block_goes_with_its_technique_and_its_executions(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    remove_paper(store, PAPER)
    code = {"implementation": "x = 1", "test": "assert x == 2", "documentation": "", "package": [], "pass_exec": True}
    technique = {"name": "T", "description": "d", "weight": 1.0, "code": code, "components": []}
    (tmp_path / "g.json").write_text(json.dumps({"paper_title": "P", "techniques": [technique]}))
    block = read_graph(tmp_path / "g.json")
    write_paper(store, block)
    (node,) = ask(connection, "MATCH (c:Code) RETURN c.id")
    failed = judgement(node, execution(logs, "x = 1", exit_code=1), verdict="failed", reason="1 == 2")
    write_judgement(store, failed, evidence("x = 1"), logs)
    plan = prune(store, "executable")
    assert (len(plan.techniques), plan.code, len(plan.executions)) == (1, (node,), 1)
    assert ask(connection, "MATCH (n:Technique|Code|Execution) RETURN n") == []
    assert write_paper(store, block).empty
    restore(store)
    write_paper(store, block)
    assert ask(connection, "MATCH (:Technique)-[:IMPLEMENTED_BY]->(c:Code) RETURN c.id") == [node]


def test_the_command_asks_tells_and_does(store: Store, connection: Connection) -> None:
    run = CliRunner().invoke
    planned = json.loads(run(graph_prune, ["--dry-run", "--json"]).stdout)
    assert (planned["level"], planned["dry_run"], len(planned["techniques"])) == ("grounded", True, 2)
    assert run(graph_prune, [], input="n\n").exit_code != 0
    assert left(connection) == ALL
    done = json.loads(run(graph_prune, ["--yes", "--json"]).stdout)
    assert {**done, "dry_run": True} == planned
    assert "0 techniques go" in run(graph_prune, []).stdout
    assert list(json.loads(run(graph_prune, ["--restore", "--json"]).stdout)["restored"]) == [PAPER]
    assert "Nothing was pruned" in run(graph_prune, ["--restore"]).stdout
