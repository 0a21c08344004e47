"""What a function promises by its name: textbook definitions, and what must hold of any result.

A promise is only a candidate. It serves if the unmutated unit keeps it on all arguments on which it runs at all; one
that is broken anywhere was misread, and none of its tests is used.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kg.models.code import CodeUnit

__all__ = ["Promise", "named_promises"]

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_BACK = (
    ("encode", "decode"), ("pack", "unpack"), ("serialize", "deserialize"), ("compress", "decompress"),
    ("forward", "inverse"), ("transform", "inverse_transform"), ("scale", "unscale"), ("normalize", "unnormalize"),
    ("normalize", "denormalize"), ("flatten", "unflatten"), ("quantize", "dequantize"), ("encrypt", "decrypt"),
    ("tokenize", "detokenize"), ("log", "exp"), ("logit", "sigmoid"), ("to", "from"),
)  # fmt: skip


@dataclass(frozen=True)
class Promise:
    """`call` is the check with ``unit`` and ``ARGS`` in it; `wants` says what kind of numbers; `told` is for people.

    It is about the first `count` parameters, and about functions that need no more; with `more`, about any number.
    `says` is the sentence that states it, empty if the name does. With `defines`, nothing else could keep it.
    """

    told: str
    call: str
    wants: str = "normal"
    count: int = 1
    more: bool = False
    says: str = ""
    defines: bool = False


def _element(name: str) -> Promise:
    return Promise(f"is {name} of each number", f"checks.by_element(unit, checks.{name}, ARGS)", defines=True)


def _row(name: str, told: str) -> Promise:
    return Promise(told, f"checks.by_row(unit, checks.{name}, ARGS)", defines=True)


def _two(name: str, told: str, wants: str = "normal") -> Promise:
    return Promise(told, f"checks.of_two(unit, checks.{name}, ARGS)", wants, 2, defines=True)


_NAMED: tuple[tuple[frozenset[str], Promise], ...] = tuple(
    (frozenset(words.split()), promise)
    for words, promise in (
        ("sigmoid", _element("sigmoid")),
        ("logistic", _element("sigmoid")),
        ("relu", _element("relu")),
        ("softplus", _element("softplus")),
        ("softmax", _row("softmax", "is the softmax along an axis")),
        ("standardize", _row("standard", "has mean 0 and deviation 1 along an axis")),
        ("zscore", _row("standard", "has mean 0 and deviation 1 along an axis")),
        ("cumsum", _row("cumulated", "is the running sum along an axis")),
        ("min max", _row("min_max", "spans 0 to 1 along an axis")),
        ("minmax", _row("min_max", "spans 0 to 1 along an axis")),
        ("mse", _two("mse", "is the mean squared error")),
        ("mean squared error", _two("mse", "is the mean squared error")),
        ("rmse", _two("rmse", "is the root of the mean squared error")),
        ("mae", _two("mae", "is the mean absolute error")),
        ("mean absolute error", _two("mae", "is the mean absolute error")),
        ("euclidean", _two("euclidean", "is the Euclidean distance")),
        ("l2 distance", _two("euclidean", "is the Euclidean distance")),
        ("manhattan", _two("manhattan", "is the Manhattan distance")),
        ("cosine similarity", _two("cosine", "is the cosine of the angle")),
        ("cos sim", _two("cosine", "is the cosine of the angle")),
        ("accuracy", _two("accuracy", "is the share of equal entries", "integer")),
        ("kl divergence", _two("kullback_leibler", "is the Kullback-Leibler divergence", "distribution")),
        (
            "distance",
            Promise("is symmetric, not negative, and 0 between equals", "checks.distance(unit, ARGS)", count=2),
        ),
        (
            "f1",
            Promise("is the harmonic mean of precision and recall", "checks.f1(unit, ARGS)", more=True, defines=True),
        ),
        (
            "zero imput",
            Promise(
                "keeps what is observed and puts 0 for what is not",
                'checks.imputed(unit, "zero", ARGS)',
                "missing",
                defines=True,
            ),
        ),
        (
            "forward imput",
            Promise(
                "keeps what is observed and repeats it where nothing is",
                'checks.imputed(unit, "forward", ARGS)',
                "missing",
                defines=True,
            ),
        ),
        (
            "linear imput",
            Promise(
                "keeps what is observed and interpolates linearly",
                'checks.imputed(unit, "linear", ARGS)',
                "missing",
                defines=True,
            ),
        ),
        (
            "imput",
            Promise(
                "keeps what is observed and leaves nothing missing", 'checks.imputed(unit, "any", ARGS)', "missing"
            ),
        ),
        (
            "forward fill",
            Promise(
                "keeps what is observed and repeats it where nothing is",
                'checks.imputed(unit, "forward", ARGS)',
                "missing",
                defines=True,
            ),
        ),
        (
            "interpolate",
            Promise(
                "keeps what is observed and interpolates linearly",
                'checks.imputed(unit, "linear", ARGS)',
                "missing",
                defines=True,
            ),
        ),
        ("sort", Promise("sorts the same items", 'checks.permuted(unit, ARGS, order="sorted")', defines=True)),
        ("shuffle", Promise("reorders the same items", 'checks.permuted(unit, ARGS, order="other")')),
        ("normalize", Promise("changes nothing when done again", "checks.idempotent(unit, ARGS)")),
        ("clip", Promise("changes nothing when done again", "checks.idempotent(unit, ARGS)")),
    )
)
"""Words of a name, all of which it must hold (as beginnings), and what they promise."""


def named_promises(unit: CodeUnit, beside: Iterable[CodeUnit]) -> Iterator[Promise]:
    """What the name of a function promises, alone or together with a function of its file."""
    words = [word.lower() for word in _WORDS.findall(unit.name)]
    for needed, promise in _NAMED:
        if all(any(word.startswith(need) for word in words) for need in needed):
            yield promise
    names = {other.name: other for other in beside if other.kind == "function" and "." not in other.symbol}
    for there, back in (*_BACK, *((b, a) for a, b in _BACK)):
        if there in words:
            other = unit.name.replace(there, back, 1)
            if other in names and other != unit.name:
                told = f"is undone by {other}"
                yield Promise(told, f"checks.returned(unit, module.{other}, ARGS)")
