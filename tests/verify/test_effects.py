"""What documentation promises beside a result: exceptions, arguments that stay, copies; and which calls refute it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.code.units import read_units
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped

HEAD = "import math\nimport numpy as np\n\n"


def refuted(folder: Path, parameters: str, docstring: str, body: str, *arguments: Any) -> set[str]:
    """The kinds of promises of a function that a call refutes, or one that is much like it."""
    text = f'def f({parameters}):\n    """{docstring}"""\n    {body}\n'
    (folder / "m.py").write_text(HEAD + text)
    unit = next(unit for unit in read_units(folder).units if unit.kind == "function")
    found = set()
    for kind in ("same", "probe"):
        names, record = dict[str, Any](), Record()
        exec(HEAD + text, names)  # noqa: S102 -- the text is this file's
        wrapped(kind, dumped(promises(unit)), record)(names["f"])(*arguments)
        found |= {one["kind"] for one in record.report()["refuted"]}
    return found


def added(body: str = "") -> str:
    return f"{body}; return x + 1" if body else "return x + 1"


REFUSED = "if {}:\n        raise ValueError(b)\n    return a / (b or 1)"
NEGATIVE = (
    "Adds one. Raises ValueError if x is negative.",
    "Adds one.\n\n    Raises:\n        ValueError: If `x` is negative.\n    ",
    "Adds one.\n\n    Raises\n    ------\n    ValueError\n        If x is less than 0.\n    ",
    "Adds one.\n\n    :param x: a number\n    :raises ValueError: if x < 0\n    ",
    "Adds one; a ValueError is raised for negative x.",
    "Adds one. Raises ValueError when the value is negative.",
    "Adds one. Raises ValueError if x is negative or zero.",
)


@pytest.mark.parametrize("docstring", NEGATIVE)
def test_an_exception_that_is_not_raised_refutes(tmp_path: Path, docstring: str) -> None:
    assert refuted(tmp_path, "x", docstring, added(), 3) == {"raises"}
    guard = "if x <= 0:\n        raise ValueError(x)\n    return x + 1"
    assert refuted(tmp_path, "x", docstring, guard, 3) == set()


@pytest.mark.parametrize(
    ("parameters", "docstring", "body", "arguments"),
    [
        (
            "values",
            "Mean.\n\n    Raises:\n        ValueError: If values is empty.\n    ",
            "return sum(values)",
            [[1, 2]],
        ),
        ("values", "Mean. Raises ValueError if the list is empty.", "return sum(values)", [(1, 2)]),
        ("a, b", "Ratio. Raises ZeroDivisionError if b is zero.", "return a / b if b else 0", [1, 2.0]),
        ("a, b", "Sum.\n\n    :raises TypeError: if b is None\n    ", "return a + (b or 0)", [1, 2]),
        ("a, b", "Sum. Raises IndexError if a is empty.", "return len(a) + b", [np.array([1.0]), 2]),
        ("a, b", "Ratio. Raises ValueError if b is not positive.", REFUSED.format("b == 0"), [1, 2.0]),
        ("a, b", "Ratio. Raises ValueError if b is not positive.", REFUSED.format("b < 0"), [1, 2.0]),
        ("a, b", "Span. Raises ValueError if b is not above a.", REFUSED.format("b == a"), [1, 2]),
        ("a, b", "Span. Raises ValueError if b is not above a.", REFUSED.format("b < a"), [1, 2]),
        ("a, b", "Span. Raises ValueError if b is less than a.", REFUSED.format("b == a"), [1, 2]),
        ("a, b", "Span. Raises ValueError if b <= a.", REFUSED.format("b < a"), [1.0, 2.0]),
    ],
)
def test_other_values_that_must_raise(
    tmp_path: Path, parameters: str, docstring: str, body: str, arguments: list[Any]
) -> None:
    assert refuted(tmp_path, parameters, docstring, body, *arguments) == {"raises"}


@pytest.mark.parametrize(
    "docstring",
    [
        "Adds one. Does not raise ValueError if x is negative.",
        "Adds one. Raises ValueError if x is negative and strict.",
        "Adds one. Raises ValueError if x is not above other.",
        "Adds one. Raises ValueError if x is not above the length of x.",
        "Adds one. Raises ValueError if x is below x.",
        "Adds one. Raises ValueError if x is negative unless told otherwise.",
        "Adds one. Raises ValueError if x is not negative.",
        "Adds one. Raises ValueError if x is negative-definite.",
        "Adds one. Raises ValueError if x is nonnegative.",
        "Adds one. Raises ValueError if the other is negative.",
        "Adds one. Raises ValueError if x is negatively charged.",
        "Adds one. Raises ValueError if x - 1 is negative.",
        "Adds one. See ValueError if x is negative.",
        "Adds one. Raises ValueError if x is empty.",
        "Adds one.\n\n    Raises:\n        ValueError: for odd x, when x is negative\n    ",
    ],
)
def test_what_is_not_plain_or_does_not_fit_promises_no_exception(tmp_path: Path, docstring: str) -> None:
    assert refuted(tmp_path, "x", docstring, added(), 3) == set()


@pytest.mark.parametrize(
    ("docstring", "body", "kind"),
    [
        ("Sorted values. Does not modify its argument.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values, without changing x.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values. The input is not modified.", "x.sort(); return list(x)", "unchanged"),
        ("A new list; the given list is not changed.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values; x is left unchanged.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values, leaving x as it was.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values, without side effects.", "x.sort(); return list(x)", "unchanged"),
        ("A pure function: sorted values.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values. The caller's list is none the worse for it.", "x.sort(); return list(x)", "unchanged"),
        ("Sorted values, as a fresh list.", "x.sort(); return x", "new"),
        ("Works on a copy of x, sorted.", "x.sort(); return x", "new"),
        ("Returns a new list of the values in order.", "x.sort(); return x", "new"),
        ("Returns a copy of x in order.", "x.sort(); return x", "new"),
        ("Sorts the values in place.", "return sorted(x)", "in_place"),
    ],
)
def test_an_effect_is_refuted(tmp_path: Path, docstring: str, body: str, kind: str) -> None:
    assert refuted(tmp_path, "x", docstring, body, [3, 1, 2]) == {kind}
    assert refuted(tmp_path, "x", docstring, body, np.array([3, 1, 2])) <= {kind}


@pytest.mark.parametrize(
    ("docstring", "body"),
    [
        ("Sorted values. Does not modify its argument.", "return sorted(x)"),
        ("Sorted values. Does not modify the order of ties.", "x.sort(); return x"),
        ("Sorted values. Does not change x if copy is set.", "x.sort(); return x"),
        ("Sorted values. Does not modify the input shape.", "x.sort(); return x"),
        ("Sorted values. y is not modified.", "x.sort(); return x"),
        ("Sorted values. Leaves ties alone.", "x.sort(); return x"),
        ("The order that leaves x unchanged.", "x.sort(); return x"),
        ("Returns a new list of the values in order.", "return sorted(x)"),
        ("Returns the list of the values in order.", "x.sort(); return x"),
        ("Sorts the values in place.", "x.sort(); return x"),
        ("Sorts the values in place.", "x.sort()"),
        ("Sorts the values, not in place.", "return sorted(x)"),
        ("Sorts the values. Use list.sort instead of this to sort in place.", "return sorted(x)"),
        ("Sorts the values in place if inplace=True.", "return sorted(x)"),
    ],
)
def test_an_honest_effect_is_not_refuted(tmp_path: Path, docstring: str, body: str) -> None:
    assert refuted(tmp_path, "x", docstring, body, [3, 1, 2]) == set()


@pytest.mark.parametrize(
    "docstring",
    [
        "The smallest values; never more than k.",
        "At most k items.",
        "Returns at most `k` results, the smallest first.",
        "The smallest (no more than k).",
    ],
)
def test_a_result_of_more_items_than_was_said(tmp_path: Path, docstring: str) -> None:
    values = [5, 4, 3, 2, 1]
    assert refuted(tmp_path, "x, k", docstring, "return sorted(x)[:max(k, 3)]", values, 4) == {"at_most"}
    assert refuted(tmp_path, "x, k", docstring, "return sorted(x)[:k + 1]", values, 1) == {"at_most"}
    assert refuted(tmp_path, "x, k", docstring, "return sorted(x)[:k]", values, 4) == set()


@pytest.mark.parametrize(
    "docstring",
    [
        "Groups of at most k.",
        "The values in chunks; never longer than k.",
        "Tries again, at most k times.",
        "Values of at most k.",
        "Values; at most k if k is set.",
    ],
)
def test_what_is_bounded_is_not_the_result(tmp_path: Path, docstring: str) -> None:
    assert refuted(tmp_path, "x, k", docstring, "return sorted(x)[:max(k, 3)]", [5, 4, 3, 2, 1], 2) == set()


@pytest.mark.parametrize(
    ("name", "parameters", "right", "wrong", "arguments"),
    [
        ("f1_score", "tp, fp, fn", "2 * tp / (2 * tp + fp + fn)", "tp / (tp + fp + fn)", [3, 2, 4]),
        ("f1", "precision, recall", "2 * precision * recall / (precision + recall)", "precision * recall", [0.5, 0.8]),
        ("precision", "tp, fp", "tp / (tp + fp)", "fp / (tp + fp)", [3, 2]),
        ("compute_recall", "tp, fn", "100 * tp / (tp + fn)", "tp / fn", [3, 2]),
        ("specificity", "tn, fp", "tn / (tn + fp)", "tn / fp", [3, 2]),
        ("accuracy", "tp, tn, fp, fn", "(tp + tn) / (tp + tn + fp + fn)", "tp / (tp + tn + fp + fn)", [3, 2, 1, 1]),
        ("iou", "tp, fp, fn", "tp / (tp + fp + fn)", "tp / (fp + fn)", [3, 2, 4]),
        ("mean", "*values", "sum(values) / len(values)", "sum(values) / (len(values) + 1)", [1.0, 2.0, 6.0]),
        ("mean", "*values", "sum(values) / len(values)", "sum(values) / (len(values) + 1)", [1.0]),
        ("median", "*values", "sorted(values)[len(values) // 2]", "values[0]", [5.0, 2.0, 3.0]),
    ],
)
def test_a_definition_of_other_parameters(
    tmp_path: Path, name: str, parameters: str, right: str, wrong: str, arguments: list[float]
) -> None:
    for number, (result, kinds) in enumerate(((right, set()), (wrong, {"definition"}))):
        text = f"def {name}({parameters}):\n    return {result}\n"
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "m.py").write_text(text)
        (unit,) = [unit for unit in read_units(folder).units if unit.kind == "function"]
        names, record = dict[str, Any](), Record()
        exec(text, names)  # noqa: S102 -- the text is this file's
        wrapped("same", dumped(promises(unit)), record)(names[name])(*arguments)
        assert {one["kind"] for one in record.report()["refuted"]} == kinds


@pytest.mark.parametrize(
    ("docstring", "body"),
    [
        ("Sort.\n\n    See Also\n    --------\n    a.sort : Method to sort in-place.\n    ", "return sorted(x)"),
        ("The folder is left in place.", "return sorted(x)"),
        ("Sort.\n\n    Args:\n        x: Returns a new list of it.\n    ", "x.sort(); return x"),
        ("Sort.\n\n    :param x: values. Does not change x.\n    ", "x.sort(); return x"),
    ],
)
def test_what_is_said_of_others_promises_nothing(tmp_path: Path, docstring: str, body: str) -> None:
    assert refuted(tmp_path, "x", docstring, body, [3, 1, 2]) == set()


@pytest.mark.parametrize(
    ("parameters", "body", "arguments", "told"),
    [
        ("text", "return len(set(text.split()))", ["a b a"], {"caseless"}),
        ("text", "return len(set(text.lower().split()))", ["a b a"], set()),
        ("path, word", "return 3 if path == '/data/a' else 0", ["/data/a", "b"], set()),
        ("text, word", "return text.count(word)", ["a b a", "a"], set()),
        ("text", "return len(set(text.split()))", ["é b é"], set()),
    ],
)
def test_case_is_tried_where_one_text_is_given(
    tmp_path: Path, parameters: str, body: str, arguments: list[str], told: set[str]
) -> None:
    assert refuted(tmp_path, parameters, "Count words, ignoring case.", body, *arguments) == told
    assert refuted(tmp_path, parameters, "Number of words, in upper or lower case.", body, *arguments) == told
    assert not refuted(tmp_path, parameters, "Writes words in upper or lower case.", body, *arguments)


ROWS = "One-hot rows for integer labels in 0 .. n - 1; labels outside of that range raise ValueError."
ROW = "out = np.zeros((len(labels), n)); out[np.arange(len(labels)), labels] = 1; return out"
CHECKED = "labels = list(labels)\n    if not all(0 <= k < n for k in labels):\n        raise ValueError(n)\n    " + ROW
SHARE = "The part of a; share must lie in [0, 1], other values raise ValueError."
IN_OTHER_WORDS: list[tuple[str, str, str, str, list[Any]]] = [
    # parameters, documentation, what is wrong, what is right, a call
    ("x", "Adds one; a negative x raises ValueError.", "return x + 1", "return math.sqrt(x) ** 2 + 1", [3]),
    ("x", "Adds one. Negative numbers are refused with a ValueError.", "return x + 1",
     "if x < 0:\n        raise ValueError(x)\n    return x + 1", [3]),
    ("x", "Adds one, with a ValueError for negative x.", "return x + 1", "return math.sqrt(x) ** 2 + 1", [3]),
    ("x", "Adds one (ValueError if x is negative).", "return x + 1", "return math.sqrt(x) ** 2 + 1", [3]),
    ("x", "Adds one. If x is negative, a ValueError is raised.", "return x + 1", "return math.sqrt(x) ** 2 + 1", [3]),
    ("w", "The last one; an empty list raises IndexError.", "return (w or [0])[-1]", "return w[-1]", [[3]]),
    ("w", "The last one, with an IndexError for an empty list.", "return (w or [0])[-1]", "return w[-1]", [[3]]),
    ("a, b", "Ratio. A b of zero gives a ZeroDivisionError.", "return a / b if b else 0", "return a / b", [1, 2]),
    ("labels, n", ROWS, ROW, CHECKED, [[0, 2, 1], 3]),
    ("labels, n", ROWS, ROW, CHECKED, [np.array([0, 2, 1]), 3]),
    ("a, share", SHARE.replace(", other", ". Other"), "return a * share",
     "if not 0 <= share <= 1:\n        raise ValueError(share)\n    return a * share", [3.0, 0.5]),
    ("k", "The k-th letter, k between 0 and 25; anything else raises KeyError.", "return 'abcdefgh'[k % 8]",
     "return dict(enumerate('abcdefghijklmnopqrstuvwxyz'))[k]", [3]),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "documentation", "wrong", "right", "call"), IN_OTHER_WORDS)
def test_an_exception_in_another_order_of_words(
    tmp_path: Path, parameters: str, documentation: str, wrong: str, right: str, call: list[Any]
) -> None:
    assert refuted(tmp_path, parameters, documentation, wrong, *call) == {"raises"}
    assert refuted(tmp_path, parameters, documentation, right, *call) == set()


@pytest.mark.parametrize(
    ("parameters", "documentation", "body", "call"),
    [
        ("x", "Adds one; a negative x may raise ValueError.", "return x + 1", [3]),
        ("x", "Adds one; a negative x raises no ValueError.", "return x + 1", [3]),
        ("x", "Adds one; a negative x raises ValueError in g.", "return x + 1", [3]),
        ("x", "Adds one; a negative x raises ValueError if strict is set.", "return x + 1", [3]),
        ("x", "Adds one; an x of zero length raises ValueError.", "return x + 1", [3]),
        ("x", "Adds one. Catches ValueError for negative x.", "return x + 1", [3]),
        ("x", "Adds one, unlike g, with its ValueError for negative x.", "return x + 1", [3]),
        ("x", "Adds one. A negative y raises ValueError, a large x as well.", "return x + 1", [3]),
        ("w, k", "The last ones; an empty list raises IndexError.", "return w[-k:]", [[3], 1]),
        ("labels, n", ROWS.replace("raise", "never raise"), ROW, [[0, 2, 1], 3]),
        ("labels, n", ROWS.replace("labels outside of that range", "ids outside of that range"), ROW, [[0, 2, 1], 3]),
        ("labels, n", "Rows for labels in 0 .. m; labels outside of that range raise ValueError.", ROW, [[0, 1], 2]),
        ("labels, n", ROWS.replace("in 0 .. n - 1", "in any order"), ROW, [[0, 2, 1], 3]),
        ("labels, n", ROWS, ROW, [[5, -2], 9]),
        ("a, share", "Part of a. Numbers in [0, 1] are shares; other values raise ValueError.", "return a * share",
         [3.0, 0.5]),
        ("x", "Adds one. If x is negative or strict, a ValueError is raised.", "return x + 1", [3]),
        ("a, share", "share is in [0, 1] by default; other values raise ValueError if strict.", "return a * share",
         [3.0, 0.5]),
    ],
)  # fmt: skip
def test_words_that_promise_no_exception_for_this_case(
    tmp_path: Path, parameters: str, documentation: str, body: str, call: list[Any]
) -> None:
    assert refuted(tmp_path, parameters, documentation, body, *call) == set()


OF_ITEMS = "if {}:\n        raise ValueError(h)\n    return [x / (sum(h) or 1) for x in h]"


@pytest.mark.parametrize(
    ("documentation", "right", "wrong"),
    [
        ("Shares. Raises ValueError if any of the h is negative.", "min(h) < 0", "sum(h) < 0"),
        ("Shares. Raises ValueError if one of `h` is not positive.", "min(h) <= 0", "min(h) < 0"),
        ("Shares. Raises ValueError if any of the h are zero.", "0 in h", "sum(h) == 0"),
        ("Shares. Raises ValueError if h contains a negative value.", "min(h) < 0", "h[-1] < 0"),
        ("Shares; a ValueError is raised if any of the h is negative.", "min(h) < 0", "False"),
        ("Shares.\n\n    :raises ValueError: if h has negative entries\n    ", "min(h) < 0", "False"),
    ],
)
def test_an_exception_for_one_of_several_is_asked_for(
    tmp_path: Path, documentation: str, right: str, wrong: str
) -> None:
    for call in ([4, 2, 5], [0.5, 2.5]):
        assert refuted(tmp_path, "h", documentation, OF_ITEMS.format(wrong), call) == {"raises"}
        assert refuted(tmp_path, "h", documentation, OF_ITEMS.format(right), call) == set()


@pytest.mark.parametrize(
    ("documentation", "call"),
    [
        ("Shares. Raises ValueError if any of the h is negative and strict is set.", [4, 2]),
        ("Shares. Raises ValueError unless any of the h is negative.", [4, 2]),
        ("Shares. Raises ValueError if any of the g is negative.", [4, 2]),
        ("Shares. Raises no ValueError if any of the h is negative.", [4, 2]),
        ("Shares. Raises ValueError if any of the h is negative.", [4, 0, 2]),
        ("Shares. Raises ValueError if any of the h is negative.", [[4], [2]]),
        ("Shares. Raises ValueError if a negative value is expected.", [4, 2]),
    ],
)
def test_an_exception_for_several_that_is_not_plain_is_none(tmp_path: Path, documentation: str, call: Any) -> None:
    assert refuted(tmp_path, "h", documentation, "return [*h]", call) == set()


def test_a_parameter_of_several_is_known_by_one(tmp_path: Path) -> None:
    told = "Shares. Raises ValueError if any weight is negative."
    assert refuted(tmp_path, "weights", told, "return [*weights]", [4, 2]) == {"raises"}
    assert refuted(tmp_path, "heights", told, "return [*heights]", [4, 2]) == set()
