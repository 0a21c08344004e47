"""Each signal finds what it is meant to find, and names it well."""

from collections.abc import Callable

import pytest
from extract_documents import PAPER, find

from kg.models.technique import TechniqueTree

Grow = Callable[..., TechniqueTree]


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("ebb step", "heading"),
        ("flood step", "called"),
        ("Buffer rebalancing", "algorithm"),
        ("Watermark tracking", "paragraph"),
        ("Lazy eviction", "item"),
        ("TS", "acronym"),
        ("computing the buffer median", "step"),
    ],
)
def test_signal(tree: Grow, name: str, signal: str) -> None:
    assert signal in find(tree(PAPER), name).signals


def test_an_acronym_gets_its_long_form_as_name(tree: Grow) -> None:
    item = find(tree(PAPER), "TS")
    assert item.name == "Tidal Sorting"


def test_run_in_bold_heads_are_found(tree: Grow) -> None:
    body = r"\section{Method}\textbf{Cache warming.} We fill the cache before the first query arrives at the node."
    assert find(tree(body), "Cache warming").signals == ("run-in",)


def test_a_definition_is_the_papers_own_sentence(tree: Grow) -> None:
    assert find(tree(PAPER), "ebb step").definition.startswith(
        "The ebb step is a pass over the lower buffer that releases its largest elements."
    )
    assert find(tree(PAPER), "Watermark tracking").definition


def test_a_term_defined_by_an_equation(tree: Grow) -> None:
    body = r"""\section{Method} We combine two parts. The acceptance ratio is given by \begin{equation} r = a / (a + b)
    \end{equation} where $a$ counts accepted moves. The acceptance ratio steers the step size."""
    item = find(tree(body), "acceptance ratio")
    assert "r = a / (a + b)" in item.definition


def test_a_theorem_with_a_name_is_a_finding(tree: Grow) -> None:
    preamble = "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\title{T}\\begin{document}"
    body = r"\section{Method} We sort. \begin{theorem}[Bounded tides] Every tide ends after $n$ steps. \end{theorem}"
    item = find(tree(body, preamble), "Bounded tides")
    assert (item.kind, item.signals) == ("finding", ("theorem",))
    assert "Every tide ends" in item.definition
    assert item.spans
