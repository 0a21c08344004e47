"""What is judged here: a block of code that came with its own test."""

from pydantic import Field

from kg.models.paper import Model

__all__ = ["Block"]


class Block(Model):
    """An imported piece of Python, kept exactly as its file gave it.

    `id` names its Code node. `implementation` and `test` are run joined, in one process. `requirements` are the names
    the file gave (import or distribution names, not trusted to exist), `claimed` what the file said of its execution.
    """

    id: str
    implementation: str
    test: str = ""
    requirements: tuple[str, ...] = ()
    claimed: bool | None = Field(None)
