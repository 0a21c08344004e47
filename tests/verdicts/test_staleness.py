"""A verdict lasts as long as what it rests on, and not a write longer."""

import json
from pathlib import Path
from typing import Any

import pytest
from judgements import PLACES, RUN, STEP, ask, evidence, execution, judgement, text_of, verdict, verify
from store_records import paper, unit

from kg.audit import audit_graph
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.models.record import PaperRecord
from kg.store import Store
from kg.verdicts import LogStore, as_basis, block_basis, write_judgement
from kg.verdicts.basis import NOTHING, differences
from kg.write import Changes, remove_paper, write_paper
from kg.xkg_json import read_graph

pytestmark = pytest.mark.db

CORE = "src/core.py"


@pytest.fixture(autouse=True)
def _verified(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper())
    verify(store, connection, logs, RUN)


def edited(record: PaperRecord, **of_run: Any) -> PaperRecord:
    """The record with another unit `run`."""
    units = tuple(u.model_copy(update=of_run) if u.symbol == "run" else u for u in record.units)
    return record.model_copy(update={"units": units})


def moved(record: PaperRecord) -> PaperRecord:
    """The record with everything some lines further down, at another commit, under another id."""
    units = tuple(
        u.model_copy(update={"line": u.line + 7, "end_line": u.end_line + 7, "start": u.start + 90, "end": u.end + 90})
        for u in record.units
    )
    assert record.repository
    return record.model_copy(
        update={"units": units, "repository": record.repository.model_copy(update={"commit": "c9"}), "vectors": None}
    )


def test_nothing_new_changes_no_verdict(store: Store, connection: Connection) -> None:
    assert write_paper(store, paper()).empty
    assert write_paper(store, paper().model_copy(update={"places": PLACES})).empty
    assert verdict(connection)[0] == "verified"


def test_moved_lines_keep_the_verdict(store: Store, connection: Connection, logs: LogStore) -> None:
    record = moved(paper()).model_copy(update={"places": PLACES})
    planned = write_paper(store, record, dry_run=True, logs=logs)
    changes = write_paper(store, record, logs=logs)
    assert changes == planned
    assert changes.stale == ()
    assert verdict(connection, RUN.replace("@c1", "@c9"))[0] == "verified"
    assert ask(
        connection, "MATCH (:Code {verdict: 'verified'})-[:VERIFIED_BY {current: true}]->(e) RETURN e.exit_code"
    ) == [0]
    assert audit_graph(store, logs=logs) == ()


def test_what_can_not_be_compared_is_not_believed(store: Store, connection: Connection) -> None:
    write_paper(store, moved(paper()))
    assert verdict(connection, RUN.replace("@c1", "@c9"))[0] == "stale"


def test_what_an_earlier_version_did_not_note_is_not_believed(
    store: Store, connection: Connection, logs: LogStore
) -> None:
    former = as_basis({name: digest for name, digest in PLACES.items() if name != "links"})
    text = text_of(connection, RUN)
    write_judgement(store, judgement(RUN, execution(logs, text)), evidence(text, basis=former), logs)
    assert write_paper(store, moved(paper()).model_copy(update={"places": PLACES}), logs=logs).stale == (RUN,)
    reason = "an earlier version has judged it, and did not note all that its run may have read"
    assert verdict(connection, RUN.replace("@c1", "@c9")) == ("stale", reason)


def test_changed_code_is_stale_and_its_dry_run_says_so(store: Store, connection: Connection) -> None:
    record = edited(paper(), text="def run():\n    return 4\n").model_copy(update={"places": PLACES})
    planned = write_paper(store, record, dry_run=True)
    assert verdict(connection)[0] == "verified"
    changes = write_paper(store, record)
    assert changes == planned
    assert changes.stale == (RUN,)
    assert verdict(connection) == ("stale", "the code has changed since")
    assert write_paper(store, record).empty
    assert verdict(connection) == ("stale", "the code has changed since")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("read tests/test_core.py", "tests/test_core.py, which its run read, has changed since"),
        ("listed tests", "files have come or gone since in tests, where its run looked"),
        ("requirements", "the requirements have changed since"),
    ],
)
def test_what_it_rests_on_has_changed(place: str, says: str, store: Store, connection: Connection) -> None:
    changes = write_paper(store, paper().model_copy(update={"places": {**PLACES, place: "other"}}))
    assert changes.stale == (RUN,)
    assert not changes.empty
    assert verdict(connection) == ("stale", says)


