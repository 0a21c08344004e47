"""How many units can be cut out of their repositories: ``python -m benchmarks.slicing DIR [--json] [--no-import]``.

DIR holds `<slug>/code`. The units are the top-level Python functions and classes of each repository, tests, examples
and vendored code left out. `compiles` counts those whose package compiles, `self_contained` those in which no global
and no import is left unserved (by `symtable`), `imports` those that import in the sandbox with the repository's
environment, the strategies for which are tried in turn for what does not import yet (`by_strategy`). `reasons` count
the units that are not self-contained, `import_reasons` those that do not import, by why.
"""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from agents.code.modules import Module, Slicer
from agents.code.units import CodeBase, read_units
from agents.execution.environments import EnvironmentFailed, build_environment, interpreter, rescues, strategies
from agents.execution.sandbox import Sandbox, open_sandbox
from benchmarks.common import FOLDER, papers, percent
from benchmarks.importing import import_modules
from kg.config import Settings, load_settings
from kg.models.code import CodeUnit

__all__ = ["figures", "run", "slice_repository"]

MAX_STRATEGIES = 4
SAME_EVERYWHERE = ("SystemExit", "FileNotFoundError", "TimeoutError", "NameError")
"""Failures that no other environment would mend."""
COUNTED = ("units", "compiles", "self_contained", "imports")


def slice_repository(code: Path, settings: Settings, sandbox: Sandbox | None) -> dict[str, Any]:
    """The figures of one repository; without a `sandbox` nothing is imported."""
    begin = time.monotonic()
    slicer = Slicer(code)
    modules = [slicer.module(unit) for unit in cut_units(read_units(code))]
    result = figures(modules) | {"slicing_s": round(time.monotonic() - begin, 1)}
    if sandbox:
        result |= _imported(code, modules, settings, sandbox)
    return result | {"seconds": round(time.monotonic() - begin, 1)}


def cut_units(codebase: CodeBase) -> list[CodeUnit]:
    """The top-level functions and classes of the repository's own Python files (tests and examples left out)."""
    return [
        unit
        for unit in codebase.units
        if unit.language == "python"
        and unit.file.endswith(".py")
        and unit.role == "source"
        and unit.parent is None
        and unit.kind in ("function", "class")
    ]


def figures(modules: Iterable[Module]) -> dict[str, Any]:
    """What can be said of modules without running them."""
    found = list(modules)
    lines = sorted(sum(text.count("\n") for text in module.files.values()) for module in found)
    return {
        "units": len(found),
        "compiles": sum(bool(m.files) and not any("not compile" in p for p in m.problems) for m in found),
        "self_contained": sum(not m.problems for m in found),
        "translated": sum(m.translated is not None for m in found),
        "median_lines": lines[len(lines) // 2] if lines else 0,
        "max_lines": lines[-1] if lines else 0,
        "reasons": dict(Counter(p for m in found for p in m.problems).most_common()),
    }


def _imported(code: Path, modules: list[Module], settings: Settings, sandbox: Sandbox) -> dict[str, Any]:
    waiting = [module for module in modules if module.files]
    errors = {module.unit: "there is no module" for module in modules if not module.files}
    by_strategy: dict[str, int] = {}
    foreign = {name for module in waiting for name in module.third_party}
    for number, spec in enumerate(strategies(code, foreign, None, settings)):
        if not waiting or number == MAX_STRATEGIES:
            break
        try:
            environment = build_environment(spec, settings)
        except EnvironmentFailed as error:
            print(f"  {spec.strategy}: {error}", file=sys.stderr, flush=True)
            continue
        rescued = rescues(code, None, settings, interpreter(spec.python, settings.execution.pythons))
        said = {module.unit: error for module, error in import_modules(waiting, sandbox, environment, rescued)}
        errors |= said
        by_strategy[spec.strategy] = sum(not error for error in said.values())
        waiting = [m for m in waiting if said[m.unit] and not said[m.unit].startswith(SAME_EVERYWHERE)]
        print(
            f"  {spec.strategy}: {by_strategy[spec.strategy]} import, {len(waiting)} do not",
            file=sys.stderr,
            flush=True,
        )
    return {
        "imports": sum(not errors.get(module.unit, "no environment") for module in modules),
        "by_strategy": by_strategy,
        "import_reasons": dict(
            Counter(
                _short(errors.get(m.unit, "no environment")) for m in modules if errors.get(m.unit, "-")
            ).most_common()
        ),
        "failed": {unit: error for unit, error in sorted(errors.items()) if error},
    }


def _short(error: str) -> str:
    """An error without the place in the slice."""
    return re.sub(r" \([^()]*:\d+\)$", "", error)[:160]


def run(folder: Path, settings: Settings, sandbox: Sandbox | None) -> dict[str, Any]:
    """The figures of each ``<slug>/code`` below `folder`, and their sums."""
    repositories: dict[str, dict[str, Any]] = {}
    for slug, code in ((paper.slug, paper.code) for paper in papers(folder) if paper.code):
        print(slug, file=sys.stderr, flush=True)
        repositories[slug] = slice_repository(code, settings, sandbox)
        kept = {key: repositories[slug].get(key) for key in (*COUNTED, "seconds")}
        print(f"  {kept}", file=sys.stderr, flush=True)
    total: dict[str, Any] = {
        key: sum(found.get(key, 0) for found in repositories.values())
        for key in COUNTED
        if key != "imports" or sandbox is not None
    }
    total["seconds"] = round(sum(found["seconds"] for found in repositories.values()), 1)
    return total | {"repositories": repositories}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per repository and its reasons below."""
    lines = [f"{'':28} units  compiles  contained  imports  median   seconds"]
    for slug, row in [*result["repositories"].items(), ("all", result)]:
        n = row["units"] or 1
        shares = [percent(row[key] / n) if key in row else "    -" for key in COUNTED[1:]]
        median = row.get("median_lines", "")
        lines.append(f"{slug:28} {row['units']:5}     {'      '.join(shares)}  {median:6}  {row['seconds']:8}")
        for kind in ("reasons", "import_reasons"):
            lines += [f"{'':10}{count:4}  {why}" for why, count in list(row.get(kind, {}).items())[:8]]
    return "\n".join(lines)


@click.command(help=__doc__)
@click.argument("folder", type=FOLDER)
@click.option("--no-import", is_flag=True, help="Only what can be said without running anything.")
@click.option("--backend", help="The sandbox's backend.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(folder: Path, no_import: bool, backend: str | None, as_json: bool) -> None:
    """Measure and print."""
    settings = load_settings()
    result = run(folder, settings, None if no_import else open_sandbox(settings, backend))
    click.echo(json.dumps(result, indent=2) if as_json else table(result))


if __name__ == "__main__":
    main()
