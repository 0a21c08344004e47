"""How the code blocks of a folder of xKG's JSON graphs fare when they are run as they are, and judged by mutants.

`python -m benchmarks.blocks DIR [--jobs N] [--only TEXT] [--json]`. For each block: whether it ran to its end, the
verdict with reason, class and line, what its file claimed, and how its test stood the mutants.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from agents.code.verify.blocks import Block, judge_block, plan_environments
from agents.code.verify.blocks.text import checks
from agents.execution.sandbox import Sandbox, open_sandbox
from benchmarks.common import percent
from kg.config import Settings, load_settings
from kg.errors import XkgError
from kg.models.execution import Judgement
from kg.verdicts import passed
from kg.xkg_json import read_graph


@dataclass(frozen=True)
class Row:
    """One block: `ended` says that it ran to its end; the rest as in a Judgement. `assertions` counts what its test
    could fail by, `seconds` what judging it took."""

    id: str
    verdict: str
    reason: str
    failure: str | None
    line: str | None
    claimed: bool | None
    ended: bool
    ran: bool
    assertions: int
    mutants: int
    killed: int
    killed_by_assertion: int
    seconds: float


def blocks(folder: Path) -> Iterator[Block]:
    """All blocks of the folder's graphs; a block's id is its file and its place in it."""
    for file in sorted(folder.glob("*.json")):
        record = read_graph(file)
        for unit, reference in zip(record.units, _extras(record), strict=True):
            yield Block(
                id=f"{file.name}#{unit.id}",
                implementation=unit.text,
                test=str(reference.get("test") or ""),
                requirements=tuple(reference.get("requirements") or ()),
                claimed=reference.get("claimed_pass_exec"),
            )


def _extras(record: Any) -> list[dict[str, Any]]:
    found = [extra for extra in record.extras.values() if "claimed_pass_exec" in extra]
    assert len(found) == len(record.units)
    return found


def row(block: Block, environment: Any, sandbox: Sandbox, settings: Settings) -> Row:
    """Judge one block."""
    started = time.perf_counter()
    judgement = judge_block(block, environment, sandbox, settings).judgement
    return Row(
        id=block.id,
        verdict=judgement.verdict,
        reason=judgement.reason,
        failure=judgement.failure,
        line=judgement.line,
        claimed=block.claimed,
        ended=_ended(judgement),
        ran=judgement.execution is not None,
        assertions=checks(block.test),
        mutants=judgement.mutants,
        killed=judgement.killed,
        killed_by_assertion=judgement.killed_by_assertion,
        seconds=round(time.perf_counter() - started, 2),
    )


def _ended(judgement: Judgement) -> bool:
    """Whether the unchanged block ran to its end: it passed, and did not leave before its last statement."""
    execution = judgement.execution
    return execution is not None and passed(execution) and "before its last statement" not in judgement.reason


def summary(rows: list[Row], seconds: float) -> dict[str, Any]:
    """The numbers that are told of a folder."""
    return {
        "blocks": len(rows),
        "ran": sum(r.ran for r in rows),
        "ended": sum(r.ended for r in rows),
        "verdicts": dict(Counter(r.verdict for r in rows)),
        "classes": dict(Counter(r.failure for r in rows if r.failure)),
        "claimed": sum(r.claimed is True for r in rows),
        "claimed_and_failed": sum(r.claimed is True and r.verdict == "failed" for r in rows),
        "with_assertions": sum(r.assertions > 0 for r in rows),
        "kill_a_mutant": sum(r.killed > 0 for r in rows),
        "kill_half": sum(r.mutants > 0 and 2 * r.killed >= r.mutants for r in rows),
        "kill_by_assertion": sum(r.killed_by_assertion > 0 for r in rows),
        "seconds": round(seconds, 1),
        "seconds_a_block": round(sum(r.seconds for r in rows) / max(len(rows), 1), 2),
    }


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--jobs", default=1, show_default=True, help="Blocks judged at a time.")
@click.option("--only", default="", help="Only blocks whose id holds this.")
@click.option("--json", "as_json", is_flag=True, help="JSON to stdout, with a row for each block.")
def main(folder: Path, jobs: int, only: str, as_json: bool) -> None:
    """Judge all blocks below FOLDER."""
    settings = load_settings()
    started = time.perf_counter()
    try:
        sandbox = open_sandbox(settings)
        found = [block for block in blocks(folder) if only in block.id]
        environments = plan_environments(found, settings)
    except XkgError as error:
        raise click.ClickException(str(error)) from error
    built = time.perf_counter() - started
    rows = []
    with ThreadPoolExecutor(jobs) as pool:
        for number, one in enumerate(pool.map(lambda b: row(b, environments[b.id], sandbox, settings), found), 1):
            rows.append(one)
            click.echo(f"{number}/{len(found)} {one.verdict} {one.seconds:6.1f} s {one.id}: {one.reason}", err=True)
    told = {**summary(rows, time.perf_counter() - started), "seconds_of_environments": round(built, 1)}
    if as_json:
        click.echo(json.dumps({**told, "rows": [asdict(one) for one in rows]}, indent=1))
        return
    for name, value in told.items():
        click.echo(f"{name:24} {value}")
    click.echo(f"{'ended':24} {percent(told['ended'] / max(told['blocks'], 1))} %")


if __name__ == "__main__":
    main()
