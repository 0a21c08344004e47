"""The rules for tests that a model writes, told from their text: what leaves its place, patches, copies or repeats."""

from pathlib import Path
from time import process_time

import pytest

from agents.code.units import read_units
from agents.code.units.imports import ImportResolver
from agents.testwriting.interface import Interface, interface
from agents.testwriting.quoting import occurs
from agents.testwriting.reply import Because
from agents.testwriting.reply import TestFunction as Given
from agents.testwriting.rules import Function, Refusal, Refused, Rules
from agents.testwriting.setups import joined

CODE = '''\
import numpy as np

from pack.parts import Table


def spread(values, rate=2.0):
    """Twice the range of `values`."""
    low = min(values)
    return (max(values) - low) * rate


class Counter:
    """Counts into a Table."""

    def __init__(self, size: int) -> None:
        self.size = size

    def query(self, item: int) -> int:
        """How often."""
        return self.size + item

    def fast(self, item: int) -> int:
        return item + self.size
'''
PARTS = 'class Table:\n    """Rows."""\n    rows: int\n    names: tuple = ()\n\n\nclass Other:\n    pass\n'
SAID = "TECHNIQUE: spread\n[e1] s = 2 (\\max_i x_i - \\min_i x_i)\n[p1] The spread grows with the rate $r$."
QUOTE = Because(quote="s = 2 (\\max_i x_i - \\min_i x_i)", follows="2 * (4 - 1) = 6")


def rules(folder: Path, unit: str = "pack/code.py#spread") -> Rules:
    (folder / "pack").mkdir()
    (folder / "pack/code.py").write_text(CODE)
    (folder / "pack/parts.py").write_text(PARTS)
    units = {one.id: one for one in read_units(folder).units}
    known = interface(units[unit], units, ImportResolver(one.file for one in units.values()))
    assert known is not None
    return Rules(units[unit], CODE, known, SAID)


def given(body: str, reasons: int = 1, head: str = "def test_it():") -> Given:
    source = head + "\n" + "\n".join(f"    {line}" for line in body.splitlines())
    return Given(source=source, asserts=(QUOTE,) * reasons)


def why(found: Function | Refused) -> Refusal | None:
    return found.why if isinstance(found, Refused) else None


@pytest.mark.parametrize(
    "body",
    [
        "assert spread([1, 4, 2]) == 6",
        "import math\nassert math.isclose(spread([1, 4, 2]), 2 * (4 - 1))",
        "import numpy as np\nnp.testing.assert_allclose(spread(np.array([1.0, 4.0])), 6.0)",
        "low = spread([1, 4])\nhigh = spread([1, 9])\nassert high - low == 2 * (9 - 4)",
        "assert spread([1, 4]) == -spread([4, 1]) + 12",
        "y = spread([1, 4])\nassert y == abs(y)",
        "import numpy as np\ny = spread(np.eye(3))\nassert np.all(y.max(axis=1) == y.sum(axis=1))",
        "expected = 2 * (max([1, 4]) - min([1, 4]))\nassert spread([1, 4]) == expected",
        "import torch\nmodel = torch.nn.ReLU()\nmodel.eval()\nassert spread([1, 4]) == 6",
        "from types import SimpleNamespace\nrow = SimpleNamespace(values=[1, 4])\nassert spread(row.values) == 6",
        "import pytest\nwith pytest.raises(ValueError):\n    spread([])",
        "class Gone(Exception):\n    pass\nassert spread([1, 4]) == 6",
        "class Row:\n    def __init__(self):\n        self.values = [1, 4]\nassert spread(Row().values) == 6",
    ],
)
def test_a_test_that_stands_on_what_is_said_is_taken(tmp_path: Path, body: str) -> None:
    found = rules(tmp_path).function(given(body), "")
    assert isinstance(found, Function), found
    assert found.name == "test_it"


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("assert spread([1, 4]) ==", Refusal.SYNTAX),
        ("spread([1, 4])", Refusal.NO_ASSERTION),
        ("assert spread([1]) == 0\nassert spread([2]) == 0", Refusal.UNJUSTIFIED),
        ("import os\nassert spread([1]) == 0", Refusal.IMPORT),
        ("from pack.code import Counter\nassert spread([1]) == 0", Refusal.IMPORT),
        ("import ast\nassert spread([1]) == 0", Refusal.IMPORT),
        ("from types import FunctionType\nassert spread([1]) == 0", Refusal.IMPORT),
        ("from inspect import getsource\nassert spread([1]) == 0", Refusal.IMPORT),
        ("import numpy as np\nassert spread(np.load('x')) == 0", Refusal.FORBIDDEN),
        ("from numpy import fromfile\nassert spread(fromfile('x')) == 0", Refusal.FORBIDDEN),
        ("assert spread(open('x').read()) == 0", Refusal.FORBIDDEN),
        ("assert eval('spread([1])') == 0", Refusal.FORBIDDEN),
        ("import pandas\nassert pandas.DataFrame().eval('spread([1])') == 0", Refusal.FORBIDDEN),
        ("assert spread.__code__.co_argcount == 2", Refusal.FORBIDDEN),
        ("assert __import__('os').getcwd()", Refusal.FORBIDDEN),
        ("import pytest\npytest.skip()\nassert spread([1]) == 0", Refusal.FORBIDDEN),
        ("import collections\nassert collections.sys.argv", Refusal.FORBIDDEN),
        ("import random\nassert spread([1]) == len(random._os.listdir('.'))", Refusal.FORBIDDEN),
        ("from random import _os\nassert spread([1]) == len(_os.listdir('.'))", Refusal.FORBIDDEN),
        ("if spread([1]) == 0:\n    raise ValueError\nassert True", Refusal.FORBIDDEN),
        ("import pytest\nwith pytest.raises((ValueError, AssertionError)):\n    spread([])", Refusal.FORBIDDEN),
        ("import pytest\nE = Exception\npytest.raises(E, spread, [])", Refusal.FORBIDDEN),
        ("import math\nmath.floor = round\nassert spread([1]) == 0", Refusal.PATCHED),
        ("spread = max\nassert spread([1]) == 1", Refusal.PATCHED),
        ("def spread(v):\n    return 6\nassert spread([1]) == 6", Refusal.PATCHED),
        (
            "def mine(v, r=2.0):\n    a = min(v)\n    return (max(v) - a) * r\nassert spread([1]) == mine([1])",
            Refusal.COPY,
        ),
        ("assert spread([1, 4]) == spread([1, 4])", Refusal.REPEATS),
        ("x = [1, 4]\nexpected = spread(x)\nassert abs(spread(x) - expected) < 1e-6", Refusal.REPEATS),
        ("import numpy as np\nx = [1]\ny = spread(x)\nassert np.allclose(y, spread([1]))", Refusal.REPEATS),
    ],
)
def test_what_breaks_a_rule_is_refused(tmp_path: Path, body: str, refusal: Refusal) -> None:
    assert why(rules(tmp_path).function(given(body), "")) == refusal


