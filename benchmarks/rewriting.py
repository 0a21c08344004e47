"""What a model's modules of labelled units are worth: ``python -m benchmarks.rewriting --papers DIR --labels FILE``.

Each Python function, class or method that a label names, and that the slicer delivers, is rewritten as `xkg code
rewrite` would, as a leaf, of the technique and the paper's sentences at the label's place. `run` counts those that
import alone in the sandbox, `faithful` those that also did what the original does on recorded calls (of `compared`, for
which there were such calls), `accepted` those in which nothing was found wrong at last, `verified` those that the
repository's own tests then verified or, of these `written`, a test that the model wrote from the paper alone,
`verified_before` the originals that the repository's tests verify, `no_test_before` those that none reaches, and
`verified_of_these` the rewrites of them. `causes` are what was wrong at
the end, `stops` why no more was asked. Calls and tokens are counted for kept answers, too.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from agents.code.modules import Slicer
from agents.code.units import read_units
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM, BudgetExceeded
from agents.rewrite import Cause, Rewrite, Task, Trials, rewrite
from agents.rewrite.rewriting import BYTES, ROUNDS
from benchmarks.common import FILE, FOLDER, Label, PaperFolder, by_paper
from benchmarks.grounding import said
from benchmarks.testwriting import specifications
from benchmarks.verification import asked_units
from ingest.ground.words import sentences
from ingest.latex import parse_paper
from ingest.rewriting.order import module_file
from kg.config import Settings, load_settings
from kg.models.code import CodeUnit
from kg.models.execution import Judgement

__all__ = ["figures", "rewrite_paper", "run"]

NOT_RUN = {
    Cause.TOO_LARGE, Cause.NO_ANSWER, Cause.DECLINED, Cause.NOT_PYTHON, Cause.NAME_MISSING, Cause.NOT_ALONE,
    Cause.OVERREACH, Cause.DOES_NOT_RUN,
}  # fmt: skip
COUNTED = (
    "n",
    "run",
    "compared",
    "faithful",
    "accepted",
    "verified",
    "written",
    "verified_before",
    "no_test_before",
    "verified_of_these",
    "calls",
    "tokens_in",
    "tokens_out",
)


def tasks(paper: PaperFolder, wanted: list[Label]) -> list[Task]:
    """What is to be rewritten of a paper: each labelled Python unit that can be cut out, once."""
    assert paper.code is not None
    codebase, slicer = read_units(paper.code), Slicer(paper.code)
    parsed = parse_paper(paper.latex, paper.main)
    with_code = [label for label in wanted if label.code]
    labels: dict[str, list[Label]] = {}
    units: dict[str, CodeUnit] = {}
    for label, unit in zip(with_code, asked_units(codebase.units, with_code), strict=True):
        if unit and unit.language == "python" and unit.kind in ("function", "class", "method"):
            units[unit.id] = unit
            labels.setdefault(unit.id, []).append(label)
    found = []
    for name, unit in units.items():
        module = slicer.stored(unit)
        if module is None or not module.symbol:
            continue
        names = tuple(dict.fromkeys(label.technique for label in labels[name]))
        definitions = tuple(dict.fromkeys(text for label in labels[name] if (text := said(label, paper, parsed))))
        sentences_ = tuple(part for text in definitions for part in sentences(text))
        found.append(Task(unit, module, module_file(name, unit.symbol), names, definitions, sentences_))
    return found


def rewrite_paper(
    paper: PaperFolder, wanted: list[Label], settings: Settings, llm: LLM, backend: str | None
) -> dict[str, Any]:
    """The figures of one paper, with what became of each unit."""
    assert paper.code is not None
    begin, rows, over = time.monotonic(), [], ""
    todo = tasks(paper, wanted)
    with tempfile.TemporaryDirectory() as scratch:
        units = [task.unit for task in todo]
        sandbox = open_sandbox(settings, backend)
        codebase, labels = read_units(paper.code), [label for label in wanted if label.code]
        said = specifications(paper, zip(labels, asked_units(codebase.units, labels), strict=True))
        trials = Trials(paper.code, codebase, units, sandbox, settings, Path(scratch) / "copy", llm, said)
        for task in todo if todo and trials.session else ():
            try:
                made = rewrite(task, llm, trials, paper=paper.slug, rounds=ROUNDS, shown=BYTES)
            except BudgetExceeded as error:
                over = str(error)
                break
            before = trials.verdicts.of(task.unit, settings.verify.unit_seconds, task.said).judgement
            rows.append(row(made, before))
            print(f"{paper.slug}: {json.dumps(rows[-1], ensure_ascii=False)}", file=sys.stderr, flush=True)
        problem = "" if not todo or trials.session else trials.problem
    told = {"units": rows, "left": len(todo) - len(rows), "problem": over or problem}
    return figures(rows) | told | {"seconds": round(time.monotonic() - begin, 1)}


def row(made: Rewrite, before: Judgement) -> dict[str, Any]:
    """What one unit contributes; `before` is the verdict on the original."""
    cause = made.finding.cause if made.finding else None
    verdict = "failed" if made.finding else made.judged.judgement.verdict if made.judged else "unverified"
    return {
        "unit": made.task.unit.id,
        "verdict": verdict,
        "reason": made.finding.said if made.finding else made.judged.judgement.reason if made.judged else "",
        "kind": made.judged.judgement.kind if made.judged else None,
        "before": before.verdict,
        "tested_before": before.obstacle != "no test",
        "run": made.answer is not None and cause not in NOT_RUN,
        "fidelity": made.fidelity.found,
        "inputs": made.fidelity.inputs,
        "equal": made.fidelity.equal,
        "cause": cause,
        "stop": made.stop,
        "rounds": made.rounds,
        "calls": made.calls,
        "tokens_in": made.tokens_in,
        "tokens_out": made.tokens_out,
    }


def figures(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Counts over rows."""
    listed = list(rows)
    return {
        "n": len(listed),
        "run": sum(one["run"] for one in listed),
        "compared": sum(one["fidelity"] != "unknown" for one in listed),
        "faithful": sum(one["fidelity"] == "faithful" for one in listed),
        "accepted": sum(one["cause"] is None for one in listed),
        "verified": sum(one["verdict"] == "verified" for one in listed),
        "written": sum(one["verdict"] == "verified" and one["kind"] == "written" for one in listed),
        "verified_before": sum(one["before"] == "verified" for one in listed),
        "no_test_before": sum(not one["tested_before"] for one in listed),
        "verified_of_these": sum(not one["tested_before"] and one["verdict"] == "verified" for one in listed),
        "calls": sum(one["calls"] for one in listed),
        "tokens_in": sum(one["tokens_in"] for one in listed),
        "tokens_out": sum(one["tokens_out"] for one in listed),
        "causes": dict(Counter(one["cause"] for one in listed if one["cause"])),
        "stops": dict(Counter(one["stop"] for one in listed)),
    }


