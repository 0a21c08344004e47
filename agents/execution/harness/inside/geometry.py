"""What functions of angles, points and directions give by their names, in every usual reading. Standard library only,
Python 3.6 or later. See `algorithms`.
"""

import itertools
import math
from typing import Any, Dict

from .kinds import BOX, LIST, NUMBER, PAIR, PAIRS, RECTANGLE, numbers_in, rows_of

_TURNS = (2 * math.pi, 360.0)


def _within(angle, turn):
    """In a turn that begins at 0, or in the middle, with either end."""
    low = angle % turn
    middle = low - turn if low >= turn / 2 else low
    return [low, middle, turn / 2 if middle == -turn / 2 else middle]


def _mean_direction(angles):
    found = []  # type: list[float]
    for turn in _TURNS:
        parts = [2 * math.pi * angle / turn for angle in numbers_in(angles)]
        across, along = sum(map(math.sin, parts)), sum(map(math.cos, parts))
        found += (
            _within(math.atan2(across, along) * turn / 2 / math.pi, turn) if math.hypot(across, along) > 0.1 else []
        )
    return found


def _unwrapped(angles):
    """Each next to the one before it."""
    found = []
    for turn in _TURNS:
        parts = numbers_in(angles)
        for place in range(1, len(parts)):
            parts[place] -= turn * round((parts[place] - parts[place - 1]) / turn)
        found.append(tuple(parts))
    return found


def _wrapped(angle):
    return [one for turn in _TURNS for one in _within(angle, turn)]


def _onto_simplex(values):
    """The nearest shares (Duchi et al. 2008, figure 1)."""
    values, total, level = numbers_in(values), 0.0, 0.0
    for count, value in enumerate(sorted(values, reverse=True), 1):
        total += value
        if value - (total - 1) / count > 0:
            level = (total - 1) / count
    return [tuple(max(value - level, 0.0) for value in values)]


def _centroid(points):
    """Of the area."""
    pairs = [(a, b, a[0] * b[1] - b[0] * a[1]) for a, b in zip(points, [*points[1:], points[0]])]
    area = sum(cross for _, _, cross in pairs)
    return [tuple(sum((a[k] + b[k]) * cross for a, b, cross in pairs) / (3 * area) for k in (0, 1))] if area else []


def _to_segment(*points):
    """Of the first from that between the others, or of the last."""
    found = []
    for p, a, b in (points, (points[2], points[0], points[1])):
        along = [b[k] - a[k] for k in (0, 1)]
        length = sum(part * part for part in along)
        share = sum((p[k] - a[k]) * along[k] for k in (0, 1)) / length if length else 0.0
        share = min(1.0, max(0.0, share))
        found.append(math.sqrt(sum((p[k] - a[k] - share * along[k]) ** 2 for k in (0, 1))))
    return found


def _generalized(one, other):
    """Of corners, or of a corner and sizes (Rezatofighi et al. 2019, algorithm 1)."""
    found = []
    one, other = numbers_in(one), numbers_in(other)
    for sized in (False, True):
        boxes = [[*box[:2], box[0] + box[2], box[1] + box[3]] if sized else box for box in (one, other)]
        if any(box[2] <= box[0] or box[3] <= box[1] for box in boxes):
            continue
        (a, b), (inner, outer) = boxes, ((max, min), (min, max))
        sides = [[each[1](a[k + 2], b[k + 2]) - each[0](a[k], b[k]) for k in (0, 1)] for each in (inner, outer)]
        both, hull = max(0.0, sides[0][0]) * max(0.0, sides[0][1]), sides[1][0] * sides[1][1]
        union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes) - both
        found.append(both / union - (hull - union) / hull)
    return found


def _orthonormal(matrix):
    """By rows, or by columns."""
    rows = rows_of(matrix)
    found = []
    for turned in (False, True):
        made = []  # type: list[list[float]]
        for vector in zip(*rows) if turned else rows:
            rest = [float(value) for value in vector]
            for known in made:
                along = sum(a * b for a, b in zip(rest, known))
                rest = [value - along * part for value, part in zip(rest, known)]
            length = math.sqrt(sum(value * value for value in rest))
            if length < 1e-9 * (1 + max(map(abs, vector))):
                break
            made.append([value / length for value in rest])
        else:
            found.append(tuple(itertools.chain(*(zip(*made) if turned else made))))
    return found


