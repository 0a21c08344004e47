"""Writing papers: twice is once, versions and commits are told apart, removal leaves nothing."""

from typing import Any

import pytest
from store_records import document, entry, paper, repository, technique, unit, with_vectors

from kg.audit import audit_graph
from kg.connection import Connection
from kg.errors import DatabaseError, InputError
from kg.migrations import index_info
from kg.models.record import PaperMeta, PaperRecord
from kg.models.technique import TechniqueTree
from kg.store import Store
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db


def ask(connection: Connection, statement: str, **params: Any) -> list[Any]:
    """The first column of a statement's rows."""
    return [
        record[0] for record in connection.driver.execute_query(statement, params, database_=connection.database)[0]
    ]


def test_a_paper_becomes_nodes_and_edges(store: Store, connection: Connection) -> None:
    changes = write_paper(store, paper())
    assert (
        changes.counts()["nodes_added"]
        == ask(connection, "MATCH (n) WHERE NOT n:Migration AND NOT n:Lock AND NOT n:IndexInfo RETURN count(n)")[0]
    )
    assert changes.counts()["edges_added"] == ask(connection, "MATCH ()-[r]->() RETURN count(r)")[0]
    assert ask(connection, "MATCH (:Paper)-[:HAS_TECHNIQUE]->(t)-[:HAS_COMPONENT {order: 1}]->(c) RETURN c.name") == [
        "Inner step 1"
    ]
    assert ask(
        connection,
        "MATCH (:Technique {name: 'Reservoir Sampling'})-[:IMPLEMENTED_BY {level: 'unit'}]->(c) RETURN c.symbol",
    ) == ["run"]
    assert ask(
        connection, "MATCH (:Technique)-[:IMPLEMENTED_BY {level: 'file'}]->(c:Code) RETURN c.kind + ' ' + c.file"
    ) == ["file src/core.py"]
    assert ask(
        connection, "MATCH (f:Code {kind: 'file'}) RETURN size(f.implementation) > 0 AND f.embedding IS NOT NULL"
    ) == [True]
    assert ask(
        connection, "MATCH (t:Technique {name: 'Inner step 1'})-[:DESCRIBED_IN]->(n) RETURN head(labels(n)) + n.label"
    ) == ["Equationeq"]
    assert ask(connection, "MATCH (n) WHERE n.name IS NULL RETURN n") == []
    assert ask(connection, "MATCH (c:Code) RETURN DISTINCT c.verdict + ': ' + c.verdict_reason") == [
        "unverified: nothing was run"
    ]
    assert ask(connection, "MATCH (c:Code)-[:USES]->(d:Code) RETURN c.symbol + ' ' + d.symbol") == ["run step"]
    assert ask(connection, "MATCH (:Run)-[:MADE]->(n) RETURN n.id ORDER BY n.id") == [
        "arxiv:2001.00001", "github:someone/repo1"
    ]  # fmt: skip
    assert ask(connection, "MATCH ()-[r]->(:Code {symbol: 'run'}) WHERE r.why_lexical = 0.5 RETURN type(r)") == [
        "IMPLEMENTED_BY"
    ]
    assert audit_graph(store) == ()


def test_a_repository_named_as_its_paper_is_not_taken_for_it(store: Store, connection: Connection) -> None:
    record = paper()
    meta = record.paper.model_copy(update={"id": "local:same"})
    home = repository().model_copy(update={"id": "local:same"})
    alike = with_vectors(record.model_copy(update={"paper": meta, "repository": home}))
    with pytest.raises(InputError, match="'local:same' is no id of a Repository"):
        write_paper(store, alike)
    assert ask(connection, "MATCH (n {id: 'local:same'}) RETURN n") == []
    own = home.model_copy(update={"id": "folder:same"})
    write_paper(store, with_vectors(alike.model_copy(update={"repository": own})))
    assert ask(connection, "MATCH (n {id: 'local:same'}) WHERE n.embedding IS NOT NULL RETURN head(labels(n))") == [
        "Paper"
    ]
    assert ask(connection, "MATCH (n {id: 'folder:same'}) RETURN labels(n)[0]") == ["Repository"]
    assert audit_graph(store) == ()


def test_writing_twice_changes_nothing(store: Store) -> None:
    assert not write_paper(store, paper()).empty
    again = write_paper(store, paper())
    assert again.empty
    assert again.moved == 0
    assert "no change" in again.summary()


def test_dry_run_tells_the_same_and_writes_nothing(store: Store, connection: Connection) -> None:
    planned = write_paper(store, paper(), dry_run=True)
    assert ask(connection, "MATCH (p:Paper) RETURN p") == []
    assert write_paper(store, paper()) == planned
    planned = write_paper(store, paper(version=2), dry_run=True)
    assert write_paper(store, paper(version=2)) == planned


