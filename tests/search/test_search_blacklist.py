"""A search with a blacklist answers as if what is forbidden had never been ingested."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from search_samples import repository_paper

from kg.blacklist import open_blacklist
from kg.concepts import refresh_concepts
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.errors import InputError
from kg.lookup import find_node
from kg.models.code import Repository
from kg.models.record import PaperRecord
from kg.search import SearchKind, SearchResult, search_kinds
from kg.store import Store
from kg.write import write_paper

QUERY = "set membership with a bit array and hash functions"
KINDS: tuple[SearchKind, ...] = get_args(SearchKind)
COPIES = 90


def answers(results: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """All of the answers but Lucene's own score, which knows how frequent a word is in the whole index."""
    found = [result.model_dump() for result in results]
    for result in found:
        for hit in result["hits"]:
            hit["evidence"].pop("text_score")
    return found


def crowd() -> PaperRecord:
    """A forbidden paper with so many techniques, sections and code that they fill every list of candidates."""
    record = repository_paper()
    technique, section, one = record.techniques.items[0], record.doc.sections[0], record.units[0]
    numbers = range(COPIES)
    tree = record.techniques.model_copy(
        update={"items": tuple(technique.model_copy(update={"id": f"t{n}", "name": f"Bit array {n}"}) for n in numbers)}
    )
    doc = record.doc.model_copy(
        update={"sections": tuple(section.model_copy(update={"id": f"s{n}", "title": QUERY}) for n in numbers)}
    )
    units = tuple(one.model_copy(update={"id": f"m.py#f{n}", "symbol": f"f{n}", "docstring": QUERY}) for n in numbers)
    return record.model_copy(
        update={
            "paper": record.paper.model_copy(update={"id": "arxiv:2402.17135", "title": f"On {QUERY}"}),
            "repository": Repository(id="github:kvfrans/fre", name="kvfrans/fre", commit="d" * 40, licence="MIT"),
            "techniques": tree, "doc": doc, "units": units, "groundings": (),
            "section_texts": {f"s{n}": QUERY for n in numbers},
        }
    )  # fmt: skip


@pytest.mark.db
def test_the_answer_is_as_if_it_were_not_there(
    store: Store, connection: Connection, embedder: Embedder, tmp_path: Path
) -> None:
    def put(record: PaperRecord) -> None:
        write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
        refresh_concepts(store)
        store.read("schema/await_indexes", seconds=60)

    put(repository_paper())
    before = search_kinds(store, embedder, KINDS, QUERY, limit=5)
    assert [result.hits[0].id.partition("#")[0] for result in before if result.hits]
    put(crowd())
    crowded = search_kinds(store, embedder, KINDS, QUERY, limit=5)
    assert all(hit.id.startswith(("arxiv:2402.17135", "github:kvfrans/fre")) for hit in crowded[0].hits[:3])
    (tmp_path / "list").write_text("arXiv:2402.17135\nhttps://github.com/kvfrans/fre\n")
    guarded = Store(connection, open_blacklist(Settings().replace(blacklist=(tmp_path / "list",))))
    assert answers(search_kinds(guarded, embedder, KINDS, QUERY, limit=5)) == answers(before)
    assert guarded.withheld is not None
    assert guarded.withheld.counts == {"papers": 1, "techniques": COPIES, "sections": COPIES, "code": COPIES}
    for label, text in (("Paper", "2402.17135"), ("Technique", "t7"), ("Code", "f7")):
        assert find_node(store, label, text)  # type: ignore[arg-type]
        with pytest.raises(InputError) as refusal:
            find_node(guarded, label, text)  # type: ignore[arg-type]
        assert "kvfrans" not in str(refusal.value)
        assert "Bit array" not in str(refusal.value)
