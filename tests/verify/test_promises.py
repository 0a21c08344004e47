"""What name and documentation promise of a result, and which results refute it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.code.units import read_units
from agents.code.verify.promises import Promise, PromiseKind, dumped, promises
from agents.execution.harness.inside.definitions import DEFINITIONS
from agents.execution.harness.inside.promises import check
from agents.execution.harness.inside.values import Record, wrapped
from kg.models.code import CodeUnit

HEAD = "import math\nimport numpy as np\n\n"


def unit_of(folder: Path, text: str) -> CodeUnit:
    (folder / "m.py").write_text(HEAD + text)
    return next(unit for unit in read_units(folder).units if unit.kind in {"function", "method"})


def promised(folder: Path, text: str, paper: tuple[str, ...] = ()) -> set[str]:
    return {str(promise.kind) for promise in promises(unit_of(folder, text), paper)}


def refuted(folder: Path, text: str, *arguments: Any) -> set[str]:
    """The kinds of promises of the first function that its result on `arguments` refutes, seen from outside."""
    unit, names, record = unit_of(folder, text), dict[str, Any](), Record()
    exec(HEAD + text, names)  # noqa: S102 -- the text is this file's
    wrapped("same", dumped(promises(unit)), record)(names[unit.name])(*arguments)
    return {one["kind"] for one in record.report()["refuted"]}


def said(docstring: str, result: str, parameters: str = "x") -> str:
    return f'def f({parameters}):\n    """{docstring}"""\n    return {result}'


X = [0.5, -1.0, 2.5]
M = np.array([[0.5, -1.0, 2.5], [0.1, 0.2, 0.3]])
REFUTED = [
    ("def softmax(x):\n    return x / np.sum(x)", [M], "definition"),
    ("def softmax(x):\n    return [1 / len(x) for _ in x]", [X], "definition"),
    ("def log_softmax(x):\n    return np.exp(x) / np.exp(x).sum()", [M], "definition"),
    ("def sigmoid(x):\n    return np.tanh(x)", [M], "definition"),
    ("def logistic(x):\n    return 1 / (1 + math.exp(x))", [2.0], "definition"),
    ("def relu(x):\n    return np.abs(x)", [M], "definition"),
    ("def cosine_similarity(a, b):\n    return float(np.dot(a, b))", [X, [1.0, 2.0, 0.5]], "definition"),
    ("def euclidean_distance(a, b):\n    return float(np.abs(np.array(a) - b).sum())", [X, [1, 2, 0]], "definition"),
    ("def manhattan_distance(a, b):\n    return float(np.linalg.norm(np.array(a) - b))", [X, [1, 2, 0]], "definition"),
    ("def mean(x):\n    return sum(x) / (len(x) + 1)", [X], "definition"),
    ("def variance(x):\n    return float(np.std(x))", [X], "definition"),
    ("def std(values, ddof=1):\n    return float(np.var(values))", [X], "definition"),
    ("def median(x):\n    return sum(x) / len(x)", [[1.0, 2.0, 9.0]], "definition"),
    ("def mse(y, p):\n    return float(np.abs(np.array(y) - p).mean())", [X, [1.0, 5.0, 0.0]], "definition"),
    ("def rmse(y, p):\n    return float(((np.array(y) - p) ** 2).mean())", [X, [1.0, 5.0, 0.0]], "definition"),
    ("def mae(y, p):\n    return float(((np.array(y) - p) ** 2).mean())", [X, [1.0, 5.0, 0.0]], "definition"),
    ("def dot(a, b):\n    return [x * y + 1 for x, y in zip(a, b)][0]", [X, [1.0, 2.0, 3.0]], "definition"),
    ("def entropy(p):\n    return sum(q * q for q in p)", [[0.2, 0.3, 0.5]], "definition"),
    ("def factorial(n):\n    return n * (n - 1)", [5], "definition"),
    ("def gcd(a, b):\n    return a * b", [4, 6], "definition"),
    ("def fibonacci(n):\n    return 2 ** n", [10], "definition"),
    (said("Cosine similarity of a and b, between 0 and 1.", "1.5", "a, b"), [X, X], "between"),
    (said("Score.\n\n    Returns:\n        A value in [0, 1].\n    ", "1.5"), [X], "between"),
    (said("Rank.\n\n    Returns\n    -------\n    float\n        Score between -1 and 1\n    ", "-2"),
     [X], "between"),
    (said("Scale.\n\n    :param a: in [0, 5]\n    :return: float in the range [0, 1]\n    ", "5.0"),
     [X], "between"),
    (said("Returns a non-negative number.", "-1"), [X], "non_negative"),
    (said("Compute scores. The result is strictly positive.", "[0.0, -1.0]"), [X], "positive"),
    (said("Return weights that sum to one.", "np.array([0.5, 0.6])"), [X], "sums_to_one"),
    (said("Return a vector with unit norm.", "np.array([0.5, 0.6])"), [X], "unit_norm"),
    (said("Compute a symmetric distance matrix.", "np.array([[0, 1], [2, 0]])"), [X], "symmetric"),
    (said("Compute an orthonormal basis.", "np.array([[1.0, 1.0], [0.0, 1.0]])"), [X],
     "orthonormal"),
    (said("Return a sorted list.", "[3, 1, 2]"), [X], "sorted"),
    (said("Return values sorted in descending order.", "[1, 2, 3]"), [X], "sorted"),
    (said("Return the highest scores in descending order.", "[1, 2]", "values, count"), [X, 2], "sorted"),
    (said("Filter.\n\n    Returns:\n        An array with the same shape as a.\n    ", "a[:1]", "k, a"),
     [1, M], "same_shape"),
    (said("Returns an integer.", "1.5"), [X], "integer"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "arguments", "kind"), REFUTED, ids=lambda v: str(v)[:60])
def test_a_plain_promise_is_refuted(tmp_path: Path, text: str, arguments: list[Any], kind: str) -> None:
    assert refuted(tmp_path, text, *arguments) == {kind}


HONEST = [
    ("def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum(axis, keepdims=True)", [M]),
    ("def softmax(x):\n    e = np.exp(x)\n    return e / e.sum(0)", [M]),
    ("def softmax(x):\n    e = np.exp(x)\n    return e / e.sum((1, 2), keepdims=True)", [M.reshape(1, 2, 3)]),
    ("def softmax(x, temperature=2.0):\n    e = np.exp(np.array(x) / temperature)\n    return e / e.sum()", [X]),
    ("def softmax(x, mask):\n    e = np.exp(x) * mask\n    return e / e.sum()", [X, [1, 0, 1]]),
    ("def softmax(x):\n    e = np.exp(x.astype(np.float16) - 1)\n    return e / e.sum()", [M]),
    ("def softmax(x):\n    x -= x.max()\n    np.exp(x, out=x)\n    x /= x.sum()\n    return x", [M.copy()]),
    ("def softmax(x):\n    return [1.0, 0.0]", [[float("inf"), 1.0]]),
    ("def sigmoid(x, slope=3):\n    return 1 / (1 + np.exp(-slope * x))", [M]),
    ("def relu(x, leak=0.1):\n    return np.where(x > 0, x, leak * x)", [M]),
    ("def mean(x, weights):\n    return float(np.average(x, weights=weights))", [X, [1, 2, 3]]),
    ("def mean(x, axis=None):\n    return x.mean(axis)", [M]),
    ("def mean(x):\n    return x.mean(1)", [M]),
    ("def mean(quaternions):\n    return np.array([1.0, 0.0, 0.0])", [M]),
    ("def std(x):\n    return float(np.std(x, ddof=1))", [X]),
    ("def variance(x):\n    return x.var(0)", [M]),
    ("def median(x):\n    return sorted(x)[len(x) // 2]", [[4.0, 1.0, 2.0, 9.0]]),
    ("def entropy(p):\n    return -sum(q * math.log2(q) for q in p)", [[0.2, 0.3, 0.5]]),
    ("def entropy(labels):\n    return 1.5", [[1, 0, 0]]),
    ("def entropy(logits):\n    return 1.5", [[0.3, 0.7]]),
    ("def cosine_similarity(a, b):\n    n = np.linalg.norm\n    return a @ b.T / np.outer(n(a, axis=1), n(b, axis=1))",
     [M, M[:1]]),
    ("def cosine_similarity(a, b):\n    return 0.0", [[0.0, 0.0], [1.0, 2.0]]),
    ("def euclidean_distance(a, b):\n    return np.linalg.norm(a - b, axis=1)", [M, M + 1]),
    ("def mse(a, b):\n    return ((a - b) ** 2).mean(0)", [M, 2 * M]),
    ("def dot(a, b):\n    return a @ b", [M, M.T]),
    ("def fibonacci(n):\n    a, b = 1, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a", [10]),
    ("def fibonacci(n):\n    return [0, 1, 1]", [3]),
    ("def factorial(n):\n    return math.factorial(n)", [7]),
    (said("Return log-probabilities, which lie between 0 and 1 once exponentiated.", "-2.0"), [X]),
    (said("Return x dropped out with a probability p between 0 and 1.", "3.0", "p, x"), [0.5, 2.0]),
    (said("Scale.\n\n    Args:\n        x: scores in [0, 1]\n    ", "3.0"), [X]),
    (said("Scale.\n\n    :param x: float in [0, 1]\n    :return: the scale\n    ", "3.0"), [X]),
    (said("Cosine similarity, between -1 and 1.", "-1.0000001"), [X]),
    (said("Distances normalised by the largest. The result is not between 0 and 1.", "2.0"), [X]),
    (said("Return a score between 0 and 1 if x is normalised.", "2.0"), [X]),
    (said("Return the number of values between 0 and 1.", "7"), [X]),
    (said("Return the angle, between 0 and 2 pi.", "5.0"), [X]),
    (said("Returns whether all scores are in [0, 1].", "3"), [X]),
    (said("Return the factorial of a non-negative integer.", "-1"), [X]),
    (said("Returns the positive class.", "-1"), [X]),
    (said("Return the indices of the scores in descending order.", "[1, 2]"), [X]),
    (said("Return the eigenvectors in descending order.", "[1, 2]"), [X]),
    (said("Return the values in descending order of weight.", "[1, 2]"), [X]),
    (said("Return values given in descending order.", "[1, 2]"), [X]),
    (said("Return the sum of weights that should sum to one.", "[0.5, 0.6]"), [X]),
    (said("Return weights that sum to one.", "np.full((2, 3, 3), 1 / 9)"), [X]),
    (said("Return vectors with unit norm.", "np.array([[0.6, 0.8], [0.0, 0.0]])"), [X]),
    (said("Return a sorted list of pairs by key.", "[3, 1, 2]"), [X]),
    (said("Largest.\n\n    Returns:\n        An array with the same shape as x, one axis removed.\n    ", "1"),
     [M]),
    (said("Split.\n\n    Returns:\n        tuple: a score in [0, 1], and its error\n    ", "2.0, 9.0"),
     [X]),
    (said("Returns a integer dtype.", "1.5"), [X]),
    ('def f(x):\n    """Returns an integer."""\n    return "many"', [X]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "arguments"), HONEST, ids=lambda v: str(v)[:60])
def test_an_honest_unit_is_not_refuted(tmp_path: Path, text: str, arguments: list[Any]) -> None:
    assert refuted(tmp_path, text, *arguments) == set()


def test_what_is_no_plain_number_is_not_judged() -> None:
    promise = {"kind": "between", "args": [0.0, 1.0], "source": "docstring", "sentence": ""}
    endless: list[Any] = []
    endless.append(endless)
    for value in (endless, [[2.0] * 9999] * 9999, 10**400, np.inf, np.ones((2,) * 9) * 2, [[2.0], 2.0], {3: 4},
                  np.ma.masked_array([2.0]), np.array([2.0]).view(np.recarray), None, np.full(20000, 2.0)):  # fmt: skip
        assert check([promise], ((), {}), value) == []
    assert check([promise], ((), {}), [[[2.0]]])


def test_a_promise_says_where_it_was_read(tmp_path: Path) -> None:
    text = 'def softmax(x):\n    """Softmax. Returns values in [0, 1]."""\n    return 2 * x'
    assert promises(unit_of(tmp_path, text)) == (
        Promise(PromiseKind.DEFINITION, ("softmax",), "name", "softmax"),
        Promise(PromiseKind.BETWEEN, (0.0, 1.0), "docstring", "Returns values in [0, 1]."),
    )
    found = check(json.loads(dumped(promises(unit_of(tmp_path, text)))), ((X,), {}), X * 100)
    assert [one["kind"] for one in found] == ["between"]
    assert found[0]["found"].startswith("[0.5, -1.0, 2.5, ")
    assert len(found[0]["found"]) == 200


def test_a_paper_promises_what_its_sentence_says_of_what_the_unit_is_named_by(tmp_path: Path) -> None:
    text = "def word_similarity(a, b):\n    return 1.5"
    assert promised(tmp_path, text, ("The similarity lies between 0 and 1.",)) == {"between"}
    assert promised(tmp_path, text, ("The temperature lies between 0 and 1.",)) == set()
    assert promised(tmp_path, text, ("The similarity is usually between 0 and 1.",)) == set()


def test_nothing_is_promised_of_what_is_no_function(tmp_path: Path) -> None:
    assert promised(tmp_path, "def softmax(*x):\n    return x") == set()
    unit = unit_of(tmp_path, "def softmax(x):\n    return x")
    assert promises(unit.model_copy(update={"kind": "class"})) == ()
    assert promises(unit.model_copy(update={"signature": "softmax<T>(x)"})) == ()


def test_the_place_of_a_parameter_of_a_method_counts_its_object(tmp_path: Path) -> None:
    text = 'class A:\n    def f(self, x):\n        """Return an array of the same shape as x."""\n        return x[:1]'
    unit, names, record = unit_of(tmp_path, text), dict[str, Any](), Record()
    exec(HEAD + text, names)  # noqa: S102 -- the text is this file's
    names["A"].f = wrapped("same", dumped(promises(unit)), record)(names["A"].f)
    names["A"]().f(M)
    names["A"]().f(M)
    assert [(one["kind"], one["args"]) for one in record.report()["refuted"]] == [("same_shape", [[1, "x"]])]


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_no_definition_holds_of_a_constant(name: str) -> None:
    whole = {"factorial": [[6]], "gcd": [[12], [18]], "fibonacci": [[12]]}
    given = [[0.2, 0.3, 0.5], [0.9, 0.1, 0.4]][: DEFINITIONS[name][0]]
    arguments = tuple(one[0] for one in whole[name]) if name in whole else tuple(given)
    promise = {"kind": "definition", "args": [name], "source": "name", "sentence": name}
    assert any(check([promise], (arguments, {}), [-7.25] * length) for length in (1, 3))
