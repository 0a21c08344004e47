"""What functions on graphs, shapes and matrices, and of what is packed, give by their names, in every usual reading.
Standard library only, Python 3.6 or later. See `algorithms`.
"""

import itertools
import math
from typing import Any, Dict

from .kinds import (
    BOX,
    COUNT,
    FROM_NODE,
    GRAPH,
    LINKS,
    LIST,
    MATRIX,
    MUTUAL,
    NUMBER,
    PAIR,
    PAIRS,
    numbers_in,
    placed,
    rows_of,
)  # fmt: skip


def _ordered(graph):
    """In topological order: each before all that it names, or after all."""
    nodes = {*graph, *(other for links in graph.values() for other in links)}

    def holds(found):
        """an order with each node before, or after, all that it names"""
        if not isinstance(found, (list, tuple)) or not all(type(one) in (str, int) for one in found):
            return None
        place = {node: i for i, node in enumerate(found)}
        if len(place) < len(found) or not nodes.issuperset(place):
            return False
        pairs = [(place[a], place[b]) for a in graph for b in graph[a] if a in place and b in place]
        whole = len(place) == len(nodes)
        return whole and (all(a < b for a, b in pairs) or all(a > b for a, b in pairs))

    return [holds]


def steps_from(graph, source):
    """How far each node is that can be reached, in links."""
    lengths, waiting = {source: 0}, [source]
    for node in waiting:
        for other in graph.get(node, ()):
            if other not in lengths:
                lengths[other] = lengths[node] + 1
                waiting.append(other)
    return lengths


def _broad(graph, source):
    lengths = steps_from(graph, source)

    def holds(found):
        """all nodes that can be reached, none before a nearer one"""
        if type(found) is not list or not all(type(one) in (str, int) for one in found):
            return None
        if set(found) != set(lengths) or len(found) != len(lengths):
            return False
        return sorted(found, key=lambda node: lengths[node]) == found

    return [holds]


def connected(graph):
    """The nodes in groups of which each reaches all of its own."""
    found = []  # type: list[frozenset[Any]]
    for node in graph:
        if not any(node in group for group in found):
            found.append(frozenset(steps_from(graph, node)))
    return found


def _components(graph):
    groups = connected(graph)

    def holds(found):
        """sets of connected nodes"""
        if not isinstance(found, (list, tuple)) or not all(
            isinstance(one, (list, set, frozenset, tuple)) for one in found
        ):
            return None
        return sorted(map(sorted, found)) == sorted(map(sorted, groups))

    return [holds, len(groups)]


def _two_sided(graph):
    sides = {}  # type: Dict[Any, int]
    for group in connected(graph):
        sides.update({node: steps % 2 for node, steps in steps_from(graph, min(group)).items()})
    return [all(sides[node] != sides[other] for node in graph for other in graph[node])]


def _paths(graph, source):
    edges = {node: list(other.items() if type(other) is dict else other) for node, other in graph.items()}
    lengths = {source: 0}
    for _ in edges:
        for node in list(lengths):
            for other, weight in edges.get(node, ()):
                lengths[other] = min(lengths.get(other, math.inf), lengths[node] + weight)
    return [lengths]


def _packed(items, capacity):
    """What can be packed of items, each once or as often as it fits or in parts; their weights come first or last."""
    for pairs in ([(int(a), b) for a, b in items], [(int(b), a) for a, b in items]):
        once, often = [0.0] * (int(capacity) + 1), [0.0] * (int(capacity) + 1)
        if min(weight for weight, _ in pairs) < 1:
            continue
        for weight, value in pairs:
            for room in range(int(capacity), weight - 1, -1):
                once[room] = max(once[room], once[room - weight] + value)
            for room in range(weight, int(capacity) + 1):
                often[room] = max(often[room], often[room - weight] + value)
        yield float(once[-1])
        yield float(often[-1])
        left, total = capacity, 0.0
        for weight, value in sorted(pairs, key=lambda pair: pair[1] / pair[0], reverse=True):
            total += value * min(1, left / weight)
            left -= min(left, weight)
        yield total


def _packed_lists(first, second, capacity):
    return _packed(list(zip(numbers_in(first), numbers_in(second))), capacity)


def _area(points):
    ends = list(zip(points, points[1:] + points[:1]))
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in ends) / 2
    return [float(abs(area)), float(area)]


def _within(polygon, point):
    inside, (x, y) = False, point
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return [inside]


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _hull(points):
    """The corners: those that lie within no triangle of others, nor between two."""
    points = sorted({tuple(point) for point in points})

    def holds(found):
        """the corners of the convex hull"""
        if not isinstance(found, (list, tuple)) or not all(len(one) == 2 for one in found):
            return None
        inner = set()
        for p in points:
            others = [q for q in points if q != p]
            for a, b, c in itertools.permutations(others, 3):
                if min(_turn(a, b, p), _turn(b, c, p), _turn(c, a, p)) >= 0 and _turn(a, b, c) > 0:
                    inner.add(p)
        return {tuple(one) for one in found} == set(points) - inner

    return [holds] if 3 < len(points) < 10 else []


