"""Axes and shares that are taken for their opposites."""

import pytest

from agents.code.mutants import opposites


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("x.mean(axis=1)", ["axis 1 becomes 0"]),
        ("x.mean(axis=-1)", ["axis -1 becomes -2"]),
        ("x.mean(axis=-tau)", []),
        ("x.mean(axis=-'a')", []),
        ("x.mean(axis=-True)", []),
        ("np.concatenate(x, axis=0)", []),
        ("tau * x", ["`tau` becomes `1 - tau`"]),
        ("tau * x + (1 - tau) * y", ["`tau` becomes `1 - tau`"] * 2 + ["`tau` is taken for `1 - tau`"]),
        ("x < tau", []),
        ("f'{tau * 2} and {x.mean(axis=1)}'", []),
    ],
)
def test_what_has_an_opposite_is_taken_for_it(body: str, said: list[str]) -> None:
    found = opposites(f"def f(x, y, tau):\n    return {body}\n", (1, 2))
    assert [mutant.description.removeprefix("line 2: ") for mutant in found] == said


def test_tables_whose_rows_are_like_their_columns_have_no_opposite() -> None:
    assert opposites("def degrees(adjacency):\n    return adjacency.sum(axis=1)\n", (1, 2)) == []
    assert opposites("def f(:\n", (1, 1)) == []