def test_a_new_version_tells_what_came_changed_and_went(store: Store) -> None:
    write_paper(store, paper(version=2))
    changes = write_paper(store, paper(version=3))
    assert [key.rsplit("/", 1)[-1] for key in changes.nodes_added["Technique"]] == ["extra-3"]
    assert [key.rsplit("/", 1)[-1] for key in changes.nodes_removed["Technique"]] == ["extra-2"]
    assert [key.rsplit("#", 1)[-1] for key in changes.nodes_added["Code"]] == ["added3"]
    assert [key.rsplit("#", 1)[-1] for key in changes.nodes_removed["Code"]] == ["added2"]
    assert changes.nodes_changed["Paper"] == ("arxiv:2001.00001",)


def test_unchanged_code_of_a_new_commit_is_the_same_node(store: Store, connection: Connection) -> None:
    write_paper(store, paper())
    verified = (
        "MATCH (c:Code {symbol: $symbol}) SET c.verdict = 'verified', c.verdict_basis = $basis RETURN elementId(c)"
    )
    node, changed_node = (ask(connection, verified, symbol=name, basis=["none links"]) for name in ("run", "step"))
    later = paper(version=2, commit="c2")
    paper_as_before = later.paper.model_copy(update={"version": "v1"})
    later = later.model_copy(update={"paper": paper_as_before, "places": {"links": "none"}})
    changes = write_paper(store, later)
    assert [key.rsplit("#", 1)[-1] for key in changes.nodes_changed["Code"]] == [
        "github:someone/repo1@c2:src/core.py",
        "step",
    ]
    assert "Code" not in changes.nodes_removed
    assert changes.moved > 0
    assert ask(connection, "MATCH (c:Code {id: 'github:someone/repo1@c2:src/core.py#run'}) RETURN elementId(c)") == node
    assert ask(
        connection, "MATCH (c:Code) WHERE elementId(c) IN $e RETURN c.verdict ORDER BY c.symbol", e=node + changed_node
    ) == ["verified", "stale"]
    assert ask(connection, "MATCH (c:Code) WHERE c.id CONTAINS '@c1' OR c.commit = 'c1' RETURN c") == []
    assert write_paper(store, later).empty


def test_a_curators_word_is_neither_overwritten_nor_removed(store: Store, connection: Connection) -> None:
    write_paper(store, paper(version=2))
    ask(connection, "MATCH (t:Technique {name: 'Extra 2'}) SET t.curated = true")
    ask(connection, "MATCH (t:Technique {name: 'Paper 1 Method'}) SET t.curated = true, t.definition = 'mine'")
    ask(
        connection,
        "MATCH (t:Technique {name: 'Inner step 1'}), (c:Code {symbol: 'added2'}) "
        "CREATE (t)-[:IMPLEMENTED_BY {extraction_method: 'curator'}]->(c)",
    )
    ask(
        connection,
        "MATCH (:Technique {name: 'Reservoir Sampling'})-[r:IMPLEMENTED_BY]->() SET r.curated = true, r.score = 0.123",
    )
    changes = write_paper(store, paper(version=3))
    assert {key.rsplit("/", 1)[-1].rsplit("#", 1)[-1] for key in changes.kept} == {"extra-2", "added2"}
    assert ask(connection, "MATCH (t:Technique {name: 'Paper 1 Method'}) RETURN t.definition") == ["mine"]
    assert ask(connection, "MATCH (:Paper)-[:HAS_TECHNIQUE]->(t:Technique {name: 'Extra 2'}) RETURN t.name") == [
        "Extra 2"
    ]
    assert ask(
        connection, "MATCH (:Technique {name: 'Inner step 1'})-[r:IMPLEMENTED_BY]->(c:Code) RETURN c.symbol"
    ) == ["added2"]
    assert ask(connection, "MATCH (:Technique {name: 'Reservoir Sampling'})-[r:IMPLEMENTED_BY]->() RETURN r.score") == [
        0.123
    ]
    assert write_paper(store, paper(version=3)).empty


def test_removing_leaves_nothing(store: Store, connection: Connection) -> None:
    changes = write_paper(store, paper())
    removed = remove_paper(store, "arxiv:2001.00001")
    assert ask(connection, "MATCH (n) WHERE NOT n:Migration AND NOT n:Lock AND NOT n:IndexInfo RETURN n") == []
    assert removed.nodes_removed == changes.nodes_added
    made = {"MADE": changes.edges_added["MADE"]}
    assert removed.edges_removed | made == changes.edges_added, "all but those of the run, which go with it"


