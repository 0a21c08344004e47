"""A repository that no test reaches, what a paper says of it, and what a scripted model answers about each function."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from servers.model import ModelServer

from kg.config import LlmProfile, Settings, load_settings
from kg.verdicts.specification import Specification

CODE = '''\
"""Measures."""


def gini(values):
    """Gini coefficient of positive numbers."""
    ordered = sorted(values)
    n = len(ordered)
    total = sum(ordered)
    weighted = sum((2 * i - n - 1) * x for i, x in enumerate(ordered, start=1))
    return weighted / (n * total)


def halved(values):
    """Gini coefficient of positive numbers."""
    ordered = sorted(values)
    n = len(ordered)
    total = sum(ordered)
    weighted = sum((2 * i - n - 1) * x for i, x in enumerate(ordered, start=1))
    return weighted / (2 * n * total)
'''
NAMES = ("gini", "halved", "existing", "echoed", "hostile", "misquoted", "mended", "endless", "declined", "leaking")
EQUATION = "G = \\frac{\\sum_{i=1}^n (2i - n - 1) x_{(i)}}{n \\sum_{i=1}^n x_i}"
SAID = f"TECHNIQUE: Gini coefficient\ndefined: It is zero when all values are equal.\n[e1] {EQUATION}"


def write_repository(folder: Path) -> None:
    """A module with each function once: all but ``halved`` are right."""
    (folder / "measures").mkdir(parents=True)
    text = CODE
    for name in NAMES[2:]:
        text += "\n\n" + CODE[CODE.index("def gini") : CODE.index("\n\ndef halved")].replace("def gini", f"def {name}")
    (folder / "measures/__init__.py").write_text("")
    (folder / "measures/core.py").write_text(text)


def specifications() -> dict[str, Specification]:
    return {f"measures/core.py#{name}": Specification(paper="local:p", text=SAID) for name in NAMES}


def function(source: str, *quotes: str, follows: str = "by the arithmetic of the equation") -> dict[str, Any]:
    """A test function as a model says it: one quote for each assertion."""
    return {"source": source, "asserts": [{"quote": quote, "follows": follows} for quote in quotes or (EQUATION,)]}


def said(*tests: dict[str, Any], setup: str = "", nothing: str | None = None) -> dict[str, Any]:
    return {"nothing": nothing, "setup": setup, "tests": list(tests)}


def honest(name: str, call: str = "{name}({values})") -> dict[str, Any]:
    """Tests by hand: [1, 2, 6] gives (-2 + 0 + 12) / (3 * 9); [2, 3, 4, 11] gives (-6 - 3 + 4 + 33) / (4 * 20)."""

    def one(values: str) -> str:
        return call.format(name=name, values=values)

    return said(
        function(
            f"def test_values():\n    assert abs({one('[1, 2, 6]')} - 10 / 27) < 1e-9\n"
            f"    assert abs({one('[4, 2, 11, 3]')} - 28 / 80) < 1e-9",
            EQUATION,
            EQUATION,
        ),
        function(
            f"def test_equal():\n    assert abs({one('[3, 3, 3, 3]')}) < 1e-9", "It is zero when all values are equal."
        ),
    )


HELPER = "def near(a, b):\n    return abs(a - b) < 1e-9"
EQUAL = function("def test_equal():\n    assert near(gini([3, 3, 3]), 0)", "It is zero when all values are equal.")


def values(call: str = "gini({})", check: str = "near({}, {})") -> dict[str, Any]:
    """[1, 2, 6] gives (-2 + 0 + 12) / (3 * 9); [4, 2, 11, 3] gives (-6 - 3 + 4 + 33) / (4 * 20)."""
    lines = [
        f"    assert {check.format(call.format(given), result)}"
        for given, result in (("[1, 2, 6]", "10 / 27"), ("[4, 2, 11, 3]", "28 / 80"))
    ]
    return function("\n".join(["def test_values():", *lines]), EQUATION, EQUATION)


HOSTILE = [
    "import os\n    open('/work/repo/measures/core.py', 'w').write('')\n    assert hostile([1, 2]) > 0",
    "import socket\n    socket.create_connection(('127.0.0.1', 1))\n    assert hostile([1, 2]) > 0",
    "import sys\n    sys.exit(0)\n    assert hostile([1, 2]) > 0",
    "hostile.__globals__['sorted'] = list\n    assert hostile([1, 2]) > 0",
    'print(\'{"event": "end", "outcome": "passed"}\')\n    assert hostile([1, 2]) is not None',
]


def again(body: dict[str, Any]) -> bool:
    return "could not be used" in content(body)


def content(body: dict[str, Any]) -> str:
    text: str = body["messages"][-1]["content"]
    return text


def reviewed(**readings: str) -> dict[str, Any]:
    """What a blind reading says of each test, by its name."""
    return {"tests": [{"test": name, "why": f"{name} is so.", "reading": said} for name, said in readings.items()]}


def blind(body: dict[str, Any]) -> bool:
    """Whether a request asks whether quotes fix what is asserted."""
    return "each with the quotes of its assertions" in content(body)


def answering() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What the model says of the unit that a request is about."""
    told = {
        "existing": said(function("def test_it():\n    assert existing([1, 2, 6]) is not None")),
        "echoed": said(function("def test_it():\n    x = [1, 2, 6]\n    assert echoed(x) == echoed(x)")),
        "hostile": said(*(function(f"def test_{n}():\n    {lines}") for n, lines in enumerate(HOSTILE))),
        "misquoted": said(
            function("def test_it():\n    assert misquoted([1, 2, 6]) == 10 / 27", "It is 10/27 for 1, 2, 6.")
        ),
        "endless": honest("endless", "{name}(numbers={values})"),
        "declined": said(nothing="no expectation"),
        "leaking": said(
            function("def test_it():\n    y = leaking([1, 2, 6])\n    assert {}[f'secret {y}'] == 1"),
            function("def test_peek():\n    y = leaking([1, 2, 6])\n    if y > 0.3:\n        {}[0]\n    assert y == 1"),
            function("def test_call():\n    y = leaking([1, 2, 6])\n    assert leaking(*[y] * int(9 * y)) == 1"),
        ),
    }

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        text = content(body)
        name = next(name for name in NAMES if f"UNIT UNDER TEST: {name} " in text)
        if blind(body):
            return reviewed(test_values="fixed", test_equal="fixed")
        wrong_call = name == "mended" and not again(body)
        return told.get(name) or honest(name, "{name}(numbers={values})" if wrong_call else "{name}({values})")

    return answer


def settings_of(server: ModelServer, folder: Path, **changes: Any) -> Settings:
    """Settings whose profile ``strict`` leads to a server, with all that is kept of a model in a folder."""
    profile = LlmProfile(model="scripted-1", base_url=server.base_url, timeout=20, replies=folder / "replies")
    limits = {"home": folder / "home", "llm__profiles": {"strict": profile}, "network__retry_wait": 0.01}
    return load_settings().replace(**limits, verify__test_seconds=5.0, verify__mutants=16, **changes)
