"""`xkg sandbox doctor`: the matrix of what holds here."""

import click
from rich.progress import Progress, SpinnerColumn, TextColumn

from agents.execution.sandbox.doctor import Examined, examine
from agents.execution.sandbox.models import SandboxError
from agents.execution.sandbox.places import PROTECTIONS
from kg.cli.common import emit, json_option, log
from kg.config import load_settings

__all__ = ["sandbox_doctor"]


@click.command()
@json_option
def sandbox_doctor(as_json: bool) -> None:
    """Say which sandbox works here and what it protects, each protection found by trying to get past it.

    Exit code 3 if no backend works or the one that would be chosen leaves something open. What killed runs left behind
    is removed.
    """
    settings = load_settings()
    columns = (SpinnerColumn(), TextColumn("trying to get out"))
    with Progress(*columns, console=log, transient=True, disable=not log.is_terminal) as bar:
        bar.add_task("probes", total=None)
        examined = list(examine(settings))
    wanted = settings.execution.sandbox
    chosen = next((each for each in examined if each.works and wanted in (None, each.backend)), None)
    result = {
        "ok": chosen is not None and chosen.sound,
        "chosen": chosen.backend if chosen else None,
        "backends": examined,
    }
    emit(result, as_json=as_json, text=lambda: _text(examined, chosen))
    if chosen is None:
        cause = next(each for each in examined if wanted in (None, each.backend))
        raise SandboxError("no sandbox works here: code stays unverified", remedy=cause.mend)
    if not chosen.sound:
        opened = ", ".join(finding.protection for finding in chosen.findings if not finding.holds)
        raise SandboxError(f"{chosen.backend} does not protect: {opened}", remedy="use another backend")


def _text(examined: list[Examined], chosen: Examined | None) -> str:
    width = max(map(len, PROTECTIONS))
    lines = []
    for each in examined:
        state = "chosen" if each is chosen else "works" if each.works else "does not work"
        lines.append(f"{each.backend}: {state}" + (f" ({each.reason})" if each.reason else ""))
        if each.mend:
            lines.append(f"  → {each.mend}")
        for finding in each.findings:
            lines.append(f"  {'holds' if finding.holds else 'OPEN '}  {finding.protection:<{width}}  {finding.how}")
    return "\n".join(lines)
