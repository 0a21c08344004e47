"""One part of the product that can be switched off, to see what a bench loses without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import reduce
from importlib import import_module

__all__ = ["Feature", "replaced"]


@dataclass(frozen=True)
class Feature:
    """A part of the product and how to do without it.

    ``name`` is what ``--only`` asks for and the table shows, ``bench`` the module of `benchmarks` whose figures
    the part ought to move (``techniques``, ``grounding``, ``slicing``, …).  ``off()`` is a context: inside it
    the part does nothing, in this process; on leaving it everything is as it was.
    """

    name: str
    bench: str
    off: Callable[[], AbstractContextManager[None]]


def replaced(module: str, name: str, replacement: object) -> Callable[[], AbstractContextManager[None]]:
    """A switch that puts `replacement` in the place of a name of the product's `module`, which must have it; ``C.f`` is
    what class ``C`` has under the name ``f``."""

    @contextmanager
    def off() -> Iterator[None]:
        *owners, last = name.split(".")
        place = reduce(getattr, owners, import_module(module))
        original = vars(place)[last]
        setattr(place, last, replacement)
        try:
            yield
        finally:
            setattr(place, last, original)

    return off
