"""Arguments of definitions: which are of a kind, and others made like those of a real call. Standard library only,
Python 3.6 or later.
"""

import sys
from typing import Any, Dict

from .definitions import judged, matrix, numbers_of
from .structure import array_library


class Kind:
    """Arguments of a definition: `fits` tells them, `like` makes inputs like those of a real call,
    `canonical` puts them in the order of the definition."""

    def __init__(self, fits, like, canonical=None):
        self.fits, self.like, self.canonical = fits, like, canonical or list


def exactly(*wanted):
    """A reading: one of these values, if the result is of the type of one."""

    def holds(found):
        return found in wanted if type(found) in set(map(type, wanted)) else None

    holds.__doc__ = repr(wanted[0])
    return holds


def each(fit, like=None):
    """All arguments are of one sort."""
    return Kind(lambda given: all(map(fit, given)), like or (lambda _, inputs: inputs))


def placed(*kinds):
    """Arguments of these sorts, in any order: inputs are put in that of the call."""

    def orders(given):
        found = []  # type: list[int]
        for value in given:
            left = [place for place in range(len(kinds)) if place not in found]
            found += [place for place in left if kinds[place].fits([value])][:1]
        return found if len(found) == len(kinds) == len(given) else []

    def like(given, inputs):
        return [kinds[place].like([value], [inputs[place]])[0] for place, value in zip(orders(given), given)]

    def canonical(inputs):
        return [value for _, value in sorted(zip(orders(inputs), inputs), key=lambda pair: pair[0])]

    return Kind(lambda given: bool(orders(given)), like, canonical)


def like_number(value, shape, numbers):
    """Numbers in a container of the sort of `value`."""
    if array_library(value):
        kind = str(value.dtype).rpartition(".")[2]
        if kind not in ("int32", "int64", "float32", "float64"):
            raise TypeError("numbers that wrap, or are rounded too much")
        if kind.startswith("int") and any(number != int(number) for number in numbers):
            raise TypeError("whole numbers only")
        lists = nested(shape, iter(numbers))
        library = array_library(value)
        if library == "torch":
            return sys.modules["torch"].tensor(lists, dtype=value.dtype, device=value.device)
        made = sys.modules["numpy" if library == "numpy" else "jax.numpy"].array(lists, dtype=value.dtype)
        return made if shape or library != "numpy" else made[()]
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0]
    parts = [numbers[i * step : (i + 1) * step] for i in range(shape[0])]
    return type(value)(like_number(value[0], shape[1:], part) for part in parts)


def nested(shape, numbers):
    """The next numbers in lists of this shape."""
    return [nested(shape[1:], numbers) for _ in range(shape[0])] if shape else next(numbers)


def numbers_in(value):
    """All numbers of a container, in order."""
    found = numbers_of(value)
    return found[1] if found else []


def is_flat(value):
    """Whether it is a vector."""
    numbers = numbers_of(value)
    return judged(numbers) and len(numbers[0]) == 1


def _is_rectangle(value):
    numbers = numbers_of(value)
    return judged(numbers) and len(numbers[0]) == 2


def _is_square(value):
    return _is_rectangle(value) and len(set(numbers_of(value)[0])) == 1


def _in_containers(given, inputs):
    return [like_number(value, (len(one),), one) for value, one in zip(given, inputs)]


def _in_matrices(given, inputs):
    flat = [[number for row in rows for number in row] for rows in inputs]
    return [like_number(v, (len(rows), len(rows[0])), one) for v, rows, one in zip(given, inputs, flat)]


def rows_of(value):
    """The rows of a matrix."""
    return matrix(numbers_of(value))


def _points(value):
    return type(value) in (list, tuple) and len(value) > 0 and all(_is_pair(one) for one in value)


def _is_pair(value):
    return type(value) in (list, tuple) and len(value) == 2 and all(type(one) in (int, float) for one in value)


