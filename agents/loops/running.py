"""A run from its beginning, or from where it stopped, to its end."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, NoReturn

from agents.execution.sandbox import SandboxError, open_sandbox
from agents.llm import LLM, ModelError, ReplayMiss
from agents.loops.asking import Asking
from agents.loops.basic import run_basic
from agents.loops.ends import End, Halt
from agents.loops.guards import Guards
from agents.loops.iterative import run_iterative
from agents.loops.knowledge import Knowledge
from agents.loops.papercoder import run_papercoder
from agents.loops.runs import LANGUAGES, RunConfig, RunFolder
from agents.loops.spending import Spending
from agents.loops.target import Target
from agents.loops.trajectory import Trajectory
from agents.loops.work import Work
from agents.tools import Context, Excluded
from agents.tools.running import Runner
from agents.tools.workspace import Workspace
from kg.caching import building, locked
from kg.config import Settings
from kg.embeddings import open_embedder
from kg.errors import DatabaseError, InputError, ServiceError
from kg.opening import open_store
from kg.store import Store
from kg.write.agent_runs import write_agent_run

__all__ = ["AGENTS", "resume_run", "start_run"]

AGENTS: Mapping[str, Callable[[Work], NoReturn]] = {
    "basic": run_basic,
    "iterative": run_iterative,
    "papercoder": run_papercoder,
}

TOKENS = 6_000
"""Of one answer of a tool: a function of some length with what is known of it."""


def start_run(
    settings: Settings, config: RunConfig, begun: Callable[[RunFolder], object] = lambda _: None
) -> tuple[RunFolder, End]:
    """Begin a run and see it through; `begun` is told of it first. `config.paper` is as it was typed.

    Raises InputError for a language that is not had here, a paper, an exclusion or a profile that is not there,
    ServiceError where it can't begin. What makes going on impossible later (no graph, no sandbox, no model) is an end
    from which it can be resumed.
    """
    if config.language not in LANGUAGES:
        raise InputError(
            f"no program in {config.language} can be written here: nothing here runs, tests and judges one",
            remedy=f"give one of: {', '.join(LANGUAGES)}",
        )
    llm = LLM(settings, config.profile)
    with open_store(settings) as store:
        target = Target(store, config.paper)
        folder = RunFolder.make(settings, config.model_copy(update={"paper": target.id, "profile": llm.name}))
        begun(folder)
        return folder, _go(settings, store, folder, target)


def resume_run(settings: Settings, folder: RunFolder) -> End:
    """Go on with a run that was killed, interrupted, or stopped at a limit; its limits are those of `folder`'s
    configuration, and are kept. Raises InputError for one that is over, which is in the graph then, whatever had kept
    it from there."""
    end = folder.end()
    with open_store(settings) as store:
        if end and not end.resumable:
            _write(store, folder, end, LLM(settings, folder.config.profile).profile.model)
            raise InputError(f"the run is over: {end.state} ({end.why})", remedy="begin a new one with `xkg agent run`")
        target = Target(store, folder.config.paper)
        folder.keep()
        return _go(settings, store, folder, target)


def _go(settings: Settings, store: Store, folder: RunFolder, target: Target) -> End:
    config = folder.config
    with locked(settings.home, f"agent run {config.id}"), ExitStack() as anew:
        # What the recorded steps wrote they write again, beside the folder that is there until they are known to fit.
        workspace = Workspace(anew.enter_context(building(folder.workspace)))

        def told() -> None:
            anew.close()
            workspace.root = folder.workspace.resolve(strict=True)

        trajectory = Trajectory(folder.trajectory, told)
        runner = Runner(workspace, settings, open_sandbox(settings))
        excluded = Excluded((target.id, *config.exclude_papers), config.exclude_repositories)
        context = Context(
            store, settings, open_embedder(settings), excluded, limit_tokens=TOKENS, unlicensed=config.unlicensed,
            workspace=runner,
        )  # fmt: skip
        llm = LLM(settings, config.profile, run=config.id)
        asking = Asking(llm, trajectory, config.limits, target.id)
        work = Work(
            target=target,
            knowledge=Knowledge(context, target, trajectory, config.without),
            context=context,
            runner=runner,
            asking=asking,
            guards=Guards(asking),
            trajectory=trajectory,
            limits=config.limits,
        )
        try:
            AGENTS[config.agent](work)
        except Halt as halt:
            trajectory.check_told()
            end = halt.end
        except ServiceError as error:
            end = interrupted(error)
        try:
            _write(store, folder, end, llm.profile.model)
        except DatabaseError as error:
            end = interrupted(error)  # going on writes it
        trajectory.end(end)
        return end


def interrupted(error: ServiceError) -> End:
    """The end, for now, of a run that something needed has left."""
    kinds: dict[type[ServiceError], str] = {
        DatabaseError: "no graph", SandboxError: "no sandbox", ModelError: "no model", ReplayMiss: "no model",
    }  # fmt: skip
    why = next((said for kind, said in kinds.items() if isinstance(error, kind)), "no service")
    return End(state="interrupted", why=why, said=str(error))


def _write(store: Store, folder: RunFolder, end: End, model: str) -> None:
    config, steps = folder.config, [step for step in folder.steps() if step.kind != "end"]
    spent = Spending(folder)
    properties: dict[str, Any] = {
        "name": f"agent {config.agent} {config.paper}", "command": "agent run", "agent": config.agent,
        "without": list(config.without), "state": end.state, "why": end.why, "steps": len(steps) + 1,
        "calls": spent.calls, "tokens_in": spent.tokens_in, "tokens_out": spent.tokens_out,
        "cost": None if spent.cost is None else float(spent.cost), "begun": config.begun,
        "versions": [f"model {model}"],
    }  # fmt: skip
    used = Counter(node for step in steps for node in step.nodes)
    write_agent_run(store, config.node, config.paper, properties, used)
