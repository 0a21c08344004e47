"""What a model answers to an agent's questions: the schemas it is held to."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from kg.models.paper import Model

__all__ = [
    "Action",
    "Analysis",
    "Change",
    "Compared",
    "Departure",
    "Difference",
    "Fact",
    "Listed",
    "Mended",
    "Plan",
    "PlannedFile",
    "Requirement",
    "Specified",
    "Written",
]

Short, Long = 300, 4_000
_FENCED = re.compile(r"\s*```[\w+-]*\n(?P<text>(?:(?!```).*\n)*)```\s*")


def _unfenced(text: str) -> str:
    """The text of a file without the Markdown fence that some models put around all of it."""
    fenced = _FENCED.fullmatch(text)
    return fenced["text"] if fenced else text


Text = Annotated[str, Field(max_length=200_000), AfterValidator(_unfenced)]


class Action(Model):
    """The next step: why, the tool, and its arguments as the text of one JSON object."""

    thought: str = Field(default="", max_length=Long)
    tool: str = Field(max_length=100)
    arguments: str = Field(default="{}", max_length=400_000)


class Requirement(Model):
    """Something that the paper does, reports or compares and a replication needs; `section` is where it says so."""

    id: str = Field(max_length=50)
    text: str = Field(max_length=1_000)
    section: str = Field(default="", max_length=Short)


class PlannedFile(Model):
    """A Python file. `requirements` are ids that it serves, `sections` where the paper tells what it does, `needs` the
    paths of files that it imports."""

    path: str = Field(max_length=Short)
    purpose: str = Field(max_length=2_000)
    requirements: tuple[str, ...] = Field(default=(), max_length=100)
    sections: tuple[str, ...] = Field(default=(), max_length=20)
    needs: tuple[str, ...] = Field(default=(), max_length=50)


class Plan(Model):
    """What is to be written: all requirements of the whole paper, the files, and the one of them that is run."""

    overview: str = Field(max_length=Long)
    requirements: tuple[Requirement, ...] = Field(min_length=1, max_length=100)
    files: tuple[PlannedFile, ...] = Field(min_length=1, max_length=40)
    entry: str = Field(max_length=Short)

    @property
    def ledger(self) -> dict[str, tuple[str, ...]]:
        """Requirements with the files that serve them."""
        return {
            f"{one.id}: {one.text}": tuple(file.path for file in self.files if one.id in file.requirements)
            for one in self.requirements
        }


class Fact(Model):
    """One thing that the paper fixes: a constant, a formula, a shape, a default. `section` is where it says so."""

    what: str = Field(max_length=Short)
    value: str = Field(max_length=2_000)
    section: str = Field(default="", max_length=Short)


class Analysis(Model):
    """The specification of one file, from the paper alone. `interface` are signatures, `steps` what it does in order,
    `assumptions` what the paper leaves open, `look_for` what might be in a collection of techniques and code."""

    facts: tuple[Fact, ...] = Field(default=(), max_length=60)
    interface: tuple[str, ...] = Field(default=(), max_length=60)
    steps: tuple[str, ...] = Field(default=(), max_length=60)
    assumptions: tuple[str, ...] = Field(default=(), max_length=30)
    look_for: tuple[str, ...] = Field(default=(), max_length=5)


class Difference(Model):
    """What code that was shown (`code` is its id) does otherwise than the specification."""

    code: str = Field(max_length=500)
    specified: str = Field(max_length=1_000)
    there: str = Field(max_length=1_000)


class Departure(Model):
    """What code does otherwise than a specification."""

    specified: str = Field(max_length=1_000)
    there: str = Field(max_length=1_000)


class Compared(Model):
    """Shown code beside a specification: of what use it is, and where it does otherwise."""

    use: Literal["adopt", "adapt", "interface", "reject"]
    why: str = Field(default="", max_length=1_000)
    differences: tuple[Departure, ...] = Field(default=(), max_length=40)


class Listed(Requirement):
    """A requirement, and the paths of the files that are to serve it."""

    files: tuple[str, ...] = Field(default=(), max_length=40)


class Specified(Model):
    """What an agent that chooses its own steps writes down from the paper alone: all requirements of the whole paper,
    what the paper fixes, what the program does in order, what the paper leaves open."""

    requirements: tuple[Listed, ...] = Field(min_length=1, max_length=100)
    facts: tuple[Fact, ...] = Field(default=(), max_length=60)
    steps: tuple[str, ...] = Field(default=(), max_length=60)
    assumptions: tuple[str, ...] = Field(default=(), max_length=30)

    @property
    def ledger(self) -> dict[str, tuple[str, ...]]:
        """Requirements with the files that serve them."""
        return {f"{one.id}: {one.text}": one.files for one in self.requirements}


class Written(Model):
    """The text of one file, the ids of shown code that it uses, and where that differs from the specification."""

    BLOCK: ClassVar[str] = "text"

    text: Text
    used: tuple[str, ...] = Field(default=(), max_length=20)
    differences: tuple[Difference, ...] = Field(default=(), max_length=40)


class Change(Model):
    """`old`, which stands exactly once in the file at `path`, becomes `new`; an empty `old` is the whole file."""

    path: str = Field(max_length=Short)
    old: str = Field(default="", max_length=200_000)
    new: Text = ""


class Mended(Model):
    """What was wrong, and the changes that put it right."""

    cause: str = Field(max_length=2_000)
    changes: tuple[Change, ...] = Field(max_length=50)
