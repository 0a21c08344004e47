"""Cited works: one node each, whichever paper came first and however it is spelled."""

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from store_records import document, entry, with_vectors
from test_store_write import ask

from kg.audit import audit_graph, graph_stats
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.lookup import find_node
from kg.models.paper import BibEntry, Citation
from kg.models.record import PaperMeta, PaperRecord
from kg.results.show import FoundByText, ListedPaper, ShownPaper
from kg.store import Store
from kg.write import remove_paper, write_paper
from kg.write.citations import cited_works

pytestmark = pytest.mark.db

INDEXES = ("paper_text", "cited_work_text")
TITLE = "A very well known book on data"


def citing(name: str, *entries: BibEntry, **meta: Any) -> PaperRecord:
    """A paper that cites these."""
    return PaperRecord(
        paper=PaperMeta(id=name, **{"title": f"The paper called {name}", **meta}), doc=document(*entries)
    )


def papers(connection: Connection) -> list[tuple[Any, ...]]:
    """Id, what it is and citing papers of every paper and cited work."""
    rows, _, _ = connection.driver.execute_query(
        "MATCH (p:Paper|CitedWork) OPTIONAL MATCH (c:Paper)-[:CITES]->(p) WITH p, c ORDER BY c.id "
        "WITH p, collect(c.id) AS by, {Paper: 'ingested', CitedWork: 'cited'} AS told "
        "RETURN p.id, told[labels(p)[0]], by ORDER BY p.id",
        database_=connection.database,
    )
    return [(*row.values()[:2], tuple(row["by"])) for row in rows]


SPELLINGS = [
    citing("local:a", entry("x", TITLE, year=2013)),
    citing("local:b", entry("y", TITLE.upper() + ".", year=2014, doi="https://doi.org/10.1234/ABC")),
    citing("local:c", entry("z", TITLE, arxiv="arXiv:1301.00001v2", doi="10.1234/abc")),
]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_spellings_become_one_work_in_any_order(order: tuple[int, ...], store: Store, connection: Connection) -> None:
    for number in order:
        write_paper(store, SPELLINGS[number])
    cited = [row for row in papers(connection) if row[1] == "cited"]
    assert cited == [("arxiv:1301.00001", "cited", ("local:a", "local:b", "local:c"))]
    rows, _, _ = connection.driver.execute_query("MATCH (p:CitedWork) RETURN properties(p) AS p")
    assert rows[0]["p"]["year"] == 2014
    assert rows[0]["p"]["doi"] == "10.1234/abc"
    assert all(write_paper(store, record).empty for record in SPELLINGS)


@pytest.mark.parametrize("meta", [{"arxiv_id": "1301.00001"}, {"doi": "10.1234/abc"}, {"title": TITLE, "year": 2013}])
def test_a_cited_work_that_is_ingested_is_upgraded_in_place(
    meta: dict[str, Any], store: Store, connection: Connection
) -> None:
    for record in SPELLINGS:
        write_paper(store, record)
    before = papers(connection)
    write_paper(store, citing("local:book", **meta))
    assert ("local:book", "ingested", ("local:a", "local:b", "local:c")) in papers(connection)
    assert len(papers(connection)) == len(before)
    assert all(write_paper(store, record).empty for record in SPELLINGS)
    remove_paper(store, "local:book")
    assert papers(connection) == before


def test_a_paper_in_the_corpus_is_cited_directly(store: Store, connection: Connection) -> None:
    write_paper(store, citing("arxiv:1301.00001", title="Another title of that work here"))
    write_paper(store, SPELLINGS[2])
    assert papers(connection) == [("arxiv:1301.00001", "ingested", ("local:c",)), ("local:c", "ingested", ())]


def test_what_nobody_cites_any_more_goes(store: Store, connection: Connection) -> None:
    write_paper(store, SPELLINGS[0])
    write_paper(store, SPELLINGS[1])
    write_paper(store, citing("local:b"))
    assert ("local:cited-a-very-well-known-book-on-data", "cited", ("local:a",)) in papers(connection)
    write_paper(store, citing("local:a"))
    assert papers(connection) == [("local:a", "ingested", ()), ("local:b", "ingested", ())]


def test_a_paper_that_cites_itself_gets_no_edge(store: Store, connection: Connection) -> None:
    write_paper(store, citing("arxiv:1301.00001", entry("me", TITLE, arxiv="1301.00001")))
    assert papers(connection) == [("arxiv:1301.00001", "ingested", ())]


