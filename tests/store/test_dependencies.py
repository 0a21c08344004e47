"""Which techniques need which, and what a replicator reuses of code."""

import pytest
from store_records import paper, repository, technique, unit
from test_store_write import ask

from kg.cli.show import code_show, paper_show, technique_show
from kg.connection import Connection
from kg.models.code import Candidate, Grounding, Part
from kg.models.record import PaperRecord
from kg.models.technique import TechniqueTree
from kg.store import Store
from kg.write import write_paper
from kg.write.build import build_slice
from tests.search.test_show import run, run_json

CALL = [("Sketch.add", "mix")]


def grounding(
    name: str, symbol: str, standing: str = "asserted", quotes: tuple[str, ...] = (), part: Part | None = None
) -> Grounding:
    level = "unit" if standing == "asserted" else "none"
    candidate = Candidate(unit=f"src/core.py#{symbol}", rank=1, score=0.8, standing=standing, quotes=quotes, part=part)
    return Grounding(technique=name, level=level, confidence=0.9, method="fused", candidates=(candidate,))


def record(*techniques, calls=(), groundings=()) -> PaperRecord:
    units = (
        unit("Sketch", kind="class", bases=("Base",), imports=("numpy",)),
        unit("Sketch.add", start=100, kind="method", parent="src/core.py#Sketch", calls=("mix", "np.sum")),
        unit("mix", start=200), unit("other", start=300),
    )  # fmt: skip
    home = repository().model_copy(update={"requirements": ("numpy>=1.20",), "python": ">=3.9"})
    pairs = tuple((f"src/core.py#{a}", f"src/core.py#{b}") for a, b in calls)
    return paper(1).model_copy(
        update={"techniques": TechniqueTree(items=techniques), "units": units, "calls": pairs, "repository": home,
                "groundings": groundings, "vectors": None}
    )  # fmt: skip


def needs(whole: PaperRecord) -> dict[tuple[str, str], list[str]]:
    """The dependencies of the graph, by the slugs of both."""
    edges = build_slice(whole).edges
    slugs = {key: tuple(ref[1].rpartition("/")[2] for ref in key[1:]) for key in edges if key[0] == "DEPENDS_ON"}
    return {slug: edges[key].properties["evidence"] for key, slug in slugs.items()}


COUNTING, HASHING = technique("Counting sketch"), technique("Mixing hash")


def test_what_calls_the_code_of_another_needs_it() -> None:
    found = (grounding("counting-sketch", "Sketch", "likely"), grounding("mixing-hash", "mix"))
    whole = record(COUNTING, HASHING, calls=[("Sketch.add", "mix"), ("other", "mix")], groundings=found)
    assert needs(whole) == {("counting-sketch", "mixing-hash"): ["code: Sketch.add calls mix"]}


def test_code_that_is_only_likely_the_others_says_nothing() -> None:
    found = (grounding("counting-sketch", "Sketch"), grounding("mixing-hash", "mix", "likely"))
    assert needs(record(COUNTING, HASHING, calls=[("Sketch.add", "mix")], groundings=found)) == {}


@pytest.mark.parametrize("shared", ["Sketch", "mix"])
def test_calls_of_code_that_several_techniques_share_say_nothing(shared: str) -> None:
    found = (grounding("counting-sketch", "Sketch"), grounding("mixing-hash", "mix"), grounding("row-choice", shared))
    assert needs(record(COUNTING, HASHING, technique("Row choice"), calls=CALL, groundings=found)) == {}


def test_calls_in_lines_that_are_quoted_as_a_technique_s_are_its_own() -> None:
    found = (
        grounding("counting-sketch", "Sketch", quotes=("row = mix(key) % width",)),
        grounding("mixing-hash", "mix"),
    )
    more = (grounding("row-choice", "Sketch", quotes=("return min(mixed)",)),)
    whole = record(COUNTING, HASHING, technique("Row choice"), calls=CALL, groundings=found + more)
    assert needs(whole) == {("counting-sketch", "mixing-hash"): ["code: Sketch.add calls mix"]}


@pytest.mark.parametrize(
    ("parts", "needed"),
    [
        (("core", "core", "core"), "hashing"),
        (("whole", "core", "part"), "hashing"),
        (("core", "whole", "part"), "mixing-hash"),
        (("part", "core", "core"), "mixing-hash"),
    ],
)
def test_of_what_shares_the_code_that_is_called_the_whole_is_needed(parts: tuple[Part, ...], needed: str) -> None:
    inner = technique("Odd factor")
    mixing = technique("Mixing hash", inner)
    tree = (COUNTING, technique("Hashing", mixing))
    names = ("hashing", "mixing-hash", "odd-factor")
    found = (grounding("counting-sketch", "Sketch", quotes=("row = mix(key) % width",)),)
    found += tuple(
        grounding(name, "mix", quotes=("key *= 3",), part=part) for name, part in zip(names, parts, strict=True)
    )
    assert [*needs(record(*tree, calls=CALL, groundings=found))] == [("counting-sketch", needed)]


def test_a_part_is_no_dependency() -> None:
    found = (grounding("counting-sketch", "Sketch"), grounding("mixing-hash", "mix"))
    whole = technique("Counting sketch", HASHING)
    assert needs(record(whole, calls=[("Sketch.add", "mix")], groundings=found)) == {}


@pytest.mark.parametrize(
    ("sentence", "needed"),
    [
        ("The sketch uses the mixing hash for its rows.", True), ("It is based on mixing hashes.", True),
        ("It relies on MHX.", True), ("It builds upon a mixing hash.", True),
        ("Unlike X, using mixing hash, it counts.", False),
        ("A mixing hash uses the sketch.", False), ("It counts.", False),
    ],
)  # fmt: skip
def test_what_the_paper_says_that_it_uses_it_needs(sentence: str, needed: bool) -> None:
    one = COUNTING.model_copy(update={"definition": f"It is small. {sentence}"})
    other = HASHING.model_copy(update={"aliases": ("MHX",)})
    found = needs(record(one, other))
    assert found == ({("counting-sketch", "mixing-hash"): [f"text: {sentence}"]} if needed else {})


@pytest.mark.db
def test_what_is_reused_is_shown(store: Store, connection: Connection) -> None:
    found = (grounding("counting-sketch", "Sketch"), grounding("mixing-hash", "mix"))
    whole = record(COUNTING, HASHING, calls=[("Sketch.add", "mix")], groundings=found)
    write_paper(store, whole)
    assert write_paper(store, whole).empty
    assert ask(connection, "MATCH (a:Code)-[:HAS_MEMBER]->(b:Code) RETURN a.symbol + ' ' + b.symbol") == [
        "Sketch Sketch.add"
    ]
    code = run_json(code_show, "Sketch.add")
    assert (code["member_of"]["name"], code["calls"]) == ("Sketch", ["mix", "np.sum"])
    text = run(code_show, "Sketch")
    for line in ("bases: Base", "imports: numpy", "members: Sketch.add"):
        assert line in text
    assert "needs Python >=3.9, numpy>=1.20" in run(paper_show, whole.paper.id)
    assert "needs: Mixing hash" in run(technique_show, "counting-sketch")
