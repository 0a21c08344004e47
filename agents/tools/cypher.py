"""A tool for statements of an agent's own: not among the others unless whoever starts it says so."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import Field

from agents.tools.context import Context
from agents.tools.envelope import Listing
from agents.tools.registry import TOOLS
from agents.tools.tool import Arguments, Cursor, Tool
from kg.errors import AbsentError
from kg.free_reading import LONGEST

__all__ = ["TOOLS_WITH_CYPHER", "check_open"]


class _Cypher(Arguments):
    statement: str = Field(min_length=1, max_length=LONGEST)
    parameters: dict[str, Any] = Field({})
    cursor: Cursor = 0


def check_open(context: Context) -> None:
    """Raise AbsentError if something is kept from this agent: a statement of its own would bring it back."""
    if context.store.blacklist or not context.unlicensed:
        raise AbsentError(
            "statements of one's own show all of the graph, and something is kept from this agent",
            remedy="use the other tools",
        )


def _read_cypher(context: Context, asked: _Cypher) -> Listing:
    check_open(context)
    rows, more = context.store.read_freely(asked.statement, asked.parameters, context.revive)
    about = {"more_rows": "not read: narrow the statement"} if more else {}
    return Listing(rows[asked.cursor :], "rows", asked.cursor, len(rows), about=about)


TOOLS_WITH_CYPHER: Mapping[str, Tool] = MappingProxyType(
    {
        **TOOLS,
        "read_cypher": Tool(
            "read_cypher",
            "Rows of one Cypher statement that only reads; five seconds, 200 rows. Verdicts come as they are written, "
            "believed or not: `get_code` says which are.",
            _Cypher,
            _read_cypher,
        ),
    }
)
