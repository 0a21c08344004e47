"""Which definition of the textbook a function is by its name, or by the summary of its documentation."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.code.verify.meant import MEANT, MEANT_BY_ALL
from agents.code.verify.readings import fixed
from agents.execution.harness.inside.algorithms import CERTAIN
from agents.execution.harness.inside.arrays import ARRAYS_BY_NAME
from agents.execution.harness.inside.definitions import COUNTED, DEFINITIONS
from agents.execution.harness.inside.learning import ORDERED as LEARNING_ORDERED
from agents.execution.harness.inside.measures import LABELLED, OF_TWO_DISTRIBUTIONS
from agents.execution.harness.inside.methods import TAKE
from agents.execution.harness.inside.models import ORDERED as MODELS_ORDERED
from agents.execution.harness.inside.models import OTHERWISE
from agents.execution.harness.inside.textbook import TEXTBOOK, roles
from agents.execution.syntax import NotPython3, parse, parse_piece
from kg.models.code import CodeUnit

__all__ = [
    "Parameter",
    "behind_interfaces",
    "class_of_the_textbook",
    "counted_or_defined",
    "is_of_the_textbook",
    "of_the_textbook",
    "parameters_of",
]


SMALL = 1e-5
"""What is added to a number so that nothing is divided by zero."""


@dataclass(frozen=True)
class Parameter:
    """Of a function; what it is without a value given."""

    name: str
    default: ast.expr | None


_NEUTRAL = {
    "axis", "axes", "dim", "dims", "keepdims", "keepdim", "dtype", "out", "ddof", "base", "inplace", "copy",
    "max_iter", "maxiter", "max_iterations", "verbose", "tol", "tolerance",
}  # fmt: skip
"""Parameters whose values choose among the readings of a definition."""
_DIGITS = {"digits", "ndigits", "decimals", "places", "n"}
"""The same of what rounds."""
_NUMBERS_OF_ALL_SORTS = {
    "a", "arr", "array", "data", "lst", "numbers", "nums", "sample", "samples", "scores", "series", "t", "v", "value",
    "values", "x", "xs",
}  # fmt: skip
_SHARES = {"dist", "distribution", "p", "pk", "prob", "probabilities", "probs"}
_RADIUS = {"r", "radius"}
_OPERANDS = {
    **dict.fromkeys(("mean", "median", "std", "variance"), _NUMBERS_OF_ALL_SORTS),
    **dict.fromkeys(("entropy", "shannon_entropy", "entropy_bits", "entropy_nats"), _SHARES),
    **dict.fromkeys(("circle_area", "area_of_circle", "circumference", "sphere_volume", "sphere_surface"), _RADIUS),
}
"""Names that mean other things elsewhere (a mean of rotations, the entropy of labels): with these parameters alone."""


_OF_ANY_NUMBER = {"mean", "median", "std", "variance"}
"""Names of what is made of any number of values."""


def parameters_of(signature: str) -> list[Parameter] | None:
    """All of a function; None for what can't be read, or takes any number of them."""
    try:
        node = parse(f"{signature}: pass").body[0]
    except NotPython3:
        return None
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.args.kwarg:
        return None
    if node.args.vararg:
        alone = len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]) == 0
        return [Parameter("*" + node.args.vararg.arg, None)] if alone else None
    positional = [*node.args.posonlyargs, *node.args.args]
    defaults = [*[None] * (len(positional) - len(node.args.defaults)), *node.args.defaults, *node.args.kw_defaults]
    given = [*positional, *node.args.kwonlyargs]
    return [Parameter(argument.arg, default) for argument, default in zip(given, defaults, strict=True)]


def counted_or_defined(unit: CodeUnit, parameters: list[Parameter]) -> tuple[str, ...]:
    """The name of a definition that is the unit's, and how its parameters are read: not at all, as any number of values
    ("*"), or by their names; nothing if it has other parameters."""
    if unit.kind != "function" or "." in unit.symbol:
        return ()
    names = [parameter.name for parameter in parameters if parameter.default is None]
    if [name[:1] for name in names] == ["*"]:
        return (unit.name, "*") if unit.name in _OF_ANY_NUMBER else ()
    counted = _bare(unit.name)
    if len(names) == len(parameters) and frozenset(names) in COUNTED.get(counted, {}):
        return (counted, *names)
    name = fixed(unit.name, unit.docstring, (parameter.name for parameter in parameters))[0]
    name = name if name in DEFINITIONS else unit.name
    if name in {"std", "variance"} and _OTHER_DIVISOR.search(unit.docstring):
        return ()
    if name in _APPROXIMATED and re.search(r"(?i)approximat", unit.docstring):
        return ()
    return (name,) if _defined(name, parameters) else ()


