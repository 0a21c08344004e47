"""What an agent has at hand: the paper, the graph, its folder, its model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.loops.asking import Asking
from agents.loops.ends import Limits
from agents.loops.guards import Guards
from agents.loops.knowledge import Knowledge
from agents.loops.target import Target
from agents.loops.trajectory import Trajectory, digest
from agents.tools import Context, Envelope, Tool, call
from agents.tools.running import Runner
from agents.tools.workspace import Edit
from agents.tools.workspace_tools import TOOLS as WORKSPACE_TOOLS

__all__ = ["UNLIMITED", "WORKSPACE", "Work"]

WORKSPACE: Mapping[str, Tool] = {tool.name: tool for tool in WORKSPACE_TOOLS}
CHANGES = frozenset({"workspace_edit"})
UNLIMITED = 1_000_000
"""LangGraph's own limit of steps: limits are ours, and what is told from the record is not under them."""


@dataclass(frozen=True)
class Work:
    """Of one run."""

    target: Target
    knowledge: Knowledge
    context: Context
    runner: Runner
    asking: Asking
    guards: Guards
    trajectory: Trajectory
    limits: Limits

    def spent(self, attempts: int) -> bool:
        """Whether so many repairs, or attempts after the first, are all that there may be; those told from the record
        are not counted against a limit that was set since."""
        return attempts >= self.limits.repairs and not self.trajectory.replaying

    def restore(self, texts: Mapping[str, str]) -> None:
        """Let the folder hold just these files again: a step."""

        def work() -> dict[str, Any]:
            workspace = self.runner.workspace
            workspace.clear()
            workspace.apply([Edit(path=path, new=text) for path, text in texts.items()])
            return {"files": sorted(texts)}

        self.trajectory.do("workspace", "restore", {"sum": digest(dict(texts))}, work, work)

    def act(self, name: str, arguments: Mapping[str, Any]) -> Envelope:
        """What a tool of the workspace says; its step changes the folder again where it is told from the record."""

        def work() -> dict[str, Any]:
            return call(self.context, name, arguments, WORKSPACE, outages=True).value()

        again = work if name in CHANGES else None
        return Envelope.model_validate(self.trajectory.do("workspace", name, dict(arguments), work, again).result)
