"""One part of the product that a quality bench can be run without."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

__all__ = ["Feature"]


@dataclass(frozen=True)
class Feature:
    """A part called `name`, judged by the benchmark `bench` ("techniques", "grounding", "slicing" …).

    Inside the block of `off()` the part is switched off in this process.
    """

    name: str
    bench: str
    off: Callable[[], AbstractContextManager[None]]