_OTHER_DIVISOR = re.compile(r"(?i)\bn ?\+ ?\d|\bn plus\b")
"""Of these, what says that they divide by another number than anybody would expect."""
_APPROXIMATED = {"gelu", "normal_cdf", "norm_cdf", "standard_normal_cdf", "std_normal_cdf"}
"""Names that are kept for what is near them, too, if documentation says so."""


def _bare(name: str) -> str:
    return re.sub(
        r"_(?:score|measure|value|metric|np|numpy|torch|naive|fast|of)$", "",
        re.sub(r"^(?:compute|calculate|get|calc|eval|evaluate|fast|naive|simple|my|nth)_", "", name),
    )  # fmt: skip


_TRUTH = {
    "actual", "expected", "gold", "ground_truth", "gt", "label", "labels", "target", "targets", "true", "truth",
    "y_true", "ytrue",
}  # fmt: skip
_GUESS = {
    "estimated", "guess", "guesses", "guessed", "output", "outputs", "pred", "predicted", "prediction", "predictions",
    "preds", "y_hat", "y_pred", "yhat", "ypred",
}  # fmt: skip


def of_the_textbook(unit: CodeUnit, parameters: list[Parameter]) -> tuple[str, tuple[object, ...], str]:
    """What a function is by its name, or else by its documentation: "textbook", its name in `TEXTBOOK` and which of its
    arguments is the truth, or "method", its name and what its parameters are for; and where that is said. What has a
    default may be an argument of the definition, or one that changes nothing of it."""
    every = [parameter.name.lower() for parameter in parameters]
    names = [parameter.name.lower() for parameter in parameters if parameter.default is None]
    further = [parameter for parameter in parameters if parameter.default is not None]
    neutral = _NEUTRAL | (_DIGITS if unit.name.startswith("round") else set())
    plain = all(parameter.name in neutral or _absent(parameter.default) for parameter in further)
    if unit.kind != "function" or "." in unit.symbol:
        return "", (), ""
    for called, by in _names(unit):
        name, word = fixed(called, unit.docstring, every)
        said = word or by
        if name in _ASSUMING and _CENTRED.search(unit.docstring):
            continue
        if name in _OF_MATRICES and _OF_ONE_SIZE.search(unit.docstring):
            continue
        if plain and (parts := roles(name, names)):
            return "method", (name, *parts), said
        if found := (plain and _read_as(name, names)) or (further and _read_as(name, every)):
            return "textbook", found, said
    return "", (), ""


_ASSUMING = {"pca", "principal_components", "first_k_principal_components", "pca_components"}
_CENTRED = re.compile(
    r"(?i)\b(?:un|non-?)?cent(?:re|er)d?\b|\bcent(?:re|er)ed\b|\bzero[- ]mean\b|\b(?:de|subtract)\w*mean"
)
"""Of these, what says that the mean is taken away by somebody else."""
_OF_MATRICES = {name for name, _ in ARRAYS_BY_NAME}
_OF_ONE_SIZE = re.compile(r"(?i)\bsquare\b(?! root)|\b\d ?(?:x|×|by|-by-) ?\d\b")
"""Of these, what says that they are made for one shape."""


def _read_as(name: str, names: list[str]) -> tuple[object, ...]:
    if (name, len(names)) not in TEXTBOOK:
        return ()
    if name in _OF_TWO:
        return (name,) if names in _P_AND_Q else ()
    if name in _ORDERED:
        return next(((one,) for one in (name, OTHERWISE.get(name)) if one and _is_in_order(one, names)), ())
    if name not in _LABELLED:
        return (name,)
    orders = [place for place in (0, 1) if names[place] in _TRUTH and names[1 - place] in _GUESS]
    return (name, orders[0]) if orders else ()


def _is_in_order(name: str, names: list[str]) -> bool:
    begun = zip(names, _ORDERED[name], strict=True)
    return all(one.startswith(tuple(words.split() or [""])) for one, words in begun)


_ORDERED = {**MODELS_ORDERED, **LEARNING_ORDERED}
_OF_TWO = {*OF_TWO_DISTRIBUTIONS, "divergence_anywhere"}
_LABELLED = {*LABELLED, "confusion_matrix", "confusion_of_truth", "confusion_of_guess"}
_P_AND_Q = [["p", "q"], ["pk", "qk"]]
_TITLE = re.compile(
    r"(?:(?:computes?|calculates?|returns?|evaluates?|gives?)\s+)?(?:(?:the|an?)\s+)?([a-z]+(?:[ _-][a-z0-9]+)+?)"
    r"(?=\s+(?:of|between|for|over|from|within|as|at)\b|\s*[.,:;(\n]|\s*$)"
)
_DENIED = re.compile(
    r"\b(?:(?<!\bor )(?<!\b0 with )(?<!\bzero with )not?(?! such day)|unlike|instead|(?<!\b0 )(?<!\bzero )without"
    r"|never|approximat(?!ion,? (?:and )?detail)\w*|variant|modified|simplified|like)\b"
)


