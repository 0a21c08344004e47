"""How well labelled phrases find their code: ``python -m benchmarks.grounding --papers DIR --labels FILE [--json]``.

Every label of a paper is asked at once, its phrase with the text from `tex_line` on. A unit is a hit when it is in the
same file as the labelled one (or as one that the label also accepts) and has the same dotted symbol, or contains it, or
lies in it; strict asks for the same symbol. `n` counts labels with code, `negatives` those without. `asserted_*` count
labels for which a unit was asserted: right by the same rule; all others, negatives included, are wrong. `likely_*`
count in the same way those whose first unit was called likely.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.code.units import read_units
from benchmarks.common import LINES, Label, PaperFolder, by_paper, covers, labels_command, percent
from ingest.ground import CodeIndex, Ranking, judge, load_calibration, query_from_text, rank
from ingest.ground.assertion import Assertion
from ingest.ground.features import Embeds
from ingest.ground.words import spelled
from ingest.latex import ParsedPaper, parse_paper
from kg.config import load_settings
from kg.embeddings import open_embedder

__all__ = ["figures", "place", "rank_labels"]

DEPTH = 200
"""Places that count for the mean reciprocal rank."""


def rank_labels(paper: PaperFolder, asked: list[Label], embedder: Embeds) -> Ranking:
    """The paper's units ranked for all of its labelled phrases together."""
    assert paper.code is not None
    parsed = parse_paper(paper.latex, paper.main)
    queries = [query_from_text(str(i), label.technique, said(label, paper, parsed)) for i, label in enumerate(asked)]
    return rank(CodeIndex(read_units(paper.code)), queries, spelled(parsed.reading.text()), embedder)


def said(label: Label, paper: PaperFolder, parsed: ParsedPaper) -> str:
    """What the paper says from `tex_line` to `LINES` below it, "" if that file is not read."""
    file = paper.latex / label.tex_file
    lines = file.read_bytes().splitlines(keepends=True) if file.is_file() else []
    start = parsed.flat.locate(label.tex_file, sum(map(len, lines[: label.tex_line - 1])))
    length = sum(map(len, lines[label.tex_line - 1 : label.tex_line + LINES]))
    return "" if start is None else parsed.reading.text(start, start + length)


def named(ranking: Ranking, row: int) -> tuple[str, str]:
    """File and symbol of a row."""
    return ranking.index.units[row].file, ranking.index.units[row].symbol


def place(label: Label, ranking: Ranking, query: int) -> int | None:
    """The first place (1 is best) that holds a right unit; None within `DEPTH`."""
    for number, row in enumerate(ranking.order(query, DEPTH), start=1):
        if covers(label, named(ranking, row)):
            return number
    return None


def outcome(label: Label, ranking: Ranking, query: int, assertion: Assertion) -> dict[str, Any]:
    """What one label contributes to the figures."""
    first = ranking.order(query, 1)
    top = named(ranking, first[0]) if first else ("", "")
    return {
        "positive": label.code is not None,
        "place": place(label, ranking, query) if label.code else None,
        "strict": covers(label, top, strict=True),
        "right": covers(label, top),
        "right_file": label.code is not None and top[0] in {label.code[0], *(also[0] for also in label.also)},
        "level": assertion.level,
        "standing": assertion.standing,
    }


def figures(outcomes: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The benchmark's keys (without `papers`) over outcomes; shares between 0 and 1, asserted and negatives counts."""
    rows = list(outcomes)
    positive = [row for row in rows if row["positive"]]
    n = len(positive)

    def top(k: int) -> float:
        return sum(row["place"] is not None and row["place"] <= k for row in positive) / n if n else 0.0

    asserted = [row for row in rows if row["standing"] == "asserted"]
    likely = [row for row in rows if row["standing"] == "likely"]
    files = [row for row in rows if row["level"] == "file"]
    return {
        "n": n,
        "top1": top(1),
        "top5": top(5),
        "top10": top(10),
        "mrr": sum(1 / row["place"] for row in positive if row["place"]) / n if n else 0.0,
        "strict_top1": sum(row["strict"] for row in positive) / n if n else 0.0,
        "asserted_right": sum(row["right"] for row in asserted),
        "asserted_wrong": sum(not row["right"] for row in asserted),
        "negatives": len(rows) - n,
        "negatives_asserted": sum(not row["positive"] for row in asserted),
        "likely_right": sum(row["right"] for row in likely),
        "likely_wrong": sum(not row["right"] for row in likely),
        "negatives_likely": sum(not row["positive"] for row in likely),
        "file_right": sum(row["right_file"] for row in files),
        "file_wrong": sum(not row["right_file"] for row in files),
    }


def run(folder: Path, file: Path) -> dict[str, Any]:
    """All figures, over all labels and for each paper. A paper without any code unit keeps its labels."""
    per_paper: dict[str, list[dict[str, Any]]] = {}
    calibration, embedder = load_calibration(), open_embedder(load_settings())
    for paper, asked in by_paper(folder, file):
        ranking = rank_labels(paper, asked, embedder)
        judged = judge(ranking, calibration)
        per_paper[paper.slug] = [outcome(label, ranking, i, judged[i]) for i, label in enumerate(asked)]
    everything = figures(row for rows in per_paper.values() for row in rows)
    return everything | {"papers": {slug: figures(rows) for slug, rows in per_paper.items()}}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper."""
    lines = [f"{'':18}   n  top1  top5 top10   mrr strict  right wrong  likely wrong  file+ file-  neg asserted likely"]
    for slug, row in [*result["papers"].items(), ("all", result)]:
        shares = " ".join(percent(row[key]) for key in ("top1", "top5", "top10"))
        lines.append(
            f"{slug:18} {row['n']:3} {shares} {row['mrr']:.3f}  {percent(row['strict_top1'])}"
            f"  {row['asserted_right']:5} {row['asserted_wrong']:5}  {row['likely_right']:6} {row['likely_wrong']:5}"
            f"  {row['file_right']:5} {row['file_wrong']:5}"
            f"  {row['negatives']:3} {row['negatives_asserted']:8} {row['negatives_likely']:6}"
        )
    return "\n".join(lines)


main = labels_command(run, table, __doc__)

if __name__ == "__main__":
    main()
