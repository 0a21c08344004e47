"""Names are what a person would write in a list."""

import pytest
from extract_documents import read

from ingest.extract.naming import Title, gerund, is_shell, title_names


def title(latex: str) -> Title | None:
    return title_names(read(latex).blocks[0].tokens)


@pytest.mark.parametrize(
    ("latex", "name"),
    [
        (r"The stretch move", "stretch move"),
        (r"(2) Locality: the field's own part barely matters.", "Locality"),
        (r"Background: Signature transform", "Signature transform"),
        (r"Details of the $k$-means \emph{step}", "k-means step"),
        (r"Deep Bayesian Learning (DBL) \cite{a}", "Deep Bayesian Learning"),
        (r"Granularity is a free knob (E4)", "Granularity"),
        (r"A case study in clustering", None),
        (r"Implementation details", None),
        (r"Why not edit the weights?", None),
        (r"Experimental Results", None),
        (r"Comparison with other methods", None),
        (r"Proof of Theorem 1", None),
    ],
)
def test_titles(latex: str, name: str | None) -> None:
    found = title(latex)
    assert (found.name if found else None) == name


def test_an_acronym_in_a_title_is_an_alias() -> None:
    found = title("Deep Bayesian Learning (DBL)")
    assert found is not None
    assert found.aliases == ("DBL",)


def test_a_clause_is_marked() -> None:
    found = title("Granularity is a free knob")
    assert found is not None
    assert found.clause


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("compute", "computing"), ("set", "setting"), ("trim", "trimming"), ("merge", "merging"), ("apply", "applying"),
        ("fine-tune", "fine-tuning"), ("submit", "submitting"), ("filter", "filtering"), ("untie", "untying"),
    ],
)  # fmt: skip
def test_gerunds(verb: str, form: str) -> None:
    assert gerund(verb) == form


def test_shells() -> None:
    assert is_shell("Our experimental setup")
    assert not is_shell("ESS")
    assert not is_shell("Stretch move")