@pytest.mark.parametrize("error", ["Exception", "ValueError", "(ValueError, AssertionError)"])
def test_no_assertion_stands_where_an_error_is_expected(tmp_path: Path, error: str) -> None:
    body = f"import pytest\nwith pytest.raises({error}):\n    assert spread([-1]) == 3"
    assert why(rules(tmp_path).function(given(body, reasons=2), "")) == Refusal.FORBIDDEN


def test_every_rule_that_is_broken_is_told_at_once(tmp_path: Path) -> None:
    said = rules(tmp_path).function(given("import os\nopen('x')\nassert spread([1, 4]) == 6", 0), "")
    assert isinstance(said, Refused) and said.why is Refusal.UNJUSTIFIED
    assert all(f"{why}: {what}" in said.detail for why, what in ((Refusal.IMPORT, "os"), (Refusal.FORBIDDEN, "open")))


@pytest.mark.parametrize(
    "head", ["def check_it():", "def test_it(tmp_path):", "def test_it(x=1):", "@wrapped\ndef test_it():"]
)
def test_a_test_is_one_plain_function(tmp_path: Path, head: str) -> None:
    assert why(rules(tmp_path).function(given("assert spread([1]) == 0", head=head), "")) == Refusal.FORM


def test_arguments_may_be_parametrized(tmp_path: Path) -> None:
    head = "@pytest.mark.parametrize('a, b', [(1, 4)])\ndef test_it(a, b):"
    found = rules(tmp_path).function(given("assert spread([a, b]) == 2 * (b - a)", head=head), "import pytest")
    assert isinstance(found, Function)


def test_another_method_with_the_same_arguments_is_no_expectation(tmp_path: Path) -> None:
    method = rules(tmp_path, "pack/code.py#Counter.query")
    body = "c = Counter(3)\nassert c.query(4) == {}"
    assert why(method.function(given(body.format("c.fast(4)")), "")) == Refusal.REPEATS
    assert why(method.function(given(body.format("7")), "")) is None, "its name is the repository's"
    before = "c = Counter(3)\nold = c.query(4)\nc.fast(1)\nassert c.query(4) == old + 1"
    assert why(method.function(given(before), "")) is None, "something has happened between them"
    assert why(method.function(given("Counter.fast = None\nassert Counter(3).query(4) == 7"), "")) == Refusal.PATCHED
    below = "class Mine(Counter):\n    pass\nassert Mine(3).query(4) == 7"
    assert why(method.function(given(below), "")) == Refusal.PATCHED


