"""What functions on graphs with weights, on ranks and centres of nodes, and classes that join sets give by their names,
by plain search on small graphs. Standard library only, Python 3.6 or later. See `algorithms`.
"""

import functools
import itertools
import math
from typing import Any, Dict

from .definitions import near
from .graphs import connected, steps_from
from .kinds import COUNT, FROM_NODE, GRAPH, LINKS, MUTUAL, Kind, placed

_EDGE, FAR, MANY = 3, 100, 12
"""Of an edge, its parts; rounds after which nothing changes; edges of which not all choices are tried."""


def _is_edges(value):
    """Whether these are edges of two nodes and a weight."""
    if type(value) not in (list, tuple) or not value:
        return False
    if not all(type(one) in (list, tuple) and len(one) == _EDGE for one in value):
        return False
    return len({tuple(type(part) is str for part in one) for one in value}) == 1 and all(
        type(one[2]) in (int, float) and type(one[0]) is type(one[1]) and type(one[0]) in (str, int) for one in value
    )


def _name(like):
    """Nodes as numbers from 0 where they are numbers."""
    return "abcdef".index if type(like) is int else lambda node: node


def _like_edges(given, inputs):
    name, kind = _name(given[0][0][0]), type(given[0][0])
    return [type(given[0])(kind((name(a), name(b), weight)) for a, b, weight in inputs[0])]


def _joined(edges):
    """The groups of nodes that edges join."""
    groups = []  # type: list[set[Any]]
    for a, b in edges:
        known = [group for group in groups if a in group or b in group]
        groups = [group for group in groups if group not in known] + [set().union({a, b}, *known)]
    return groups


def _least_tree(edges, _count=0):
    """As its edges, its weight, or both; a weight may stand last, or (of numbers) first."""
    orders = [(0, 1, 2)] + ([(1, 2, 0)] if type(edges[0][0]) is not str else [])
    trees = [[tuple(one[part] for part in order) for one in edges] for order in orders]

    def holds(found):
        """a tree over all nodes of the least weight"""
        parts = found if type(found) is tuple and len(found) == 2 and not _is_weight(found[0], found[1]) else [found]
        told = [_holds_tree(tree, part) for tree in trees for part in parts]
        told = [one for one in told if one is not None]
        return any(told) if told else None

    return [holds] if len(edges) <= MANY else []


def _is_weight(one, other):
    return type(one) in (int, float) and type(other) in (int, float)


def _holds_tree(tree, found):
    least = _least_weight(tree)
    if type(found) in (int, float):
        return near(found, least)
    if type(found) not in (list, tuple, set, frozenset) or not all(
        type(one) in (list, tuple) and len(one) in (2, _EDGE) for one in found
    ):
        return None
    weights = {}  # type: Dict[Any, Any]
    for a, b, weight in tree:
        weights[a, b] = weights[b, a] = min(weight, weights.get((a, b), weight))
    ends = [_ends(one, weights) for one in found]
    if None in ends or len({frozenset(one) for one in ends}) < len(ends):
        return False
    groups = sorted(map(sorted, _joined(ends)))
    whole = groups == sorted(map(sorted, _joined([(a, b) for a, b, _ in tree])))
    return whole and near(sum(weights[one] for one in ends), least)


def _ends(one, weights):
    places = [(0, 1)] if len(one) == 2 else [(0, 1), (1, 2)]
    return next(((one[i], one[j]) for i, j in places if (one[i], one[j]) in weights), None)


def _least_weight(tree):
    """Of all choices of edges that join the same nodes."""
    groups = sorted(map(sorted, _joined([(a, b) for a, b, _ in tree])))
    size = sum(len(group) - 1 for group in groups)
    choices = itertools.combinations(tree, size)
    return min(
        sum(weight for *_, weight in some)
        for some in choices
        if sorted(map(sorted, _joined([(a, b) for a, b, _ in some]))) == groups
    )


def _is_from(given):
    edges, nodes, source = given
    if not _is_edges(edges):
        return False
    named = {node for one in edges for node in one[:2]}
    if type(nodes) is int:
        return type(source) is int and named <= set(range(nodes)) and 0 <= source < nodes
    return type(nodes) in (list, tuple, set, frozenset, range, str) and source in nodes and named <= set(nodes)


def _like_from(given, inputs):
    edges, nodes, source = inputs
    name = _name(given[2])
    named = list(map(name, nodes))
    kind = type(given[1])
    held = len(named) if kind is int else range(len(named)) if kind is range else nodes if kind is str else kind(named)
    return [*_like_edges(given[:1], [edges]), held, name(source)]


