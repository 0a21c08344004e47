"""Units whose tests only hold what goes in against what another makes of what comes out, or that against another's."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.comparisons import computed, of_a_text, of_what_it_left
from agents.code.verify.pairs import paired
from agents.code.verify.running import Source
from agents.code.verify.running import TestRun as Run
from agents.execution.harness import JobResult

UNIT = "def encode(x, key=1):\n    return x + key\n\ndef decode(y, key=1):\n    return y - key\n\n"
UNIT += "def other(z):\n    return z\n"
MANY = "\n    ".join(f"{one} = other({', '.join([two] * 6)})" for one, two in ("ab", "bc", "cd", "dx"))
MANY += "\n    y = encode(a)\n    assert decode(y) == a"


def partner(folder: Path, unit: str, *tests: str) -> str:
    """With whom the unit is shown by tests with these bodies, which reach all three units."""
    (folder / "m.py").write_text(UNIT)
    bodies = "\n".join(f"def test_{number}(x):\n    {body}\n" for number, body in enumerate(tests))
    (folder / "test_m.py").write_text(f"from m import decode, encode, other\n\n{bodies}")
    units = {one.id: one for one in read_units(folder).units}
    runs = [
        Run(f"test_m.py::test_{number}[1]", Source("repo/test_m.py"), "passed", 0.1, frozenset(units))
        for number in range(len(tests))
    ]
    return paired(units[f"m.py#{unit}"], runs, units, lambda file: (folder / file).read_text())


@pytest.mark.parametrize(
    "body",
    [
        "assert decode(encode(3)) == 3",
        "assert 3 == decode(encode(3))",
        "assert decode(encode(x, key=2), key=2) == x",
        "assert decode(encode(3)) == 3 == x[0] + 1",
        "y = encode(x)\n    assert decode(y) == x",
        "y = encode(x)\n    z = decode(y)\n    assert z == pytest.approx(x)",
        "np.testing.assert_allclose(decode(encode(x)), x)",
        "self.assertEqual(list(decode(encode([1, 2]))), [1, 2])",
        "z = other(z, z, z, z, z, z, z)\n    assert decode(encode(z)) == z",
        "y = encode(x)\n    assert len(y) == 3\n    assert decode(y) == x\n    assert isinstance(y, str)",
    ],
)
def test_a_round_trip_shows_a_pair(tmp_path: Path, body: str) -> None:
    assert partner(tmp_path, "encode", body) == "decode: what one makes the other takes back"
    assert partner(tmp_path, "decode", body) == "encode: what one makes the other takes back"
    assert partner(tmp_path, "other", body) == ""


@pytest.mark.parametrize(
    "body",
    [
        "assert encode(3) == other(3)",
        "assert pytest.approx(other(3)) == encode(3)",
        "y = other(x)\n    assert encode(x) == [y / 2, 1]",
        "np.testing.assert_allclose(encode(x)[0], other(x) + 1)",
    ],
)
def test_expectations_that_another_unit_computes_show_a_pair(tmp_path: Path, body: str) -> None:
    assert partner(tmp_path, "encode", body) == "other: by it the tests say what they expect"


@pytest.mark.parametrize(
    "tests",
    [
        ("assert encode(3) == 4",),
        ("assert decode(encode(3)) == 3", "assert encode(1) == 2"),
        ("assert decode(encode(3)) == 3\n    assert encode(x) == x + 1",),
        ("y = encode(x)\n    assert decode(y) == x\n    assert y == x + 1",),
        ("assert decode(encode(3)) == 4",),
        ("assert decode(encode(3)) == 3", "assert other(encode(3)) == 3"),
        ("y = encode(x)\n    y = decode(y)\n    assert y == x",),
        ("assert encode(3) > 3",),
        ("assert decode(encode(3)) == 3", "np.testing.assert_equal(x, *encode(3))"),
        ("assert encode(3) == other(3)", "assert encode(1) == 2"),
        ("assert encode(other(3)) == 4",),
        ("assert encode(3) == encode(3)",),
        (MANY,),
    ],
)
def test_what_is_shown_in_another_way_too_is_no_pair(tmp_path: Path, tests: tuple[str, ...]) -> None:
    assert partner(tmp_path, "encode", *tests) == ""


TWINS = "def count(x):\n    return x + 1\n"


@pytest.mark.parametrize(
    ("head", "said", "other"),
    [
        ("import m\nimport reference\n", "m.count(x) == reference.count(x)", True),
        ("import m\nimport pytest\nimport reference\n", "m.count(x) == pytest.approx(reference.count(x))", True),
        ("from m import count\nfrom reference import count as wanted\n", "count(x) == wanted(x)", True),
        ("import m\nimport reference\n", "m.count(x) == m.count(x + 0) and reference.count(x)", False),
    ],
)
def test_one_that_bears_the_same_name_is_another(tmp_path: Path, head: str, said: str, other: bool) -> None:
    for name in ("m", "reference"):
        (tmp_path / f"{name}.py").write_text(TWINS)
    (tmp_path / "test_m.py").write_text(f"{head}\ndef test_it(x):\n    assert {said}\n")
    units = {one.id: one for one in read_units(tmp_path).units}
    runs = [Run("test_m.py::test_it", Source("repo/test_m.py"), "passed", 0.1, frozenset(units))]
    told = "count of reference.py: by it the tests say what they expect" if other else ""
    assert paired(units["m.py#count"], runs, units, lambda file: (tmp_path / file).read_text()) == told


@pytest.mark.parametrize(
    ("body", "by"),
    [
        ("assert encode(x) == wanted(x)", "wanted"),
        ("assert np.allclose(encode(x), [wanted(one) for one in x])", "wanted"),
        ("assert encode(x) == wanted(x)\n    assert encode(0) == 1", ""),
        ("assert encode(x) == encode(x, 1)", ""),
        ("assert encode(x) == wanted(x)\n    assert encode(x) > 0", ""),
        ("assert encode(x) == wanted(x)\n    assert all(one == 1 for one in encode(x))", ""),
        ("out = [encode(one) for one in x]\n    assert out == [1]\n    assert encode(x) == wanted(x)", ""),
        ("assert encode(x) == wanted(x)\n    with pytest.raises(ValueError):\n        encode(None)", ""),
        ("assert encode(x) == x + 1", ""),
    ],
)
def test_what_is_expected_may_be_computed_by_a_test_alone(tmp_path: Path, body: str, by: str) -> None:
    (tmp_path / "m.py").write_text(UNIT)
    head = "from m import encode\n\ndef wanted(x):\n    return [one + 1 for one in x]\n"
    (tmp_path / "test_m.py").write_text(f"{head}\ndef test_it(x):\n    {body}\n")
    units = {one.id: one for one in read_units(tmp_path).units}
    runs = [Run("test_m.py::test_it", Source("repo/test_m.py"), "passed", 0.1, frozenset(units))]
    assert computed(units["m.py#encode"], runs, units, lambda file: (tmp_path / file).read_text()) == by


READ = 'CASES = json.loads((HERE / "golden" / "m.json").read_text())\n'
LOADED = '@pytest.fixture\ndef golden():\n    with open("golden/m.json") as f:\n        return json.load(f)\n'
EACH = '@pytest.mark.parametrize(("x", "case"), CASES)\n'


@pytest.mark.parametrize(
    ("head", "body", "by"),
    [
        (READ + EACH, "(x, case):\n    assert encode(x) == case['it']", "the file m.json"),
        (READ, "():\n    for case in CASES:\n        assert encode(case['x']) == case['it']", "the file m.json"),
        (LOADED, "(golden):\n    got = encode(golden[0])\n    assert got == golden[1]", "the file m.json"),
        ("", "():\n    want = np.load(HERE / 'm.npy')\n    assert np.allclose(encode(1), want)", "the file m.npy"),
        (READ, "():\n    for case in CASES:\n        assert encode(case['x']) == case['x'] + [1]", "the file m.json"),
        (READ + EACH, "(x, case):\n    assert encode(x) == case['it']\n    assert encode(2) == 3", ""),
        ("CASES = json.loads('[1.5]')\n" + EACH, "(x, case):\n    assert encode(x) == case['it']", ""),
        ("CASES = [(1, 2)]\n" + EACH, "(x, case):\n    assert encode(x) == case", ""),
        (READ, "(x):\n    assert encode(CASES[0]) == x", ""),
        ("", "(tmp_path):\n    w = (tmp_path / 'm.json').read_text()\n    assert encode(1) == w", ""),
    ],
)
def test_what_is_expected_may_come_from_a_file_alone(tmp_path: Path, head: str, body: str, by: str) -> None:
    (tmp_path / "m.py").write_text(UNIT)
    ends = "def test_ends():\n    assert encode([]) == []\n    assert encode(0) == 1\n"
    (tmp_path / "test_m.py").write_text(f"from m import encode\n\n{head}def test_it{body}\n\n{ends}")
    units = {one.id: one for one in read_units(tmp_path).units}
    names = ("test_it", "test_ends")
    runs = [Run(f"test_m.py::{name}", Source("repo/test_m.py"), "passed", 0.1, frozenset(units)) for name in names]
    assert computed(units["m.py#encode"], runs, units, lambda file: (tmp_path / file).read_text()) == by


IN_PLACE = """
def centred(x, by=0):
    \"\"\"Take the mean off, in place.\"\"\"
    x -= x.mean()
    return x