def _meeting(*points):
    """Whether two segments, of two points each or of one each of four, have a point in common; none if they lie in one
    line."""
    p, q, r, s = points if len(points) == 4 else (*points[0], *points[1])

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    sides = [side(p, q, r), side(p, q, s), side(r, s, p), side(r, s, q)]
    return [sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0] if any(sides) else []


def _peaks(sign):
    """Places of numbers that are higher than those beside them, also at an end."""

    def found(values):
        values = [sign * value for value in numbers_in(values)]
        around = zip([-math.inf, *values], values, [*values[1:], -math.inf])
        return [[place for place, (before, value, after) in enumerate(around) if before < value > after]]

    return found


_TOUCHING = [
    ((0, 0), (4, 0), (2, 0), (3, 5)), ((1, 3), (3, -2), (0, 8), (1, 3)), ((0, 0), (2, 2), (3, 4), (1, 1)),
    ((0, 0), (4, 0), (6, 0), (7, 5)), ((0, 0), (4, 2), (0, 2), (3, -1)),
]  # fmt: skip
_WAVES = [([5.0, 1.0, 3.0, 2.0, 4.0],), ([1.0, 3.0, 0.0, 2.0],), ([4.0, 2.0, 6.0, 7.0, 3.0],)]
_AROUND = [([6.1, 0.2, 0.3, 0.4],), ([350.0, 20.0, 30.0, 10.0],), ([-3.0, 3.0, 2.9],),
           ([150.0, 170.0, 200.0],)]  # fmt: skip
_ON = [([0.0, 3.0, -3.0, -2.5, -0.4, 2.6, -2.9],), ([10.0, 170.0, -170.0, -160.0, -20.0, 100.0, -100.0],)]
_SHAPES = [([(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (0.0, 5.0)],), ([(1.0, 1.0), (5.0, 1.0), (1.0, 4.0)],)]
_NEAR = [
    ((5.0, 1.0), (0.0, 0.0), (3.0, 0.0)),
    ((-2.0, 3.0), (1.0, -1.0), (2.0, 4.0)),
    ((1.0, 2.0), (0.0, 0.0), (4.0, 1.0)),
]
_BOXES = [([0.0, 0.0, 2.0, 3.0], [5.0, 4.0, 9.0, 6.0]), ([0.0, 0.0, 4.0, 3.0], [1.0, 1.0, 6.0, 5.0])]
_NAMED: Dict[Any, Any] = {
    (1, "circular_mean mean_direction angular_mean mean_angle mean_heading mean_bearing mean_wind_direction"): (
        LIST, _AROUND, _mean_direction
    ),
    (1, "unwrap unwrap_phase unwrap_angle unwrap_angles phase_unwrap"): (LIST, _ON, _unwrapped),
    (1, "wrap_angle wrap_to_pi wrap_to_180 wrap_to_360 wrap_phase normalize_angle normalise_angle"): (
        NUMBER, [(-4.0,), (-200.0,), (725.0,), (7.5,), (-31.0,)], _wrapped
    ),
    (1, "project_simplex simplex_projection project_onto_simplex project_to_simplex projection_onto_simplex"): (
        LIST, [([0.5, -1.0, 2.0, 0.3],), ([0.6, 0.5, 0.4],), ([-2.0, -2.5, -2.2],)], _onto_simplex
    ),
    (1, "polygon_centroid centroid_of_polygon polygon_center_of_mass"): (PAIRS, _SHAPES, _centroid),
    (3, "point_segment_distance distance_to_segment point_to_segment_distance segment_distance dist_to_segment"): (
        PAIR, _NEAR, _to_segment
    ),
    (4, "segments_that_meet"): (PAIR, _TOUCHING, _meeting),
    (2, "segments_that_meet"): (PAIRS, [([a, b], [c, d]) for a, b, c, d in _TOUCHING], _meeting),
    (1, "peaks_also_at_ends"): (LIST, _WAVES, _peaks(1)),
    (1, "dips_also_at_ends"): (LIST, _WAVES, _peaks(-1)),
    (2, "giou generalized_iou generalised_iou"): (BOX, _BOXES, _generalized),
    (1, "gram_schmidt gramschmidt orthonormalize orthonormalise modified_gram_schmidt"): (
        RECTANGLE, [([[3.0, 1.0, 0.0], [2.0, 2.0, 1.0], [0.0, 1.0, 4.0]],)], _orthonormal
    ),
}  # fmt: skip
GEOMETRY = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
"""As in `algorithms`."""
