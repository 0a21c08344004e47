"""`xkg agent`: agents that replicate a paper, and what one did."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from kg.cli.common import FiniteRange, emit, json_option, log
from kg.config import Settings, load_settings

if TYPE_CHECKING:
    from agents.loops import End, RunFolder

__all__ = ["agent_resume", "agent_run", "agent_show"]

AGENTS = ("basic", "iterative", "papercoder")
PARTS = ("papers", "techniques", "code", "graph")


def _limits(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        (
            click.option("--steps", type=click.IntRange(1), help="Most answers of the model.  [default: 60]"),
            click.option("--seconds", type=FiniteRange(1), help="Most seconds of work.  [default: 3600]"),
            click.option(
                "--repairs",
                type=click.IntRange(0),
                help="Most repairs, or (iterative) attempts after the first.  [default: 5]",
            ),
            click.option("--tokens", type=click.IntRange(1), help="Most tokens. Default: the setting llm.run_tokens."),
            click.option("--money", type=FiniteRange(0), help="Most money. Default: the setting llm.run_money."),
        )
    ):
        command = option(command)
    return command


@click.command()
@click.option("--agent", type=click.Choice(AGENTS), default="papercoder", show_default=True,
              help="basic chooses tools one by one; papercoder plans, specifies, writes, runs, repairs; iterative "
              "keeps the best of several attempts.")  # fmt: skip
@click.option("--language", default="python", show_default=True, help="Of the program; only Python can be had so far.")
@click.option("--profile", help="The model, as xkg.toml calls it. Default: the settings'.")
@click.option("--without", type=click.Choice(PARTS), multiple=True,
              help="A part of what the graph knows that the agent does not get; may be given again.")  # fmt: skip
@click.option("--exclude-paper", "papers", multiple=True, help="A paper to keep from the agent, with its code.")
@click.option("--exclude-repository", "repositories", multiple=True, help="A repository to keep from the agent.")
@click.option("--unlicensed", is_flag=True, help="Show the agent code whose source states no licence, too.")
@_limits
@json_option
@click.argument("paper")
def agent_run(
    paper: str, agent: Any, language: str, profile: str | None, without: Any, papers: tuple[str, ...],
    repositories: tuple[str, ...], unlicensed: bool, as_json: bool, tokens: int | None, money: float | None,
    **limits: float | None,
) -> None:  # fmt: skip
    """Let an agent replicate PAPER: a program that runs in the sandbox, with tests, in a folder of its own.

    PAPER is of the graph. Its text is the agent's task; its own repositories, their forks and what the blacklist
    forbids are kept from the agent by the graph's queries. What it does is kept step by step: after a crash or at a
    limit `xkg agent resume` goes on, and pays no answer twice.

    Exit code 0: its tests and its program ran, and something of it is shown. 4: it failed, got stuck, or nothing of it
    is shown. 5: a limit was reached. 3: graph, sandbox or model were gone.
    """
    from agents.loops import Limits, RunConfig, start_run

    def begun(folder: RunFolder) -> None:
        log.print(f"run {folder.config.id}: {agent} on {folder.config.paper}, in {folder.workspace}", markup=False)

    config = RunConfig(
        id="", paper=paper, agent=agent, language=language.lower(), profile=profile, without=without,
        exclude_papers=papers, exclude_repositories=repositories, unlicensed=unlicensed,
        limits=Limits().model_copy(update={name: limit for name, limit in limits.items() if limit is not None}),
    )  # fmt: skip
    folder, end = start_run(_spending(tokens, money), config, begun)
    _tell(folder, end, as_json=as_json)


@click.command()
@_limits
@json_option
@click.argument("run")
def agent_resume(run: str, as_json: bool, tokens: int | None, money: float | None, **limits: float | None) -> None:
    """Go on with RUN, which was killed, interrupted, or stopped at a limit; limits may be set anew.

    What is recorded is not done again and not paid again. Exit codes as of `xkg agent run`.
    """
    from agents.loops import resume_run
    from agents.loops.runs import find_run

    settings = _spending(tokens, money)
    folder = find_run(settings, run)
    given = {name: limit for name, limit in limits.items() if limit is not None}
    folder.config = folder.config.model_copy(update={"limits": folder.config.limits.model_copy(update=given)})
    _tell(folder, resume_run(settings, folder), as_json=as_json)


@click.command()
@json_option
@click.argument("run")
def agent_show(run: str, as_json: bool) -> None:
    """What RUN did: what it asked the graph, what it was shown, wrote and ran, what it cost, how it ended.

    RUN is an id or its beginning, or `last`.
    """
    from agents.loops.runs import find_run
    from agents.loops.telling import report, told

    folder = find_run(load_settings(), run)
    emit(report(folder), as_json=as_json, text=lambda: told(folder))


def _spending(tokens: int | None, money: float | None) -> Settings:
    settings = load_settings()
    limits = {"llm__run_tokens": tokens, "llm__run_money": None if money is None else Decimal(str(money))}
    return settings.replace(**{name: limit for name, limit in limits.items() if limit is not None})


def _tell(folder: RunFolder, end: End, *, as_json: bool) -> None:
    from agents.loops.telling import ended, report

    emit(report(folder), as_json=as_json, text=lambda: ended(folder, end))
    if end.resumable:
        log.print(f"go on with: xkg agent resume {folder.config.id}", markup=False)
    raise SystemExit(end.exit_code)
