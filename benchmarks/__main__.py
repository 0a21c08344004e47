"""All benchmarks in one run, and their figures in `docs/results.md`.

Speed and memory need nothing. Quality is judged on papers (`--papers DIR`, with a `corpus.toml`) with hand labels
(`--labels FILE`), and search on a folder of xKG's JSON graphs (`--graphs DIR`). Each benchmark is also a command of its
own (`python -m benchmarks.NAME --help`).
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from benchmarks import results
from benchmarks.common import FILE, FOLDER

SPEED = ("lines", "server", "write", "sandbox", "environments", "explore", "tools", "verify_rate")
ASKED_FOR = ("growth",)
"""Those that take too long to be run unless they are named."""

ON_PAPERS = ("latex", "ingest", "slicing")
ON_LABELS = ("techniques", "grounding", "end_to_end", "verification", "ablation")


def commands(papers: Path | None, labels: Path | None, graphs: Path | None) -> dict[str, list[str]]:
    """The benchmarks that can be run with what is given, and their arguments."""
    found: dict[str, list[str]] = {name: [] for name in (*SPEED, *ASKED_FOR)}
    found["search"] = ["--graphs", str(graphs)] if graphs else []
    found["concepts"] = [*found["search"], *(["--papers", str(papers)] if papers else [])]
    if graphs:
        found |= {"blocks": [str(graphs)], "search_quality": ["--graphs", str(graphs)]}
    if papers:
        found |= {name: [str(papers)] for name in ON_PAPERS}
    if papers and labels:
        found |= {name: ["--papers", str(papers), "--labels", str(labels)] for name in ON_LABELS}
        found["ablation"] += found["search"]
    return found


def run(name: str, arguments: list[str], keep: Path) -> dict[str, Any] | None:
    """One benchmark in a process of its own: its JSON, printed and kept in a file of `keep`; None if it failed."""
    click.echo(f"## {name}", err=True)
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments, "--json"]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        click.echo(f"{name} exited with {done.returncode}; its older figures stay", err=True)
        return None
    click.echo(done.stdout)
    (keep / f"{name}.json").write_text(done.stdout, "utf-8")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@click.command(help=__doc__)
@click.option("--papers", type=FOLDER, help="Papers laid out.")
@click.option("--labels", type=FILE, help="Hand labels, JSON lines.")
@click.option("--graphs", type=FOLDER, help="xKG's JSON graphs.")
@click.option("--only", multiple=True, help="Only these benchmarks.")
@click.option("--before", type=FOLDER, help="NAME.json of an earlier state, to be shown beside.")
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for NAME.json of each benchmark.")
@click.option("--page", type=click.Path(path_type=Path), default=results.PAGE, help="The page of results.")
def main(
    papers: Path | None, labels: Path | None, graphs: Path | None, only: tuple[str, ...], before: Path | None,
    keep: Path | None, page: Path,
) -> None:  # fmt: skip
    """Run what can be run and exit with 1 if one of them failed."""
    possible = commands(papers, labels, graphs)
    if absent := sorted(set(only) - possible.keys()):
        raise click.UsageError(f"can't be run with what is given, or not known: {', '.join(absent)}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        kept = keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        for name, arguments in possible.items():
            if name not in (only or possible.keys() - set(ASKED_FOR)):
                continue
            judged = kept / "verification.json"
            more = ["--verification", str(judged)] if name == "ablation" and judged.exists() else []
            result = run(name, [*arguments, *more], kept)
            failed |= result is None
            if result is not None:
                old = before / f"{name}.json" if before else None
                earlier = json.loads(old.read_text("utf-8")) if old and old.exists() else None
                results.update(page, {name: results.section(name, result, earlier)})
    if not (papers and labels):
        click.echo("quality was not measured: give PAPERS=DIR and LABELS=FILE (see docs/benchmarks.md)", err=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
