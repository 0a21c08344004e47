"""Techniques and implementations without a model and with each of some: quality beside what it costs.

``python -m benchmarks.models --papers DIR --labels FILE [--profile NAME …] [--write]``. The figures are those of
`benchmarks.techniques` and `benchmarks.grounding`. Answers that are kept cost nothing again, but their tokens count.
"""

import json
from pathlib import Path
from typing import Any

import click

from benchmarks import grounding, techniques
from benchmarks.common import FILE, FOLDER
from benchmarks.results import PAGE, section, update

ROWS = (
    ("central techniques by strict name", "techniques", "strict_central", "{:.1%}"),
    ("all labelled techniques by strict name", "techniques", "strict", "{:.1%}"),
    ("items a paper", "techniques", "items_per_paper", "{:.0f}"),
    ("calls a paper", "techniques", "calls_per_paper", "{:.1f}"),
    ("tokens in, a paper", "techniques", "tokens_in_per_paper", "{:,.0f}"),
    ("tokens out, a paper", "techniques", "tokens_out_per_paper", "{:,.0f}"),
    ("dropped by the checks, a paper", "techniques", "dropped_per_paper", "{:.1f}"),
    ("labels with code", "grounding", "n", "{:,}"),
    ("asserted right", "grounding", "asserted_right", "{:,}"),
    ("asserted wrong", "grounding", "asserted_wrong", "{:,}"),
    ("likely right", "grounding", "likely_right", "{:,}"),
    ("likely wrong", "grounding", "likely_wrong", "{:,}"),
    ("labels without code", "grounding", "negatives", "{:,}"),
    ("asserted of these", "grounding", "negatives_asserted", "{:,}"),
    ("calls, all papers", "grounding", "calls", "{:,}"),
    ("tokens in, all papers", "grounding", "tokens_in", "{:,}"),
    ("tokens out, all papers", "grounding", "tokens_out", "{:,}"),
    ("dropped by the checks, all papers", "grounding", "dropped", "{:,}"),
)


def run(folder: Path, file: Path, profiles: tuple[str, ...]) -> dict[str, Any]:
    """The figures of both benchmarks by profile; those of no model under ""."""
    return {
        profile: {
            "techniques": techniques.run(folder, file, profile or None),
            "grounding": grounding.run(folder, file, profile or None),
        }
        for profile in ("", *profiles)
    }


def table(result: dict[str, Any]) -> str:
    """A Markdown table, a column for each profile."""
    head = ["", *(profile or "no model" for profile in result)]
    lines = [head, ["---", *("--:" for _ in result)]]
    for says, bench, key, form in ROWS:
        found = (columns[bench].get(key) for columns in result.values())
        lines.append([f"{bench}: {says}", *("" if value is None else form.format(value) for value in found)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@click.command(help=__doc__)
@click.option("--papers", type=FOLDER, required=True, help="Papers laid out, with their code.")
@click.option("--labels", type=FILE, required=True, help="Hand labels, one JSON object a line.")
@click.option("--profile", "profiles", multiple=True, help="A model that judges, as xkg.toml calls it (repeatable).")
@click.option("--write", is_flag=True, help="Put the table into docs/results.md, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(papers: Path, labels: Path, profiles: tuple[str, ...], write: bool, as_json: bool) -> None:
    """Measure, print and, where asked, write."""
    result = run(papers, labels, profiles)
    if write:
        update(PAGE, {"models": section("models", result)})
    click.echo(json.dumps(result, indent=2) if as_json else table(result))


if __name__ == "__main__":
    main()
