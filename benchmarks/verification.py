"""How many labelled units can be judged, and how: ``python -m benchmarks.verification --papers DIR --labels FILE``.

Each unit that a label names (labels without code are skipped; the same unit counts once a label) is judged as
`xkg code verify` would. `imports` counts those whose module imports in the sandbox,
`reached` those that a passing test of the repository calls, `untried` those for which nothing could be run, with the
reasons; `kinds` are the tests of verified units, `classes` the kinds of failure.
"""

import argparse
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from agents.code.units import read_units
from agents.code.verify import Judged, Verifier
from agents.execution.sandbox import open_sandbox
from benchmarks.common import Label, PaperFolder, by_paper
from kg.config import Settings, load_settings
from kg.models.code import CodeUnit

__all__ = ["figures", "judge_paper", "run"]


def asked_units(units: Iterable[CodeUnit], wanted: Iterable[Label]) -> list[CodeUnit | None]:
    """The unit of each label that has code: same file and symbol, of several the one at the label's line."""
    by_name: dict[tuple[str, str], list[CodeUnit]] = {}
    for unit in units:
        by_name.setdefault((unit.file, unit.symbol), []).append(unit)
    found: list[CodeUnit | None] = []
    for label in wanted:
        if label.code is None:
            continue
        line, same = label.line, sorted(by_name.get(label.code, []), key=lambda unit: unit.line)
        found.append(min(same, key=lambda unit: abs(unit.line - line)) if same else None)
    return found


def judge_paper(
    paper: PaperFolder,
    wanted: list[Label],
    settings: Settings,
    backend: str | None,
) -> dict[str, Any]:
    """The figures of one paper, with each unit's verdict."""
    assert paper.code is not None
    begin = time.monotonic()
    codebase = read_units(paper.code)
    asked = asked_units(codebase.units, wanted)
    units = list({unit.id: unit for unit in asked if unit}.values())
    judged: dict[str, Judged] = {}
    for one in Verifier(paper.code, codebase, open_sandbox(settings, backend), settings).judge(units):
        judged[one.judgement.code] = one
        told = one.judgement
        print(f"{paper.slug}: {told.code}: {told.verdict}: {told.reason}", file=sys.stderr, flush=True)
    rows = [row(judged[unit.id], unit) if unit else no_unit() for unit in asked]
    return figures(rows) | {"seconds": round(time.monotonic() - begin, 1), "units": rows}


def no_unit() -> dict[str, Any]:
    """The row of a label whose unit the reader of code does not find."""
    return {"verdict": "unverified", "reason": "no such unit is read from the file", "tried": False}


def row(one: Judged, unit: CodeUnit) -> dict[str, Any]:
    """What one label contributes."""
    told = one.judgement
    return {
        "unit": unit.id,
        "verdict": told.verdict,
        "reason": told.reason,
        "kind": told.kind,
        "strategy": told.execution.strategy if told.execution else None,
        "class": told.failure,
        "line": told.line,
        "mutants": told.mutants,
        "killed": told.killed,
        "imports": bool(one.imported),
        "reached": one.reached,
        "tried": one.imported is not None,
    }


def figures(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Counts over rows; a row that was not tried is neither verified nor failed."""
    listed = list(rows)
    untried = [entry for entry in listed if not entry["tried"]]
    weighed = [entry for entry in listed if entry.get("mutants")]
    return {
        "n": len(listed),
        "imports": sum(entry.get("imports", False) for entry in listed),
        "reached": sum(entry.get("reached", False) for entry in listed),
        "verified": sum(entry["verdict"] == "verified" for entry in listed),
        "failed": sum(entry["verdict"] == "failed" for entry in listed),
        "unverified": sum(entry["verdict"] == "unverified" and entry["tried"] for entry in listed),
        "untried": len(untried),
        "why_untried": dict(Counter(entry["reason"].partition(";")[0] for entry in untried)),
        "kinds": dict(Counter(entry["kind"] for entry in listed if entry["verdict"] == "verified")),
        "classes": dict(Counter(entry["class"] for entry in listed if entry["verdict"] == "failed")),
        "mutants": sum(entry["mutants"] for entry in weighed),
        "killed": sum(entry["killed"] for entry in weighed),
        "half_or_more": sum(2 * entry["killed"] >= entry["mutants"] for entry in weighed),
    }


def run(folder: Path, file: Path, settings: Settings, jobs: int, backend: str | None, only: set[str]) -> dict[str, Any]:
    """All figures, over all labels and for each paper; `jobs` papers at once."""
    begin = time.monotonic()
    work = [item for item in by_paper(folder, file) if not only or item[0].slug in only]
    with ThreadPoolExecutor(jobs) as pool:
        done = list(pool.map(lambda item: judge_paper(item[0], item[1], settings, backend), work))
    per_paper = {paper.slug: result for (paper, _), result in zip(work, done, strict=True) if result["n"]}
    everything = figures(entry for result in per_paper.values() for entry in result["units"])
    return everything | {"seconds": round(time.monotonic() - begin, 1), "papers": per_paper}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper."""
    keys = ("n", "imports", "reached", "verified", "failed", "unverified", "untried", "seconds")
    lines = [f"{'':18}" + "".join(f"{key:>11}" for key in keys)]
    for slug, found in [*result["papers"].items(), ("all", result)]:
        lines.append(f"{slug:18}" + "".join(f"{found[key]:>11}" for key in keys))
    return "\n".join(lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--papers", type=Path, required=True, help="folder with <slug>/code")
    parser.add_argument("--labels", type=Path, required=True, help="hand labels, one JSON object a line")
    parser.add_argument("--only", nargs="*", default=[], help="slugs of the papers to judge")
    parser.add_argument("--jobs", type=int, default=1, help="papers at once")
    parser.add_argument("--backend", default=None, help="the sandbox's backend")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    result = run(given.papers, given.labels, load_settings(), given.jobs, given.backend, set(given.only))
    print(json.dumps(result, indent=2) if given.json else table(result))


if __name__ == "__main__":
    main()
