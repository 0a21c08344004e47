"""What a model answers when it is asked for a module, and when it looks at one: the schemas it is held to."""

from typing import ClassVar, Literal

from pydantic import Field

from kg.models.paper import Model

__all__ = ["Documentation", "Lifted", "Review", "Rewritten"]


class Documentation(Model):
    """What a module is for a reader who has only this: what it does, what it takes and gives, shapes and units."""

    what: str = Field(max_length=2_000)
    inputs: str = Field(default="", max_length=2_000)
    outputs: str = Field(default="", max_length=2_000)
    shapes: str = Field(default="", max_length=1_000)

    @property
    def text(self) -> str:
        """All of it as it is shown and kept."""
        parts = (("", self.what), ("Inputs: ", self.inputs), ("Outputs: ", self.outputs), ("Shapes: ", self.shapes))
        return "\n".join(title + said.strip() for title, said in parts if said.strip())


class Lifted(Model):
    """A `parameter` of a module and what it `stands_for`: an expression of the original, letter by letter."""

    parameter: str = Field(max_length=100)
    stands_for: str = Field(max_length=500)


class Rewritten(Model):
    """A module: the text of its one file, what it takes that the original finds, loads or opens, the names that it
    exports, its documentation, and what it changed; or why it was `declined`, and no module.

    Where a server holds a model to this form it writes the parts in their order: asked first why it declines, a small
    one finds a reason, and by `source` it understands where the code comes from.
    """

    BLOCK: ClassVar[str] = "module"

    module: str = Field(default="", max_length=200_000)
    lifted: tuple[Lifted, ...] = Field(default=(), max_length=12)
    exports: tuple[str, ...] = Field(default=(), max_length=50)
    documentation: Documentation = Documentation(what="")
    changes: tuple[str, ...] = Field(default=(), max_length=50)
    declined: str = Field(default="", max_length=500)


class Review(Model):
    """Whether a module holds nothing beyond its technique, and does what the original does."""

    scope: Literal["within", "beyond"]
    fidelity: Literal["same", "different", "cannot tell"]
    reason: str = Field(default="", max_length=2_000)

    @property
    def accepted(self) -> bool:
        """Whether nothing was found against it."""
        return self.scope == "within" and self.fidelity != "different"
