"""Verifications a minute: `python -m benchmarks.verify_rate`, on the code of our own examples in throwaway graphs.

`xkg code verify --all --force` with 1 and with 2 workers, and the ratio of the two. Environments are warm.
"""

import json
import os
import time
from pathlib import Path
from typing import Any

import click

from benchmarks.throwaway import Home, fresh_home

EXAMPLES = Path(__file__).parent.parent / "examples"


def verify(jobs: int, paper: str, home: Home) -> dict[str, Any]:
    """One run: what was judged, and how many a minute."""
    start = time.perf_counter()
    report = home.xkg("code", "verify", "--paper", paper, "--force", "--jobs", str(jobs), "--json")
    seconds = time.perf_counter() - start
    judged = [code for code in json.loads(report) if code["status"] == "judged"]
    verified = sum(code["verdict"] == "verified" for code in judged)
    return {
        "jobs": jobs,
        "judged": len(judged),
        "verified": verified,
        "seconds": round(seconds, 1),
        "a_minute": round(60 * len(judged) / seconds, 1),
    }


def measure(paper: str) -> dict[str, Any]:
    """Warm up once, then 1 and 2 workers."""
    with fresh_home() as home:
        home.xkg("ingest", "corpus", str(EXAMPLES / "corpus.toml"), "--json")
        warm, *runs = [verify(jobs, paper, home) for jobs in (1, 1, 2)]
    return {
        "load": round(os.getloadavg()[0], 1),
        "warm_up_seconds": warm["seconds"],
        "runs": runs,
        "speed_up": round(runs[0]["seconds"] / runs[1]["seconds"], 2),
    }


@click.command(help=__doc__)
@click.option("--paper", default="local:pagerank", show_default=True, help="Which of the examples.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(paper: str, as_json: bool) -> None:
    """Measure and print."""
    result = measure(paper)
    click.echo(json.dumps(result, indent=None if as_json else 2))


if __name__ == "__main__":
    main()