def _lengths(edges, nodes, source):
    nodes = list(range(nodes)) if type(nodes) is int else list(nodes)
    found = dict.fromkeys(nodes, math.inf)
    found[source] = 0
    for _ in nodes:
        for a, b, weight in edges:
            found[b] = min(found[b], found[a] + weight)
    endless = any(found[a] + weight < found[b] for a, b, weight in edges)

    def holds(told):
        """the lengths of the shortest paths"""
        told = told[0] if type(told) is tuple and told and isinstance(told[0], (dict, list)) else told
        told = dict(zip(nodes, told)) if type(told) is list and len(told) == len(nodes) == len(set(nodes)) else told
        if not isinstance(told, dict) or not all(type(one) in (int, float) for one in told.values()):
            return None
        wanted = {node: length for node, length in found.items() if length < math.inf}
        reached = {node: length for node, length in told.items() if length < math.inf}
        return reached.keys() == wanted.keys() and all(near(reached[node], wanted[node]) for node in wanted)

    return [] if endless else [holds]


def _weights(graph):
    return {node: dict(links) for node, links in graph.items()}


def _is_between(given):
    graph, start, goal = given
    return GRAPH.fits([graph, start]) and all(one in graph for one in (start, goal))


def _like_between(given, inputs):
    graph, start, goal = inputs
    made, named = GRAPH.like(given[:2], [graph, start])
    return [made, named, GRAPH.like(given[:2], [graph, goal])[1]]


def _route(graph, start, goal):
    """Its length; the route itself, alone or beside that, is not told."""
    weights, lengths = _weights(graph), {start: 0.0}
    if any(weight < 0 for links in weights.values() for weight in links.values()):
        return []
    for _ in weights:
        for node in list(lengths):
            for other, weight in weights.get(node, {}).items():
                lengths[other] = min(lengths.get(other, math.inf), lengths[node] + weight)

    def holds(found):
        """the length of the shortest of all paths"""
        told = [one for one in (found if type(found) is tuple else [found]) if type(one) in (int, float)]
        if len(told) != 1 or goal not in lengths:
            return None
        return near(told[0], lengths[goal])

    return [holds, lengths.get(goal, math.inf)]


def _is_ranked(given):
    links = given[0]
    return (
        LINKS.fits([links])
        and all(other in links for others in links.values() for other in others)
        and all(type(one) in (int, float) for one in given[1:])
        and (len(given) < 2 or 0 < given[1] < 1)
    )


def _ranks(spread):
    """After so many rounds; a page without links spreads its rank evenly. Of the sum of one, or of as many as pages."""

    def of(links, damping=0.85, rounds=FAR):
        if not spread and not all(links.values()):
            return []
        count = len(links)
        ranks = dict.fromkeys(links, 1 / count)
        for _ in range(rounds if type(rounds) is int else FAR):
            lost = sum(ranks[page] for page in links if not links[page])
            after = dict.fromkeys(links, (1 - damping) / count + damping * lost / count)
            for page, others in links.items():
                for other in others:
                    after[other] += damping * ranks[page] / len(others)
            ranks = after
        return [ranks] + ([] if spread else [{page: rank * count for page, rank in ranks.items()}])

    return of


def _like_ranked(given, inputs):
    """With the settings of the call."""
    return LINKS.like(given[:1], inputs[:1]) + list(given[1:])


def _by_size(graph):
    groups = connected(graph)

    def holds(found):
        """sets of connected nodes, the largest first"""
        if type(found) not in (list, tuple) or not all(isinstance(one, (list, set, frozenset, tuple)) for one in found):
            return None
        lengths = [len(one) for one in found]
        return sorted(map(sorted, found)) == sorted(map(sorted, groups)) and lengths == sorted(lengths, reverse=True)

    return [holds]


def _harmonic(graph, node):
    found = sum(1 / steps for steps in steps_from(graph, node).values() if steps)
    return [found, found / max(1, len(graph) - 1)]


def _local(graph, node):
    linked = set(graph[node]) - {node}
    pairs = list(itertools.combinations(linked, 2))
    return sum(b in graph[a] for a, b in pairs) / len(pairs) if pairs else 0.0


def _clustered(*ways):
    """Over all nodes, or those that have two neighbours, or any that are linked."""

    def of(graph):
        each_one = [_local(graph, node) for node in graph]
        several = [_local(graph, node) for node in graph if len(set(graph[node]) - {node}) > 1]
        told = {"all": each_one, "several": several, "any": [one for one in each_one if one]}
        return [sum(told[way]) / len(told[way]) if told[way] else 0.0 for way in ways]

    return of


_UNION, _SAME = ("union", "unite", "merge", "join", "link"), ("connected", "same", "same_set", "is_connected", "joined")
_FIND = ("find", "root", "find_root", "find_set", "representative")
_MEMBERS, _PAIRED = 7, [(1, 2), (3, 4), (2, 4), (5, 6), (6, 3)]


