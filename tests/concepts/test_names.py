"""Names taken apart: what is an acronym of what, and what is only a remark in parentheses."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.names import spells, split_name


@pytest.mark.parametrize(
    ("printed", "name", "aliases"),
    [
        ("Plug and Play Language Models (PPLM)", "Plug and Play Language Models", ("PPLM",)),
        ("PPLM (Plug and Play Language Models)", "PPLM", ("Plug and Play Language Models",)),
        ("FUDGE (Future Discriminators for Generation)", "FUDGE", ("Future Discriminators for Generation",)),
        ("Density Estimation Likelihood-Free Inference (DELFI)", "Density Estimation Likelihood-Free Inference",
         ("DELFI",)),
        ("Continual Test-Time Adaptation (CoTTA)", "Continual Test-Time Adaptation", ("CoTTA",)),
        ("Group Robust Optimization (Group RO)", "Group Robust Optimization", ("Group RO",)),
        ("Variance Exploding SDE (VE SDE)", "Variance Exploding SDE", ("VE SDE",)),
        ("Neural Likelihood (NL) Estimation", "Neural Likelihood Estimation", ("NL Estimation",)),
        ("Convolutional Neural Networks (CNNs)", "Convolutional Neural Networks", ("CNNs",)),
        ("Elastic Representation (ElRep)", "Elastic Representation", ("ElRep",)),
    ],
)  # fmt: skip
def test_a_short_form_is_an_alias(printed: str, name: str, aliases: tuple[str, ...]) -> None:
    assert split_name(printed) == (name, aliases)


@pytest.mark.parametrize(
    "printed",
    [
        "Text Generation (GPT-2)", "Attribute Conditioning (CTRLGPT2)", "Sampling (without replacement)",
        "Clipping by Stochastic Gradient Descent (SGD)", "evaluating p(z, m) on a grid", "f(x)", "(x)", "()", "A (B",
        "Prototype Rehearsal (Exemplar Replay)", "Reservoir sampling", "", "Dropout (2014)",
    ],
)  # fmt: skip
def test_another_remark_is_none(printed: str) -> None:
    assert split_name(printed) == (printed, ())


def test_a_long_text_is_no_name() -> None:
    began = time.process_time()
    for text in ("a " * 20_000, "a " * 20_000 + "(", f"{'Long ' * 100}{'Name ' * 10}(LN)"):
        assert split_name(text) == (text, ())
    assert time.process_time() - began < 1


@given(st.text(alphabet="aAbB (()-2", max_size=30) | st.text(max_size=30))
def test_any_text_is_taken(text: str) -> None:
    name, aliases = split_name(text)
    assert name or not text
    assert len(aliases) == 1 or (name, aliases) == (text, ())
    assert not spells(text, text)