def test_a_quote_that_was_not_shown_drops_the_test(tmp_path: Path) -> None:
    one = given("assert spread([1, 4]) == 6")
    false = one.model_copy(update={"asserts": (Because(quote="the spread is 6", follows="as it says"),)})
    assert why(rules(tmp_path).function(false, "")) == Refusal.UNQUOTED


EXAMPLE = "The spread of 1, 4 and 2 is 6."


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("assert spread([1, 4, 2]) == 6", None),
        ("assert spread([1, 4, 2]) == 2 * (4 - 1)", None),
        ("import pytest\nx = [1, 4, 2]\nassert spread(x) == pytest.approx(6.0, rel=1e-6)", None),
        ("for x, y in [([1, 4, 2], 6), ([3, 1, 9], 16)]:\n    assert abs(spread(x) - y) < 1e-9", None),
        ("assert spread([1, 4, 2]) > 0.5", None),
        ("assert 0 < spread([1, 4, 2]) <= 6", None),
        ("assert spread([1, 4, 2]) != 0", None),
        ("assert spread([1, 4, 2]) > 7", Refusal.BELIED),
        ("assert spread([1, 4, 2]) == 3", Refusal.BELIED),
        ("assert spread([1, 9, 2]) == 8", Refusal.BELIED),
        ("assert abs(spread([1, 4, 2]) - 6 + 3) < 1e-9", Refusal.BELIED),
        ("assert spread([1, 4, 2]) in (6, 3)", Refusal.BELIED),
        ("def half(x):\n    return max(x) - 1\nassert spread([1, 4, 2]) == half([1, 4, 2]) and 6", Refusal.BELIED),
        ("for x, y in [([1, 4, 2], 3), ([3, 1, 9], 8)]:\n    assert spread(x) == y", Refusal.BELIED),
        ("z = 6\nfor x in [3, 8]:\n    assert spread([1, x]) == x - 1", Refusal.BELIED),
    ],
)
def test_who_quotes_an_example_expects_its_number(tmp_path: Path, body: str, refusal: Refusal | None) -> None:
    ours = rules(tmp_path)
    ours.shown += f"\n{EXAMPLE}"
    said = (Because(quote=EXAMPLE, follows="as it says"),)
    assert why(ours.function(given(body).model_copy(update={"asserts": said}), "")) == refusal


def test_how_it_is_called_is_no_example(tmp_path: Path) -> None:
    ours = rules(tmp_path)
    called = "def spread(values, size=(6.4, 14.3), channel=1, scaled=False)"
    ours.shown += f"\nUNIT UNDER TEST: spread (function), in spreads.py\n{called}\n    returns 1 value"
    said = (Because(quote=called, follows="the channel by default"),)
    assert why(ours.function(given("assert spread([1, 4, 2]) == 6").model_copy(update={"asserts": said}), "")) is None


def test_an_example_that_was_shown_is_not_expected_otherwise(tmp_path: Path) -> None:
    ours = rules(tmp_path)
    ours.shown += f"\n{EXAMPLE}"
    assert why(ours.function(given("assert spread([1, 4, 2]) == 3"), "")) == Refusal.BELIED
    assert why(ours.function(given("assert spread([1, 5, 2]) == 8"), "")) is None, "it is no example of these numbers"


def test_a_number_that_is_said_of_something_else_is_no_example(tmp_path: Path) -> None:
    ours = rules(tmp_path)
    table = "As shown in Table 3 the result is symmetric and the default width is 64."
    ours.shown += f"\nWith 12 layers the rate r is 2.0. Of 5 runs 3 were kept. {table}"
    for quote in ("With 12 layers the rate r is 2.0.", "Of 5 runs 3 were kept.", table):
        said = (Because(quote=quote, follows="2 * (4 - 1)"),)
        test = given("assert spread([1, 4], 2.0) == 6").model_copy(update={"asserts": said})
        assert why(ours.function(test, "")) is None, quote


@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        ("import math\nN = 3\n\n\ndef helper(x):\n    return math.sqrt(x)", ""),
        ("print('hello')", "only imports"),
        ("def test_a():\n    pass", "belong among the tests"),
        ("def helper(x):\n    assert x", "belong into the tests"),
        ("import subprocess", "imports what"),
        ("def helper(v, by=2.0):\n    a = min(v)\n    return (max(v) - a) * by", "a copy"),
        ("(", "can't be parsed"),
    ],
)
def test_the_setup_keeps_the_rules_too(tmp_path: Path, setup: str, complaint: str) -> None:
    found = rules(tmp_path).setup(setup)
    assert complaint in found
    assert bool(found) == bool(complaint)