_READ = 600
"""Characters of a first sentence in which definitions are looked for, which takes a power of its length."""


def _names(unit: CodeUnit) -> Iterator[tuple[str, str]]:
    """What a function is called: by its name if that means nothing else, by what its first sentence means, by any name,
    by what that sentence begins with; each with where that is said."""
    if (bare := _bare(unit.name)) in CERTAIN:
        yield bare, unit.name
    sentence = re.split(r"(?<=[.;])\s|\n\s*\n", unit.docstring.strip())[0]
    summary = "" if _DENIED.search(sentence.lower()) else " ".join(sentence.lower().split())
    whole = re.split(r"(?<=[.])\s|\n\s*\n", unit.docstring.strip())[0]
    words = " ".join(whole.lower().split())
    meant = ((name, whole) for pattern, name in MEANT_BY_ALL if pattern.search(words[:_READ]))
    yield from () if _DENIED.search(words) else meant
    yield from ((name, sentence) for pattern, name in MEANT if pattern.search(summary[:_READ]))
    yield from ((name, unit.name) for name in dict.fromkeys((unit.name, bare)))
    if title := _TITLE.match(summary.replace("'s ", " ")):
        yield re.sub(r"[ -]", "_", title[1]), sentence


def behind_interfaces(unit: CodeUnit) -> Iterator[tuple[tuple[object, ...], str]]:
    """What a unit gives of a definition by an interface of its own: of a class, what it tells of items that it takes
    one by one, and methods whose arguments it holds in part; of a function, entries of a dictionary that it returns.
    How that is tried (see ``xkg_inside.interfaces``), and where it is said."""
    try:
        node = next(iter(parse_piece(unit.text).body), None)
    except NotPython3:
        return
    if isinstance(node, ast.ClassDef):
        yield from _of_class(unit, node)
    elif isinstance(node, ast.FunctionDef) and unit.kind == "method":
        yield from _of_method(unit, node, unit.name)
    elif isinstance(node, ast.FunctionDef) and unit.kind == "function":
        said = {match[2]: match[3] for match in _ENTRY.finditer(" ".join(unit.docstring.split()))}
        names = [one.name.lower() for one in parameters_of(unit.signature) or () if one.default is None]
        for key in dict.fromkeys([*said, *_returned_keys(node)]):
            for name, text in _names(unit.model_copy(update={"name": key, "docstring": said.get(key, "")})):
                if text == key and _OF_CLASSES.search(unit.docstring):
                    continue
                if found := _read_as(name, names):
                    yield (*found, ("entry", key)), f"{key}: {text}" if text != key else f'{unit.name}(...)["{key}"]'
                    break


_OF_CLASSES = re.compile(r"(?i)\b(?:weight\w*|macro|micro|per|each|class(?:es)?|top|at k|averag\w+)\b")
"""What says of which sort the entries of a report are, of which a key does not tell."""


_ENTRY = re.compile(r"""(["'])(\w+)\1 ?: ?([^"'}]+?)(?=,? ?["'}]|\.? ?$)""")
"""An entry of a dictionary and what it is, as documentation shows them."""


def _returned_keys(node: ast.FunctionDef) -> list[str]:
    made = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and isinstance(each.value, ast.Dict)]
    keys = [key.value for one in made if isinstance(one, ast.Dict) for key in one.keys if isinstance(key, ast.Constant)]
    return [key for key in keys if isinstance(key, str)]


def _of_class(unit: CodeUnit, node: ast.ClassDef) -> Iterator[tuple[tuple[object, ...], str]]:
    functions = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name[0] != "_"]
    called = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", unit.name).lower()
    of_all = [
        (name, unit.name if said == called else said) for name, said in _names(unit.model_copy(update={"name": called}))
    ]
    if any(one.name in TAKE for one in functions) and not _OF_SOME.search(unit.docstring):
        of_items = ((_read_as(name, ["items"]), said) for name, said in of_all)
        yield from (((*found, ("stream", "")), said) for found, said in of_items if found)
    for one in functions:
        yield from _of_method(unit, one, f"{unit.name}.{one.name}", of_all if len(functions) == 1 else [])