"""
SETTLING = IN_PLACE.replace("    x -=", "    for _ in range(9):\n        x -=")
FRESH = IN_PLACE.replace("return x", "return x * 1")


@pytest.mark.parametrize(
    ("unit", "body", "denied"),
    [
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, x - x.mean())", True),
        (IN_PLACE, "got = centred(x)\n    want = x - x.mean()\n    assert np.allclose(got, want)", True),
        (IN_PLACE, "got = centred(by=1, x=x)\n    assert_allclose(np.clip(x, 0, 1), got)", True),
        (IN_PLACE, "got = centred(x)\n    assert (got == x - 1).all()", True),
        (IN_PLACE, "assert_allclose(centred(x), x - x.mean())", True),
        (IN_PLACE, "got = centred(x)\n    assert got is x", False),
        (IN_PLACE, "got = centred(x)\n    assert x.tolist() == [1, 2]", False),
        (IN_PLACE, "got = centred(x)\n    assert got.tolist() == list(x)", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, x.copy())", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, [1.0, 2.0])", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, y - y.mean())", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, np.flip(x, 0))", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, x.T)", False),
        (IN_PLACE, "got = centred(x)\n    assert got[-1] == x[-2] + 5", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, a @ x / 2)", False),
        (IN_PLACE, "got = centred(x)\n    assert got.sum() == x.sum() + 0", False),
        (IN_PLACE, "got = centred(x)\n    assert_allclose(got, centred(x, 1) + 0)", False),
        (SETTLING, "got = centred(x)\n    assert_allclose(got, x - x.mean())", False),
        (FRESH, "got = centred(x)\n    assert_allclose(got, x - x.mean())", False),
        (IN_PLACE.replace("Take", "Add noise, and take"), "assert_allclose(centred(x), x - x.mean())", False),
        (IN_PLACE.replace("mean off", "mean off until it settles"), "assert_allclose(centred(x), x - x.mean())", False),
    ],
)
def test_what_a_call_has_changed_is_no_expectation(tmp_path: Path, unit: str, body: str, denied: bool) -> None:
    (tmp_path / "m.py").write_text(unit)
    (tmp_path / "test_m.py").write_text(f"from m import centred\n\ndef test_it(x, a):\n    {body}\n")
    units = {one.id: one for one in read_units(tmp_path).units}
    runs = [Run("test_m.py::test_it", Source("repo/test_m.py"), "passed", 0.1, frozenset(units))]
    last = 3 + body.count("\n") + 1
    raised = {"types": ["AssertionError"], "message": "", "frames": [["/work/repo/test_m.py", last, "test_it"]]}
    result = JobResult("wrong unwritten", "finished", ({"event": "end", "test": runs[0].id, "raised": raised},))
    found = [
        of_what_it_left(units["m.py#centred"], one, runs, units, lambda file: (tmp_path / file).read_text())
        for one in (result, None)
    ]
    assert [runs[0].id in said for said in found] == [denied, False]


OF_TEXTS = "import m\nimport numpy as np\nSPACE = {}\nexec(open('version.py').read(), SPACE)\n\n"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (OF_TEXTS + "def test_it(x):\n    assert m.encode(x) == SPACE['encode'](x)\n", True),
        (OF_TEXTS + "ref = SPACE['f']\n\ndef test_it(x):\n    y = ref(x)\n    assert m.encode(x) == y\n", True),
        ("import m\nexec(TEXT)\n\ndef test_it(x):\n    assert m.encode(x) == encode_again(x)\n", True),
        (OF_TEXTS + "def test_it(x):\n    assert np.allclose(m.encode(x), np.cumsum(x))\n", False),
        (OF_TEXTS + "def test_it(x):\n    assert m.encode(x) == SPACE['f'](x)\n    assert m.encode(1) == 2\n", False),
        ("import m\nexec('a = 1')\n\ndef test_it(x):\n    assert m.encode(x) == encode_again(x)\n", False),
    ],
)
def test_what_tests_make_of_a_text_is_no_oracle(tmp_path: Path, text: str, refused: bool) -> None:
    (tmp_path / "m.py").write_text(UNIT)
    (tmp_path / "test_m.py").write_text(text)
    units = {one.id: one for one in read_units(tmp_path).units}
    run = Run("test_m.py::test_it", Source("repo/test_m.py"), "passed", 0.1, frozenset(units))
    found = of_a_text(units["m.py#encode"], run, units, lambda file: (tmp_path / file).read_text())
    assert bool(found) == refused
