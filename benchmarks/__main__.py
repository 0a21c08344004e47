"""All benchmarks in one run: `python -m benchmarks [--papers DIR --labels FILE] [--graphs DIR]`.

Speed and memory need nothing. Quality is judged on papers: DIR holds `<slug>/latex`, `<slug>/code` and a `corpus.toml`,
FILE the hand labels; and search on a folder of xKG's JSON graphs. Each benchmark is also a command of its own
(`python -m benchmarks.NAME --help`).
"""

import subprocess
import sys
from pathlib import Path

import click

SPEED = ("server", "write", "sandbox", "environments", "verify_rate")
ON_PAPERS = ("latex", "ingest", "slicing")
ON_LABELS = ("techniques", "grounding", "end_to_end", "verification")


def run(name: str, *arguments: str) -> bool:
    """Run one benchmark in a process of its own, its JSON to stdout; says whether it ended well."""
    click.echo(f"## {name}", err=True)
    sys.stdout.flush()
    return (
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *arguments, "--json"], check=False).returncode == 0
    )


@click.command(help=__doc__)
@click.option("--papers", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Papers laid out.")
@click.option("--labels", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Hand labels, JSON lines.")
@click.option("--graphs", type=click.Path(exists=True, file_okay=False, path_type=Path), help="xKG's JSON graphs.")
def main(papers: Path | None, labels: Path | None, graphs: Path | None) -> None:
    """Run what can be run and exit with 1 if one of them failed."""
    ok = [run(name) for name in SPEED]
    ok.append(run("search", *(("--graphs", str(graphs)) if graphs else ())))
    if graphs:
        ok.append(run("blocks", str(graphs)))
    if papers:
        ok += [run(name, str(papers)) for name in ON_PAPERS]
    if papers and labels:
        ok += [run(name, "--papers", str(papers), "--labels", str(labels)) for name in ON_LABELS]
    if not (papers and labels):
        click.echo("quality was not measured: give PAPERS=DIR and LABELS=FILE (see docs/benchmarks.md)", err=True)
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
