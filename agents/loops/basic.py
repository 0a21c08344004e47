"""The agent `basic`: a model that chooses one tool after another, by LangChain's agent, until its program works.

It may end only where the sandbox bears it out: `finish` runs its tests and its entry point, and refuses where they
do not pass, or pass and show nothing.
"""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from pydantic import ValidationError

from agents.loops.chat import UNREADABLE, ActionChat
from agents.loops.ends import End, Failed, Halt, Shown, Stuck, Unproven
from agents.loops.outcomes import ENTRY, ended_with, shown
from agents.loops.reply import Analysis, Specified
from agents.loops.trajectory import digest
from agents.loops.work import UNLIMITED, WORKSPACE, Work
from agents.tools import Envelope, Problem, card
from agents.tools.registry import said_wrong

__all__ = ["run_basic"]

PATIENCE = 6
"""Steps on end that may bring nothing that was not there before."""
REFUSALS = 4
READ, SPECIFY, FINISH = "read_paper", "specify", "finish"
HANDS_OUT = frozenset({"get_code"})
"""Tools that hand out text of code."""
AGAIN = "this was asked before, and gave the same; take another step: another tool, or other arguments"
"""Stands before such an answer: small models go on asking it else."""
FIRST = "write down what the paper requires first, with `specify`"
LIST = {"type": "array"}
OWN = (
    (READ, "The text of the paper that you replicate: a section by number or title, or, without one, its beginning.",
     {"section": {"type": "string", "default": ""}}),
    (SPECIFY, "Write down, from the paper alone: all requirements of the whole paper, each {id, text, section, files}, "
     "files being those that are to serve it; facts that the paper fixes, each {what, value, section}; steps; "
     "assumptions. Before that no code is shown and nothing finished; once code was shown, it does not change.",
     {"requirements": LIST, "facts": LIST, "steps": LIST, "assumptions": LIST}),
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
    graph.invoke({"messages": [HumanMessage("Begin.")]}, {"recursion_limit": UNLIMITED})
    raise Failed("no end", "the agent has stopped without finishing")


class _Agent:
    """What its tools do, and how it is seen to make progress."""

    def __init__(self, work: Work) -> None:
        self.work, self.refused, self.idle = work, 0, 0
        self.seen, self.unproven = set[str](), ""
        self.told_before = set[str]()
        self.specified: Specified | None = None
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
            told = digest([name, arguments, said, self.work.runner.workspace.digest()])
            self._progress(digest([name, said]))
            again = told in self.told_before
            self.told_before.add(told)
            return f"{AGAIN}\n{said}" if again else said

        return run

    def _do(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name == READ:
            return self._read(str(arguments.get("section") or ""))
        if name == FINISH:
            return self._finish(str(arguments.get("summary") or ""))
        if name == UNREADABLE:
            return str(arguments.get("said"))
        if name == SPECIFY:
            return self._specify(arguments)
        if name in HANDS_OUT and self.specified is None:
            return f"no code yet: {FIRST}"
        found = self.work.act(name, arguments) if name in WORKSPACE else self.work.knowledge.ask(name, arguments)
        return (self._compared(found) if name in HANDS_OUT else found).text()

    def _specify(self, arguments: Mapping[str, Any]) -> str:
        if self.work.guards.asked:
            return "code was shown, and the specification does not change any more"
        try:
            self.specified = Specified.model_validate(arguments)
        except ValidationError as error:
            return f"this is no specification: {said_wrong(error)}"
        return f"{len(self.specified.requirements)} requirements"

    def _compared(self, found: Envelope) -> Envelope:
        """Code with what it does otherwise than the specification."""
        if self.specified is None or not found.data:
            return found
        pairs = self.work.guards.compared(self.specified.model_dump_json(indent=1), [{"code": found.data}])
        if not pairs:
            return Envelope(ok=False, error=Problem(kind="give_up", message="it does something else than is specified"))
        return found.model_copy(update={"data": pairs[0]["code"]})

    def _read(self, section: str) -> str:
        target, room = self.work.target, self.work.asking.room // 4
        if not section.strip():
            return target.text(room)
        found = target.section(section)
        return found[:room] if found else f"there is no section {section[:100]!r}; there are:\n{target.outline}"

    def _finish(self, summary: str) -> str:
        if self.specified is None:
            return f"not done: {FIRST}"
        tests = self.work.act("workspace_test", {})
        entry = self.work.act("workspace_run", {"path": ENTRY})
        wrong = [one.text() for one in (tests, entry) if not one.ok or (one.data or {}).get("state") != "passed"]
        self.refused += 1
        if not wrong:
            return self._unproven(shown(self.work, ENTRY, entry), summary)
        if self.refused >= REFUSALS:
            raise self._over(Failed("not working", f"finished {self.refused} times with what does not pass"), None)
        return "not done, as this did not pass:\n" + "\n".join(wrong)

    def _unproven(self, found: Shown, summary: str) -> str:
        """Why what passes is not done. Raises Halt if it is, Unproven where it was told before and nothing changed."""
        if not found.lacking:
            raise self._over(Halt(End(state="done", why="tests pass", said=summary[:2000])), found)
        state = self.work.runner.workspace.digest()
        if self.refused >= REFUSALS or state == self.unproven:
            raise self._over(Unproven(found), found)
        self.unproven = state
        return "not done: it passes, but nothing is shown by it:\n" + "\n".join(found.lacking)

    def _over(self, halt: Halt, found: Shown | None) -> Halt:
        """The end with what is told of the program."""
        said = self.specified
        facts = {"the program": Analysis(facts=said.facts)} if said else {}
        return ended_with(self.work, halt, said.ledger if said else {}, facts, found)

    def _progress(self, result: str) -> None:
        """Raises Stuck after too many steps whose result, and whose folder, was there before."""
        state = self.work.runner.workspace.digest()
        fresh = {result, state} - self.seen
        self.seen |= {result, state}
        self.idle = 0 if fresh else self.idle + 1
        if self.idle >= PATIENCE:
            raise Stuck(f"{PATIENCE} steps on end brought nothing that was not there before")
