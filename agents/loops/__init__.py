"""Agents that replicate a paper: they plan, ask the graph, write a program, run it in the sandbox and repair it.

Nothing that they write is executed outside of the sandbox, all that they ask a model goes through `agents.llm`, and all
that they do is a line of the run's trajectory. `docs/replicating.md` says what each is, how it ends and what can be
switched off.
"""

from agents.loops.ends import End, Halt, Limits
from agents.loops.running import AGENTS, resume_run, start_run
from agents.loops.runs import RunConfig, RunFolder
from agents.loops.trajectory import Step, Trajectory

__all__ = [
    "AGENTS",
    "End",
    "Halt",
    "Limits",
    "RunConfig",
    "RunFolder",
    "Step",
    "Trajectory",
    "resume_run",
    "start_run",
]
