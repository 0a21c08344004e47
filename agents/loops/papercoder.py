"""The agent `papercoder`: a fixed way from a paper to a program, as a graph of LangGraph's.

plan → a specification of each file, from the paper alone → each file, now with techniques and code of the graph → the
program is run and tested in the sandbox → what is wrong is repaired and run again, until it passes, the repairs are
used up, or they bring nothing new. A specification is made before any code is shown and does not change afterwards.
"""

from typing import Any, NoReturn, TypedDict

from agents.code.mutants import unplaced
from agents.loops.drafting import Drafting, printed_by, wrong_in
from agents.loops.ends import End, Failed, Halt, Shown, Stuck, Unproven
from agents.loops.outcomes import ended_with, shown
from agents.loops.reply import Analysis, Mended, Plan
from agents.loops.work import UNLIMITED, Work

__all__ = ["run_papercoder"]

REPAIR = "papercoder_repair"
SAME = 2
"""Repairs on end after which the same failure may be there."""


class State(TypedDict, total=False):
    """What goes from node to node."""

    plan: Plan
    specified: dict[str, Analysis]
    shown: Shown | None
    wrong: str
    refused: str
    repairs: int


def run_papercoder(work: Work) -> NoReturn:
    """Work until an end, which is raised."""
    from langgraph.graph import END, START, StateGraph

    coder = _Coder(work)
    graph = StateGraph(State)
    for name, node in (
        ("planning", coder.plan), ("analysing", coder.analyse), ("coding", coder.code), ("running", coder.run),
        ("repairing", coder.repair),
    ):  # fmt: skip
        graph.add_node(name, node)
    for first, second in ((START, "planning"), ("planning", "analysing"), ("analysing", "coding")):
        graph.add_edge(first, second)
    graph.add_edge("coding", "running")
    graph.add_conditional_edges("running", lambda state: "repairing" if state["wrong"] else END, ["repairing", END])
    graph.add_edge("repairing", "running")
    final: Any = graph.compile().invoke({"repairs": 0}, {"recursion_limit": UNLIMITED})
    raise coder.over(Halt(End(state="done", why="tests pass", said=f"{final['repairs']} repairs")), final)


class _Coder:
    """The nodes."""

    def __init__(self, work: Work) -> None:
        self.work, self.drafting = work, Drafting(work)
        self.failures, self.states = list[str](), set[str]()

    def plan(self, state: State) -> State:  # noqa: ARG002 -- LangGraph's signature
        """What there is to be written."""
        return {"plan": self.drafting.plan()}

    def analyse(self, state: State) -> State:
        """What each file has to do."""
        return {"specified": self.drafting.specify(state["plan"])}

    def code(self, state: State) -> State:
        """The files."""
        return {"refused": self.drafting.write(state["plan"], state["specified"])}

    def run(self, state: State) -> State:
        """Tests, then the program itself; `wrong` is what there is to be repaired."""
        tests = self.work.act("workspace_test", {})
        entry = self.work.act("workspace_run", {"path": state["plan"].entry})
        wrong = list(filter(None, map(wrong_in, (tests, entry))))
        found = None if wrong else shown(self.work, state["plan"].entry, entry)
        if found and found.lacking:
            wrong = ["Tests and program pass, and show nothing:", *found.lacking]
        if wrong and not wrong_in(entry):
            wrong.insert(0, printed_by(entry))
        if wrong and state.get("refused"):
            wrong.append(f"The last changes were not made: {state['refused']}")
        return {"wrong": "\n\n".join(wrong), "shown": found}

    def repair(self, state: State) -> State:
        """Ask for changes, and make them. Raises Stuck where they bring nothing new, Failed after the last."""
        wrong, number = state["wrong"], state["repairs"]
        folder = self.work.runner.workspace
        self.failures.append(unplaced(wrong))
        if number and not state.get("refused") and folder.digest() in self.states:
            raise self.over(Stuck("the last repair changed nothing, or took back what another had done"), state)
        if len(self.failures) > SAME and len(set(self.failures[-SAME - 1 :])) == 1:
            raise self.over(Stuck(f"the same failure after {SAME} repairs on end"), state)
        if self.work.spent(number):
            raise self.over(Failed("repairs used up", wrong[:2000]), state)
        self.states.add(folder.digest())
        inputs = self.drafting.program(state["plan"], state["specified"], wrong)
        mended = self.work.asking.ask(REPAIR, inputs, Mended, "repairing")
        return {"repairs": number + 1, "refused": self.drafting.change(mended.changes)}

    def over(self, halt: Halt, state: State) -> Halt:
        """The end with what is told of the program."""
        found = state.get("shown")
        halt = Unproven(found) if found and found.lacking else halt
        return ended_with(self.work, halt, state["plan"].ledger, state["specified"], found)
