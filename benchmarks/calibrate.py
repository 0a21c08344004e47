"""Fits what may be asserted to hand labels: ``python -m benchmarks.calibrate --papers DIR --labels FILE``.

Each label is asked twice, by its phrase and by its first alias, since the product asks by names of every length. Prints
how judgements fare on papers that the coefficients have not seen (each paper left out in turn), and writes
`ingest/ground/calibration.toml`: coefficients fitted on all papers, bars from the left-out judgements.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.common import FILE, FOLDER, by_paper
from benchmarks.grounding import outcome, rank_labels
from ingest.ground.assertion import CALIBRATION, Assertion
from ingest.ground.features import Embeds
from ingest.ground.logistic import Logistic, fit
from ingest.ground.signals import ASSERTING, SIGNALS, signals
from kg.config import load_settings
from kg.embeddings import open_embedder

RIDGE = 10.0
"""Of 10 and 30 the one by which more labels of left-out papers stand above the bar, all of them right."""
UNIT_PRECISION = 0.95
"""Wanted of left-out judgements; .90 is promised, and what is measured on ten papers is an estimate."""
FILE_PRECISION = 0.93
"""A file leaves the reader to look for the unit."""
LIKELY_PRECISION = 0.74
"""Wanted of left-out judgements that are called likely, those that are asserted apart."""
MARGIN = 0.03
"""Added to the bars of what is asserted: the left-out papers are still papers that this was developed on."""

Floats = NDArray[np.float64]


def left_out(rows: Floats, right: Floats, groups: NDArray[np.str_]) -> Floats:
    """For each row the probability by coefficients fitted on all other papers."""
    result = np.zeros(len(rows))
    for group in np.unique(groups):
        inside = groups == group
        result[inside] = fit(SIGNALS[: rows.shape[1]], rows[~inside], right[~inside], RIDGE).probability(rows[inside])
    return result


def bar(probability: Floats, right: Floats, precision: float) -> tuple[float, int]:
    """The lowest bar above which at least `precision` were right, and how many were above; (1, 0) if there is none."""
    order = np.argsort(-probability, kind="stable")
    held = np.cumsum(right[order]) / np.arange(1, len(order) + 1) >= precision
    last = int(np.flatnonzero(held)[-1]) if held.any() else -1
    return (float(probability[order[last]]), last + 1) if last >= 0 else (1.0, 0)


def toml_table(name: str, model: Logistic) -> str:
    """A regression as a TOML table."""

    def numbers(values: Floats) -> str:
        return "[" + ", ".join(f"{v:.6g}" for v in values) + "]"

    names = "[" + ", ".join(f'"{n}"' for n in model.names) + "]"
    fields = {"names": names, "mean": numbers(model.mean), "scale": numbers(model.scale)}
    fields |= {"weight": numbers(model.weight), "bias": f"{model.bias:.6g}"}
    return f"[{name}]\n" + "\n".join(f"{key} = {value}" for key, value in fields.items()) + "\n"


def gather(folder: Path, file: Path, embedder: Embeds) -> tuple[Floats, list[dict[str, Any]], NDArray[np.str_]]:
    """Signals, outcomes and the paper of every label, asked by phrase and by alias."""
    tables, outcomes, groups = [], [], []
    for paper, labelled in by_paper(folder, file):
        aliased = [replace(label, technique=label.aliases[0]) for label in labelled if label.aliases]
        for asked in (labelled, aliased):
            ranking = rank_labels(paper, asked, embedder)
            if not ranking.index.units or not asked:
                continue
            tables.append(signals(ranking))
            nothing = Assertion("none", "candidate", 0.0, 0.0, "")
            outcomes += [outcome(label, ranking, i, nothing) for i, label in enumerate(asked)]
            groups += [paper.slug] * len(asked)
    return np.vstack(tables), outcomes, np.array(groups)


@click.command(help=__doc__)
@click.option("--papers", type=FOLDER, required=True, help="Papers laid out, with their code.")
@click.option("--labels", type=FILE, required=True, help="Hand labels, one JSON object a line.")
@click.option("--out", type=click.Path(path_type=Path), default=CALIBRATION, help="The file to write.")
def main(papers: Path, labels: Path, out: Path) -> None:
    """Fit, print and write."""
    rows, outcomes, groups = gather(papers, labels, open_embedder(load_settings()))
    write(out, rows, outcomes, groups)


def write(out: Path, rows: Floats, outcomes: list[dict[str, Any]], groups: NDArray[np.str_]) -> None:
    """Fit to signals and outcomes, tell how left-out papers fare, and write the calibration to `out`."""
    parts, bars = [], []
    fair = np.ones(len(rows), bool)
    for name, key, names, wanted, margin in (
        ("unit", "right", ASSERTING, UNIT_PRECISION, MARGIN),
        ("file", "right_file", ASSERTING, FILE_PRECISION, MARGIN),
        ("likely", "right", SIGNALS, LIKELY_PRECISION, 0.0),
    ):
        right, seen = np.array([float(row[key]) for row in outcomes]), rows[:, : len(names)]
        asked = fair if name == "likely" else np.ones(len(rows), bool)
        unseen = left_out(seen, right, groups)
        at = min(1.0, bar(unseen[asked], right[asked], wanted)[0] + margin)
        for precision in (0.97, 0.95, 0.9, 0.85, 0.75):
            level, count = bar(unseen[asked], right[asked], precision)
            print(f"{name}: precision {precision} on left-out papers for {count} of {asked.sum()}, from {level:.3f}")
        bars.append(f"{name} = {at:.4f}")
        parts.append(toml_table(name, fit(names, seen, right, RIDGE)))
        above = asked & (unseen >= at)
        without = sum(not outcomes[row]["positive"] for row in np.flatnonzero(above))
        print(f"{name}: bar {at:.4f}, {above.sum()} above it, {int(right[above].sum())} right, {without} without code")
        if name == "unit":
            fair = ~above
    head = "# Written by `python -m benchmarks.calibrate` from hand labels; see ingest/ground/assertion.py.\n"
    text = head + "\n".join(["[bars]\n" + "\n".join(bars) + "\n", *parts])
    temporary = out.with_suffix(".tmp")
    temporary.write_text(text, "utf-8")
    temporary.replace(out)


if __name__ == "__main__":
    main()
