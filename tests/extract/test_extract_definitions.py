"""What the text around a defining sentence adds to a definition, and what it never takes in."""

from collections.abc import Callable

import pytest
from extract_documents import find, read

from ingest.extract.outline import outline
from ingest.extract.sentences import sentences
from ingest.latex.reading import text_of
from kg.models.technique import TechniqueTree

Grow = Callable[..., TechniqueTree]
HEAD = r"\section{Ebb sorting} "
OWN = "Ebb sorting is a pass over the lower buffer."


def said(tree: Grow, body: str, name: str = "Ebb sorting") -> str:
    return find(tree(HEAD + body), name).definition


def test_a_formula_belongs_to_the_sentence_that_announces_it(tree: Grow) -> None:
    text = r"""Tides are of interest to many. Sorting with ebbs follows one relation:

    \begin{quote} For any width $w$, \[ r = w / 2. \] \end{quote}

    Water is wet."""
    found = said(tree, text)
    assert found == "Sorting with ebbs follows one relation: For any width w, r = w / 2."


def test_what_its_symbols_mean_belongs_to_a_formula(tree: Grow) -> None:
    text = r"""Ebb sorting is a pass whose width is \[ w = a b \] where $a$ is the tide and $b$ the moon. It is run at
    night. However, nobody likes it."""
    assert said(tree, text).endswith("where a is the tide and b the moon. It is run at night.")


def test_a_list_belongs_to_the_sentence_before_its_colon(tree: Grow) -> None:
    text = r"""Ebb sorting is a pass in two steps: \begin{enumerate} \item It takes the largest element. \item It lets
    the element go. \end{enumerate} Rivers were known to sort."""
    assert said(tree, text) == (
        "Ebb sorting is a pass in two steps: It takes the largest element. It lets the element go."
    )


def test_a_sentence_that_points_back_brings_what_it_points_to(tree: Grow) -> None:
    text = r"We release the largest elements of the lower buffer at once. This pass is called the \emph{ebb pass}."
    assert said(tree, f"{OWN} {text}", "ebb pass").startswith("We release the largest elements")


@pytest.mark.parametrize(
    "opening",
    [
        "Sorting is important and it is a challenging problem for rivers.",
        "Sorting was first introduced by fishermen of the northern coast.",
        "Some systems sort their elements by moving them to the harbour.",
        "We explain how the sorting of tides works in the next chapter.",
    ],
)
def test_motives_history_others_and_pointers_give_way_to_what_is_done(tree: Grow, opening: str) -> None:
    done = "To sort a buffer, we split it at its median and release the upper half."
    assert said(tree, f"{opening} {done}").startswith("To sort a buffer")


def test_a_definition_ends_with_a_sentence_and_is_bounded(tree: Grow) -> None:
    verbs = (
        "moves",
        "drops",
        "splits",
        "merges",
        "counts",
        "keeps",
        "joins",
        "lifts",
        "turns",
        "fills",
        "marks",
        "cuts",
    )
    things = (
        "elements",
        "buckets",
        "boats",
        "rivers",
        "gates",
        "walls",
        "stones",
        "ropes",
        "sails",
        "nets",
        "fish",
        "crabs",
    )
    many = " ".join(
        f"It then {verb} the {thing} of the northern harbour." for verb, thing in zip(verbs, things, strict=True)
    )
    found = said(tree, f"{OWN} {many} {many.replace('northern', 'southern')}")
    assert 400 < len(found) <= 600
    assert found.endswith("harbour.")


def test_a_sentence_of_a_part_with_a_heading_of_its_own_is_the_parts(tree: Grow) -> None:
    text = r"""Elements are released by the lower buffer when the tide turns.
    \subsection{Moon tracking} We compute the phase by \[ p = t / m. \]"""
    found = tree(HEAD + text)
    assert find(found, "Ebb sorting").definition.startswith("Elements are released")
    assert find(found, "Moon tracking").definition == "We compute the phase by p = t / m."


def test_what_another_item_is_the_subject_of_is_left_to_it(tree: Grow) -> None:
    text = "The buffers are kept in a store called Shellbox. Shellbox is a tree of buckets that keeps ebb sorting fast."
    found = tree(f"{HEAD} {text} {OWN}")
    assert find(found, "Ebb sorting").definition == OWN
    assert find(found, "Shellbox").definition.startswith("Shellbox is a tree of buckets")


def test_references_are_read_as_words(tree: Grow) -> None:
    text = r"""\label{sec:ebb} Tides turn. \begin{equation} \label{eq:w} w = 2 \end{equation} \section{Flood sorting}
    Flood sorting is a pass that applies \ref{eq:w} to buffers of Section~\ref{sec:ebb} (see Figure~\ref{f}) twice."""
    assert said(tree, text, "Flood sorting") == (
        "Flood sorting is a pass that applies the equation to buffers of Section 1 twice."
    )


def test_a_formula_without_a_full_stop_ends_where_a_sentence_begins() -> None:
    def parts(text: str) -> list[str]:
        reading = read(HEAD + text)
        return [text_of(sentence.tokens) for sentence in sentences(reading, outline(reading))]

    assert parts(r"It is \[ w = 2 \] We like it.") == ["It is w = 2", "We like it."]
    assert parts(r"It is \[ w = 2. \] Zorn likes it.") == ["It is w = 2.", "Zorn likes it."]
    assert parts(r"It is \[ w = 2 \] where $w$ is wet.") == ["It is w = 2 where w is wet."]
    assert parts(r"If \[ w = 2 \] Zornian tides turn.") == ["If w = 2 Zornian tides turn."]


def test_an_algorithm_is_told_by_what_leads_to_it(tree: Grow) -> None:
    text = rf"""{OWN} We halve the lower buffer until one element is left. The pass is shown in
    Algorithm~\ref{{alg:b}}. \begin{{algorithm}} \caption{{Buffer halving}} \label{{alg:b}} \begin{{algorithmic}}
    \STATE halve the lower buffer of the tide \end{{algorithmic}} \end{{algorithm}}"""
    assert "We halve the lower buffer until one element is left." in said(tree, text, "Buffer halving")


ALGORITHM = r"""Buffers are kept for the night, and there is nothing else to say about them. \begin{algorithm}
    \caption{Draining a buffer} \begin{algorithmic} \State find the median of the elements \State release the upper half
    \State $x \gets x + 1$ \State move the rest to the lower buffer \end{algorithmic} \label{alg:drain_it}
    \end{algorithm}"""


def test_an_algorithm_that_no_sentence_speaks_of_is_told_by_its_lines(tree: Grow) -> None:
    found = said(tree, ALGORITHM, "Draining a buffer")
    assert found == (
        "Draining a buffer: find the median of the elements; release the upper half; move the rest to the lower buffer"
    )


def test_an_algorithm_of_formulas_is_told_by_its_caption(tree: Grow) -> None:
    text = ALGORITHM.replace("find the median of the elements", "$m \\gets 1$").replace(
        "release the upper half", "$y \\gets 2$"
    )
    text = text.replace("Draining a buffer", "The procedure for draining a buffer")
    assert said(tree, text, "draining a buffer") == "The procedure for draining a buffer"


def test_an_algorithm_that_a_sentence_speaks_of_is_told_by_it(tree: Grow) -> None:
    text = ALGORITHM.replace("Buffers are kept", "Draining a buffer releases its upper half. Buffers are kept")
    assert said(tree, text, "Draining a buffer").startswith("Draining a buffer releases its upper half.")
