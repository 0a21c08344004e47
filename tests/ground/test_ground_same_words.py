"""When a unit is called exactly what the paper calls the technique."""

import pytest

from ingest.ground.names import same_words
from kg.models.code import CodeUnit


def unit(symbol: str) -> CodeUnit:
    return CodeUnit(
        file="a.py", start=0, end=1, id=f"a.py#{symbol}", symbol=symbol, name=symbol.rsplit(".", 1)[-1],
        kind="class", language="python", line=1, end_line=1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("phrase", "symbol"),
    [
        ("stretch move", "StretchMove"),
        ("rationale selection", "RationaleSelector"),
        ("Space-Saving", "SpaceSaving"),
        ("zero imputation", "zero_imputation"),
        ("count-min sketch", "CountMinSketch.__init__"),
    ],
)
def test_the_same_words(phrase: str, symbol: str) -> None:
    assert same_words(phrase, unit(symbol))


@pytest.mark.parametrize(
    ("phrase", "symbol"),
    [
        ("mutation", "mutation"),  # one word names too many things
        ("Q-digest", "TDigest"),
        ("integer compression", "IntersectCompressedWith"),
        ("parallel stretch move", "StretchMove"),
        ("stretch move", "StretchMoveTest"),
        ("", "x"),
    ],
)
def test_not_the_same_words(phrase: str, symbol: str) -> None:
    assert not same_words(phrase, unit(symbol))
