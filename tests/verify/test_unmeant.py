"""Cases of conditions that can't arise are known; what may is never taken for one."""

import ast

import pytest

from agents.code.verify.unmeant import impossible

KNOWN = "if kind == 'a' or kind == 'b':\n    if kind == 'a':\n        x = 1\n    elif kind == 'b':\n        x = 2"


def lines(body: str, parameters: str = "kind, flag=True, n=0") -> list[int]:
    text = f"def f({parameters}):\n    " + body.replace("\n", "\n    ")
    tree = ast.parse(text)
    found = {*impossible(tree)}
    return sorted(node.lineno - 1 for node in ast.walk(tree) if id(node) in found)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (KNOWN, [4]),
        (KNOWN.replace("kind == 'a' or kind == 'b'", "kind in ('a', 'b')"), [4]),
        (KNOWN.replace("kind == 'a' or kind == 'b'", "kind in {'a', 'b', 'c'}"), []),
        (KNOWN.replace(" or kind == 'b'", " or flag"), []),
        (KNOWN.replace(" or kind == 'b'", " or g(kind)"), []),
        ("for i in n:\n    " + KNOWN.replace("\n", "\n    "), [5]),
        ("kind = kind.lower()\n" + KNOWN, []),
        ("if kind != 'a':\n    return 0\nif kind == 'a':\n    return 1", []),
        ("if kind is None:\n    y = 1\nelif kind is not None:\n    y = 2", [3]),
        ("if flag and kind == 'a':\n    if kind != 'b':\n        y = 1", [2]),
        ("if flag and n == 1:\n    if n == True:\n        y = 1", [2]),
        ("if flag:\n    if flag:\n        y = 1", []),
        ("if kind == 'a':\n    def g(kind):\n        if kind == 'a':\n            return 1", []),
        ("while kind == 'a':\n    if kind == 'a':\n        y = 1", []),
        ("if x == 'a':\n    if x == 'a':\n        y = 1", []),
        ("for k in range(n + 1):\n    if k < n + 1:\n        y = 1", [2]),
        ("for k in range(1, n):\n    with y:\n        if n > k:\n            y = 1", [3]),
        ("for k in range(n + 1):\n    if k < n:\n        y = 1", []),
        ("for k in range(n):\n    if k < n:\n        y = 1\n    else:\n        y = 2", []),
        ("for k in range(n):\n    k += 1\n    if k < n:\n        y = 1", []),
        ("for k in range(n):\n    n -= 1\n    if k < n:\n        y = 1", []),
        ("for k in range(n):\n    def g(k):\n        if k < n:\n            return 1", []),
        ("for k in range(n()):\n    if k < n():\n        y = 1", []),
        ("for k in range(n, 0, -1):\n    if k < n:\n        y = 1", []),
        ("for k in range(n):\n    if n != k:\n        y = 1\n    if n < k:\n        y = 2", [2]),
        ("for k in range(n):\n    pass\nelse:\n    if k < n:\n        y = 1", []),
        ("for k in range(n):\n    match x:\n        case k:\n            if k < n:\n                y = 1", []),
        ("for k in range(n):\n    def g():\n        if k < n:\n            return 1", []),
        ("def cut():\n    nonlocal n\n    n -= 1\nfor k in range(n):\n    if k < n:\n        y = 1", []),
        ("from g import *\nfor k in range(n):\n    if k < n:\n        y = 1", []),
        ("range = g\nfor k in range(n):\n    if k < n:\n        y = 1", []),
    ],
)  # fmt: skip
def test_a_case_that_its_surroundings_leave_no_room_for_is_known(body: str, expected: list[int]) -> None:
    assert lines(body) == expected


def test_many_conditions_are_not_worked_out() -> None:
    chain = "\n".join(f"{'el' if n else ''}if kind == {n}:\n    y = {n}" for n in range(400))
    assert lines(f"if kind in ({', '.join(map(str, range(400)))}):\n    " + chain.replace("\n", "\n    ")) == []
