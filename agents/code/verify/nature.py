"""What documentation says of a result by naming what it is, and leaves to all who know that: that a share is no more
than one, that what rises to a number goes on from it, that links have no direction; and that it says nothing of sizes
which its source tells apart.

Each is tried inside (see ``xkg_inside.nature``). Only what is plain is read.
"""

import ast
import re
from collections.abc import Collection, Iterator

from agents.code.verify.docstrings import sentences
from agents.code.verify.naming import parameters_of
from agents.execution.syntax import NotPython3, parse_piece
from kg.models.code import CodeUnit

__all__ = ["nature"]

Found = tuple[str, tuple[object, ...], str]
"""The kind of a promise, its arguments, of which the first is "", and the sentence."""
_SHARE = re.compile(
    r"(?i)\bf(?:-|\d|-?beta)?[- ]?(?:score|measure)\b|\bf1\b|\b(?:jaccard|dice|sorensen)\b"
    r"|(?:^|[:,] )(?:the )?share of\b|^(?:the |an? )?(?:[\w-]+ )?(?:precision|recall) of\b"
)
_NOT_UP_TO_ONE = re.compile(
    r"(?i)%|\b(?:per ?cent\w*|log\w*|loss|distance|dissimilarity|un(?:bounded|clipped|normali[sz]ed)|exceed\w*|above"
    r"|(?:more|greater|larger) than (?:1|one)|weight\w*|both .* scores|ratio)\b"
)
_REPEATED = re.compile(r"(?i)\b(?:repeat\w*|repetitions?|duplicates?|as often as|more than once|multisets?)\b")
_NOT_REPEATED = re.compile(
    r"(?i)\b(?:no|not|never|without|free of) (?:any |be )?(?:repe|dupl)|\b(?:unique|distinct|assum\w*|must|expect\w*)\b"
)
_STEPS = {"step", "t", "epoch", "iteration", "it", "update", "global_step", "current_step", "step_num"}
_QUOTED = r"[`'\"*]{0,2}"
_JOINT = re.compile(
    rf"(?i)\bfrom \S+ (?:up )?to (?:the )?{_QUOTED}(?P<peak>\w+){_QUOTED} (?:over|during|in|within) the first"
    rf" {_QUOTED}(?P<count>\w+){_QUOTED} (?:steps|epochs|iterations|updates)\b[^.;]*?,? (?:and )?then [^.;]*?"
    rf"\b(?:cosine|linear(?:ly)?|straight)\b[^.;]*?\bfrom (?:there|(?:the )?{_QUOTED}(?P=peak){_QUOTED})(?=\W)"
)
_BOTH_WAYS = re.compile(
    r"(?i)\b(?:graph|network|edges|links|it) (?:is|are) undirected(?=[.,:;)]|$)"
    r"|\b(?:edges?|links?|bonds?) (?:joins?|links?|connects?|works?|goe?s?|counts?) both ways\b"
    r"|\bedge \((\w), (\w)\) (?:also )?(?:links|joins|connects) \2 (?:to|with) \1\b"
)
_EDGES = {"edges", "links", "bonds", "edge_list"}
_UNLINKED = re.compile(r"(?i)\b(?:not|un)[ -]?(?:linked|connected|joined|adjacent)\b|\bnon-?edges?\b")
_RESTS_ON_ORDER = re.compile(
    r"(?i)\b(?:label\w*|colou?r\w*|order\w*|components?|communit\w*|clusters?|cuts?|trees?|paths?|tours?|greedy|approx\w*"
    r"|heuristic\w*|random\w*|draw\w*|sampl\w*|walks?|match\w*|index|indices|numbers? of each|orient\w*|signs?|signed"
    r"|incidence|sources?|targets?|flows?|layout|embedding\w*|positions?|directed|roots?|parents?|groups?"
    r"|members?|partitions?|vectors?|differences?|displacements?|ends?)\b"
)
"""What may rest on the order in which nodes are first named, or on which end is named first."""
_OF_SIZES = re.compile(
    r"(?i)\b(?:large\w*|small\w*|long(?:er|est)?|short\w*|many|few\w*|huge|big\w*|size|exact\w*|approx\w*|asymptot\w*"
    r"|estimat\w*|sampl\w*|subsampl\w*|random\w*|truncat\w*|at most|p-?values?|tests?|normal|first|last|limit\w*|cap\w*"
    r"|chunk\w*|batch\w*|block\w*|windows?|up to|bins?|binned|smooth\w*|compress\w*|thin\w*|decimat\w*|downsampl\w*)\b"
)
"""What may mean another thing for many items than for few, and says so."""
_OTHERWISE = re.compile(r"(?i)approx|asympt|estimat|sampl|trunc|normal|heurist")
"""The same in a source."""
LEAST, MOST = 16, 2000
"""Constants that a size is held against to tell many items from few."""


def nature(unit: CodeUnit) -> Iterator[Found]:
    """Of a function that is no method."""
    parameters = parameters_of(unit.signature) if unit.kind == "function" else None
    told = sentences(unit.docstring)
    if not parameters or not told or parameters[0].name in {"self", "cls"}:
        return
    names = [parameter.name for parameter in parameters]
    about = f"{unit.name.replace('_', ' ')} {' '.join(told)}"
    if _SHARE.search(told[0]) and not _NOT_UP_TO_ONE.search(about):
        yield "share", ("", bool(_REPEATED.search(about) and not _NOT_REPEATED.search(about))), told[0]
    steps, edges = sorted(_STEPS & set(names)), sorted(_EDGES & set(names))
    for sentence in told:
        joint = _JOINT.search(sentence) if len(steps) == 1 else None
        if joint and {joint["peak"], joint["count"]} <= set(names) - set(steps):
            yield "joint", ("", steps[0], joint["count"], joint["peak"]), sentence
        both = len(edges) == 1 and _BOTH_WAYS.search(sentence) and not re.search(r"(?i)\b(?:if|unless|not)\b", sentence)
        unlinked = bool(_UNLINKED.search(about))
        if both and (unlinked or not _RESTS_ON_ORDER.search(about)):
            yield "both_ways", ("", edges[0], unlinked), sentence
    if not _OF_SIZES.search(about) and not _OTHERWISE.search(unit.text):
        yield from (("any_size", ("", name, count), told[0]) for name, count in _sizes(unit, names))


def _sizes(unit: CodeUnit, names: Collection[str]) -> Iterator[tuple[str, int]]:
    """Parameters whose length is held against a number that stands nowhere else, to tell many items from few."""
    try:
        nodes = list(ast.walk(parse_piece(unit.text)))
    except NotPython3:
        return
    numbers = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is int]
    for node in nodes:
        test = node.test if isinstance(node, ast.If | ast.IfExp) else None
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Gt | ast.GtE):
            continue
        count, value = test.comparators[0], ast.unparse(test.left)
        name = next((name for name in names if value in (f"len({name})", f"{name}.size", f"{name}.shape[0]")), "")
        if isinstance(count, ast.Constant) and type(count.value) is int and name:
            plain = LEAST <= count.value <= MOST and numbers.count(count.value) == 1
            refused = isinstance(node, ast.If) and any(isinstance(one, ast.Raise) for one in node.body)
            yield from [(name, count.value)] if plain and not refused else ()