def _shared(one, other):
    """The intersection over the union of boxes: of corners, or of a corner or the middle with the sizes."""
    one, other = numbers_in(one), numbers_in(other)
    corners = [one, other]
    sizes = [[x, y, x + w, y + h] for x, y, w, h in (one, other)]
    middles = [[x - w / 2, y - h / 2, x + w / 2, y + h / 2] for x, y, w, h in (one, other)]
    for (a, b), more in ((corners, 0), (corners, 1), (sizes, 0), (middles, 0)):
        areas = [(box[2] - box[0] + more) * (box[3] - box[1] + more) for box in (a, b)]
        width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]) + more)
        both = width * max(0.0, min(a[3], b[3]) - max(a[1], b[1]) + more)
        if min(areas) > 0:
            yield both / (sum(areas) - both)


def _meet(one, other):
    return [one[0] <= other[1] and other[0] <= one[1], one[0] < other[1] and other[0] < one[1]]


def _multiplied(a, b):
    return [row for line in a for row in [sum(x * y for x, y in zip(line, column)) for column in zip(*b)]]


def _power(matrix, exponent):
    rows = rows_of(matrix)
    found = [[float(i == j) for j in range(len(rows))] for i in range(len(rows))]
    for _ in range(exponent if exponent <= 20 else 0):
        flat = _multiplied(found, rows)
        found = [flat[i : i + len(rows)] for i in range(0, len(flat), len(rows))]
    return [[number for row in found for number in row]] if exponent <= 20 else []


def _determinant(matrix):
    def of(rows):
        if len(rows) == 1:
            return rows[0][0]
        return sum((-1) ** j * rows[0][j] * of([row[:j] + row[j + 1 :] for row in rows[1:]]) for j in range(len(rows)))

    rows = rows_of(matrix)
    return [float(of(rows))] if len(rows) <= 6 else []


