"""What a tool is, and what its arguments are made of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agents.tools.context import Context
from agents.tools.envelope import Answer
from kg.models.labels import labels_of

__all__ = ["Arguments", "Cursor", "Hints", "Id", "Limit", "Need", "Tool"]

Id = Annotated[str, Field(min_length=1, max_length=500)]
Need = Annotated[str, Field(min_length=1, max_length=4_000)]
Limit = Annotated[int, Field(ge=1, le=50)]
Cursor = Annotated[int, Field(ge=0)]


class Arguments(BaseModel):
    """Of a tool: exactly these, each of its type."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Hints:
    """What a client may rely on; the words are MCP's. `open_world`: it touches more than this graph and folder."""

    read_only: bool = True
    destructive: bool = False
    idempotent: bool = True
    open_world: bool = False


@dataclass(frozen=True)
class Tool:
    """One thing that an agent can ask for or do. `run` may raise the errors of `kg.errors`: the registry tells them.

    `nodes` are the keys of its answers under which ids of nodes stand; under all others there is text.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Context, Any], Answer]
    hints: Hints = field(default_factory=Hints)
    nodes: frozenset[str] = frozenset({"id"})

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments, with nothing that costs tokens and says nothing."""
        found: dict[str, Any] = _bare(self.arguments.model_json_schema())
        return found

    def nodes_in(self, data: object) -> list[str]:
        """The ids of the nodes that the `data` of an answer tells, each once, in their order. An id in a text is none:
        papers and code say what they like."""
        return list(dict.fromkeys(one for one in self._ids(data) if labels_of(one)))

    def _ids(self, data: object) -> Iterator[str]:
        if isinstance(data, dict):
            for key, value in data.items():
                if key in self.nodes and isinstance(value, str):
                    yield value
                else:
                    yield from self._ids(value)
        elif isinstance(data, list):
            for item in data:
                yield from self._ids(item)


def _bare(schema: Any, names: bool = False) -> Any:
    """`schema` without titles and descriptions of models; `names` where the keys are names of arguments."""
    if isinstance(schema, dict):
        dropped = () if names else ("title", "maxLength", "minLength")
        kept = {key: _bare(value, key == "properties") for key, value in schema.items() if key not in dropped}
        if not names and kept.get("type") == "object":
            kept.pop("description", None)
        return kept
    return [_bare(item) for item in schema] if isinstance(schema, list) else schema
