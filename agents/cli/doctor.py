"""`xkg doctor`: what an installation needs, the sandbox among it."""

from itertools import chain

import click

from agents.execution.sandbox import SandboxError, open_sandbox
from kg.checks import Check, run_checks
from kg.cli.common import json_option
from kg.cli.doctor import report
from kg.config import Settings, load_settings

__all__ = ["doctor"]


@click.command()
@click.option("--online", is_flag=True, help="Also see whether arXiv and GitHub answer.")
@json_option
def doctor(online: bool, as_json: bool) -> None:
    """Say what works here, what doesn't, and the command that mends it.

    Everything is tried, not only looked for: the local server is started if it does not run, a word is sent through the
    sandbox. Exit code 3 if something that is needed is missing; what is optional is only told. What foreign code could
    do here, `xkg sandbox doctor` tries.
    """
    settings = load_settings()
    report(chain(run_checks(settings, online=online), [_sandbox(settings)]), as_json=as_json)


def _sandbox(settings: Settings) -> Check:
    """Without one everything but running code works: code stays unverified."""
    try:
        sandbox = open_sandbox(settings)
    except SandboxError as error:
        detail = f"{error.what}: code stays unverified"
        return Check(name="sandbox", state="absent", detail=detail, mend=error.remedy)
    how = ", ".join(f"{name} by {means}" for name, means in sorted(sandbox.capabilities().items()))
    return Check(name="sandbox", state="ok", detail=f"{sandbox.name} ({how})")
