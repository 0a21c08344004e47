"""The agent `papercoder`: a fixed way from a paper to a program, as a graph of LangGraph's.

plan → a specification of each file, from the paper alone → each file, now with techniques and code of the graph → the
program is run and tested in the sandbox → what is wrong is repaired and run again, until it passes, the repairs are
used up, or they bring nothing new. A specification is made before any code is shown and does not change afterwards.
"""

from collections.abc import Sequence
from typing import Any, NoReturn, TypedDict

from agents.code.mutants import unplaced
from agents.loops.ends import End, Failed, Halt, Shown, Stuck, Unproven
from agents.loops.outcomes import coverage, shown, taken_from
from agents.loops.planning import in_writing_order, objections
from agents.loops.reply import Analysis, Mended, Plan, PlannedFile, Written
from agents.loops.work import Work
from agents.tools import Envelope

__all__ = ["run_papercoder"]

PLAN, ANALYSE, CODE, REPAIR = "papercoder_plan", "papercoder_analyse", "papercoder_code", "papercoder_repair"
PLANS = 3
"""How often a plan is asked for that can be carried out."""
SAME = 2
"""Repairs on end after which the same failure may be there."""
REPORT, PRINTED = 8_000, 2_000


class State(TypedDict, total=False):
    """What goes from node to node."""

    plan: Plan
    specified: dict[str, Analysis]
    copies: list[str]
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
    final: Any = graph.compile().invoke(
        {"repairs": 0, "copies": []}, {"recursion_limit": 10 + 2 * (work.limits.repairs + 2)}
    )
    raise coder.over(Halt(End(state="done", why="tests pass", said=f"{final['repairs']} repairs")), final)


