"""A unit in other words: another text in each place that mutants change, and the same results."""

import ast
import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.code.mutants import restated
from agents.execution.harness.inside.hiding import hidden, shown
from kg.models.code import CodeUnit


def unit(text: str, line: int = 1) -> CodeUnit:
    return CodeUnit(
        id="m.py#f", file="m.py", symbol="f", name="f", kind="function", language="python", start=0, end=9, line=line,
        end_line=len(text.splitlines()),
    )  # fmt: skip


def made(text: str) -> Callable[..., object]:
    space: dict[str, object] = {"__name__": "m"}
    exec(text, space)  # noqa: S102 -- the texts below
    return space["f"]  # type: ignore[return-value]


TEXTS = [
    "def f(a, b):\n    if a > b:\n        return 3 * a - b + 1\n    return a + 2 * b - 7\n",
    "def f(a, b): return a+b*2 if a>b else-1*a\n",
    "def f(a, b):\n    a * b\n    c = (a) + (b  # it\n        ) ** (\n            b)\n"
    "    return (1, a) * b + ('%s' % (a,),), max(a, *[c])\n",
    "def f(a, b):\n    '''Dôc of 1.'''\n    if(a): return(a, *[b])\n    elif not b: return'é' 'è'\n"
    "    return 'ab'if b else()\n",
    "def f(a, b):\n    def g():\n        nonlocal a\n        a += -2 ** 2\n        return (yield b)\n"
    "    return list(g()), a\n",
    "def f(a, b):\n    x, *y = a, b, 0.3, 1e-05\n    while (n := x + 1) < 5 and 'x' in 'xyz':\n"
    "        x = n\n    return [x, y, n]\n",
    "def f(a, b):\n"
    "    return sorted({k: v for k, v in zip([a, b], range(3)) if v % 2 == 0 if not k < 0}), lambda c=1: c\n",
    "def f(a, b):\n    match a:\n        case 1 | 2:\n            return f'{b:>{3}} {1 + 1}'\n"
    "    assert b != 99, 'b is 99'\n    return a @ b\n",
    "def f(a, b):\n    class A(int):\n        x = 3\n        def g(self):\n"
    "            return super().__add__(a) + self.x * b\n    return A(4).g()\n",
    "def f(a, b):\n    x = y = (\n        a  # of it\n        - b\n    )\n    return \\\n        x ** -y\n",
]  # fmt: skip


def told(call: Callable[..., object], *given: object) -> object:
    try:
        found = call(*given)
    except Exception as error:  # noqa: BLE001 -- what is raised is compared
        return type(error), str(error)
    return found[0] if isinstance(found, tuple) and callable(found[-1]) else found


@pytest.mark.parametrize("text", TEXTS)
def test_other_words_mean_the_same(text: str) -> None:
    for _ in range(5):
        changed = restated(text, unit(text))
        assert ast.unparse(ast.parse(changed)) != ast.unparse(ast.parse(text))
        assert len(changed.splitlines()) - len(text.splitlines()) == ("import operator" in changed)
        assert made(changed).__doc__ == made(text).__doc__
        for one in (0, 1, 2, 7, -3):
            assert told(made(changed), one, 3) == told(made(text), one, 3)


def test_what_is_awaited_stays_so() -> None:
    text = (
        "import asyncio\nasync def f(a):\n    await asyncio.sleep(0)\n    return [1 + await g(a) async for a in h(a)]\n"
    )
    text += "async def g(a):\n    return a * 2\nasync def h(a):\n    yield a - 1\n"
    changed = restated(text, unit(text))
    assert changed != text
    assert asyncio.run(made(changed)(4)) == asyncio.run(made(text)(4)) == [7]  # type: ignore[arg-type]


def test_each_place_that_a_mutant_changes_is_another() -> None:
    changed = restated(TEXTS[0], unit(TEXTS[0]))
    assert not {*TEXTS[0].splitlines()[1:]} & {*changed.splitlines()}
    assert not {">", "*"} & {*changed}
    parts = {ast.unparse(node) for node in ast.walk(ast.parse(changed))}
    assert not {"a > b", "3 * a - b + 1", "a + 2 * b - 7"} & parts


def test_what_is_no_part_of_it_or_sees_its_variables_stays() -> None:
    text = "def f(a):\n    return a + 1\ndef g(a):\n    b = 2\n    return locals()\n"
    assert restated(text, unit(text, 3)) == text
    assert restated("def f(:\n", unit("def f(:\n")) == "def f(:\n"


def test_what_a_compiler_may_read_gets_constants_and_names_alone() -> None:
    text = "@kernel(3)\ndef f(a, b=2):\n    c = a[0] if a > b else 'xy'\n    return g(c, axis=1) + 7\n"
    lines = restated(text, unit(text)).splitlines()
    assert lines[:3] == text.splitlines()[:3]
    assert "g(c, axis=1) + (" in lines[3]
    plain = text.replace("@kernel(3)", "import numba")
    assert restated(plain, unit(plain)).splitlines()[2] == text.splitlines()[2]
    assert "operator" not in restated(TEXTS[0] + "import torch\n", unit(TEXTS[0]))


@given(st.sampled_from(["same", "wrong", "given array 2"]), st.text(max_size=80))
def test_words_are_hidden_and_shown(kind: str, promises: str) -> None:
    words = hidden(kind, promises)
    assert shown(words) == (kind, promises)
    assert words != hidden(kind, promises)
    assert len(words) == len(hidden("raise", promises))
    assert {*words} <= {*"0123456789abcdef"}
