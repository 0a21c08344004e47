"""Laws of the writer and the backup, for any sequence of papers, versions and commits."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_records import paper

from kg.audit import audit_graph, graph_stats
from kg.backup import export_graph, import_graph
from kg.concepts import refresh_concepts
from kg.connection import Connection
from kg.models.record import PaperRecord
from kg.store import Store
from kg.verdicts import LogStore
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db

few = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

records = st.builds(
    paper,
    st.integers(1, 3),
    version=st.integers(1, 3),
    commit=st.sampled_from(["c1", "c2"]),
    shared_repository=st.booleans(),
)
sequences = st.lists(records, min_size=1, max_size=4)


@pytest.fixture
def wipe(connection: Connection) -> Callable[[], None]:
    """Empties the graph: hypothesis runs many examples in one test."""
    return lambda: connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n") and None


def exported(store: Store, file: Path) -> bytes:
    export_graph(store, file, include_unlicensed=True, logs=LogStore(file.parent / "logs"))
    return file.read_bytes()


@few
@given(sequence=sequences)
def test_writing_again_changes_nothing_and_audits_clean(
    store: Store, wipe: Callable[[], None], sequence: list[PaperRecord]
) -> None:
    wipe()
    for record in sequence:
        write_paper(store, record)
        assert write_paper(store, record).empty
    refresh_concepts(store)
    assert refresh_concepts(store).empty
    assert [finding for finding in audit_graph(store) if finding.severity == "error"] == []


@few
@given(sequence=sequences)
def test_removing_every_paper_leaves_nothing(
    store: Store, connection: Connection, wipe: Callable[[], None], sequence: list[PaperRecord]
) -> None:
    wipe()
    for record in sequence:
        write_paper(store, record)
    refresh_concepts(store)
    for name in sorted({record.paper.id for record in sequence}):
        remove_paper(store, name)
    assert graph_stats(store).nodes == {}


@few
@given(sequence=sequences)
def test_import_undoes_nothing_of_an_export(
    store: Store, wipe: Callable[[], None], tmp_path: Path, sequence: list[PaperRecord]
) -> None:
    wipe()
    for record in sequence:
        write_paper(store, record)
    refresh_concepts(store)
    before = exported(store, tmp_path / "before.jsonl")
    import_graph(store, tmp_path / "before.jsonl", "replace", logs=LogStore(tmp_path / "logs"))
    assert exported(store, tmp_path / "after.jsonl") == before


@few
@given(first=records, then=records)
def test_a_dry_run_tells_what_the_write_does(
    store: Store, wipe: Callable[[], None], first: PaperRecord, then: PaperRecord
) -> None:
    wipe()
    write_paper(store, first)
    planned = write_paper(store, then, dry_run=True)
    assert write_paper(store, then) == planned
