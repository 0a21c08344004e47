"""The agent `basic`: a model that chooses one tool after another, by LangChain's agent, until its program works.

It may end only where the sandbox bears it out: `finish` runs its tests and its entry point, and refuses where they
do not pass, or pass and show nothing.
"""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from agents.loops.chat import UNREADABLE, ActionChat
from agents.loops.ends import End, Failed, Halt, Shown, Stuck, Unproven
from agents.loops.outcomes import ENTRY, shown
from agents.loops.trajectory import digest
from agents.loops.work import WORKSPACE, Work
from agents.tools import card

__all__ = ["run_basic"]

PATIENCE = 6
"""Steps on end that may bring nothing that was not there before."""
REFUSALS = 4
READ, FINISH = "read_paper", "finish"
OWN = (
    (READ, "The text of the paper that you replicate: a section by number or title, or, without one, its beginning.",
     {"section": {"type": "string", "default": ""}}),
    (FINISH, f"Say that the work is done. Your tests and `{ENTRY}` are run; if they do not pass, you go on.",
     {"summary": {"type": "string"}}),
)  # fmt: skip


def run_basic(work: Work) -> NoReturn:
    """Work until an end, which is raised."""
    from langchain.agents import create_agent
    from langchain_core.messages import HumanMessage
    from langchain_core.tools import StructuredTool

    agent = _Agent(work)
    tools = [
        StructuredTool(name=name, description=description, args_schema=schema, func=agent.calling(name))
        for name, (description, schema) in agent.tools.items()
    ]
    chat = ActionChat(work=work, told=agent.told(), names=frozenset(agent.tools))
    graph = create_agent(chat, tools)
    graph.invoke({"messages": [HumanMessage("Begin.")]}, {"recursion_limit": 4 * work.limits.steps + 10})
    raise Failed("no end", "the agent has stopped without finishing")


class _Agent:
    """What its tools do, and how it is seen to make progress."""

    def __init__(self, work: Work) -> None:
        self.work, self.refused, self.idle = work, 0, 0
        self.seen, self.unproven = set[str](), ""
        own = {name: (said, {"type": "object", "properties": given}) for name, said, given in OWN}
        graph = {tool.name: (tool.description, tool.schema()) for tool in work.knowledge.tools}
        folder = {tool.name: (tool.description, tool.schema()) for tool in WORKSPACE.values()}
        wrong: dict[str, Any] = {"type": "object", "properties": {"said": {"type": "string"}}}
        self.tools = {**own, **graph, **folder, UNREADABLE: ("", wrong)}

    def told(self) -> str:
        """The tools as the model is told of them, and of the graph if it has all of it."""
        lines = [
            f"{name}: {said}\n  {json.dumps(schema.get('properties', {}), ensure_ascii=False)}"
            for name, (said, schema) in self.tools.items()
            if name != UNREADABLE
        ]
        return "\n".join([*lines, *([] if self.work.knowledge.without else ["", card()])])

    def calling(self, name: str) -> Any:
        """The function of a tool, as LangChain calls it."""

        def run(**arguments: Any) -> str:
            said = self._do(name, arguments)
            self._progress(digest([name, said]))
            return said

        return run

    def _do(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name == READ:
            return self._read(str(arguments.get("section") or ""))
        if name == FINISH:
            return self._finish(str(arguments.get("summary") or ""))
        if name == UNREADABLE:
            return str(arguments.get("said"))
        found = self.work.act(name, arguments) if name in WORKSPACE else self.work.knowledge.ask(name, arguments)
        return found.text()

    def _read(self, section: str) -> str:
        target, room = self.work.target, self.work.asking.room // 4
        if not section.strip():
            return target.text(room)
        found = target.section(section)
        return found[:room] if found else f"there is no section {section[:100]!r}; there are:\n{target.outline}"

    def _finish(self, summary: str) -> str:
        tests = self.work.act("workspace_test", {})
        entry = self.work.act("workspace_run", {"path": ENTRY})
        wrong = [one.text() for one in (tests, entry) if not one.ok or (one.data or {}).get("state") != "passed"]
        self.refused += 1
        if not wrong:
            return self._unproven(shown(self.work, ENTRY, entry), summary)
        if self.refused >= REFUSALS:
            raise Failed("not working", f"finished {self.refused} times with what does not pass")
        return "not done, as this did not pass:\n" + "\n".join(wrong)

    def _unproven(self, found: Shown, summary: str) -> str:
        """Why what passes is not done. Raises Halt if it is, Unproven where it was told before and nothing changed."""
        if not found.lacking:
            raise Halt(End(state="done", why="tests pass", said=summary[:2000], shown=found))
        state = self.work.runner.workspace.digest()
        if self.refused >= REFUSALS or state == self.unproven:
            raise Unproven(found)
        self.unproven = state
        return "not done: it passes, but nothing is shown by it:\n" + "\n".join(found.lacking)

    def _progress(self, result: str) -> None:
        """Raises Stuck after too many steps whose result, and whose folder, was there before."""
        state = self.work.runner.workspace.digest()
        fresh = {result, state} - self.seen
        self.seen |= {result, state}
        self.idle = 0 if fresh else self.idle + 1
        if self.idle >= PATIENCE:
            raise Stuck(f"{PATIENCE} steps on end brought nothing that was not there before")
