"""What a model judged is stored with its origin, its quotes and its doubts, and shown so."""

import pytest
from search_samples import FILE, repository_paper
from test_show import run, run_json

from kg.cli.show import paper_show, technique_show
from kg.connection import Connection
from kg.models.code import Candidate, Grounding
from kg.results.write import IngestedPaper
from kg.store import Store
from kg.write import write_paper

pytestmark = pytest.mark.db

QUOTE = "return item"


@pytest.fixture(autouse=True)
def judged(store: Store) -> None:
    chosen = Candidate(
        unit=f"{FILE}#BloomFilter.contains", rank=2, score=0.5, standing="asserted", judged=True, confidence=0.88,
        reason="tests all bits", part="core", quotes=(QUOTE,), realises=("main.tex:10-90",), disagrees=True,
    )  # fmt: skip
    ours = Candidate(unit=f"{FILE}#BloomFilter.add", rank=1, score=0.9, standing="likely", disagrees=True)
    grounding = Grounding(
        technique="bloom-filter", level="unit", confidence=0.88, method="fused/3", reason="tests all bits",
        candidates=(chosen, ours), model="scripted", prompt="a" * 64,
    )  # fmt: skip
    write_paper(store, repository_paper().model_copy(update={"groundings": (grounding,)}))


def test_the_edge_says_who_judged_and_by_what(connection: Connection) -> None:
    (edge,) = connection.driver.execute_query("MATCH (:Technique)-[r:IMPLEMENTED_BY]->(c) RETURN r {.*} AS r")[0]
    said = edge["r"]
    assert (said["method"], said["extraction_method"]) == ("llm", "llm")
    assert (said["model"], said["prompt_sha256"]) == ("scripted", "a" * 64)
    assert (said["quotes"], said["realises"], said["part"]) == ([QUOTE], ["main.tex:10-90"], "core")
    assert (said["confidence"], said["reason"], said["disagrees"]) == (0.88, "tests all bits", True)
    (other,) = connection.driver.execute_query("MATCH (:Technique)-[r:MAY_BE_IMPLEMENTED_BY]->(c) RETURN r {.*} AS r")[
        0
    ]
    assert (other["r"]["method"], other["r"]["extraction_method"]) == ("fused/3", "structural")
    assert "model" not in other["r"]


def test_it_is_shown_with_its_quotes_and_the_disagreement() -> None:
    shown = run_json(technique_show, "bloom-filter")
    assert [(row["name"], row["quotes"], row["disagrees"]) for row in shown["code"]] == [
        ("BloomFilter.contains", [QUOTE], True)
    ]
    text = run(technique_show, "bloom-filter")
    assert "Code (unit): BloomFilter.contains" in text
    assert f"does its core: {QUOTE}" in text
    assert "carries out main.tex:10-90" in text
    assert text.count("model and evidence disagree") == 2
    assert "right with probability 0.88 · llm · tests all bits" in text


def test_the_tree_of_a_paper_shows_how_sure_the_model_is() -> None:
    (technique,) = run_json(paper_show, "2101.00001")["techniques"]
    assert [(code["name"], code["score"]) for code in technique["code"]] == [("BloomFilter.contains", 0.88)]
    assert [(code["name"], code["score"]) for code in technique["likely"]] == [("BloomFilter.add", 0.9)]


def test_a_curators_word_is_no_less_than_the_models(connection: Connection) -> None:
    connection.driver.execute_query(
        "MATCH (:Technique)-[r:IMPLEMENTED_BY]->() SET r.method = 'curator', r.confidence = null, r.score = 0.0"
    )
    (technique,) = run_json(paper_show, "2101.00001")["techniques"]
    assert [code["score"] for code in technique["code"]] == [1.0]


def test_a_model_that_a_foreign_file_names_has_judged_nothing(store: Store, connection: Connection) -> None:
    connection.driver.execute_query("MATCH (t:Technique) SET t.model = 5, t.extraction_method = 'import'")
    assert {paper.model for paper in store.rows(IngestedPaper)} == {""}
    connection.driver.execute_query("MATCH (t:Technique) SET t.model = 'it', t.extraction_method = 'llm'")
    assert {paper.model for paper in store.rows(IngestedPaper)} == {"it"}


def test_what_the_model_names_first_stands_first(store: Store) -> None:
    units = (("add", 2, 0.95), ("contains", 1, 0.6))
    chosen = tuple(
        Candidate(
            unit=f"{FILE}#BloomFilter.{name}", rank=rank, score=1 - rank / 4, standing="asserted", judged=True,
            confidence=sure, reason="", part="part", quotes=(QUOTE,),
        )
        for name, rank, sure in units
    )  # fmt: skip
    grounding = Grounding(
        technique="bloom-filter", level="unit", confidence=0.95, method="fused/3", candidates=chosen, model="scripted",
        prompt="a" * 64,
    )  # fmt: skip
    write_paper(store, repository_paper().model_copy(update={"groundings": (grounding,)}))
    order = ["BloomFilter.contains", "BloomFilter.add"]
    (technique,) = run_json(paper_show, "2101.00001")["techniques"]
    assert [code["name"] for code in technique["code"]] == order
    assert [row["name"] for row in run_json(technique_show, "bloom-filter")["code"]] == order
