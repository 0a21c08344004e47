"""What a unit says of itself, held against what its source can do at all."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.possible import Possible
from agents.code.verify.unkept import unkept


def found(folder: Path, text: str, symbol: str = "f", tests: tuple[str, ...] = ()) -> str:
    """What the unit of a file does not keep."""
    (folder / "m.py").write_text(text)
    units = {unit.id: unit for unit in read_units(folder).units}
    known = Possible(units.values(), lambda file: (folder / file).read_text())
    return unkept(next(unit for unit in units.values() if unit.symbol == symbol), units, known, tests)


def function(docstring: str, body: str = "return x * 2", head: str = "", parameters: str = "x") -> str:
    return f'{head}\n\ndef f({parameters}):\n    """{docstring}"""\n    {body}\n'


PROMISED = [
    "Doubles. Small ones are refused with a ValueError.",
    "Doubles; :exc:`ValueError` for anything odd.",
    "Doubles. You will see a ValueError whenever x is odd.",
    "Doubles.\n\n    Raises\n    ------\n    ValueError\n        If x is odd.\n    ",
    "Doubles what is not odd (ValueError otherwise).",
    "Doubles. An odd x ends in `ValueError`.",
]
NOT_PROMISED = [
    "Doubles. Never raises a ValueError.",
    "Doubles. Does not fail with a TypeError or ValueError.",
    "Doubles instead of raising ValueError.",
    "Doubles, without any ValueError.",
    "Doubles. Catches the ValueError of odd ones.",
    "Doubles. Retries on ValueError.",
    "Doubles. Odd ones used to be a ValueError.",
    "Doubles. Any ValueError is swallowed.",
    "Doubles what a ValueError handler gives.",
    "Doubles, unlike g with its ValueError.",
    "Doubles. If a ValueError is raised elsewhere, so be it.",
    "Doubles.\n\n    Args:\n        x: a number, no ValueError.\n    ",
    "Doubles the MeanSquaredError.",
    "Doubles. Raises TypeError for what is no number.",
]
RAISING = [
    ("if x < 0:\n        raise ValueError(x)\n    return x", ""),
    ("if x < 0:\n        raise UnicodeError(x)\n    return x", ""),
    ("return int(x)", ""),
    ("return [1, 2].index(x)", ""),
    ("a, b = x\n    return a + b", ""),
    ("return np.ones(3) + x", "import numpy as np"),
    ("return x + x", "import numpy as np"),
    ("return g(x)", "def g(x):\n    raise ValueError(x)"),
    ("return G(x).twice", "class G:\n    def __init__(self, x):\n        raise ValueError(x)"),
    ("return x.unknown()", ""),
    ("return x[0](3)", ""),
    ("return list(map(x, [1]))", ""),
    ("with x:\n        return 1", ""),
    ("raise x", ""),
    ("return f'{x:>3}'", ""),
    ("return x == x", "class G:\n    def __eq__(self, other):\n        raise ValueError(other)"),
]


@pytest.mark.parametrize("docstring", PROMISED)
def test_an_exception_that_nothing_can_raise(tmp_path: Path, docstring: str) -> None:
    assert "nothing in its source can raise ValueError" in found(tmp_path, function(docstring))


@pytest.mark.parametrize("docstring", NOT_PROMISED)
def test_words_that_promise_no_exception(tmp_path: Path, docstring: str) -> None:
    assert found(tmp_path, function(docstring)) == ""


@pytest.mark.parametrize(("body", "head"), RAISING)
def test_what_may_raise_it(tmp_path: Path, body: str, head: str) -> None:
    assert found(tmp_path, function(PROMISED[0], body, head)) == ""


def test_what_a_test_sees_raised_is_raised(tmp_path: Path) -> None:
    text = function(PROMISED[0])
    assert found(tmp_path, text, tests=("with pytest.raises((KeyError, ValueError)):\n    f(1)",)) == ""
    assert found(tmp_path, text, tests=("with pytest.raises(KeyError):\n    f(1)",)) != ""


def test_what_a_class_says_binds_its_methods(tmp_path: Path) -> None:
    said = '"""Numbers; the third is a ValueError."""'
    text = f"class G:\n    {said}\n\n    def put(self, x):\n        return x + 1\n"
    assert [bool(found(tmp_path, text, symbol)) for symbol in ("G", "G.put")] == [True, True]
    kept = text.replace("return x + 1", "return int(x)")
    assert [bool(found(tmp_path, kept, symbol)) for symbol in ("G", "G.put")] == [False, False]


def test_exceptions_of_the_repository_and_their_families(tmp_path: Path) -> None:
    head = "class OddError(ValueError):\n    pass\n\n\nclass EvenError(OddError):\n    pass"
    said = "Doubles. Odd ones are an OddError."
    assert "OddError" in found(tmp_path, function(said, head=head))
    assert "OddError" in found(tmp_path, function(said, "raise KeyError(x)", head))
    assert found(tmp_path, function(said, "raise EvenError(x)", head)) == ""


@pytest.mark.parametrize(
    "docstring",
    ["Twice x, or None.", "Twice x. None comes back for odd ones.", "Twice x; returns `None` if it is odd."],
)
def test_a_none_that_never_comes(tmp_path: Path, docstring: str) -> None:
    for body in ("return x * 2", "return [x] if x else len([x])", "y = 2\n    y += x\n    return y"):
        assert "None" in found(tmp_path, function(docstring, body))
    for body in (
        "return x",
        "return x.get(3)",
        "return x[0]",
        "if x:\n        return 2",
        "return max(x)",
        "return g(x)",
    ):
        assert found(tmp_path, function(docstring, body)) == ""


@pytest.mark.parametrize(
    "docstring",
    [
        "Twice x, never None.",
        "Twice x, which is not None.",
        "Twice x. It used to be None if it was odd.",
        "Twice each of x; missing values (None) are kept.",
    ],
)
def test_words_that_promise_no_none(tmp_path: Path, docstring: str) -> None:
    assert found(tmp_path, function(docstring)) == ""


@pytest.mark.parametrize("docstring", ["Save x as JSON.", "Writes x into a file.", "Stores x to disk: its size."])
def test_a_file_that_is_never_written(tmp_path: Path, docstring: str) -> None:
    parameters = "x, path"
    for body in ("return len(x)", "found = []\n    found.append(x)\n    return len(found)"):
        assert "write" in found(tmp_path, function(docstring, body, parameters=parameters))
    for body in ("open(path, 'w').write(x)", "path.write_text(x)", "x.to_csv(path)", "path[0] = x", "path.append(x)"):
        assert found(tmp_path, function(docstring, body, parameters=parameters)) == ""


def test_a_parameter_that_nothing_looks_at(tmp_path: Path) -> None:
    said = "Turns x by an angle."
    assert "angle" in found(tmp_path, function(said, parameters="x, angle"))
    assert found(tmp_path, function(said, "return x + angle", parameters="x, angle")) == ""
    assert "angle" in found(tmp_path, function(said, parameters="x, angle=0"))
    assert found(tmp_path, function(f"{said} The angle is ignored.", parameters="x, angle")) == ""
    assert found(tmp_path, function("Turns x.", parameters="x, angle")) == ""
    assert found(tmp_path, function(said, "return sum(locals().values())", parameters="x, angle")) == ""


def test_classes_in_a_circle_and_long_chains_are_read_to_their_end(tmp_path: Path) -> None:
    head = "class AError(BError):\n    pass\n\n\nclass BError(AError):\n    pass"
    assert found(tmp_path, function("Doubles. Odd ones are an AError.", head=head)) == ""
    chain = "y0 = x * 2\n" + "".join(f"    y{n + 1} = y{n} if x else y{n}\n" for n in range(1500)) + "    return y1500"
    assert "None" in found(tmp_path, function("Twice x, or None.", chain))
    assert "ValueError" in found(tmp_path, function("Doubles. Not " + "raiseError " * 4000 + "a ValueError."))


@pytest.mark.parametrize(
    ("docstring", "body", "head", "told"),
    [
        ("The weight exp(-x).", "return 1 / (1 + x)", "", "exp()"),
        ("The weight exp(-x).", "return math.e ** -x", "import math", ""),
        ("The weight exp(-x).", "return np.logaddexp(0, x)", "import numpy as np", ""),
        ("The weight exp(-x).", "return scipy.stats.gamma(x)", "import scipy.stats", ""),
        ("The weight exp(-x).", "return g(x)", "def g(x):\n    return softmax(x)", ""),
        ("The weight, not exp(-x).", "return 1 / (1 + x)", "", ""),
        ("Sorts x in O(n log(n)).", "return sorted(x)", "", ""),
        ("Split a training log (text) into its lines.", "return x.split()", "", ""),
        ("Split the log(s) into lines.", "return x.split()", "", ""),
        ("Names of the rows of one exp (experiment).", "return list(x)", "", ""),
        ("The odds; their logarithm is log(p) - log(1 - p).", "return x / (1 - x)", "", ""),
        ("The odds, whose logarithm is log(p) - log(1 - p).", "return x / (1 - x)", "", ""),
        ("The odds. The logarithm is log(p) - log(1 - p).", "return x / (1 - x)", "", ""),
        ("The length sqrt(x^2).", "return x + 0", "", "sqrt()"),
        ("The length sqrt(x^2).", "return abs(x)", "", ""),
        ("The form x^T S^-1 x.", "return x @ S @ x", "", "an inverse"),
        ("The form x^T S^-1 x.", "return x @ np.linalg.solve(S, x)", "import numpy as np", ""),
        ("Replace each name by the word HIDDEN.", "return x.strip()", "", "HIDDEN"),
        ("Replace each name by the word HIDDEN.", "return x.replace('me', WORD)", "WORD = 'HIDDEN'", ""),
        ("Replace each name with NULL.", "return x.strip()", "", ""),
    ],
)
def test_what_nothing_can_compute_or_give(tmp_path: Path, docstring: str, body: str, head: str, told: str) -> None:
    reason = found(tmp_path, function(docstring, body, head))
    assert told in reason
    assert bool(told) == bool(reason)


COUNTER = '''
import threading


class Counter:
    """Thread-safe counter of keys."""

    def __init__(self):
        self.counts = {}

    def add(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1
        return self.counts[key]

    def top(self):
        return max(self.counts)
'''


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"self.counts[key] = self.counts.get(key, 0) + 1": "self.counts[key] += 1"},
        {"Thread-safe counter of keys": "Counts keys. It is safe for concurrent use"},
    ],
)
def test_what_several_threads_change_at_once(tmp_path: Path, change: dict[str, str]) -> None:
    text = COUNTER
    for old, new in change.items():
        text = text.replace(old, new)
    assert "two threads" in found(tmp_path, text, "Counter")
    assert "two threads" in found(tmp_path, text, "Counter.add")
    assert found(tmp_path, text, "Counter.top") == ""


@pytest.mark.parametrize(
    "change",
    [
        {"Thread-safe": "Not a thread-safe"},
        {"keys.": "keys, as long as one thread adds."},
        {"Counter:": "Counter(threading.local):"},
        {"Counter:": "Counter(Unknown):"},
        {"    def add": "    @synchronized\n    def add"},
        {"self.counts = {}": "self.counts = {}\n        self.lock = threading.Lock()"},
        {"self.counts[key] = self.counts.get(key, 0) + 1": "self.counts[key] = 1"},
        {"self.counts[key] = self.counts.get(key, 0) + 1": "self._done.acquire()\n        self.counts[key] += 1"},
    ],
)
def test_what_is_guarded_or_not_said_to_be(tmp_path: Path, change: dict[str, str]) -> None:
    text = COUNTER
    for old, new in change.items():
        text = text.replace(old, new)
    assert found(tmp_path, text, "Counter") == ""


VOCABULARY = '''
class Vocabulary:
    """Words by number. Safe for concurrent use."""

    def __init__(self, words):
        self.size, self.numbers = 0, {}
        self._fill(words)

    def _fill(self, words):
        for word in words:
            self._add(word)

    def _add(self, word):
        self.numbers[word] = self.size
        self.size += 1

    def number(self, word):
        return self.numbers[word]
'''


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, False),
        ({"_add(": "add("}, True),
        ({"        return self": "        self._add(word)\n        return self"}, True),
        ({"for word in words:\n            self._add(word)": "self.each = self._add"}, True),
        ({"        self._fill(words)": "        pass"}, True),
        ({"class V": "def more(v):\n    v._add('x')\n\n\nclass V", "return self": "return more(self) or self"}, True),
        ({"_add(": "__call__("}, True),
    ],
)
def test_what_changes_only_while_it_is_made(tmp_path: Path, change: dict[str, str], told: bool) -> None:
    text = VOCABULARY
    for old, new in change.items():
        text = text.replace(old, new)
    assert bool(found(tmp_path, text, "Vocabulary")) == told


RANKED = '''
def f(scores, reverse=False, key=None):
    """Return the names ordered by score.

    Args:
        scores: names with their scores.
        reverse: if true, the highest score first.
        key: optional function applied to every score.
    """
    return sorted(scores, key=lambda name: scores[name])
'''
KEPT = """
def f(boxes, scores):
    '''Indices of the kept boxes, by falling score.'''
    return [i for i, box in enumerate(boxes) if box]
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (RANKED, "reverse"),
        (RANKED.replace("name])", "name], reverse=reverse)"), "key"),
        (RANKED.replace("        reverse:", "        reverse (bool):"), "reverse"),
        (RANKED.replace("    Args:\n", "").replace("    reverse: ", ":param reverse: "), "reverse"),
        (KEPT, "scores"),
    ],
)
def test_what_is_documented_and_never_looked_at(tmp_path: Path, text: str, name: str) -> None:
    assert f"looks at {name}" in found(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        RANKED.replace("highest score first.", "highest score first (not used yet).").replace("key:", "keys:"),
        RANKED.replace("optional function applied to every score.", "ignored, for compatibility."),
        RANKED.replace("    return sorted", "    raise NotImplementedError\n    return sorted"),
        RANKED.replace("    return sorted", "    print(locals())\n    return sorted"),
        RANKED.replace("\ndef f", "\n@register\ndef f"),
        KEPT.replace("if box", "if box and scores"),
        KEPT.replace(", by falling score", ""),
    ],
)
def test_what_is_documented_as_of_no_effect(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == ""


NEGATIVE = "Shortest distances; edges are (u, v, w). Raises ValueError on a negative cycle."
RELAXED = "for u, v, w in x:\n        d[v] = min(d[v], d[u] + w)\n    return d"


@pytest.mark.parametrize(
    ("docstring", "body", "kept"),
    [
        (NEGATIVE, RELAXED, False),
        (NEGATIVE, RELAXED.replace("return d", "if d[0] < 0:\n        raise ValueError(x)\n    return d"), True),
        ("Shortest distances. Raises ValueError if an edge is no triple.", RELAXED, True),
        ("Shortest distances. Raises ValueError for malformed edges.", RELAXED, True),
        ("The larger ones. Raises ValueError for a negative one.", "return max(x)", True),
        ("The larger one. Raises ValueError for a negative one.", "return max(x, 1)", False),
        ("Cuts. Raises ValueError for text without a colon.", "a, b = x.split(':')\n    return a", True),
    ],
)
def test_what_only_a_wrong_form_raises_is_not_what_is_said(
    tmp_path: Path, docstring: str, body: str, kept: bool
) -> None:
    assert (found(tmp_path, function(docstring, body, parameters="x, d")) == "") is kept