def test_two_arxiv_ids_are_two_works_whatever_their_titles(store: Store, connection: Connection) -> None:
    write_paper(store, citing("local:a", entry("x", TITLE, arxiv="1301.00001"), entry("y", TITLE, arxiv="1301.00002")))
    assert [row[0] for row in papers(connection)] == ["arxiv:1301.00001", "arxiv:1301.00002", "local:a"]


def test_short_titles_are_told_apart_by_year(store: Store, connection: Connection) -> None:
    write_paper(
        store, citing("local:a", entry("x", "Deep learning", year=2015), entry("y", "Deep Learning", year=2016))
    )
    assert len(papers(connection)) == 3


def test_one_work_under_two_keys_is_one_edge_with_both(store: Store, connection: Connection) -> None:
    write_paper(store, citing("local:a", entry("x", TITLE), entry("y", TITLE)))
    rows, _, _ = connection.driver.execute_query("MATCH ()-[r:CITES]->() RETURN r.keys AS keys")
    assert [row["keys"] for row in rows] == [["x", "y"]]


def test_uncited_and_nameless_entries_are_left_out() -> None:
    doc = document(entry("cited", TITLE), entry("nameless"))
    doc = doc.model_copy(
        update={"bibliography": (*doc.bibliography, entry("uncited", "Another title that nobody cites"))}
    )
    assert [work.keys for work in cited_works(doc)] == [{"cited"}]
    all_of_them = Citation(id="c2", file="main.tex", start=0, end=1, keys=("*",), command="nocite")
    doc = doc.model_copy(update={"citations": (*doc.citations, all_of_them)})
    assert len(cited_works(doc)) == 2


def test_a_cited_work_is_no_paper_until_it_is_ingested(store: Store, connection: Connection) -> None:
    name = "arxiv:1301.00001"
    for record in SPELLINGS:
        write_paper(store, record)
    node = "MATCH (w {id: $id}) RETURN elementId(w) + ' ' + labels(w)[0]"
    edges = "MATCH (:Paper)-[r:CITES]->({id: $id}) RETURN elementId(r) ORDER BY elementId(r)"
    element, label = ask(connection, node, id=name)[0].split()
    cites = ask(connection, edges, id=name)
    assert (label, len(cites)) == ("CitedWork", 3)
    assert graph_stats(store).nodes["Paper"] == 3
    write_paper(store, with_vectors(citing(name, title=TITLE)))
    assert ask(connection, node, id=name) == [f"{element} Paper"]
    assert ask(connection, edges, id=name) == cites
    assert ask(connection, "MATCH (p:Paper {id: $id}) RETURN p.embedding IS NOT NULL", id=name) == [True]
    write_paper(store, citing("local:d", entry("again", TITLE, arxiv="1301.00001")))
    assert (ask(connection, node, id=name), len(ask(connection, edges, id=name))) == ([f"{element} Paper"], 4)
    assert ask(connection, "MATCH (w:CitedWork) RETURN w") == []
    assert audit_graph(store) == ()


def test_cited_works_are_found_by_words_of_their_own(store: Store) -> None:
    write_paper(store, SPELLINGS[2])
    assert find_node(store, "Paper", TITLE.upper()) == "arxiv:1301.00001"
    found = {index: store.rows(FoundByText, index=index, query="data", limit=5) for index in INDEXES}
    assert [len(rows) for rows in found.values()] == [0, 1]
    assert store.rows(ShownPaper, id="arxiv:1301.00001")[0].status == "cited"
    assert [row.id for row in store.rows(ListedPaper, cited=False)] == ["local:c"]
    assert [row.id for row in store.rows(ListedPaper, cited=True)] == ["local:c", "arxiv:1301.00001"]


def test_imports_know_a_work_whether_it_is_a_paper_or_cited(
    store: Store, connection: Connection, tmp_path: Path
) -> None:
    """Whichever of the two the graph holds: of one id there is one node, and a paper stays one."""
    write_paper(store, SPELLINGS[2])
    cited, ingested = tmp_path / "cited.jsonl", tmp_path / "ingested.jsonl"
    export_graph(store, cited)
    write_paper(store, with_vectors(citing("arxiv:1301.00001", title=TITLE)))
    before = papers(connection)
    export_graph(store, ingested)
    import_graph(store, cited, "merge")
    assert papers(connection) == before
    import_graph(store, cited, "replace")
    assert ("arxiv:1301.00001", "cited", ("local:c",)) in papers(connection)
    import_graph(store, ingested, "merge")
    assert papers(connection) == before
    assert ask(connection, "MATCH (p:Paper) WHERE p.embedding IS NOT NULL RETURN p.id") == ["arxiv:1301.00001"]
    assert sorted(store.rows(ShownPaper, id=row[0])[0].status for row in before) == ["ingested", "ingested"]