def _of_method(
    unit: CodeUnit, node: ast.FunctionDef, called: str, of_all: Iterable[tuple[str, str]] = ()
) -> Iterator[tuple[tuple[object, ...], str]]:
    """By its own name and words, or else by what is said `of_all` its class. Which argument is which nobody knows where
    some are held by the object and a name is all that is said: of so many at most they may be."""
    given = node.args.args
    if not given or given[0].arg != "self":
        return
    names = [each.arg.lower() for each in given[1 : len(given) - len(node.args.defaults)]]
    own = _names(unit.model_copy(update={"name": node.name, "docstring": ast.get_docstring(node) or ""}))
    for name, said in [*((name, called if said == node.name else said) for name, said in own), *of_all]:
        alone = () if name in {*_OF_TWO, *_ORDERED, *_LABELLED} else (name,)
        known = any((name, count) in TEXTBOOK for count in range(len(names), _MOST_HELD))
        if found := _read_as(name, names) or (alone if known else ()):
            parted = _MOST_HELD if " " in said else 0 if said == called else 2
            yield (*found, ("object", node.name, parted)), said
            return


def is_of_the_textbook(unit: CodeUnit) -> bool:
    """Whether a class is said to be a definition as a whole, and not one of its methods."""
    found = behind_interfaces(unit) if unit.kind == "class" else ()
    return bool(class_of_the_textbook(unit)[0]) or any(said == unit.name or said in unit.docstring for _, said in found)


_MOST_HELD = 7
"""Arguments of a definition that an object may hold, and one less."""
_OF_SOME = re.compile(
    r"(?i)\b(?:window\w*|moving|rolling|last|latest|recent|decay\w*|forget\w*|estimat\w*|sketch\w*|reservoir|sampl\w+"
    r"|bounded|at most|distinct|unique|weight\w*)\b"
)
"""What says that a class does not tell of all that it took."""
_LRU = re.compile(r"\bLRU\b|\bleast[- ]recently[- ]used\b")
_NO_LRU = re.compile(
    r"\b(?:not?|unlike|instead of|without|never|rather than|like)\b[^.;]{0,20}(?:LRU|least[- ]recently)"
)


_STEADY = re.compile(
    r"(?i)\bnumerically[- ]stable\b[^.;]*\b(?:variance|standard deviation)\b|\bwelford\b[^.;]*\b(?:variance|std)\b"
    r"|\bvariance\b[^.;]*\bby welford\b"
)
_NOT_STEADY = re.compile(
    r"(?i)\b(?:not|never|unlike|naive|instead|without|window\w*|moving|rolling|decay\w*)\b|\bun(?!biased)"
)


def class_of_the_textbook(unit: CodeUnit) -> tuple[str, str]:
    """What a class is, of `TEXTBOOK`, and where it says so: it forgets what was not used for the longest
    ("lru_cache"), or tells the spread of values in a stable way ("running_variance"); empty if it does not."""
    if unit.kind != "class" or unit.language != "python":
        return "", ""
    if re.match(r"LRU(?:_?Cache)?$|LruCache$", unit.name):
        return "lru_cache", unit.name
    said = re.split(r"(?<=[.])\s", unit.docstring)
    if found := next((s for s in said if _LRU.search(s) and not _NO_LRU.search(s)), ""):
        return "lru_cache", found
    found = next((s for s in said if _STEADY.search(s) and not _NOT_STEADY.search(s)), "")
    if found:
        return fixed("running_variance", unit.docstring, ())[0], found
    known = _SETS_BY_NAME.match(unit.name)
    return ("disjoint_sets", unit.name) if known and not _OTHER_SETS.search(unit.docstring) else ("", "")


_SETS_BY_NAME = re.compile(r"(?:UnionFind|DisjointSets?|DisjointSet(?:Union|Forest|s)|DSU|UnionFindSet)$")
_OTHER_SETS = re.compile(r"(?i)\b(?:rollback|undo|persistent|weighted|parity|bipartite|rank differences?|directed)\b")


def _defined(name: str, parameters: list[Parameter]) -> bool:
    """Whether this is the name of a definition with such parameters, further ones being none that change it."""
    if name not in DEFINITIONS:
        return False
    needed = [parameter for parameter in parameters if parameter.default is None]
    further = [parameter for parameter in parameters if parameter.default is not None]
    if len(needed) != DEFINITIONS[name][0] or not _OPERANDS.get(name, {needed[0].name}) >= {needed[0].name}:
        return False
    return all(parameter.name in _NEUTRAL or _absent(parameter.default) for parameter in further)


def _absent(default: ast.expr | None) -> bool:
    """Whether a default stands for nothing: None, False, a factor of 1 or what only keeps from dividing by zero."""
    value = default.value if isinstance(default, ast.Constant) else 0
    if value is None or isinstance(value, bool):
        return not value
    return isinstance(value, int | float) and (value == 1 or 0 < value <= SMALL)
