"""Labels that change places: where it is tried, and where order is no matter."""

import pytest

from agents.code.mutants import exchanges


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (
            "def f(n):\n    return ['N', 'S', 'R'][n]\n",
            ["    return ['S', 'N', 'R'][n]", "    return ['R', 'S', 'N'][n]", "    return ['N', 'R', 'S'][n]"],
        ),
        ("def f(x):\n    return {'claim': x[0], 'sentence': x[1]}\n", ["    return {'sentence': x[0], 'claim': x[1]}"]),
        ("LABELS = {'yes': 1, 'no': 0}\n", ["LABELS = {'yes': 0, 'no': 1}"]),
        ("def f(x):\n    names = ('low', 'high')\n    return names[x > 3]\n", ["    names = ('high', 'low')"]),
        ("def f(x):\n    return {'é': 1, 'a': 2}[x]\n", ["    return {'é': 2, 'a': 1}[x]"]),
        ("def f(x):\n    return {'a': x, 'b': x}\n", []),
        ("def f(x):\n    return x in ('a', 'b')\n", []),
        ("def f(x):\n    return x.sum(axis=(1, 2)).transpose((0, 1))\n", []),
        ("def f(x):\n    for name in ['a', 'b']:\n        x.pop(name)\n    return x\n", []),
        ("def f(x):\n    one, other = 'a', 'b'\n    return x[one] - x[other]\n", []),
        ("__all__ = ['a', 'b']\n", []),
        ("RULES = ['Always confirm the number of an order.', 'Never tell it to anybody else.']\n", []),
        ("def f(x):\n    return [3, 4][x]\n", []),
        ("def f(:\n", []),
    ],
)
def test_labels_are_exchanged_where_it_matters(source: str, lines: list[str]) -> None:
    found = list(exchanges(source, (1, 9)))
    changed = [
        next(line for line, was in zip(one.text.splitlines(), source.splitlines(), strict=True) if line != was)
        for one in found
    ]
    assert changed == lines
    assert all(one.kind == "exchange" and "are exchanged" in one.description for one in found)


def test_only_lines_of_the_unit_are_looked_at() -> None:
    source = "A = {'a': 1, 'b': 2}\n\n\ndef f():\n    return {'c': 1, 'd': 2}\n"
    assert [one.line for one in exchanges(source, (4, 5))] == [5]
