"""Ingest seconds by stage: `python -m benchmarks.ingest DIR` with DIR/corpus.toml, into a throwaway graph.

Prints per paper the seconds of each stage, by the clock and of the processor, the nodes and edges written, and how long
a second, unchanged run takes as a share of the first. What a paper takes on two idle cores lies between half and all of
its processor seconds, the database and the start of the program apart.
"""

import json
import time
from pathlib import Path
from statistics import median
from typing import Any

import click

from benchmarks.throwaway import Home, fresh_home


def ingest(corpus: Path, jobs: int, home: Home) -> tuple[float, list[dict[str, Any]]]:
    """Wall seconds of one run of `xkg ingest corpus`, and its report."""
    start = time.perf_counter()
    report = home.xkg("ingest", "corpus", str(corpus), "--jobs", str(jobs), "--json", allowed=(0, 4))
    return time.perf_counter() - start, json.loads(report)


def measure(corpus: Path, jobs: int) -> dict[str, Any]:
    """Ingest twice into an empty graph."""
    with fresh_home() as home:
        first, reports = ingest(corpus, jobs, home)
        second, again = ingest(corpus, jobs, home)
    papers = [
        {
            key: report[key]
            for key in ("name", "status", "seconds", "processor_seconds", "counts", "nodes", "edges", "error")
        }
        | {"warnings": len(report["warnings"])}
        for report in reports
    ]
    spent = [paper["processor_seconds"] for paper in papers if paper["processor_seconds"]]
    stages = sorted({stage for one in spent for stage in one})
    return {
        "jobs": jobs,
        "median_processor_seconds": median(sum(one.values()) for one in spent) if spent else None,
        "median_by_stage": {stage.replace(" ", "_"): median(one.get(stage, 0.0) for one in spent) for stage in stages},
        "first_run_seconds": round(first, 1),
        "second_run_share": round(second / first, 3),
        "unchanged_in_second_run": sum(report["status"] == "unchanged" for report in again),
        "papers": papers,
    }


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--jobs", default=2, show_default=True, help="Papers prepared at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(folder: Path, jobs: int, as_json: bool) -> None:
    """Measure and print."""
    result = measure(folder / "corpus.toml", jobs)
    if as_json:
        click.echo(json.dumps(result, indent=2))
        return
    for paper in result["papers"]:
        stages = "  ".join(f"{stage} {seconds:.1f}" for stage, seconds in paper["seconds"].items())
        click.echo(f"{paper['name']:<20} {paper['status']:<10} {stages}")
    click.echo(
        f"first run {result['first_run_seconds']} s with {jobs} jobs; the second, unchanged, took"
        f" {result['second_run_share']:.0%} of it"
    )


if __name__ == "__main__":
    main()