def test_what_has_come_and_gone_is_named() -> None:
    before = {"listed tests": "1", "listed ": "1", "name tests/old.py": "1", "name tests/": "1"}
    come = {f"name tests/new{number}.py": "1" for number in range(4)}
    now = {**before, **come, "listed tests": "2", "name tests/old.py": NOTHING, "name lab/other.py": "1"}
    assert differences(as_basis(before), now) == (
        "files have come (tests/new0.py, tests/new1.py, tests/new2.py and 1 other files) or gone (tests/old.py) since "
        "in tests, where its run looked"
    )
    assert differences(as_basis(before), {**before, "name lab/other.py": "1"}) == ""
    unnamed = {"listed tests": "1"}
    assert differences(as_basis(unnamed), {**now}) == "files have come or gone since in tests, where its run looked"


def test_many_changes_are_told_in_few_words() -> None:
    before = {f"read {name}.py": "1" for name in "abcde"} | {"listed ": "1", "listed lib": "1", "everything": "1"}
    now = dict.fromkeys(before, "2")
    assert differences(as_basis(before), before) == ""
    assert differences(as_basis(before), now) == (
        "a.py, b.py, c.py and 2 other files, which its run read, have changed since; files have come or gone since in "
        "the top of its repository and lib, where its run looked; its repository has changed since, and what its "
        "verdict rests on there is not known"
    )


def test_a_commit_that_was_looked_at_in_part_takes_back_what_it_shows(store: Store, connection: Connection) -> None:
    assert write_paper(store, paper().model_copy(update={"places": {"requirements": "3"}})).empty
    write_paper(store, moved(paper()).model_copy(update={"places": {"requirements": "3"}}))
    reason = "what its verdict rests on in its repository could not be compared"
    assert verdict(connection, RUN.replace("@c1", "@c9")) == ("stale", reason)


def test_code_at_a_commit_that_another_paper_uses_keeps_its_verdict(
    store: Store, connection: Connection, logs: LogStore
) -> None:
    for number in (3, 4):
        write_paper(store, paper(number, shared_repository=True))
    shared = "github:someone/shared@c1:src/core.py#run"
    verify(store, connection, logs, shared)
    assert write_paper(store, paper(3, shared_repository=True, commit="c2")).stale == ()
    assert verdict(connection, shared)[0] == "verified"
    assert verdict(connection, shared.replace("@c1", "@c2"))[0] == "unverified"


def test_another_version_of_the_paper(store: Store, connection: Connection) -> None:
    record = paper()
    record = record.model_copy(update={"paper": record.paper.model_copy(update={"version": "v2"}), "places": PLACES})
    write_paper(store, record)
    assert verdict(connection) == ("stale", "the paper has changed since (v1 is now v2)")


def test_what_is_said_of_the_code_is_not_the_code(store: Store, connection: Connection, logs: LogStore) -> None:
    changes = write_paper(store, edited(paper(), docstring="other", licence="BSD-3-Clause"), logs=logs)
    assert changes.nodes_changed["Code"] == (RUN,)
    assert verdict(connection)[0] == "verified"
    assert audit_graph(store, logs=logs) == ()


@pytest.mark.parametrize("forged", ["c.killed = 5", "c.documentation = 'sorts'", "c.verdict_seal = 'a:b'"])
def test_what_is_not_founded_is_not_sealed_anew(
    forged: str, store: Store, connection: Connection, logs: LogStore
) -> None:
    ask(connection, f"MATCH (c:Code {{id: $id}}) SET {forged} RETURN 1", id=RUN)
    changes = write_paper(store, moved(paper()).model_copy(update={"places": PLACES}), logs=logs)
    assert changes.stale == (RUN,)
    now, why = verdict(connection, RUN.replace("@c1", "@c9"))
    assert (now, why.partition(", and ")[0]) == ("stale", "it has moved or is described anew")
    assert audit_graph(store, logs=logs) == ()


def test_a_home_that_can_not_seal_what_another_has_judged_takes_it_back(
    store: Store, connection: Connection, tmp_path: Path
) -> None:
    here = LogStore(tmp_path / "here")
    assert write_paper(store, paper(), logs=here).empty
    assert verdict(connection)[0] == "verified", "what stays where it is is not touched"
    write_paper(store, moved(paper()).model_copy(update={"places": PLACES}), logs=here)
    assert verdict(connection, RUN.replace("@c1", "@c9")) == (
        "stale",
        "it has moved or is described anew, and it was not judged in this home, and nothing here can confirm it",
    )


def test_a_failure_of_former_code_is_no_verdict_on_this(store: Store, connection: Connection, logs: LogStore) -> None:
    text = text_of(connection, STEP)
    failed = execution(logs, text, exit_code=1)
    write_judgement(store, judgement(STEP, failed, verdict="failed", reason="1 == 2"), evidence(text), logs)
    record = paper()
    units = tuple(u.model_copy(update={"text": "def step(): pass"}) if u.symbol == "step" else u for u in record.units)
    changes: Changes = write_paper(store, record.model_copy(update={"units": units, "places": PLACES}))
    assert changes.stale == (STEP,)
    assert verdict(connection, STEP) == ("unverified", "it failed, but the code has changed since")