def parted(one):
    """What is wrong with what a new object of the class of `one` joins, two by two; "" for nothing, None if it can't be
    tried."""
    kind = type(one)
    unite, find, same = (next(filter(functools.partial(hasattr, kind), names), "") for names in (_UNION, _FIND, _SAME))
    if not unite or not (find or same):
        return None
    made = _members(kind)

    def together(a, b):
        return getattr(made, same)(a, b) if same else getattr(made, find)(a) == getattr(made, find)(b)

    if together(1, 2):
        return None
    for place, pair in enumerate(_PAIRED):
        getattr(made, unite)(*pair)
        groups = _joined(_PAIRED[: place + 1])
        for a, b in itertools.combinations(range(1, _MEMBERS), 2):
            wanted = any(a in group and b in group for group in groups)
            if bool(together(a, b)) != wanted:
                told = " and ".join("%d with %d" % joined for joined in _PAIRED[: place + 1])
                words = ("apart", "together") if wanted else ("together", "apart")
                return "%d and %d %s once it joined %s, its definition gives %s" % (a, b, words[0], told, words[1])
    return ""


def _members(kind):
    """Of so many members, or of these."""
    try:
        made = kind(_MEMBERS)
    except TypeError:
        return kind(range(_MEMBERS))
    return made


_LUCKLESS = [("a", "b", 1), ("c", "d", 2), ("b", "c", 3), ("a", "d", 9), ("d", "e", 4), ("a", "e", 5)]
_BACKWARDS = [("d", "e", 1), ("c", "d", 1), ("b", "c", -2), ("a", "b", 4), ("a", "c", 5)]
_CHEAPER = {"a": {"b": 10, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 9}, "d": {"a": 1}}
_WEB = {"a": ["b", "c"], "b": ["c"], "c": ["a"], "d": ["c", "a"]}
_SINK = {"a": ["b", "c"], "b": [], "c": ["a"], "d": ["c"]}
_KITE = {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b", "d"], "d": ["c", "e"], "e": ["d"], "f": []}
_EDGES = Kind(lambda given: all(map(_is_edges, given)), _like_edges)
_RANKED = Kind(_is_ranked, _like_ranked)
_ROUTE = (Kind(_is_between, _like_between), [(_CHEAPER, "a", "b"), (_CHEAPER, "a", "d"), (_CHEAPER, "c", "a")], _route)
_SIZES = {"d": ["e"], "e": ["d"], "a": ["b", "c"], "b": ["a"], "c": ["a"]}
_NEAR = Kind(lambda given: MUTUAL.fits(given[:1]) and FROM_NODE.fits(given), FROM_NODE.like)
_TREES = "minimum_spanning_tree min_spanning_tree kruskal kruskal_mst mst minimum_spanning_forest"
_PAGES = [(_WEB, 0.85, FAR)], [(_WEB, 0.85, FAR), (_SINK, 0.85, FAR)]
_NAMED: Dict[Any, Any] = {
    (1, _TREES): (_EDGES, [(_LUCKLESS,), (_LUCKLESS[::-1],)], _least_tree),
    (2, _TREES): (
        placed(_EDGES, COUNT), [(_LUCKLESS, 5)], _least_tree
    ),
    (3, "bellman_ford bellmanford"): (
        Kind(_is_from, _like_from), [(_BACKWARDS, "abcde", "a"), (_BACKWARDS, "abcde", "b")], _lengths
    ),
    (3, "shortest_path_length shortest_distance dijkstra_distance shortest_route_length dijkstra"): _ROUTE,
    (3, "length_of_shortest"): _ROUTE,
    (2, "harmonic_closeness harmonic_centrality harmonic_closeness_centrality"): (
        _NEAR, [(_KITE, "a"), (_KITE, "d"), (_KITE, "f")], _harmonic
    ),
    (1, "average_clustering average_clustering_coefficient mean_clustering"): (
        MUTUAL, [(_KITE,)], _clustered("all", "several", "any")
    ),
    (1, "average_clustering_of_all"): (MUTUAL, [(_KITE,)], _clustered("all")),
    (2, "local_clustering clustering_coefficient local_clustering_coefficient"): (
        _NEAR, [(_KITE, "c"), (_KITE, "a")], lambda graph, node: [_local(graph, node)]
    ),
    (1, "components_by_size"): (MUTUAL, [(_SIZES,), (_KITE,)], _by_size),
    **{(n, "page_rank pagerank"): (_RANKED, _PAGES[0], _ranks(False)) for n in (1, 2, 3)},
    **{(n, "page_rank_of_all"): (_RANKED, _PAGES[1], _ranks(True)) for n in (1, 2, 3)},
}  # fmt: skip
NETWORKS = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
