"""What sentences promise, and what they don't."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.stated import stated_promises
from kg.models.code import CodeUnit


def unit(tmp_path: Path, docstring: str = "", parameters: str = "x, y") -> CodeUnit:
    (tmp_path / "m.py").write_text(f'def f({parameters}):\n    """{docstring}"""\n    return 1\n')
    return next(found for found in read_units(tmp_path).units if found.symbol == "f")


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("The autocorrelation time is an affine-invariant measure.", "does not change under shift and scale"),
        ("It is invariant under translations of the data.", "does not change when all numbers are shifted"),
        ("The score is scale invariant.", "does not change when all numbers are scaled"),
        ("Pooling is invariant to the order of its inputs.", "does not change with the order"),
        ("Our kernel is symmetric and positive.", "is symmetric in its arguments"),
        ("We return a symmetric positive definite matrix.", "is a symmetric matrix"),
        ("The distance is zero if and only if the two are identical.", "is zero between equals alone"),
        ("The attention weights sum to one.", "sums to one"),
        ("The divergence is never negative.", "is never negative"),
        ("A monotonically increasing map of the scores.", "increases with its numbers"),
        ("Features are scaled to zero mean and unit variance.", "has mean 0 and deviation 1 along an axis"),
        ("The projection is idempotent.", "changes nothing when done again"),
        ("Embeddings are normalised to unit length.", "has length one"),
        ("Q is an orthogonal matrix.", "is orthonormal"),
        ("Rotations preserve the norm.", "keeps the length"),
        ("The operator is linear.", "is linear"),
        ("The similarity lies in [-1, 1].", "lies between -1 and 1"),
        ("Values range between 0 and 2.5 in all cases.", "lies between 0 and 2.5"),
    ],
)
def test_a_sentence_promises(tmp_path: Path, says: str, told: str) -> None:
    found = [promise for promise in stated_promises(unit(tmp_path), [says]) if promise.told == told]
    assert [promise.says for promise in found] == [says]


@pytest.mark.parametrize(
    "says",
    [
        "This representation would not be permutation-invariant.",
        "ESJD is not an affine-invariant measure of performance.",
        "The proposal is asymmetric.",
        "It converges without being monotonic.",
        "We train for 200 epochs.",
        "Normalizing flows model a complex probability distribution.",
    ],
)
def test_other_sentences_promise_nothing(tmp_path: Path, says: str) -> None:
    assert list(stated_promises(unit(tmp_path), [says])) == []


def test_a_docstring_promises_of_its_result_and_not_of_its_arguments(tmp_path: Path) -> None:
    text = "Weights.\n\n    Args:\n        x: shares between 0 and 1.\n    Returns:\n        They sum to one.\n    "
    assert [promise.told for promise in stated_promises(unit(tmp_path, text), ())] == ["sums to one"]


def test_shapes_in_and_out_are_promised(tmp_path: Path) -> None:
    text = "Means.\n\n    x: array of shape (n, d)\n    y: the rest\n\n    Returns: array of shape (d,)\n    "
    (promise,) = stated_promises(unit(tmp_path, text), ())
    assert promise.call == "invariances.shaped(unit, [['n', 'd'], []], ['d'], ARGS)"


def test_each_thing_is_promised_once(tmp_path: Path) -> None:
    assert len(list(stated_promises(unit(tmp_path, "Sums to one."), ["They sum to one.", "Sums to one"]))) == 1