def test_setups_of_several_replies_never_bind_a_name_anew() -> None:
    assert joined("", "import math") == "import math"
    more = joined("import math\n\ndef f(x):\n    return 1\n", "import math\nimport random\ndef f(x):\n    return 2\n")
    assert more.count("def f") == 1
    assert "return 1" in more
    assert "import random" in more


@pytest.mark.parametrize(
    ("quote", "is_there"),
    [
        ("The spread grows\nwith the rate r.", True),
        ("s = 2(\\max_i x_i - \\min_i x_i)", True),
        ("[e1] s = 2 (\\max_i x_i", True),
        ("s = 2 (\\\\max_i x_i - \\\\min_i x_i)", True),
        ("s = 3 (\\max_i x_i - \\min_i x_i)", False),
        ("rate", False),
        ("", False),
    ],
)
def test_what_is_quoted(quote: str, is_there: bool) -> None:
    assert occurs(quote, SAID) == is_there


def test_the_body_is_never_shown(tmp_path: Path) -> None:
    found: Interface = rules(tmp_path, "pack/code.py#Counter").known
    assert "def __init__(self, size: int) -> None" in found.text
    assert "How often." in found.text
    assert "rows: int" in found.text, "a class that the documentation names, as it is made"
    assert "names: tuple (optional)" in found.text
    assert "self.size" not in found.text
    assert found.bound == ("Counter", "Table")
    assert found.libraries == {"numpy"}


def test_what_the_setup_imports_leads_no_further_than_what_a_test_does(tmp_path: Path) -> None:
    body = given("assert spread([1, 4]) == 6 and r._os.getpid()")
    kept = rules(tmp_path)
    assert why(kept.function(body, "import random as r")) is Refusal.FORBIDDEN
    assert why(kept.function(body, "import random\nr = random")) is Refusal.FORBIDDEN
    held = given("assert spread([1, 4]) == 6 and [random][0]._os.getpid()")
    assert why(kept.function(held, "import random")) is Refusal.FORBIDDEN


def test_what_a_stand_in_must_have_is_told_and_nothing_of_what_is_done_with_it(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/labels.py").write_text("import enum\n\n\nclass Label(enum.Enum):\n    YES = 1\n    NO = 0\n")
    (tmp_path / "pack/count.py").write_text(
        "from pack.labels import Label\n\n\n"
        "def is_right(row, gold):\n    return row.label == gold.truth[row.number].label\n\n\n"
        "def count(pred, gold, counts):\n    for row in pred.rows.values():\n        if row.label != Label.NO:\n"
        "            counts['seen'] += 1\n            counts['right'] += is_right(row, gold)\n    return counts\n"
    )
    units = {one.id: one for one in read_units(tmp_path).units}
    known = interface(units["pack/count.py#count"], units, ImportResolver(one.file for one in units.values()))
    assert known is not None
    assert known.bound == ("count", "Label")
    assert "fields: YES (member), NO (member)" in known.text
    assert known.text.partition("looked up, or set, in what it is given:\n")[2].splitlines()[:3] == [
        "        pred: pred.rows.values()[…].label, pred.rows.values()[…].number",
        "        counts: counts['seen'], counts['right']",
        "        gold: gold.truth[…].label",
    ]
    assert "+=" not in known.text


def test_the_form_of_what_goes_out_and_comes_back_is_told(tmp_path: Path) -> None:
    (tmp_path / "out.py").write_text(
        "def put(out, n):\n    out.write({'id': n, 'twice': 2 * n})\n    return n, {'id': n}\n\n\n"
        "def told(n):\n    def inner():\n        return {'hidden': n}\n    return {'left': n + 17, 'right': inner()}\n"
    )
    units = {one.id: one for one in read_units(tmp_path).units}
    resolver = ImportResolver(one.file for one in units.values())
    put, told = (interface(units[f"out.py#{name}"], units, resolver) for name in ("put", "told"))
    assert put is not None
    assert told is not None
    assert "out: out.write(a dict with 'id', 'twice')" in put.text
    assert "returns 2 values" in put.text
    assert "returns a dict with 'left', 'right'" in told.text
    assert "17" not in told.text
    assert "hidden" not in told.text


def test_functions_that_call_one_another_are_followed_once(tmp_path: Path) -> None:
    """Each path that is handed on would else be followed in each call again."""
    calls = "\n".join(f"    f(x.a{n})\n    g(x.b{n})" for n in range(12))
    (tmp_path / "deep.py").write_text(
        f"def f(x):\n{calls}\n\n\ndef g(x):\n{calls}\n\n\ndef h(x):\n    f(x)\n    return k()\n\n\n"
        "def k():\n    return k()\n"
    )
    units = {one.id: one for one in read_units(tmp_path).units}
    before = process_time()
    known = interface(units["deep.py#h"], units, ImportResolver(one.file for one in units.values()))
    assert process_time() - before < 5
    assert known is not None
    assert "x: x.a0" in known.text