def test_removing_what_is_not_there_is_an_input_error(store: Store) -> None:
    write_paper(store, paper())
    for name in ("arxiv:9999.00001", "arxiv:1706.03762"):
        with pytest.raises(InputError, match=name):
            remove_paper(store, name)


def test_a_shared_repository_outlives_one_of_its_papers(store: Store, connection: Connection) -> None:
    write_paper(store, paper(1, shared_repository=True))
    write_paper(store, paper(2, shared_repository=True))
    assert write_paper(store, paper(1, shared_repository=True)).empty
    remove_paper(store, "arxiv:2001.00001")
    assert ask(connection, "MATCH (r:Repository) RETURN r.name") == ["shared"]
    assert write_paper(store, paper(2, shared_repository=True)).empty
    remove_paper(store, "arxiv:2001.00002")
    assert ask(connection, "MATCH (n:Code|Repository) RETURN n") == []


def test_two_papers_may_use_two_commits_of_one_repository(store: Store, connection: Connection) -> None:
    records = [paper(1, shared_repository=True), paper(2, shared_repository=True, commit="c2")]
    for record in records:
        write_paper(store, record)
    assert ask(connection, "MATCH (c:Code {symbol: 'run'}) RETURN c.commit ORDER BY c.commit") == ["c1", "c2"]
    assert [write_paper(store, record).empty for record in records] == [True, True]
    remove_paper(store, "arxiv:2001.00001")
    assert ask(connection, "MATCH (c:Code) RETURN DISTINCT c.commit") == ["c2"]
    assert write_paper(store, records[1]).moved in (0, 1)
    assert audit_graph(store) == ()


def test_vectors_of_another_model_are_refused_and_nothing_is_written(store: Store, connection: Connection) -> None:
    write_paper(store, paper(1))
    other = paper(2)
    assert other.vectors
    other = other.model_copy(update={"vectors": other.vectors.model_copy(update={"model_id": "another"})})
    with pytest.raises(DatabaseError, match="can't be mixed"):
        write_paper(store, other)
    assert ask(connection, "MATCH (p:Paper {status: 'ingested'}) RETURN p.id") == ["arxiv:2001.00001"]
    info = index_info(store)
    assert info
    assert info.model_id == "test-model"


def test_code_without_a_repository_belongs_to_the_paper(store: Store, connection: Connection) -> None:
    record = PaperRecord(paper=PaperMeta(id="local:p"), doc=document(), units=(unit("f"),), origin="imported")
    write_paper(store, record)
    assert ask(connection, "MATCH (c:Code) RETURN c.id STARTS WITH 'local:p#c/'") == [True]
    assert write_paper(store, record).empty
    remove_paper(store, "local:p")
    assert ask(connection, "MATCH (c:Code) RETURN c") == []


def test_hostile_names_are_stored_as_they_are(store: Store, connection: Connection) -> None:
    name = "'}) DETACH DELETE n // \\u0027 `x` \x00 \ud800 é" + "x" * 20_000
    record = PaperRecord(
        paper=PaperMeta(id="local:hostile", title=name), doc=document(entry("k", title=name)),
        techniques=TechniqueTree(items=(technique("x").model_copy(update={"name": name, "id": "x" * 9000}),)),
        repository=repository(), units=(unit("f", file="a/" * 4000 + "b.py"),),
    )  # fmt: skip
    write_paper(store, record)
    assert ask(connection, "MATCH (t:Technique) RETURN t.name") == [name.replace("\ud800", "?")]
    assert write_paper(store, record).empty


def test_a_changed_text_drops_its_old_vector(store: Store, connection: Connection) -> None:
    record = with_vectors(PaperRecord(paper=PaperMeta(id="local:p", title="One"), doc=document()))
    write_paper(store, record)
    assert ask(connection, "MATCH (p:Paper {id: 'local:p'}) RETURN size(p.embedding)") == [384]
    changed = record.model_copy(update={"paper": PaperMeta(id="local:p", title="Two"), "vectors": None})
    write_paper(store, changed)
    assert ask(connection, "MATCH (p:Paper {id: 'local:p'}) RETURN p.embedding IS NULL") == [True]
    assert ask(connection, "MATCH (s:Section) WHERE s.embedding IS NOT NULL RETURN count(s)") == [2]
    assert not write_paper(store, with_vectors(changed)).empty
    assert ask(connection, "MATCH (p:Paper {id: 'local:p'}) RETURN size(p.embedding)") == [384]