def _like_pairs(given, inputs):
    return [type(value)(type(value[0])(pair) for pair in one) for value, one in zip(given, inputs)]


def _is_edges(value):
    """Whether it is a graph {node: {neighbour: weight}} or {node: [(neighbour, weight)]}, of nodes of one type."""
    if type(value) is not dict or len({type(node) for node in value}) != 1:
        return False
    pairs = [tuple(pair) for edges in value.values() for pair in (edges.items() if type(edges) is dict else edges)]
    return bool(pairs) and all(len(pair) == 2 and type(pair[1]) in (int, float) for pair in pairs)


def _like_graph(given, inputs):
    """A graph of the same form; its nodes are text or numbers as they were."""
    graph, source = inputs
    if type(given[0]) is not dict:
        raise TypeError("no graph")
    first = next(iter(given[0]))
    name = _namer(first)
    named: Dict[Any, Any] = {
        name(node): {name(other): weight for other, weight in edges.items()} for node, edges in graph.items()
    }
    if type(given[0][first]) is not dict:
        pair = next(type(edge) for edges in given[0].values() for edge in edges)
        named = {node: [pair(edge) for edge in edges.items()] for node, edges in named.items()}
    return [named, name(source)]


def _namer(first):
    whole = type(first) is int

    def name(node):
        return "abcdef".index(node) if whole else node

    return name


def _is_links(value):
    """Whether it is a graph {node: [neighbours]}, of nodes of one type."""
    if type(value) is not dict or not value or not all(type(links) in (list, tuple, set) for links in value.values()):
        return False
    nodes = [*value, *(other for links in value.values() for other in links)]
    return len({type(node) for node in nodes}) == 1 and type(nodes[0]) in (str, int)


def _like_links(given, inputs):
    first, form = next(iter(given[0])), type(next(iter(given[0].values())))
    name = _namer(first)
    graph = {name(node): form(map(name, links)) for node, links in inputs[0].items()}
    return [graph, *map(name, inputs[1:])]


def _is_mutual(value):
    """Whether it is a graph whose links all go both ways."""
    return _is_links(value) and all(node in value.get(other, ()) for node in value for other in value[node])


def _like_items(given, inputs):
    return [type(value)(one) for value, one in zip(given, inputs)]


def _is_labels(value):
    return is_flat(value) and set(numbers_in(value)) <= {0, 1}


TEXT = each(lambda value: type(value) is str)
BYTES = each(lambda value: type(value) is bytes)
COUNT = each(lambda value: type(value) is int and 0 <= value < 10**6)
NUMBER = each(lambda value: type(value) in (int, float))
LIST = each(is_flat, _in_containers)
LABELS = each(_is_labels, _in_containers)
SHARES = each(lambda v: is_flat(v) and abs(sum(numbers_in(v)) - 1) < 1e-6 and min(numbers_in(v)) >= 0, _in_containers)
RANKS = each(lambda value: is_flat(value) and min(numbers_in(value)) >= 1 < max(numbers_in(value)), _in_containers)
GUESSES = each(lambda value: is_flat(value) and not _is_labels(value), _in_containers)
MATRIX = each(_is_square, _in_matrices)
RECTANGLE = each(_is_rectangle, _in_matrices)
PAIRS = each(_points, _like_pairs)
PAIR = each(_is_pair, _like_items)
BOX = each(lambda value: is_flat(value) and len(numbers_in(value)) == 4, _in_containers)
SETS = each(lambda v: type(v) in (set, frozenset) or (type(v) in (list, tuple) and not _is_labels(v)), _like_items)
DEEP = each(lambda value: type(value) is list)
GRAPH = Kind(
    lambda given: all(type(value) in (str, int) or _is_edges(value) for value in given) and type(given[0]) is dict,
    _like_graph,
)
LINKS = each(_is_links, _like_links)
MUTUAL = each(_is_mutual, _like_links)
FROM_NODE = Kind(lambda given: _is_links(given[0]) and given[1] in given[0], _like_links)
