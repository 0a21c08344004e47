"""Short forms are matched to the words before their parenthesis, and to nothing else."""

import pytest
from extract_documents import read

from ingest.extract.acronyms import acronyms
from ingest.extract.outline import outline
from ingest.extract.sentences import sentences


def found(text: str) -> dict[str, str]:
    reading = read("\\section{Method} " + text)
    return {short: long for short, (long, _) in acronyms(sentences(reading, outline(reading))).items()}


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("We use a Gaussian process (GP) here.", {"GP": "Gaussian process"}),
        ("A set of recurrent neural networks (RNNs) is used.", {"RNN": "recurrent neural networks"}),
        ("The Rational-Quadratic Rolling Spline Coupling (RQ-RSC) is new.",
         {"RQ-RSC": "Rational-Quadratic Rolling Spline Coupling"}),
        ("It was made in Spain (EU) and (see A).", {}),
        ("Nothing fits (XYZ) here.", {}),
    ],
)  # fmt: skip
def test_pairs(text: str, pair: dict[str, str]) -> None:
    assert found(text) == pair
