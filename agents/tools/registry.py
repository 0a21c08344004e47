"""The tools in their order, and the one way to call them: an envelope always comes back."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import ValidationError

from agents.llm import CHARACTERS_A_TOKEN, shortened
from agents.tools import asking, code, papers, techniques
from agents.tools.context import Context
from agents.tools.envelope import Envelope, Problem, sealed
from agents.tools.tool import Tool
from kg.errors import AbsentError, DatabaseError, InputError, ServiceError, XkgError

__all__ = ["TOOLS", "call", "card", "said_wrong"]

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {tool.name: tool for tool in (*papers.TOOLS, *techniques.TOOLS, *code.TOOLS, *asking.TOOLS)}
)
"""Those of the graph, by name, always in this order."""

WRONG = 5
"""Wrong arguments that are told."""
HALF = 0.4
"""The share of an answer that the message of an error may have, and its hint."""

UNKNOWN = "take an id that an answer gives, or leave it out"
"""What helps who asks for what the graph has not."""
AGAIN = "ask again, but not what made it fail"
"""What helps who asks a graph that is there again."""
LATER = "ask again later: whoever runs the graph has to mend it"
"""What helps who asks a graph that does not answer."""


def call(
    context: Context, name: str, arguments: Mapping[str, Any], tools: Mapping[str, Tool] = TOOLS, *,
    outages: bool = False,
) -> Envelope:  # fmt: skip
    """What the tool called `name` of `tools` says to these arguments. Whatever a caller can do wrong, and whatever the
    graph does not have, is told in the envelope; nothing but a mistake of ours is raised. With `outages` so is
    ServiceError: that graph, sandbox or disk are gone is no answer to who can do nothing about it."""

    def problem(kind: Literal["retry", "give_up"], message: str, hint: str) -> Envelope:
        most = int(context.limit_tokens * CHARACTERS_A_TOKEN * HALF)
        return Envelope(
            ok=False, error=Problem(kind=kind, message=shortened(message, most), hint=shortened(hint, most))
        )

    tool = tools.get(name)
    if tool is None:
        return problem("give_up", f"there is no tool {name[:100]!r}", f"there are: {', '.join(tools)}")
    try:
        asked = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        return problem("retry", f"the arguments of {name} are wrong", said_wrong(error))
    try:
        return sealed(tool.run(context, asked), context.limit_tokens)
    except AbsentError as error:
        return problem("give_up", error.what, _hint(error) or UNKNOWN)
    except (InputError, ServiceError) as error:
        late = isinstance(error, ServiceError)
        if outages and late:
            raise
        again = isinstance(error, DatabaseError) and context.revive()
        return problem("retry", error.what, AGAIN if again else _hint(error) or (LATER if late else UNKNOWN))
    except XkgError as error:
        return problem("give_up", error.what, _hint(error))


@cache
def card() -> str:
    """What an agent should know of the graph before it asks: a page, written by hand."""
    return Path(__file__).with_name("card.md").read_text(encoding="utf-8")


def _hint(error: XkgError) -> str:
    """The remedy, unless it is a command for whoever started the agent."""
    return error.remedy if "`xkg " not in error.remedy else ""


def said_wrong(error: ValidationError) -> str:
    """What is wrong with arguments, in one line."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    said = [f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in found[:WRONG]]
    return "; ".join(said)