def test_removed_code_takes_its_executions_with_it(store: Store, connection: Connection) -> None:
    record = paper()
    without_run = record.model_copy(
        update={"units": tuple(u for u in record.units if u.symbol != "run"), "groundings": (), "calls": ()}
    )
    planned = write_paper(store, without_run, dry_run=True)
    changes = write_paper(store, without_run)
    assert planned == changes
    assert len(changes.nodes_removed["Execution"]) == 1
    assert ask(connection, "MATCH (e:Execution) RETURN e") == []


def test_a_removed_paper_takes_its_executions_with_it(store: Store, connection: Connection) -> None:
    planned = remove_paper(store, "arxiv:2001.00001", dry_run=True)
    done = remove_paper(store, "arxiv:2001.00001")
    assert done.nodes_removed["Execution"] == planned.nodes_removed["Execution"]
    assert ask(connection, "MATCH (n:Code|Execution) RETURN n") == []


def test_an_execution_that_other_code_rests_on_stays(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper(2))
    other = RUN.replace("repo1", "repo2")
    verify(store, connection, logs, other)
    assert ask(connection, "MATCH (e:Execution) RETURN count(e)") == [1]
    remove_paper(store, "arxiv:2001.00001")
    assert verdict(connection, other)[0] == "verified"
    assert ask(connection, "MATCH (e:Execution) RETURN count(e)") == [1]


def test_a_backup_brings_verdicts_and_executions_back(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    export_graph(store, tmp_path / "a.jsonl", logs=logs)
    import_graph(store, tmp_path / "a.jsonl", "replace", logs=logs)
    export_graph(store, tmp_path / "b.jsonl", logs=logs)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert verdict(connection)[0] == "verified"
    assert write_paper(store, paper()).empty
    assert audit_graph(store, logs=logs) == ()


def test_withheld_code_that_comes_back_unchanged_keeps_its_verdict(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    record = paper()
    assert record.repository
    units = tuple(u.model_copy(update={"licence": None}) for u in record.units)
    record = record.model_copy(
        update={"units": units, "repository": record.repository.model_copy(update={"licence": None})}
    )
    write_paper(store, record)
    verify(store, connection, logs)
    export_graph(store, tmp_path / "a.jsonl", logs=logs)
    exported = (tmp_path / "a.jsonl").read_bytes()
    assert b"def run(" not in exported
    assert b"return 3" not in exported
    assert b"3 becomes 4" not in (tmp_path / "a.jsonl").read_bytes(), "what quotes the code stays here, too"
    import_graph(store, tmp_path / "a.jsonl", "replace", logs=logs)
    assert text_of(connection, RUN) == ""
    assert write_paper(store, record, logs=logs).stale == ()
    assert text_of(connection, RUN).startswith("def run")
    assert verdict(connection)[0] == "verified"
    assert [found.check for found in audit_graph(store, logs=logs)] == ["missing licences"]


def block(tmp_path: Path, **more: Any) -> PaperRecord:
    """A published graph with one block."""
    code = {"implementation": "x = 1", "test": "assert x == 1", "documentation": "", "package": ["numpy"],
            "pass_exec": True, "verdict": "verified", **more}  # fmt: skip
    technique = {"name": "T", "description": "d", "weight": 1.0, "code": code, "components": []}
    file = tmp_path / "graph.json"
    file.write_text(json.dumps({"paper_title": "P", "techniques": [technique]}))
    return read_graph(file)


@pytest.mark.parametrize("change", [{"test": "assert x"}, {"package": ["scipy"]}, {"implementation": "x = 2"}, {}])
def test_an_imported_block_rests_on_its_test_and_packages(
    change: dict[str, Any], store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    write_paper(store, block(tmp_path))
    (code,) = ask(connection, "MATCH (c:Code) WHERE c.origin = 'imported' RETURN c.id")
    assert verdict(connection, code) == ("unverified", "nothing was run"), "whatever the file claims"
    basis = block_basis("assert x == 1", ["numpy"])
    judged = judgement(code, execution(logs, "x = 1"), kind="imported", test="another test")
    write_judgement(store, judged, evidence("x = 1", basis=basis), logs)
    assert ask(connection, "MATCH (c:Code {id: $id}) RETURN c.test", id=code) == ["assert x == 1"]
    write_paper(store, block(tmp_path, documentation="said of it", **change))
    if "implementation" in change:
        assert ask(connection, "MATCH (c:Code {verdict: 'verified'}) RETURN c.id") == [RUN]
    else:
        assert verdict(connection, code)[0] == ("stale" if change else "verified")


def test_units_are_compared_by_text_alone(store: Store, connection: Connection) -> None:
    longer = unit("run", start=400)
    record = paper()
    units = tuple(longer if u.symbol == "run" else u for u in record.units)
    assert write_paper(store, record.model_copy(update={"units": units})).stale == ()
    assert verdict(connection)[0] == "verified"