class _Coder:
    """The nodes."""

    def __init__(self, work: Work) -> None:
        self.work, self.failures = work, list[str]()
        self.states = set[str]()

    def plan(self, state: State) -> State:  # noqa: ARG002 -- LangGraph's signature
        """A plan without objections, within a few answers."""
        asking, known = self.work.asking, self.work.knowledge.planning()
        wrong: list[str] = ["none"]
        for number in range(PLANS):
            inputs = {
                "paper": self.work.target.text(asking.room // 2),
                "known": known[: asking.room // 4],
                "wrong": "\n".join(wrong) if number else "",
            }
            plan = asking.ask(PLAN, inputs, Plan, "planning")
            wrong = objections(plan)
            if not wrong:
                return {"plan": plan}
        raise Failed("no plan", "; ".join(wrong)[:2000])

    def analyse(self, state: State) -> State:
        """What each file has to do, from the paper; no code is shown."""
        plan, specified = state["plan"], dict[str, Analysis]()
        for file in in_writing_order(plan):
            inputs = {**self._about(plan, file), "interfaces": _interfaces(specified, file)}
            specified[file.path] = self.work.asking.ask(ANALYSE, inputs, Analysis, "analysing")
        return {"specified": specified}

    def code(self, state: State) -> State:
        """Each file after those that it needs; what the graph knows of it is shown now."""
        plan, copies = state["plan"], list[str]()
        for file in in_writing_order(plan):
            specified = state["specified"][file.path]
            shown = self.work.knowledge.coding(specified.look_for)
            written = self._written(plan, file, state["specified"], shown)
            taken = taken_from(written.source, shown)
            if unfit := {one.code for one in written.differences} & taken.keys():
                shown = [pair for pair in shown if (pair.get("code") or {}).get("id") not in unfit]
                written = self._written(plan, file, state["specified"], shown)
                taken = taken_from(written.source, shown)
            copies += [f"{file.path}: {', '.join(names)} from {code}" for code, names in taken.items()]
            self._edit([{"path": file.path, "new": written.source, "whole": True}])
        return {"copies": copies}

    def run(self, state: State) -> State:
        """Tests, then the program itself; `wrong` is what there is to be repaired."""
        tests = self.work.act("workspace_test", {})
        entry = self.work.act("workspace_run", {"path": state["plan"].entry})
        wrong = list(filter(None, map(_wrong, (tests, entry))))
        found = None if wrong else shown(self.work, state["plan"].entry, entry)
        if found and found.lacking:
            wrong = ["Tests and program pass, and show nothing:", *found.lacking]
        if wrong and not _wrong(entry):
            wrong.insert(0, f"The program itself ran, and ended with:\n{(entry.data or {}).get('text', '')[-PRINTED:]}")
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
        if number >= self.work.limits.repairs:
            raise self.over(Failed("repairs used up", wrong[:2000]), state)
        self.states.add(folder.digest())
        texts = folder.texts()
        inputs = {
            "overview": state["plan"].overview,
            "report": wrong[-REPORT:],
            "files": [{"path": path, "text": text} for path, text in texts.items()],
            "specifications": [
                {"path": path, "text": one.model_dump_json(indent=1)} for path, one in state["specified"].items()
            ],
        }
        mended = self.work.asking.ask(REPAIR, inputs, Mended, "repairing")
        edits = [{**change.model_dump(), "whole": not change.old} for change in mended.changes]
        refused = self._edit(edits) if edits else ""
        return {"repairs": number + 1, "refused": refused}

    def over(self, halt: Halt, state: State) -> Halt:
        """The end with what is told of the program; of one that passes and shows nothing, that this is so."""
        found = state.get("shown")
        halt = Unproven(found) if found and found.lacking else halt
        halt.end = halt.end.model_copy(
            update={
                "coverage": coverage(state["plan"], self.work.runner.workspace.files()),
                "copies": tuple(state["copies"]),
                "shown": found,
            }
        )
        return halt

    def _written(
        self, plan: Plan, file: PlannedFile, specified: dict[str, Analysis], shown: Sequence[dict[str, Any]]
    ) -> Written:
        texts = self.work.runner.workspace.texts()
        inputs = {
            **self._about(plan, file),
            "specification": specified[file.path].model_dump_json(indent=1),
            "files": [{"path": path, "text": texts[path]} for path in file.needs if path in texts],
            "interfaces": _interfaces(specified, file),
            "pairs": [_pair(pair) for pair in shown],
        }
        return self.work.asking.ask(CODE, inputs, Written, "coding")

    def _about(self, plan: Plan, file: PlannedFile) -> dict[str, Any]:
        serves = [f"{one.id}: {one.text}" for one in plan.requirements if one.id in file.requirements]
        return {
            "paper": self.work.target.text(self.work.asking.room // 3, file.sections),
            "overview": plan.overview,
            "path": file.path,
            "entry": plan.entry,
            "purpose": file.purpose,
            "requirements": serves,
        }

    def _edit(self, edits: list[dict[str, Any]]) -> str:
        """Make changes, all or none; why they can't be made, if so."""
        answer = self.work.act("workspace_edit", {"edits": edits})
        return f"{answer.error.message}; {answer.error.hint}" if answer.error else ""


def _interfaces(specified: dict[str, Analysis], file: PlannedFile) -> list[str]:
    return [f"{path}: {line}" for path in file.needs if path in specified for line in specified[path].interface]


def _pair(pair: dict[str, Any]) -> dict[str, Any]:
    """A technique and code as a prompt shows them: what is known of the code, then its text."""
    code = dict(pair.get("code") or {})
    text = code.pop("text", "")
    about = {**(pair.get("technique") or {}), **{f"code_{name}": value for name, value in code.items()}}
    kept = {name: str(value)[:1_000] for name, value in about.items()}
    return {"about": "\n".join(f"{name}: {value}" for name, value in kept.items()), "text": text}


def _wrong(ran: Envelope) -> str:
    """What did not pass; nothing if it did."""
    if not ran.ok:
        return ran.error.message if ran.error else "it could not be run"
    data = ran.data or {}
    if data["state"] == "passed":
        return ""
    head = f"{data['command']}: {data['state']}: {data.get('failure')} at {data.get('place')}: {data.get('message')}"
    return f"{head}\n{data.get('text', '')}"
