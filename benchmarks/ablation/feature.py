"""One part of the product that can be switched off, to see what a bench loses without it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass


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
