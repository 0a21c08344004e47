"""Where the crash tests kill: one point in each equal part of a run, so that no part of it goes untried.

`make test` tries few parts, `make soak` (``pytest --soak``) many: each test says how many of its own.
"""

from itertools import pairwise
from random import Random

__all__ = ["moments", "statements"]


def moments(seed: int, first: float, last: float, parts: int) -> list[float]:
    """A moment at random in each of so many equal parts of the time from `first` to `last`, shuffled."""
    random = Random(seed)  # noqa: S311 -- repeatable, no secret
    width = (last - first) / parts
    found = [random.uniform(first + part * width, first + (part + 1) * width) for part in range(parts)]
    random.shuffle(found)
    return found


def statements(seed: int, first: int, last: int, parts: int) -> list[int]:
    """Numbers of statements, one at random in each of so many parts of `first` to `last`, both included, shuffled.

    All of them, if there are no more than `parts`.
    """
    random = Random(seed)  # noqa: S311 -- repeatable, no secret
    count = last - first + 1
    parts = min(parts, count)
    bounds = [first + count * part // parts for part in range(parts + 1)]
    found = [random.randrange(low, high) for low, high in pairwise(bounds)]
    random.shuffle(found)
    return found
