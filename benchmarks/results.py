"""The page of results, `docs/results.md`: a section for each benchmark, replaced when it is run and else left alone."""

import os
import platform
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil

from benchmarks.ablation import report
from benchmarks.figures import FIGURES, figures_of

__all__ = ["PAGE", "machine", "section", "update"]

PAGE = Path(__file__).parent.parent / "docs" / "results.md"
SECTIONS = (*FIGURES, "models", "ablation", "lines")
HEAD = """# Results

Written by `make bench` (see [benchmarks.md](benchmarks.md)). Each section tells when and on what its benchmark last
ran; one that did not run since keeps its older figures. Figures of speed depend on the machine and on what else ran
there: the load is how many processes wanted a core at the end of the run.
"""


def machine() -> str:
    """What the figures of speed depend on: cores, memory, Python, system, and the load of the last minute."""
    memory = psutil.virtual_memory().total / 2**30
    system = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GB, {system}, load {os.getloadavg()[0]:.1f}"


def section(name: str, result: dict[str, Any], before: dict[str, Any] | None = None) -> str:
    """The body of a benchmark's section; with `before`, its JSON of an earlier state, that one's figures beside."""
    about = (import_module(f"benchmarks.{name}").__doc__ or "").split("\n\n")[0].replace("\n", " ")
    stamp = f"{datetime.now(UTC):%Y-%m-%d}, {machine()}"
    return f"{about}\n\n*{stamp}*\n\n" + (_body(name, result, before or {}))


def _body(name: str, result: dict[str, Any], before: dict[str, Any]) -> str:
    if name == "ablation":
        return report.table(result)
    if name == "models":
        return str(import_module("benchmarks.models").table(result))
    if name == "lines":
        rooms = sorted(room for room in result.keys() | before.keys() if room != "all")
        rows = [(room, *(f"{found.get(room, 0):,}" for found in (before, result))) for room in (*rooms, "all")]
    else:
        old, new = dict(figures_of(name, before)), dict(figures_of(name, result))
        rows = [
            (figure.says, *(figure.form.value.format(found[figure]) if figure in found else "" for found in (old, new)))
            for figure in FIGURES[name]
            if figure in old or figure in new
        ]
    if not before:
        told = _table(("", "now"), [(first, last) for first, _, last in rows])
        return told + _queries(before, result)
    changed = _changed_verdicts(before, result)
    return _table(("", "before", "now"), rows) + (f"\n\n{changed}" if changed else "") + _queries(before, result)


def _queries(before: dict[str, Any], result: dict[str, Any]) -> str:
    """Database hits of the queries that grow with the graph, or did."""
    was, now = (found.get("queries", {}) for found in (before, result))
    names = sorted(before.get("growing", {}).keys() | result.get("growing", {}).keys())
    rows = [(name, *(_hits(found.get(name)) for found in ((was, now) if before else (now,)))) for name in names]
    return (
        "\n\n" + _table(("query, hits small and large", *(("before",) if before else ()), "now"), rows) if rows else ""
    )


def _hits(sizes: list[dict[str, Any]] | None) -> str:
    told = [size for size in sizes or () if size]
    scans = ", ".join(sorted({scan for size in told for scan in size["scans"]}))
    return " → ".join(f"{size['hits']:,}" for size in told) + (f" ({scans})" if scans else "")


def _changed_verdicts(before: dict[str, Any], result: dict[str, Any]) -> str:
    """The units that were judged both times, and otherwise: why it was so before, or why it is not so now."""
    old, new = _verdicts(before), _verdicts(result)
    rows: list[tuple[str, ...]] = [
        (name, old[name]["verdict"], new[name]["verdict"], new[name]["reason"].replace("|", "\\|"))
        for name in sorted(old.keys() & new.keys())
        if old[name]["verdict"] != new[name]["verdict"]
    ]
    return _table(("unit", "before", "now", "why now"), rows, left=4) if rows else ""


def _verdicts(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The rows with a verdict, by what they are of: labelled units by paper, or blocks."""
    papers = result["papers"] if isinstance(result.get("papers"), dict) else {}
    found = {f"{slug}: {row['unit']}": row for slug, paper in papers.items() for row in paper.get("units", ())
             if "unit" in row}  # fmt: skip
    return found | {row["id"]: row for row in result.get("rows", ()) if isinstance(row, dict) and "verdict" in row}


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]], left: int = 1) -> str:
    lines = [head, (*["---"] * left, *("--:" for _ in head[left:])), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def update(page: Path, bodies: Mapping[str, str]) -> None:
    """Put the sections of `bodies`, by name, in their places on the page; the others stay as they are."""
    text = page.read_text("utf-8") if page.exists() else ""
    parts = re.split(r"^## (\w+)$", text, flags=re.MULTILINE)
    kept = dict(zip(parts[1::2], (body.strip() for body in parts[2::2]), strict=True)) | dict(bodies)
    sections = [f"## {name}\n\n{kept[name]}" for name in SECTIONS if name in kept]
    page.write_text("\n\n".join([HEAD.strip(), *sections]) + "\n", "utf-8")
