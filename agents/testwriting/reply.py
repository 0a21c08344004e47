"""What a model answers when it is asked for tests of a unit, and when it reads some: the schemas it is held to."""

from typing import Literal

from pydantic import Field

from kg.models.paper import Model

__all__ = ["NOTHING", "Because", "Nothing", "ReadTest", "ReviewedTests", "TestFunction", "UnitTests"]

Nothing = Literal["not this unit", "no expectation", "can't be called"]
"""Why nothing was written: the paper speaks of something else; it fixes nothing that could be asserted; what the call
needs can't be made in a test."""
NOTHING: dict[Nothing, str] = {
    "not this unit": "what {source} says is not about it",
    "no expectation": "what {source} says fixes nothing that could be asserted",
    "can't be called": "what a call needs can't be made in a test",
}
"""What is said of each, with the `source` of the tests."""


class Because(Model):
    """What one assertion follows from: a `quote` of what is stated, and how the expectation `follows` from it."""

    quote: str = Field(max_length=1_000)
    follows: str = Field(max_length=1_000)


class TestFunction(Model):
    """One pytest function, and what each of its assertions follows from, in their order."""

    source: str = Field(max_length=8_000)
    asserts: tuple[Because, ...] = Field(default=(), max_length=20)


class UnitTests(Model):
    """Test functions, with the imports and helpers that they share; or `nothing`, which says why there are none."""

    nothing: Nothing | None = None
    setup: str = Field(default="", max_length=8_000)
    tests: tuple[TestFunction, ...] = Field(default=(), max_length=6)


class ReadTest(Model):
    """Whether the words that the function `test` quotes fix what it asserts, leave it open or are about something else,
    and `why`."""

    test: str = Field(max_length=300)
    why: str = Field(min_length=1, max_length=1_000)
    reading: Literal["fixed", "open", "elsewhere"]


class ReviewedTests(Model):
    """A reading of each test function that was shown."""

    tests: tuple[ReadTest, ...] = Field(max_length=40)
