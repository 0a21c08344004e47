"""Tests from what a function promises by its name: textbook definitions, and what must hold of any result.

A promise is only a candidate. It serves if the unmutated unit keeps it on all arguments on which it runs at all; one
that is broken anywhere was misread, and none of its tests is used.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.units import CodeBase
from ingest.units.python import NotPython3, parse
from ingest.units.source import decode
from ingest.verify.arguments import arguments, required
from ingest.verify.preparing import Import
from ingest.verify.running import Source, TestRun
from kg.models.code import CodeUnit

__all__ = ["Promise", "kept", "property_tests"]

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

    The function has `count` parameters without a default, or `more`.
    """

    told: str
    call: str
    wants: str = "normal"
    count: int = 1
    more: bool = False


def _element(name: str) -> Promise:
    return Promise(f"is {name} of each number", f"checks.by_element(unit, checks.{name}, ARGS)")


def _row(name: str, told: str) -> Promise:
    return Promise(told, f"checks.by_row(unit, checks.{name}, ARGS)")


def _two(name: str, told: str, wants: str = "normal") -> Promise:
    return Promise(told, f"checks.of_two(unit, checks.{name}, ARGS)", wants, 2)


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
        ("f1", Promise("is the harmonic mean of precision and recall", "checks.f1(unit, ARGS)", more=True)),
        (
            "zero imput",
            Promise(
                "keeps what is observed and puts 0 for what is not", 'checks.imputed(unit, "zero", ARGS)', "missing"
            ),
        ),
        (
            "forward imput",
            Promise(
                "keeps what is observed and repeats it where nothing is",
                'checks.imputed(unit, "forward", ARGS)',
                "missing",
            ),
        ),
        (
            "linear imput",
            Promise(
                "keeps what is observed and interpolates linearly", 'checks.imputed(unit, "linear", ARGS)', "missing"
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
            ),
        ),
        (
            "interpolate",
            Promise(
                "keeps what is observed and interpolates linearly", 'checks.imputed(unit, "linear", ARGS)', "missing"
            ),
        ),
        ("sort", Promise("sorts the same items", 'checks.permuted(unit, ARGS, order="sorted")')),
        ("shuffle", Promise("reorders the same items", 'checks.permuted(unit, ARGS, order="other")')),
        ("normalize", Promise("changes nothing when done again", "checks.idempotent(unit, ARGS)")),
        ("clip", Promise("changes nothing when done again", "checks.idempotent(unit, ARGS)")),
    )
)
"""Words of a name, all of which it must hold (as beginnings), and what they promise."""


def promises(unit: CodeUnit, beside: Iterable[CodeUnit]) -> Iterator[Promise]:
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


def property_tests(
    folder: Path, codebase: CodeBase, units: Iterable[CodeUnit], imports: dict[str, Import]
) -> tuple[dict[Source, str], dict[str, str]]:
    """Sources of kind "property" with the id of the unit of each, for functions that promise something, and their
    texts."""
    by_file: dict[str, list[CodeUnit]] = {}
    for other in codebase.units:
        by_file.setdefault(other.file, []).append(other)
    found: dict[Source, str] = {}
    texts: dict[str, str] = {}
    for number, unit in enumerate(units):
        how = imports.get(unit.file)
        if how is None or not how.ok or unit.kind != "function" or "." in unit.symbol:
            continue
        made = list(promises(unit, by_file[unit.file]))
        function = _definition(folder, unit) if made else None
        if function is None:
            continue
        text = "".join(_tests(unit, function, promise, place) for place, promise in enumerate(made))
        if text:
            path = f"tau/test_property_{number}.py"
            texts[path] = _HEAD.format(symbol=unit.symbol, path=unit.file, name=how.name, way=how.way) + text
            found[Source(path, "property")] = unit.id
    return found, texts


_HEAD = '''\
"""What `{symbol}` of {path} promises by its name."""

from xkg_inside import checks
from xkg_inside.importing import load

module = load({path!r}, {name!r}, {way!r})
unit = module.{symbol}
'''


def _tests(unit: CodeUnit, function: "_Function", promise: Promise, place: int) -> str:
    parts: list[str] = []
    needed = required(function.node)
    if len(needed) < promise.count or (len(needed) > promise.count and not promise.more):
        return ""
    for number, given in enumerate(arguments(function.node, function.text, promise.wants, promise.count, unit.imports)):
        call = promise.call.replace("ARGS", given)
        parts.append(f'\n\ndef test_promise_{place}_{number}():\n    """{promise.told}"""\n    {call}\n')
    return "".join(parts)


@dataclass(frozen=True)
class _Function:
    node: ast.FunctionDef
    text: str


def _definition(folder: Path, unit: CodeUnit) -> _Function | None:
    text = decode((folder / unit.file).read_bytes())[0].removeprefix("\ufeff")
    try:
        tree = parse(text)
    except NotPython3:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == unit.name and unit.line <= node.lineno <= unit.end_line:
            return _Function(node, f"{ast.get_docstring(tree) or ''}\n{unit.text}")
    return None


def kept(runs: Iterable[TestRun]) -> list[TestRun]:
    """Of runs of property tests those whose promise is kept wherever the unit ran at all."""
    broken: set[tuple[str, str]] = set()
    listed = list(runs)
    key: Callable[[TestRun], tuple[str, str]] = lambda run: (run.source.path, run.id.rpartition("_")[0])  # noqa: E731
    for run in listed:
        last = run.raised.frames[-1][0] if run.raised and run.raised.frames else ""
        if run.raised and "AssertionError" in run.raised.types and last.endswith("/xkg_inside/checks.py"):
            broken.add(key(run))
    return [run for run in listed if run.outcome == "passed" and key(run) not in broken]
