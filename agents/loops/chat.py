"""Our client as a chat model of LangChain's, so that its agents ask as everything here asks.

The conversation is rendered through a prompt of ours, in which all that papers, repositories and the model itself have
said is material; the reply is one action. So ledger, limits and kept answers hold, and models that know nothing of tool
calls can be agents, too.
"""

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable

from agents.llm import shortened
from agents.loops.reply import Action
from agents.loops.work import Work

__all__ = ["UNREADABLE", "ActionChat", "called"]

STEP, STAGE = "agent_step", "agent"
UNREADABLE = "unreadable_call"
"""The tool that a call goes to which is none of a tool."""
_TAKEN = frozenset({"self", "config", "run_manager"})
"""Names that LangChain's tools have for themselves, and none of ours has."""
_AS = 'give them by their names, as {"section": "2"}, or {} for none'
"""How arguments are to be written: small models write one as it is."""
RECENT = 6
"""Steps whose results are shown whole; of those before, the beginning."""
OLD = 300


class ActionChat(BaseChatModel):
    """Asks for the next action of `work`, with tools told as `told`."""

    work: Any
    told: str
    names: frozenset[str]

    @property
    def _llm_type(self) -> str:
        return "xkg"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:  # noqa: ARG002
        """Itself: the tools are told in the prompt."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 -- LangChain's signature
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        work: Work = self.work
        said = _history(messages, work.asking.room // 2)
        inputs = {
            "tools": self.told,
            "paper": work.target.title,
            "abstract": work.target.abstract,
            "outline": work.target.outline,
            "history": said,
        }
        action = work.asking.ask(STEP, inputs, Action, STAGE)
        name, arguments = called(action, self.names)
        call = {"name": name, "args": arguments, "id": f"call_{len(messages)}", "type": "tool_call"}
        message = AIMessage(content=action.thought, tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])


def called(action: Action, names: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments, if they can be kept as a step and told to LangChain; else what is wrong with them."""
    try:
        arguments = json.loads(action.arguments or "{}")
        json.dumps([action.tool, arguments], ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        told = f"the arguments of {action.tool[:60]} are no JSON: {error}; {_AS}"
        return UNREADABLE, {"said": told.encode("utf-8", "replace").decode()}
    if not isinstance(arguments, dict):
        return UNREADABLE, {"said": f"the arguments of {action.tool[:60]} are no JSON object; {_AS}"}
    if action.tool not in names:
        return UNREADABLE, {"said": f"there is no tool {action.tool!r}"}
    if taken := _TAKEN & arguments.keys():
        return UNREADABLE, {"said": f"{action.tool} has no argument {min(taken)!r}"}
    return action.tool, arguments


def _history(messages: Sequence[BaseMessage], room: int) -> str:
    """What was done, a step after the other, the last ones whole; older results are cut where room is short."""
    steps: list[list[str]] = []
    for message in messages:
        if isinstance(message, AIMessage):
            (call,) = message.tool_calls
            steps.append(
                [f"{message.text}\n> {call['name']} {json.dumps(call['args'], ensure_ascii=False)}".strip(), ""]
            )
        elif isinstance(message, ToolMessage) and steps:
            steps[-1][1] = message.text
    recent = len(steps) - RECENT
    lines = []
    for number, (asked, result) in enumerate(steps):
        old = number < recent
        lines.append(f"{_short(asked, OLD) if old else asked}\n{_short(result, OLD) if old else result}")
    while len(lines) > 1 and sum(map(len, lines)) > room:
        lines.pop(0)
    return shortened("\n\n".join(lines), room)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"
