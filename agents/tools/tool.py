"""What a tool is, and what its arguments are made of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agents.tools.context import Context
from agents.tools.envelope import Answer

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
    """One thing that an agent can ask for or do. `run` may raise the errors of `kg.errors`: the registry tells them."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Context, Any], Answer]
    hints: Hints = field(default_factory=Hints)

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments, with nothing that costs tokens and says nothing."""
        found: dict[str, Any] = _bare(self.arguments.model_json_schema())
        return found


def _bare(schema: Any, names: bool = False) -> Any:
    """`schema` without titles and descriptions of models; `names` where the keys are names of arguments."""
    if isinstance(schema, dict):
        dropped = () if names else ("title", "maxLength", "minLength")
        kept = {key: _bare(value, key == "properties") for key, value in schema.items() if key not in dropped}
        if not names and kept.get("type") == "object":
            kept.pop("description", None)
        return kept
    return [_bare(item) for item in schema] if isinstance(schema, list) else schema
