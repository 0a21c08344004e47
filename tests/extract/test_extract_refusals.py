"""Clauses, passing mentions and titles that name no technique are refused; what honest papers say beside them stays."""

from collections.abc import Callable

import pytest
from extract_documents import find, read

from ingest.extract.outline import outline
from ingest.extract.phrases import named
from ingest.extract.sentences import sentences
from ingest.extract.steps import steps
from kg.models.technique import TechniqueTree

Grow = Callable[..., TechniqueTree]


def names(tree: TechniqueTree) -> set[str]:
    return {item.name for item in tree.walk()}


def whole(text: str) -> list[str]:
    reading = read("\\section{Method} " + text)
    return [each.name for each in steps(sentences(reading, outline(reading))) if each.whole]


def said(text: str) -> list[tuple[str, tuple[str, ...]]]:
    reading = read("\\section{Method} " + text)
    found = named(sentences(reading, outline(reading)))
    return [(each.name, each.aliases) for each in found if each.source in ("called", "instrument")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We then convert tidal logs into flat tables.", "converting tidal logs into flat tables"),
        ("We sort the tidal buffer and drop the rest.", "sorting the tidal buffer"),
        ("We resample the training set from the error model.", "resampling the training set from the error model"),
        ("We use a stratified merge in every pass.", "stratified merge"),
        ("This can be avoided to a degree by alternating the scan order.", "alternating the scan order"),
        ("After recording, a viewpoint transformation is applied.", "viewpoint transformation"),
    ],
)
def test_what_the_authors_do_is_told_with_all_its_words(text: str, name: str) -> None:
    assert whole(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "The tidal buffer is sorted.",
        "The gap is closed by sorting the tidal buffer.",
        "We can sort the tidal buffer.",
        "A user must sort the tidal buffer.",
        "We sort the tidal buffer $B_i$.",
        "We sort 81 tidal buffers.",
        "We sort these tidal buffers.",
        "Harbours differ, as a viewpoint transformation is applied.",
        "We retrieve body text, section heads, captions and tables.",
        "We select the best combination of these buffers.",
        "We sample tidal buffers that overflow.",
        "We evaluate the tidal buffer.",
        "We apply the chain rule.",
    ],
)
def test_clauses_of_others_or_cut_short_are_no_techniques(text: str) -> None:
    assert whole(text) == []


def test_a_name_beside_a_description_is_one_thing_with_it() -> None:
    assert ("stretch move", ("ensemble sampling algorithm",)) in said(
        "They propose an ensemble sampling algorithm informally called the \\emph{stretch move}."
    )
    assert ("tidal cover problem", ("harbour location problem",)) in said(
        "This is the tidal cover problem (also called harbour location problem)."
    )


def test_a_method_known_by_its_name_needs_no_citation() -> None:
    assert said("Roots are found using the Berkowitz algorithm.") == [("Berkowitz algorithm", ())]
    assert said("Using the change of variables formula, we get a density.") == [("change of variables formula", ())]
    assert said("It rests on Gosper's algorithm and the ZORP test.") == [
        ("Gosper's algorithm", ()),
        ("ZORP test", ()),
    ]
    assert said("Roots are found using a simple algorithm.") == []
    assert said("It rests on the fast algorithm.") == []
    assert said("Roots are found using the chain rule.") == []


def test_titles_of_fields_and_everyday_things_are_no_techniques_and_coined_ones_are(tree: Grow) -> None:
    body = r"""\section{Method} \subsection{Matrices} We add matrices. \subsection{Quantum mechanics} We do it.
    \subsection{Watermarks} We raise watermarks. \subsection{Replication} We replicate. \subsection{Tidal sizes} They
    vary. \subsection{Empty hall}"""
    assert names(tree(body)) == {"Watermarks", "Replication"}


def test_a_definition_in_passing_needs_more_than_everyday_adjectives(tree: Grow) -> None:
    body = r"""\section{Method} We sort. An implicit objective is a function of two arguments. The ebb encoding is a
    code of bounded length."""
    assert names(tree(body)) == {"ebb encoding"}


def test_a_title_that_comes_back_to_an_item_or_joins_two_is_none(tree: Grow) -> None:
    body = r"""\section{Method} \subsection{Tidal filling} We fill gaps by tides. \subsection{Lunar adapters} We adapt
    to the moon. \subsection{Tidal filling and lunar adapters} Both work. \subsection{Tidal filling for harbours} It
    works in harbours. \appendix \section{Filling} More on it."""
    found = tree(body)
    assert names(found) == {"Tidal filling", "Lunar adapters"}
    assert set(find(found, "Tidal filling").aliases) == {"Tidal filling for harbours", "Filling"}


def test_initials_of_a_title_that_the_paper_says_are_its_other_name(tree: Grow) -> None:
    body = r"\section{Method} \subsection{Rolling Tide Concurrency Control} We roll. RTCC keeps readers apart."
    assert find(tree(body), "Rolling Tide Concurrency Control").aliases == ("RTCC",)


def test_words_for_things_are_no_techniques_and_what_is_done_to_them_is(tree: Grow) -> None:
    body = r"""\section{Method} We keep \emph{tidal tokens}, many tidal tokens, and tidal tokens again. The
    \emph{harbour size} is known; a harbour size varies; the harbour size ends. We like \emph{tidal filtering}, and
    tidal filtering likes us. Tidal filtering ends. The term \emph{ebb masking} is old, ebb masking is good, it
    ends. We praise ebb masking."""
    assert names(tree(body)) == {"tidal filtering", "ebb masking"}


def test_titles_that_deny_or_hold_figures_are_none(tree: Grow) -> None:
    body = r"""\section{Method} \subsection{Not a tidal artifact} It is not. \subsection{Harbour statistics and
    filtering} We count. \subsection{Multimodal} It is. \subsection{Tidal filling} We fill."""
    assert names(tree(body)) == {"Tidal filling"}


def test_a_phrase_written_together_or_narrowed_is_the_thing_itself(tree: Grow) -> None:
    body = r"""\section{Method} \subsection{Tidal sorting} We sort by tides. We use a TidalSorting module. The
    TidalSorting module sorts. \subsection{Harbour filling} Water fills harbours. The Zorvan algorithm turns harbours
    around by half. A two-step Zorvan algorithm turns every harbour twice. It helps."""
    assert names(tree(body)) == {"Tidal sorting", "Harbour filling", "Zorvan algorithm"}


def test_titles_of_examples_name_their_subjects_and_what_stands_elsewhere_is_kept(tree: Grow) -> None:
    body = r"""\section{Tidal sorting} We sort. \section{Examples} \subsection{Example 1: Harbour drift} We look at a
    harbour. \subsection{Northern lagoon} It is a lagoon. \section{A case study in piers} \subsection{Pier mapping} We
    map a pier. \section{Ebb walking} We walk."""
    assert names(tree(body)) == {"Tidal sorting", "Ebb walking"}
