"""Tests that a model writes: ``python -m benchmarks.testwriting --papers DIR --labels FILE --profile NAME``.

Of the labelled Python units (each once), those whose module imports and which no test of the repository verifies get a
test written by the model from what the paper says from each label's place on; it never sees the code. `asked` counts
them, `declined` those for which the model says that there is nothing to test. Of the others `runs` have a test that
came to judge, `holds` one whose assertions hold, `verified` one that also notices wrong code as any test must. Calls
and tokens are those of kept answers, too. A limit of spending ends the run; running again goes on from the kept
answers.
"""

import argparse
import json
import logging
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from agents.code.units import read_units
from agents.code.verify import Judged, Verifier
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.testwriting import TestWriter
from benchmarks.common import Label, PaperFolder, by_paper
from benchmarks.grounding import as_technique
from benchmarks.verification import asked_units
from ingest.extract.judged.numbering import read_passages
from ingest.ground.judged import said
from ingest.latex import parse_paper
from kg.config import Settings, load_settings
from kg.models.code import CodeUnit
from kg.verdicts.specification import Specification, described, whole_sentences

__all__ = ["figures", "run", "specifications"]

ROOM = 3_000
"""Characters of the paper for each label."""
RAN = {"verified", "weak", "does not hold"}


def specifications(
    paper: PaperFolder, asked: Iterable[tuple[Label, CodeUnit | None]]
) -> dict[str, Specification]:  # fmt: skip
    """What the paper says of each labelled unit, by its id."""
    passages = read_passages(parse_paper(paper.latex, paper.main))
    whole = {passage.id: passage.text for passage in passages.items}
    parts: dict[str, list[str]] = defaultdict(list)
    for number, (label, unit) in enumerate(asked):
        if unit is not None:
            texts, _ = said(as_technique(label, number, paper), passages, ROOM)
            marked = (f"[{mark}] {_to_a_sentence(text, whole[mark])}" for mark, text in texts.items())
            parts[unit.id].append(described(label.technique, label.aliases, "", marked))
    return {unit: Specification(paper=paper.slug, text="\n\n".join(texts)) for unit, texts in parts.items()}


def _to_a_sentence(text: str, whole: str) -> str:
    """What is said of a passage from some sentence on, cut at the end of one where it was cut at a word's."""
    kept = text.removeprefix("… ").removesuffix(" …")
    start = whole.find(kept)
    return whole_sentences(whole[start:], len(kept)) if start >= 0 else text


def judge_paper(
    paper: PaperFolder, wanted: list[Label], settings: Settings, llm: LLM, backend: str | None, jobs: int
) -> list[dict[str, Any]]:  # fmt: skip
    """A row for each labelled unit of one paper."""
    assert paper.code is not None
    codebase = read_units(paper.code)
    labels = [label for label in wanted if label.code]
    pairs = list(zip(labels, asked_units(codebase.units, labels), strict=True))
    units = list({unit.id: unit for _, unit in pairs if unit and unit.language == "python"}.values())
    before: dict[str, Judged] = {}
    writer = TestWriter(llm, specifications(paper, pairs))

    def supplement(unit: CodeUnit, judged: Judged, *more: Any) -> Judged:
        before[unit.id] = judged
        return writer(unit, judged, *more)

    judging = Verifier(paper.code, codebase, open_sandbox(settings, backend), settings).judging(units, more=supplement)

    def judge(unit: CodeUnit) -> dict[str, Any]:
        found = row(unit, judged := judging(unit), before.get(unit.id, judged))
        print(f"{paper.slug}: {unit.id}: {found['state']}: {found['reason']}", file=sys.stderr, flush=True)
        return found

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(judge, units))


def row(unit: CodeUnit, judged: Judged, before: Judged) -> dict[str, Any]:
    """What one unit contributes."""
    told, written = judged.judgement, judged.judgement.written
    return {
        "unit": unit.id,
        "imports": bool(before.imported),
        "before": before.judgement.verdict,
        "why_before": before.judgement.reason,
        "state": written.state if written else "not asked",
        "verdict": told.verdict,
        "reason": told.reason,
        "mutants": told.mutants,
        "killed": told.killed,
        "calls": written.calls if written else 0,
        "tokens_in": written.tokens_in if written else 0,
        "tokens_out": written.tokens_out if written else 0,
        "dropped": written.dropped if written else {},
        "test": told.test if told.kind == "written" else "",
    }


def figures(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Counts over rows."""
    listed = list(rows)
    asked = [entry for entry in listed if entry["state"] not in {"not asked", "out of reach"}]
    states = Counter(entry["state"] for entry in asked)
    return {
        "n": len(listed),
        "imports": sum(entry["imports"] for entry in listed),
        "verified_before": sum(entry["before"] == "verified" for entry in listed),
        "asked": len(asked),
        "declined": states["declined"],
        "runs": sum(states[state] for state in RAN),
        "holds": states["verified"] + states["weak"],
        "verified": states["verified"],
        "states": dict(states),
        "calls": sum(entry["calls"] for entry in asked),
        "tokens_in": sum(entry["tokens_in"] for entry in asked),
        "tokens_out": sum(entry["tokens_out"] for entry in asked),
        "dropped": dict(sum((Counter(entry["dropped"]) for entry in asked), Counter())),
    }


def run(
    folder: Path, file: Path, settings: Settings, profile: str, backend: str | None, jobs: int, only: set[str]
) -> dict[str, Any]:
    """All figures, over all units and for each paper."""
    begin, llm = time.monotonic(), LLM(settings, profile)
    rows: dict[str, list[dict[str, Any]]] = {}
    for paper, wanted in by_paper(folder, file):
        if paper.code and (not only or paper.slug in only):
            rows[paper.slug] = judge_paper(paper, wanted, settings, llm, backend, jobs)
    per_paper = {slug: figures(found) | {"units": found} for slug, found in rows.items() if found}
    everything = figures(entry for found in rows.values() for entry in found)
    return everything | {"seconds": round(time.monotonic() - begin, 1), "papers": per_paper}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper."""
    keys = ["n", "imports", "verified_before", "asked", "declined", "runs", "holds", "verified"]
    keys += ["calls", "tokens_in", "tokens_out"]
    lines = [f"{'':18}" + "".join(f"{key:>16}" for key in keys)]
    for slug, found in [*result["papers"].items(), ("all", result)]:
        lines.append(f"{slug:18}" + "".join(f"{found[key]:>16}" for key in keys))
    return "\n".join(lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--papers", type=Path, required=True, help="folder with <slug>/latex and <slug>/code")
    parser.add_argument("--labels", type=Path, required=True, help="hand labels, one JSON object a line")
    parser.add_argument("--profile", required=True, help="the model that writes, as xkg.toml calls it")
    parser.add_argument("--only", nargs="*", default=[], help="slugs of the papers to judge")
    parser.add_argument("--jobs", type=int, default=1, help="units at once")
    parser.add_argument("--backend", default=None, help="the sandbox's backend")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    settings = load_settings()
    result = run(given.papers, given.labels, settings, given.profile, given.backend, given.jobs, set(given.only))
    print(json.dumps(result, indent=2) if given.json else table(result))


if __name__ == "__main__":
    main()
