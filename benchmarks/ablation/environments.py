"""Parts by which an environment is found, switched off one at a time: `python -m benchmarks.ablation.environments`.

Building every environment without each part would take hours, and most of them would be the same. So it is told for how
many repositories (`--papers`) and blocks of imported graphs (`--graphs`) a part changes what is planned: the specs to
try, in their order, and what is added to the copy of a repository. A part that changes no plan adds nothing.
`--slicing`, the JSON of a run of `benchmarks.slicing` with imports, tells how many modules each strategy served, each
tried for what none before it had served.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from agents.execution.environments import STRATEGIES, EnvironmentFailed, EnvironmentSpec, rescues, strategies
from agents.execution.environments.strategies import _Ways
from benchmarks.ablation.feature import Feature, replaced
from benchmarks.blocks import blocks
from benchmarks.common import FILE, FOLDER, papers
from benchmarks.environments import imported, imports
from kg.config import Settings, load_settings

__all__ = ["FEATURES", "changed", "served"]

HERE = "agents.execution.environments"


def _without(strategy: str) -> type:
    """All ways but one."""

    class Others(_Ways):
        def all(self) -> Iterator[EnvironmentSpec]:
            return (spec for spec in super().all() if spec.strategy != strategy)

    return Others


def _nothing(*_: object) -> None:
    return None


def _none(*_: object) -> Iterator[Any]:
    return iter(())


def _switches() -> Iterator[tuple[str, str, str, object]]:
    """What the part is, and the module, the name in it and what stands there while the part is off."""
    for strategy in STRATEGIES:
        yield f"strategy: {strategy}", "strategies", "_Ways", _without(strategy)
    yield "the date that a repository's pins and change log tell", "strategies", "date_of", _nothing
    readers = {"requirements files": "_requirement_files", "pyproject.toml": "_pyproject", "setup.cfg": "_setup_cfg"}
    readers |= {"setup.py": "_setup_py", "conda's files": "_conda"}
    for reader, name in readers.items():
        yield f"declared in {reader}", "declared", name, _nothing
    yield "declared for Poetry", "declared", "read_poetry", _none
    yield "rescue: version stub", "rescues", "version_stubs", lambda _: {}
    yield "rescue: package metadata", "rescues", "_metadata", lambda _: {}
    yield "rescue: own wheel", "rescues", "own_files", _nothing
    yield "stand-ins for CUDA", "resolve", "without_cuda", lambda lock, _: lock


FEATURES = tuple(
    Feature(name, "environments", replaced(f"{HERE}.{module}", place, other))
    for name, module, place, other in _switches()
)
"""What stands in for CUDA changes no plan: without it no torch is built where its index of CPU builds is silent."""


def planned(code: Path | None, names: list[str], settings: Settings) -> str:
    """What would be tried for a repository, or for a block (None) that imports `names`, as text to compare."""
    try:
        specs = [spec.model_dump_json() for spec in strategies(code, names, None, settings)]
    except EnvironmentFailed as error:
        specs = [str(error)]
    added = [rescue.model_dump_json() for rescue in rescues(code, None, settings)] if code else []
    return "\n".join([*specs, *added])


def changed(folder: Path, graphs: Path | None, settings: Settings) -> dict[str, list[str]]:
    """For each part the repositories and blocks whose plan it changes."""
    cases: dict[str, tuple[Path | None, list[str]]] = {
        paper.slug: (paper.code, imports(paper.code)) for paper in papers(folder) if paper.code
    }
    for block in blocks(graphs) if graphs else ():
        cases[block.id] = (None, sorted(set(imported(f"{block.implementation}\n{block.test}".encode()))))
    plans = {name: planned(*case, settings) for name, case in cases.items()}
    found: dict[str, list[str]] = {}
    for feature in FEATURES:
        with feature.off():
            found[feature.name] = [name for name, case in cases.items() if planned(*case, settings) != plans[name]]
    return found


def served(slicing: dict[str, Any]) -> dict[str, int]:
    """How many modules each strategy served in a run of `benchmarks.slicing`."""
    total: Counter[str] = Counter()
    for row in slicing["repositories"].values():
        total.update(row.get("by_strategy") or {})
    return dict(total.most_common())


@click.command(help=__doc__)
@click.option("--papers", "folder", type=FOLDER, required=True, help="Papers laid out, with their code.")
@click.option("--graphs", type=FOLDER, help="JSON graphs with blocks of code.")
@click.option("--slicing", type=FILE, help="JSON of a run of benchmarks.slicing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(folder: Path, graphs: Path | None, slicing: Path | None, as_json: bool) -> None:
    """Measure and print."""
    result: dict[str, Any] = {"changed": changed(folder, graphs, load_settings())}
    if slicing:
        result["served"] = served(json.loads(slicing.read_text("utf-8")))
    if as_json:
        click.echo(json.dumps(result, indent=2))
        return
    for name, cases in result["changed"].items():
        click.echo(f"{len(cases):4} plans  {name}: {', '.join(cases[:6])}{' …' if len(cases) > 6 else ''}")
    for name, count in result.get("served", {}).items():
        click.echo(f"{count:4} modules served by {name}")


if __name__ == "__main__":
    main()