def run(folder: Path, file: Path, profile: str, backend: str | None, only: set[str]) -> dict[str, Any]:
    """All figures, over all units and for each paper."""
    settings = load_settings()
    llm = LLM(settings, profile)
    work = [item for item in by_paper(folder, file) if not only or item[0].slug in only]
    per_paper = {paper.slug: rewrite_paper(paper, wanted, settings, llm, backend) for paper, wanted in work}
    everything = figures(entry for result in per_paper.values() for entry in result["units"])
    return everything | {"left": sum(result["left"] for result in per_paper.values()), "papers": per_paper}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper."""
    lines = [f"{'':18}" + "".join(f"{name.replace('_', ' '):>16}" for name in COUNTED)]
    for slug, found in [*result["papers"].items(), ("all", result)]:
        lines.append(f"{slug:18}" + "".join(f"{found[name]:>16,}" for name in COUNTED))
        lines += [f"{'':10}{found['left']} units left: {found['problem']}"] if found.get("problem") else []
    lines.append(", ".join(f"{count} {cause}" for cause, count in result["causes"].items()))
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("--papers", "folder", type=FOLDER, required=True, help="Papers laid out, with their code.")
@click.option("--labels", "file", type=FILE, required=True, help="Hand labels, one JSON object a line.")
@click.option("--profile", required=True, help="The model that writes, as xkg.toml calls it.")
@click.option("--only", multiple=True, metavar="SLUG", help="Only this paper (repeatable).")
@click.option("--backend", help="The sandbox's backend.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(folder: Path, file: Path, profile: str, only: tuple[str, ...], backend: str | None, as_json: bool) -> None:
    """Measure and print."""
    result = run(folder, file, profile, backend, set(only))
    click.echo(json.dumps(result, indent=2) if as_json else table(result))


if __name__ == "__main__":
    main()
