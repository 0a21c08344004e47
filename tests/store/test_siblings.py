"""Siblings of one name are one technique."""

import pytest
from store_records import paper, technique

from kg.models.code import Candidate, Grounding
from kg.models.record import PaperRecord
from kg.models.technique import TechniqueTree
from kg.write.build import build_slice


def tree(*items) -> PaperRecord:
    return paper(1).model_copy(update={"techniques": TechniqueTree(items=items), "groundings": ()})


def names(record: PaperRecord) -> list[tuple[str, list[str]]]:
    """Techniques of the graph by id, with their aliases."""
    nodes = build_slice(record).nodes.values()
    return [(n.id.rpartition("/")[2], n.properties["aliases"]) for n in nodes if n.label == "Technique"]


def test_siblings_of_one_name_are_one_with_the_parts_of_both() -> None:
    first = technique("Space-Saving", technique("Counter", span=(1, 2)), id="space-saving")
    again = technique(
        "SpaceSaving", technique("Merge"), technique("COUNTER", id="counter-2"), id="space-saving-2", aliases=("SS",)
    )
    assert names(tree(first, again)) == [
        ("space-saving", ["SpaceSaving", "SS"]), ("counter", ["COUNTER"]), ("merge", [])
    ]  # fmt: skip


@pytest.mark.parametrize(
    "two", [("Encoder", "Encoding"), ("Diffusion", "Diffusion model"), ("C", "C++"), ("Merge", "Merges")]
)
def test_names_of_one_stem_are_two(two: tuple[str, str]) -> None:
    assert len(names(tree(*(technique(name, id=f"t{number}") for number, name in enumerate(two))))) == 2


@pytest.mark.parametrize("kind", ["finding", "resource"])
def test_claims_of_one_name_are_two(kind: str) -> None:
    assert len(names(tree(*(technique("Sampling", id=f"t{number}", kind=kind) for number in (1, 2))))) == 2


def test_others_of_the_name_stay_apart() -> None:
    below = technique("Outer", technique("Sampling", id="sampling-2"))
    finding = technique("Sampling", id="sampling-3", kind="finding")
    assert [name for name, _ in names(tree(technique("Sampling"), below, finding))] == [
        "sampling", "outer", "sampling-3", "sampling-2"
    ]  # fmt: skip


def asserted(of: str, unit: str) -> Grounding:
    return Grounding(technique=of, level="unit", confidence=0.9, method="fused",
                     candidates=(Candidate(unit=unit, rank=1, score=0.8, standing="asserted"),))  # fmt: skip


def implemented(record: PaperRecord, *groundings: Grounding) -> list[tuple[str, str]]:
    """Techniques and units that are said to implement them."""
    edges = build_slice(record.model_copy(update={"groundings": groundings})).edges
    return sorted(
        (start[1].rpartition("/")[2], end[1].rpartition("#")[2])
        for kind, start, end in edges if kind == "IMPLEMENTED_BY"
    )  # fmt: skip


def test_code_of_the_other_is_said_of_the_one() -> None:
    record = tree(technique("Sampling"), technique("sampling", id="sampling-2"))
    nothing = Grounding(technique="sampling", level="none", confidence=0.1, method="fused")
    found = asserted("sampling-2", record.units[0].id)
    for groundings in ((found,), (nothing, found)):
        assert implemented(record, *groundings) == [("sampling", "run")]


def test_two_with_code_that_are_told_differently_stay() -> None:
    record = tree(technique("Sampling"), technique("sampling", id="sampling-2"))
    both = asserted("sampling", record.units[0].id), asserted("sampling-2", record.units[1].id)
    assert implemented(record, *both) == [("sampling", "run"), ("sampling-2", "step")]


def test_what_is_said_of_others_stays_whole() -> None:
    record = tree(technique("Sampling"), technique("sampling", id="sampling-2"), technique("Other"))
    twice = asserted("other", record.units[0].id), asserted("other", record.units[1].id)
    assert implemented(record, *twice) == [("other", "run"), ("other", "step")]


def test_what_was_imported_stays_as_it_came() -> None:
    record = tree(technique("Sampling"), technique("sampling", id="sampling-2"))
    assert len(names(record.model_copy(update={"origin": "imported"}))) == 2
