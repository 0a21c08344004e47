"""What each feature adds to the quality figures: ``python -m benchmarks.ablation --papers DIR --labels FILE``.

The benchmark of each feature is run with all on and with that one off. For benchmarks that take hours a stored run says
what its verdicts rest on: `--verification FILE`, the JSON of `benchmarks.verification`. For the ways to environments it
tells how many plans each part changes (`benchmarks.ablation.environments`).
"""

import json
from pathlib import Path
from typing import Any

import click

from benchmarks.ablation.environments import changed
from benchmarks.ablation.measure import BENCHES, HOURS, ablate, features
from benchmarks.ablation.report import table
from benchmarks.ablation.verify import verified_by
from benchmarks.common import FILE, FOLDER
from kg.config import load_settings


@click.command(help=__doc__)
@click.option("--papers", type=FOLDER, required=True, help="Papers laid out, with their code.")
@click.option("--labels", type=FILE, required=True, help="Hand labels, one JSON object a line.")
@click.option("--verification", type=FILE, help="JSON of a run of benchmarks.verification.")
@click.option("--graphs", type=FOLDER, help="JSON graphs whose blocks need environments, too.")
@click.option("--only", multiple=True, help="Only these features.")
@click.option("--bench", "benches", multiple=True, type=click.Choice(sorted(BENCHES)), help="Only these benchmarks'.")
@click.option("--jobs", default=1, show_default=True, help="Measurements at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(
    papers: Path, labels: Path, verification: Path | None, graphs: Path | None, only: tuple[str, ...],
    benches: tuple[str, ...], jobs: int, as_json: bool,
) -> None:  # fmt: skip
    """Measure and print."""
    known = features()
    if absent := sorted(set(only) - {one.name for one in known}):
        names = ", ".join(f"{one.name} ({one.bench})" for one in known)
        raise click.UsageError(f"no such feature: {', '.join(absent)}. There are: {names}")
    wanted = set(benches) or BENCHES.keys() - (frozenset() if only else HOURS)
    chosen = [one for one in known if (not only or one.name in only) and one.bench in wanted]
    result: dict[str, Any] = ablate(chosen, papers, labels, jobs)
    if not only and not benches:
        plans = changed(papers, graphs, load_settings())
        result["plans"] = {name: len(cases) for name, cases in plans.items()}
    if verification:
        result["verdicts"] = verified_by(json.loads(verification.read_text("utf-8")))
    click.echo(json.dumps(result, indent=2) if as_json else table(result))


if __name__ == "__main__":
    main()
