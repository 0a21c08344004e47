"""Whether verdicts outlive what they rest on, on the histories of real repositories: at an older commit and a newer.

`python -m benchmarks.staleness --paper LATEX --repository FOLDER --older COMMIT --newer COMMIT`: units (`--unit
FILE#SYMBOL`, or those that `--labels` name for the paper `--slug`) are judged at the older commit; then the newer one
is ingested into the same graph, which keeps each verdict or takes it back; then all are judged anew. Kept wrongly:
still "verified", but not when judged anew. Given up needlessly: taken back, and "verified" again.
"""

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from benchmarks.common import FILE, FOLDER, labels
from benchmarks.throwaway import fresh_graph
from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import ingest
from ingest.verification.judges import Judges
from ingest.verification.runner import select, verify
from kg.config import Settings
from kg.results.verdict import CodeToJudge
from kg.store import Store

__all__ = ["History", "figures", "measure"]


class History:
    """A clone of the git repository at `source` in `folder`, ingested as the repository of `paper`."""

    def __init__(self, source: Path, folder: Path, paper: Path) -> None:
        self.source, self.folder, self.paper = source, folder, paper
        subprocess.run(["git", "clone", "-q", "--no-checkout", str(source), str(folder)], check=True)

    def ingest(self, commit: str, store: Store, settings: Settings) -> None:
        """Check a commit out, as the source calls it (the clone's HEAD moves), and bring it into the graph. Raises
        ClickException if that fails."""
        named = self._git(self.source, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}")
        self._git(self.folder, "checkout", "-qf", named)
        job = Job(name="history", slug="history", paper=str(self.paper), repo=str(self.folder))
        (report,) = ingest([job], settings, store).papers
        if report.error:
            raise click.ClickException(report.error)

    @staticmethod
    def _git(folder: Path, *words: str) -> str:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise click.ClickException(f"git {words[0]} {words[-1]} of {folder} failed: {done.stderr.strip()}")
        return done.stdout.strip()


def measure(
    history: History, older: str, newer: str, units: Sequence[str], store: Store, settings: Settings,
    judges: Callable[[], Judges] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Judge `units` (FILE#SYMBOL) at the older commit, bring the newer one, judge again; the fate of each verdict."""

    def judged() -> dict[str, CodeToJudge]:
        verify(store, settings, [*_present(store, units).values()], force=True, judges=judges)
        return _present(store, units)

    history.ingest(older, store, settings)
    before = judged()
    history.ingest(newer, store, settings)
    brought = _present(store, units)
    anew = judged()
    return figures(
        [
            {
                "unit": unit,
                "older": row.verdict,
                "brought": brought[unit].verdict if unit in brought else "gone",
                "why": brought[unit].verdict_reason if unit in brought else "",
                "anew": anew[unit].verdict if unit in anew else "gone",
                "why_anew": anew[unit].verdict_reason if unit in anew else "",
            }
            for unit, row in before.items()
        ]
    )


def _present(store: Store, units: Sequence[str]) -> dict[str, CodeToJudge]:
    """What the graph says of units now; whose text is no longer there is left out."""
    found = {row.id.partition(":")[2].partition(":")[2]: row for row in select(store, everything=True)}
    return {unit: found[unit] for unit in units if unit in found}


def figures(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts over the units that were verified at the older commit, and all `rows`."""
    verified = [row for row in rows if row["older"] == "verified"]
    kept = [row for row in verified if row["brought"] == "verified"]
    stale = [row for row in verified if row["brought"] == "stale"]
    return {
        "judged": len(rows),
        "verified": len(verified),
        "kept": len(kept),
        "kept_wrongly": sum(row["anew"] != "verified" for row in kept),
        "given_up": len(stale),
        "given_up_needlessly": sum(row["anew"] == "verified" for row in stale),
        "gone": sum(row["brought"] == "gone" for row in verified),
        "units": list(rows),
    }


def table(result: dict[str, Any]) -> str:
    """The fate of each verdict, a line each, and the counts."""
    lines = [
        f"{row['unit']}: {row['older']}, then {row['brought']}, anew {row['anew']}"
        + (f" ({row['why']})" if row["brought"] == "stale" else "")
        + (f" ({row['why_anew']})" if row["brought"] == "verified" != row["anew"] else "")
        for row in result["units"]
    ]
    return "\n".join([*lines, *(f"{name}: {count}" for name, count in result.items() if name != "units")])


@click.command(help=__doc__)
@click.option("--paper", type=click.Path(exists=True, path_type=Path), required=True, help="Its LaTeX.")
@click.option("--repository", type=FOLDER, required=True, help="A git repository with both commits.")
@click.option("--older", required=True, help="The commit at which units are judged first.")
@click.option("--newer", default="HEAD", show_default=True, help="The commit that is brought then.")
@click.option("--unit", "units", multiple=True, help="FILE#SYMBOL; can be repeated.")
@click.option("--labels", "labelled", type=FILE, help="Hand labels, JSON lines: the units they name, too.")
@click.option("--slug", default="", help="Which paper's labels.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(
    paper: Path, repository: Path, older: str, newer: str, units: tuple[str, ...], labelled: Path | None, slug: str,
    *, as_json: bool,
) -> None:  # fmt: skip
    """Measure and print."""
    named = [f"{file}#{symbol}" for label in labels(labelled) if label.paper == slug and label.code
             for file, symbol in [label.code]] if labelled else []  # fmt: skip
    asked = list(dict.fromkeys([*units, *named]))
    if not asked:
        raise click.UsageError("give --unit FILE#SYMBOL, or --labels FILE and --slug NAME")
    with fresh_graph() as (store, settings), tempfile.TemporaryDirectory(prefix="xkg-bench-") as folder:
        result = measure(History(repository, Path(folder) / "clone", paper), older, newer, asked, store, settings)
    click.echo(json.dumps(result, indent=2) if as_json else table(result))


if __name__ == "__main__":
    main()
