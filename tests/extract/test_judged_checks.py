"""Every statement of an answer is held against the paper: one test for each reason to drop something."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_papers import (
    EBB,
    FASTER,
    FLOOD,
    GOOD,
    MEDIAN,
    PAPER,
    REBALANCING,
    ROOT,
    WATERMARK,
    entry,
    excuse,
    passages_of_the_paper,
)

from ingest.extract.judged.checks import Checker, Entry
from ingest.extract.judged.coverage import excuses, uncovered
from ingest.extract.judged.drops import Reason
from ingest.extract.judged.numbering import read_passages
from ingest.extract.judged.passages import Passages
from ingest.extract.judged.placing import Placed, place
from ingest.extract.judged.reply import SaidEntry
from ingest.latex import ParsedPaper


@pytest.fixture
def passages(parse: Callable[..., ParsedPaper]) -> Passages:
    return read_passages(parse(PAPER))


@pytest.fixture
def checker(passages: Passages) -> Checker:
    return Checker(passages)


def reasons(checker: Checker) -> list[Reason]:
    return [drop.reason for drop in checker.drops]


def changed(said: SaidEntry, **more: object) -> SaidEntry:
    return SaidEntry.model_validate(said.model_dump() | more)


def test_what_is_true_stands_whole(checker: Checker) -> None:
    taken = [checker.take(said) for said in (GOOD.root, *GOOD.entries)]
    assert [each.name for each in taken if each] == [
        "Tidal Sorting", "ebb step", "buffer median", "flood step", "Tidal rebalancing", "watermark",
        "Tidal Sorting is faster",
    ]  # fmt: skip
    assert checker.drops == []
    assert checker.relocated == 0
    assert taken[1]
    assert taken[1].status == "proposed"
    assert [passage.id for passage in taken[1].passages] == ["p4", "e1"]
    assert (taken[1].inputs, taken[1].outputs) == (("the lower buffer",), ("largest elements",))
    assert taken[6]
    assert taken[6].claim
    assert taken[6].claim.number == "3.2"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (changed(EBB, name=""), Reason.NAME_LENGTH),
        (changed(EBB, name="the pass over the lower buffer that releases"), Reason.NAME_LENGTH),
        (changed(EBB, name="ebb $D$ step"), Reason.NAME_SYMBOLS),
        (changed(EBB, name="ebb step} DETACH DELETE"), Reason.NAME_SYMBOLS),
        (changed(EBB, name="gradient descent"), Reason.NAME_UNSUPPORTED),
        (
            changed(EBB, definition=[{"at": "p4", "quote": "The ebb step sorts all at once"}]),
            Reason.DEFINITION_MISSING,
        ),
        (changed(EBB, definition=[{"at": "p4", "quote": "ebb step"}]), Reason.DEFINITION_MISSING),
        (changed(EBB, definition=[]), Reason.DEFINITION_MISSING),
        (changed(FASTER, finding=None), Reason.CLAIM_MISSING),
        (changed(FASTER, finding={"subject": "Tidal Sorting", "number": "32"}), Reason.NUMBER_UNSUPPORTED),
        (changed(FASTER, finding={"subject": "Tidal Sorting", "number": "twice"}), Reason.NUMBER_UNSUPPORTED),
    ],
)  # fmt: skip
def test_an_entry_that_is_not_true_is_dropped(checker: Checker, said: SaidEntry, reason: Reason) -> None:
    assert checker.take(said) is None
    assert checker.drops[-1].reason is reason
    assert checker.drops[-1].whole
    assert checker.entries == []


def test_a_name_is_given_once(checker: Checker) -> None:
    checker.take(EBB)
    assert checker.take(changed(FLOOD, name="The ebb steps")) is None
    assert reasons(checker) == [Reason.DUPLICATE]


def part(name: str, quote: str, at: str = "p4", gloss: str = "") -> dict[str, Any]:
    return {"name": name, "gloss": gloss, "definition": {"at": at, "quote": quote}}


def test_parts_stand_below_their_entry_by_a_quote_of_their_own(checker: Checker) -> None:
    sampling = part(
        "computed by sampling",
        "The buffer median is computed by sampling",
        gloss="sampling the lower buffer for its median",
    )
    assert checker.take(changed(EBB, parts=[sampling]))
    whole, below = checker.entries
    assert (below.name, below.parent, below.status, below.coined) == ("computed by sampling", whole.name, None, False)
    assert below.aliases == ("sampling the lower buffer for its median",)
    assert checker.drops == []


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("taking the median by sampling", True), ("guessing a median", False), ("taking the mean by sampling", False),
        ("pass over its elements", True),
    ],
)  # fmt: skip
def test_the_word_for_what_is_done_may_be_the_model_s_and_others_stand_in_the_passage(
    checker: Checker, name: str, stands: bool
) -> None:
    checker.take(changed(EBB, parts=[part(name, "The buffer median is computed by sampling")]))
    assert [entry.name for entry in checker.entries[1:]] == [name] * stands
    assert (reasons(checker)[-1:] == [Reason.NAME_UNSUPPORTED]) != stands


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (part("releases elements", "releases the largest elements"), Reason.DEFINITION_MISSING),
        (part("quantum median", "The buffer median is computed by sampling"), Reason.NAME_UNSUPPORTED),
        (part("ebb step", "The buffer median is computed by sampling"), Reason.DUPLICATE),
        (part("buffer median", "The buffer median is guessed by sampling"), Reason.DEFINITION_MISSING),
    ],
)
def test_a_part_that_is_not_true_is_dropped_alone(checker: Checker, said: dict[str, Any], reason: Reason) -> None:
    taken = checker.take(changed(EBB, parts=[said]))
    assert checker.entries == [taken]
    assert reasons(checker)[-1] is reason
    assert checker.drops[-1].whole


def test_no_definition_serves_twice(checker: Checker) -> None:
    checker.take(FLOOD)
    part = {"at": "p6", "quote": "flood step merges released elements into the upper"}
    assert checker.take(changed(FLOOD, name="upper buffer", naming=part, definition=[part])) is None
    assert reasons(checker) == [Reason.DEFINITION_TWICE, Reason.DEFINITION_MISSING]


@pytest.mark.parametrize(
    ("said", "reason", "left"),
    [
        (changed(EBB, evidence=["e1", "e9"]), Reason.PLACE_UNKNOWN, lambda e: [p.id for p in e.evidence] == ["e1"]),
        (changed(EBB, aliases=["tidal wave"]), Reason.WORDS_FOREIGN, lambda e: e.aliases == ()),
        (changed(EBB, gloss="quantum annealing of elements"), Reason.WORDS_FOREIGN, lambda e: e.aliases == ()),
        (changed(EBB, inputs=["the lower buffer", "API key"]), Reason.WORDS_FOREIGN, lambda e: len(e.inputs) == 1),
        (changed(MEDIAN, status="proposed"), Reason.PROPOSED_UNSUPPORTED, lambda e: e.status is None),
        (
            changed(EBB, naming={"at": "p4", "quote": "the mighty ebb step"}),
            Reason.QUOTE_MISSING,
            lambda e: [role for role, _ in e.quotes] == ["definition"],
        ),
    ],
)
def test_what_is_not_true_of_an_entry_is_dropped_alone(
    checker: Checker, said: SaidEntry, reason: Reason, left: Callable[[Entry], bool]
) -> None:
    taken = checker.take(said)
    assert taken
    assert left(taken)
    assert reasons(checker) == [reason]
    assert not checker.drops[0].whole


def test_a_quote_of_another_passage_counts_as_that_one_s(checker: Checker) -> None:
    taken = checker.take(changed(EBB, naming={"at": "p7", "quote": "Our ebb step"}))
    assert taken
    assert taken.quotes[0][1].passage.id == "p4"
    assert (checker.relocated, checker.drops) == (1, [])


def test_a_name_that_the_paper_says_nowhere_is_coined_out_of_what_is_given(checker: Checker) -> None:
    sampling = {"at": "p4", "quote": "The buffer median is computed by sampling the lower buffer"}
    coined = checker.take(changed(MEDIAN, name="buffer sampling", naming=sampling))
    assert coined
    assert coined.coined
    arrives = ("p7", "The watermark is the smallest element that may still arrive")
    assert checker.take(entry("tidal watermark", ("p7", "watermark"), arrives)) is None
    two = checker.take(entry("tidal watermark", ("p7", "watermark"), arrives, evidence=["p3"]))
    assert two
    assert two.coined
    assert checker.take(entry("per source", ("p1", "Nothing"), ("p7", "still arrive, and it is kept per source")))
    assert checker.take(entry("merge sorting", ("p1", "Nothing"), ("p4", "the largest elements of the sketch"))) is None
    assert reasons(checker)[-1] is Reason.NAME_UNSUPPORTED


def test_the_ing_word_before_a_gloss_may_be_the_model_s_however_short_it_is(checker: Checker) -> None:
    gloss = "harvesting the lower buffer"
    assert checker.take(changed(EBB, gloss=gloss))
    assert checker.entries[0].aliases == (gloss,)
    assert checker.entries[0].gloss == gloss


def test_beside_using_no_other_word_of_a_gloss_is_free(checker: Checker) -> None:
    assert checker.take(changed(EBB, gloss="using zorbled lower buffer"))
    assert checker.entries[0].aliases == ()


def test_one_word_of_five_in_a_gloss_may_be_the_model_s(checker: Checker) -> None:
    gloss = "harvesting largest elements from the lower buffer by sampling"
    assert checker.take(changed(EBB, gloss=gloss))
    assert checker.entries[0].aliases == (gloss,)
    assert checker.drops == []


def test_the_title_may_be_the_only_place_of_an_alias(checker: Checker) -> None:
    taken = checker.take(changed(ROOT, aliases=["A Paper About Things", "A Paper About Nothing"]))
    assert taken
    assert taken.aliases == ("A Paper About Things",)


def test_parts_that_are_one_too_many_are_counted(checker: Checker) -> None:
    said = [part(f"part number {n}", f"nothing of this is said {n}") for n in range(9)]
    assert checker.take(changed(EBB, parts=said))
    assert [drop.detail for drop in checker.drops if drop.reason == Reason.TOO_MANY] == [
        "part number 7",
        "part number 8",
    ]


def test_an_alias_that_is_a_sign_is_kept_as_it_is_read(checker: Checker) -> None:
    taken = checker.take(changed(EBB, aliases=["\\tilde{D}", "$b_i$", "\\tilde{D}"]))
    assert taken
    assert taken.aliases == ("D̃", "b_i")


def test_a_number_may_stand_in_a_table_that_is_given(checker: Checker) -> None:
    claim = {"subject": "Tidal Sorting", "comparator": "merge sorting", "number": "17.5", "dataset": "Harbour"}
    compares = ("p8", "We compare Tidal Sorting with merge sorting on the Harbour data set.")
    said = entry("merge sorting on Harbour", compares, compares, kind="finding", finding=claim)
    assert checker.take(said) is None
    assert checker.take(changed(said, evidence=["t1"]))


# -- the whole answer --------------------------------------------------------------------------------------------


def taken(checker: Checker, *said: SaidEntry) -> list[Entry]:
    return [each for each in map(checker.take, said) if each]


def names(placed: Placed) -> dict[str, list[str]]:
    """Who stands below whom."""
    below = {child.entry.name: names(child) for child in placed.children}
    return {placed.entry.name: list(below), **{name: kids for each in below.values() for name, kids in each.items()}}


def tree(checker: Checker, *said: SaidEntry, lost: Sequence[str] = ()) -> tuple[dict[str, list[str]], list[Reason]]:
    root, *others = taken(checker, ROOT, *said)
    placed, drops = place(root, others, checker.passages, lost)
    return names(placed), [drop.reason for drop in drops]


def test_entries_stand_below_their_parents_in_the_order_of_the_paper(checker: Checker) -> None:
    below, drops = tree(checker, FLOOD, REBALANCING, EBB, MEDIAN)
    assert below["Tidal Sorting"] == ["ebb step", "flood step"]
    assert below["ebb step"] == ["buffer median"]
    assert below["flood step"] == ["Tidal rebalancing"]
    assert drops == []


def test_a_parent_is_known_by_any_of_its_names(checker: Checker) -> None:
    below, drops = tree(checker, FLOOD, changed(REBALANCING, parent="Second Pass"))
    assert (below["flood step"], drops) == (["Tidal rebalancing"], [])


def test_a_circle_is_opened(checker: Checker) -> None:
    below, drops = tree(checker, changed(EBB, parent="buffer median"), MEDIAN)
    assert drops == [Reason.CYCLE]
    assert below["Tidal Sorting"] == ["buffer median"]
    assert below["buffer median"] == ["ebb step"]
    assert tree(Checker(checker.passages), changed(EBB, parent="ebb step"))[1] == [Reason.CYCLE]


def test_a_parent_that_has_nothing_to_do_with_it_is_not_taken(checker: Checker) -> None:
    below, drops = tree(checker, EBB, changed(WATERMARK, parent="ebb step"))
    assert drops == [Reason.PARENT_UNRELATED]
    assert below["Tidal Sorting"] == ["ebb step", "watermark"]


def test_a_parent_that_is_not_there_is_not_taken_and_one_that_was_dropped_is_not_missed(checker: Checker) -> None:
    assert tree(checker, changed(EBB, parent="backpropagation"))[1] == [Reason.PARENT_UNKNOWN]
    lost = Checker(checker.passages)
    assert tree(lost, changed(EBB, parent="backpropagation"), lost=["Backpropagation"])[1] == []


PARSED = passages_of_the_paper()
ALL = (ROOT, EBB, MEDIAN, FLOOD, REBALANCING, WATERMARK, FASTER)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(["", "nobody", *(each.name for each in ALL)]), min_size=6, max_size=6), st.randoms())
def test_whatever_parents_are_given_there_is_one_tree_of_all(parents: list[str], order: Random) -> None:
    said = [changed(each, parent=parent) for each, parent in zip(ALL[1:], parents, strict=True)]
    order.shuffle(said)
    checker = Checker(PARSED)
    root, *others = taken(checker, ROOT, *said)
    placed, drops = place(root, others, PARSED, ())
    seen, waiting = [], [placed]
    while waiting:
        at = waiting.pop()
        seen.append(at.entry.name)
        waiting += at.children
    assert sorted(seen) == sorted(each.name for each in ALL)
    assert {drop.reason for drop in drops} <= {Reason.CYCLE, Reason.PARENT_UNKNOWN, Reason.PARENT_UNRELATED}


def missing(passages: Passages, entries: Sequence[Entry], *said: object) -> list[tuple[str, Reason]]:
    taken_excuses, _ = excuses(said, passages)  # type: ignore[arg-type]
    return [(passage.id, reason) for reason, passage in uncovered(passages, entries, taken_excuses)]


def test_what_of_the_method_nothing_answers_for_is_told(checker: Checker) -> None:
    whole = [
        ("h2", Reason.HEADING_UNCOVERED), ("h3", Reason.HEADING_UNCOVERED), ("e1", Reason.EQUATION_UNCOVERED),
        ("h4", Reason.HEADING_UNCOVERED), ("a1", Reason.ALGORITHM_UNCOVERED), ("h5", Reason.HEADING_UNCOVERED),
    ]  # fmt: skip
    assert missing(checker.passages, []) == whole
    entries = taken(checker, EBB, FLOOD)
    assert missing(checker.passages, entries) == whole[4:]
    assert missing(checker.passages, entries, excuse("setup", "h5"), excuse("repetition", "a1")) == []
    assert missing(checker.passages, [], excuse("background", "h2")) == []


def test_a_program_needs_no_entry(parse: Callable[..., ParsedPaper]) -> None:
    listing = "\\appendix\\section{Use}Run\n\\begin{lstlisting}\npip install tide\n\\end{lstlisting}\n"
    passages = read_passages(parse(PAPER + listing))
    assert passages.by_id["a2"].listing
    assert "a2" not in [each for each, _ in missing(passages, [])]


def test_an_excuse_for_what_is_not_there_is_none(checker: Checker) -> None:
    held, drops = excuses([excuse("notation", "e1", "e7")], checker.passages)
    assert list(held) == ["e1"]
    assert [drop.reason for drop in drops] == [Reason.PLACE_UNKNOWN]