def _convolved(one, other):
    """Whole, or cut to the length of the longer one or to where they overlap."""
    a, b = numbers_in(one), numbers_in(other)
    whole = [sum(a[i] * b[n - i] for i in range(len(a)) if 0 <= n - i < len(b)) for n in range(len(a) + len(b) - 1)]
    length, least = max(len(a), len(b)), min(len(a), len(b))
    return [whole, *(whole[i : i + length] for i in ((least - 1) // 2, least // 2, 0)), whole[least - 1 : length]]


_CITIES = [({"a": {"b": 10, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 9}, "d": {"a": 1}}, "a")]
_ARROWS = {"b": [], "a": ["d"], "d": ["b"], "c": ["a"]}
_PIECES = {"a": ["b"], "b": ["a", "c"], "c": ["b"], "d": ["e"], "e": ["d"]}
_LINE = {"a": ["d"], "b": ["c"], "c": ["b", "d"], "d": ["a", "c"]}
_RING = {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b"]}
_SQUARE = {"a": ["b", "d"], "b": ["a", "c"], "c": ["b", "d"], "d": ["a", "c"]}
_ODD_LATER = {"a": ["b"], "b": ["a"], "c": ["d", "e"], "d": ["c", "e"], "e": ["c", "d"]}
_TREE = {"a": ["b", "c"], "b": ["d"], "c": ["e"], "d": ["f"], "e": [], "f": []}


def _levels(graph):
    """One more than the highest of all that a node names; of all nodes, or of those that name others."""
    found = dict.fromkeys([*graph, *(other for links in graph.values() for other in links)], 0)
    for _ in range(len(found) + 1):
        before = found
        found = {node: 1 + max([before[other] for other in graph.get(node, ())] or [-1]) for node in before}
        if found == before:
            return [found, {node: found[node] for node in graph}]
    return []


def _apart(*units):
    """The distance of two places on the earth, where a kilometre is so much."""

    def readings(*given):
        numbers = [number for value in given for number in (value if type(value) in (list, tuple) else [value])]

        def holds(found):
            """a great-circle distance on a sphere with the radius of the earth"""
            angles = [angle for order in _PLACED for angle in _angles(*(numbers[place] for place in order))]
            if type(found) not in (int, float) or min(angles) < 1e-6:
                return None
            return any(6320 * unit <= found / angle <= 6410 * unit for angle in angles for unit in units)

        return [holds]

    return readings


_PLACED = ((0, 1, 2, 3), (1, 0, 3, 2), (0, 2, 1, 3))
"""Where latitude and longitude of the one, then of the other, stand."""


def _angles(*place):
    """At the centre, if these are degrees, or radians."""
    for a, b, c, d in (map(math.radians, place), place):
        half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
        yield 2 * math.asin(math.sqrt(min(1.0, max(0.0, half))))


_USUAL = (1.0, 1000.0, 1 / 1.609344, 1 / 1.852)
"""In kilometres, metres, miles or nautical ones."""
_NEEDS = {"d": ["a", "c", "b"], "c": ["b", "a"], "b": ["a"], "a": []}
_LESS_NEEDED = {"a": [], "b": ["a"], "c": ["a", "b"], "d": ["a"], "e": ["d", "c", "a"]}
_CITY, _OTHER_CITY = (52.52, 13.405), (48.8566, 2.3522)
_LOADED = [([(10, 60), (20, 100), (30, 120)], 50), ([(5, 50), (4, 39), (4, 38)], 8), ([(6, 30), (5, 24), (5, 23)], 10)]
_TRIANGLE = [(0, 0), (6, 0), (0, 6)]
_DENT = [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]
_ROWS = [[2.0, 1.0, 3.0], [0.0, -4.0, 5.0], [6.0, 1.0, -2.0]]
_BOXES = [([10, 10, 30, 40], [20, 25, 50, 60]), ([1, 1, 2, 2], [60, 70, 80, 90])]
"""The second two lie apart, in every reading."""
_NAMED: Dict[Any, Any] = {
    (2, "dijkstra shortest_distances shortest_path_lengths single_source_shortest_paths bellman_ford"): (
        GRAPH,
        _CITIES,
        _paths,
    ),
    (1, "topological topological_sort topological_order toposort topo_sort"): (LINKS, [(_ARROWS,)], _ordered),
    (2, "bfs breadth_first_search breadth_first bfs_order"): (FROM_NODE, [(_TREE, "a")], _broad),
    (1, "connected_components"): (MUTUAL, [(_PIECES,), (_LINE,)], _components),
    (
        1,
        "count_components count_connected_components number_of_components num_components number_connected_components",
    ): (MUTUAL, [(_PIECES,), (_LINE,)], lambda graph: [len(connected(graph))]),
    (1, "is_connected"): (MUTUAL, [(_PIECES,), (_LINE,)], lambda graph: [len(connected(graph)) == 1]),
    (1, "is_bipartite"): (MUTUAL, [(_RING,), (_SQUARE,), (_PIECES,), (_ODD_LATER,)], _two_sided),
    (2, "knapsack knapsack_01 zero_one_knapsack"): (placed(PAIRS, COUNT), _LOADED, _packed),
    (3, "knapsack knapsack_01 zero_one_knapsack"): (
        placed(LIST, LIST, COUNT),
        [([w for w, _ in items], [v for _, v in items], most) for items, most in _LOADED],
        _packed_lists,
    ),
    (1, "polygon_area shoelace shoelace_area"): (PAIRS, [(_DENT,), (_TRIANGLE,)], _area),
    (2, "point_in_polygon is_in_polygon is_inside_polygon inside_polygon inside"): (
        placed(PAIRS, PAIR),
        [(_TRIANGLE, (5, 4)), (_TRIANGLE, (1, 2)), (_DENT, (2, 3)), (_DENT, (1, 1))],
        _within,
    ),
    (1, "convex_hull"): (PAIRS, [([(0, 0), (4, 0), (4, 4), (0, 4), (1, 2), (3, 1)],)], _hull),
    (2, "iou bbox_iou box_iou iou_box compute_iou"): (BOX, _BOXES, _shared),
    (2, "overlap overlaps intervals_overlap is_overlapping"): (
        PAIR,
        [((1, 9), (3, 5)), ((3, 5), (1, 9)), ((4, 8), (1, 5)), ((1, 2), (5, 7)), ((5, 7), (1, 2))],
        _meet,
    ),
    (2, "great_circle_km"): (PAIR, [(_CITY, _OTHER_CITY)], _apart(1.0)),
    (4, "great_circle_km"): (NUMBER, [(*_CITY, *_OTHER_CITY)], _apart(1.0)),
    (2, "great_circle_m"): (PAIR, [(_CITY, _OTHER_CITY)], _apart(1000.0)),
    (4, "great_circle_m"): (NUMBER, [(*_CITY, *_OTHER_CITY)], _apart(1000.0)),
    (2, "great_circle_of_earth"): (PAIR, [(_CITY, _OTHER_CITY)], _apart(*_USUAL)),
    (4, "great_circle_of_earth"): (NUMBER, [(*_CITY, *_OTHER_CITY)], _apart(*_USUAL)),
    (1, "levels_above_all"): (LINKS, [(_NEEDS,), (_LESS_NEEDED,)], _levels),
    (1, "determinant det"): (MATRIX, [(_ROWS,)], _determinant),
    (2, "matrix_power matpow mat_pow"): (placed(MATRIX, COUNT), [(_ROWS, 3), ([[1.0, 2.0], [3.0, 4.0]], 2)], _power),
    (2, "convolve convolution"): (LIST, [([1.0, 2.0, 3.0, 5.0], [1.0, -1.0, 4.0])], _convolved),
}
GRAPHS = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
