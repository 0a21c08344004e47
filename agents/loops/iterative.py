"""The agent `iterative`: it writes a first version as `papercoder` does, and then improves what it has by what ran.

Each attempt is run, tested and judged in the sandbox. What came of it decides the next, and whether it is kept: only an
attempt with better figures is, and none with fewer tests; all others are taken back. It ends when all is shown, when
attempts on end bring nothing better, or at a limit.
"""

from typing import Any, NoReturn, TypedDict

from agents.loops.departing import departures
from agents.loops.drafting import Drafting, printed_by, wrong_in
from agents.loops.ends import End, Failed, Halt, Shown, Stuck, Unproven
from agents.loops.guards import coverage
from agents.loops.outcomes import ended_with, shown
from agents.loops.reply import Analysis, Mended, Plan
from agents.loops.work import UNLIMITED, Work
from kg.models.paper import Model

__all__ = ["Figures", "run_iterative"]

IMPROVE, STAGE = "iterative_improve", "improving"
IDLE = 2
"""Attempts on end that may bring nothing better."""


class Figures(Model):
    """What is known of an attempt: whether it is proven and whether tests and program pass, units that are verified,
    passed tests that call the program, requirements with all of their files, departures from the specification; `tests`
    are all that are written."""

    proven: bool
    runs: bool
    verified: int
    reaching: int
    with_files: int
    departures: int
    tests: int

    def better_than(self, other: "Figures") -> bool:
        """Whether it is worth more; never with fewer tests, as the one that fails would be the first to go."""
        return self.tests >= other.tests and self._worth > other._worth

    @property
    def _worth(self) -> tuple[int, ...]:
        return (self.proven, self.runs, self.verified, self.reaching, self.with_files, -self.departures)

    def __str__(self) -> str:
        runs = "proven" if self.proven else "it runs, and is not proven" if self.runs else "it does not pass"
        return (
            f"{runs}; {self.verified} units verified, {self.reaching} of {self.tests} tests pass and call the program, "
            f"{self.with_files} requirements have their files, {self.departures} departures from the specification"
        )


class Attempt(Model):
    """A program as it was, what came of it, and what is left to be shown."""

    texts: dict[str, str]
    figures: Figures
    shown: Shown
    report: str


class State(TypedDict, total=False):
    """What goes from node to node: the `best` attempt, `tried` what came of each after the first, `idle` the number of
    those on end that brought nothing better."""

    plan: Plan
    specified: dict[str, Analysis]
    best: Attempt
    tried: list[str]
    idle: int


def run_iterative(work: Work) -> NoReturn:
    """Work until an end, which is raised."""
    from langgraph.graph import END, START, StateGraph

    improving = _Improving(work)
    graph = StateGraph(State)
    graph.add_node("drafting", improving.draft)
    graph.add_node("improving", improving.improve)
    graph.add_edge(START, "drafting")
    for node in ("drafting", "improving"):
        graph.add_conditional_edges(node, improving.goes_on, {True: "improving", False: END})
    final: Any = graph.compile().invoke({"tried": [], "idle": 0}, {"recursion_limit": UNLIMITED})
    raise improving.over(final)


class _Improving:
    """The nodes."""

    def __init__(self, work: Work) -> None:
        self.work, self.drafting = work, Drafting(work)
        self.seen = set[str]()

    def draft(self, state: State) -> State:  # noqa: ARG002 -- LangGraph's signature
        """The first version."""
        plan = self.drafting.plan()
        specified = self.drafting.specify(plan)
        refused = self.drafting.write(plan, specified)
        return {"plan": plan, "specified": specified, "best": self._tried(plan, specified, refused)}

    def goes_on(self, state: State) -> bool:
        """Whether there is something left to show, and a chance that it will be."""
        return bool(state["best"].report) and state["idle"] < IDLE and not self.work.spent(len(state["tried"]))

    def improve(self, state: State) -> State:
        """One more attempt, from the best one."""
        plan, specified, best = state["plan"], state["specified"], state["best"]
        inputs = {
            **self.drafting.program(plan, specified, best.report),
            "tried": [f"attempt {number}: {said}" for number, said in enumerate(state["tried"], start=1)],
        }
        mended = self.work.asking.ask(IMPROVE, inputs, Mended, STAGE)
        refused = self.drafting.change(mended.changes)
        if refused or self.work.runner.workspace.digest() in self.seen:
            said = f"not made: {refused}" if refused else "nothing that was not there before"
            best_now, kept = best, False
        else:
            new = self._tried(plan, specified)
            kept = new.figures.better_than(best.figures)
            best_now = new if kept else best
            said = f"{'kept' if kept else 'taken back'}: {new.figures}; before: {best.figures}"
        if not kept:
            self.work.restore(best.texts)
        tried = [*state["tried"], f"{mended.cause[:500]} – {said[:1_000]}"]
        return {"best": best_now, "tried": tried, "idle": 0 if kept else state["idle"] + 1}

    def over(self, state: State) -> Halt:
        """The end, with what is told of the best attempt."""
        best, many = state["best"], len(state["tried"])
        said = f"{many} attempts after the first; {best.figures}"
        if not best.shown.lacking:
            halt = Halt(End(state="done", why="tests pass" if best.report else "all is shown", said=said))
        elif best.figures.runs:
            halt = Unproven(best.shown)
        elif state["idle"] >= IDLE:
            halt = Stuck(f"{IDLE} attempts on end brought nothing better; {said}")
        else:
            halt = Failed("attempts used up", said)
        return ended_with(self.work, halt, state["plan"].ledger, state["specified"], best.shown)

    def _tried(self, plan: Plan, specified: dict[str, Analysis], refused: str = "") -> Attempt:
        """The program as it lies there, run, tested and judged; `refused` is why files could not be written."""
        self.seen.add(self.work.runner.workspace.digest())
        tests = self.work.act("workspace_test", {})
        entry = self.work.act("workspace_run", {"path": plan.entry})
        wrong = list(filter(None, map(wrong_in, (tests, entry))))
        found = shown(self.work, plan.entry, entry)
        texts = self.work.runner.workspace.texts()
        departed, covered = departures(specified, texts), coverage(plan.ledger, list(texts))
        figures = Figures(
            proven=not found.lacking and not wrong, runs=not wrong, verified=found.verdicts.get("verified", 0),
            reaching=found.reaching, with_files=covered.with_files,
            departures=len(departed), tests=found.written,
        )  # fmt: skip
        parts = {
            "Could not be written": [refused] if refused else [],
            "Without all of its files": covered.missing,
            "Not verified": found.unverified,
            "Departs from its specification": departed,
            "Nothing is shown": found.lacking,
            "Does not pass": wrong,
        }
        report = "\n\n".join(f"{head}:\n" + "\n".join(said) for head, said in parts.items() if said)
        if report and not wrong_in(entry):
            report = f"{printed_by(entry)}\n\n{report}"
        return Attempt(texts=texts, figures=figures, shown=found, report=report)
