"""Tests that skip themselves, or go on, where a unit is not what they hold it against."""

import ast

import pytest

from agents.code.verify.excusing import keeps_to_itself, skips_by


def function(body: str) -> ast.AST:
    return ast.parse("def test_it():\n" + "".join(f"    {line}\n" for line in body.splitlines()))


@pytest.mark.parametrize(
    ("body", "excuses"),
    [
        ("if unit(4) != 2:\n    pytest.skip('known')\nassert unit(4) == 2", True),
        ("got = unit(4)\nif not math.isclose(got, 2):\n    pytest.xfail('known')", True),
        ("a, b = unit(4)\nif a == b:\n    assert True\nelse:\n    self.skipTest('x')", True),
        ("try:\n    assert unit(4) == 2\nexcept AssertionError:\n    raise unittest.SkipTest('known')", True),
        ("try:\n    assert unit(4) == 2\nexcept ImportError:\n    pytest.skip('no scipy')", False),
        ("if unit(4) is None:\n    pytest.skip('no answer here')\nassert unit(4) == 2", False),
        ("if sys.platform == 'win32':\n    pytest.skip('not here')\nassert unit(4) == 2", False),
        ("got = unit(4)\nif got != 2:\n    raise AssertionError(got)", False),
    ],
)
def test_skipping_by_a_result_excuses_it(body: str, excuses: bool) -> None:
    assert skips_by(function(body), {"unit"}) == excuses


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("try:\n    assert unit(4) == 2\nexcept AssertionError:\n    pass", 3),
        ("got = unit(4)\ntry:\n    self.assertEqual(got, 2)\nexcept Exception as e:\n    warnings.warn(str(e))", 4),
        ("with contextlib.suppress(AssertionError):\n    assert unit(4) == 2", 3),
        ("try:\n    assert unit(4) == 2\nexcept AssertionError:\n    print('no')\n    raise", 0),
        ("try:\n    assert unit(4) == 2\nexcept AssertionError as e:\n    pytest.fail(str(e))", 0),
        (
            "while once():\n    try:\n        assert unit(4) == 2\n    except AssertionError:\n        pass",
            0,
        ),
        ("try:\n    unit(-1)\n    assert False\nexcept AssertionError:\n    pass", 0),
        ("try:\n    assert unit(4) == 2\nexcept ValueError:\n    pass", 0),
    ],
)
def test_an_assertion_that_is_caught_is_kept_to_itself(body: str, line: int) -> None:
    assert keeps_to_itself(function(body), {"unit"}) == line
