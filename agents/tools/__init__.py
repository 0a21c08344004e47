"""Tools for agents: one registry, whoever calls it (a loop of ours, an MCP client, a notebook)::

    with open_context(load_settings(), Excluded(papers=("1706.03762",))) as context:
        envelope = call(context, "find_techniques", {"query": "reservoir sampling"})
        envelope.ok, envelope.data, envelope.next_cursor, envelope.error

What a blacklist or `Excluded` keeps from an agent is left out by the queries; no argument brings it back.
"""

from agents.tools.context import NOTHING_EXCLUDED, Context, open_context
from agents.tools.envelope import LIMIT_TOKENS, Answer, Envelope, Listing, Problem, Text, tokens
from agents.tools.registry import TOOLS, call, card
from agents.tools.tool import Arguments, Hints, Tool
from kg.excluding import Excluded

__all__ = [
    "LIMIT_TOKENS",
    "NOTHING_EXCLUDED",
    "TOOLS",
    "Answer",
    "Arguments",
    "Context",
    "Envelope",
    "Excluded",
    "Hints",
    "Listing",
    "Problem",
    "Text",
    "Tool",
    "call",
    "card",
    "open_context",
    "tokens",
]
