"""From a paper's LaTeX and code to asserted edges, with nobody's help: ``python -m benchmarks.end_to_end``.

The machine's own techniques are grounded and compared with hand labels. A technique matches a label by name (F1 of
stemmed words of some name or alias of either, as the techniques' benchmark has it), or else because of all spans around
`tex_line` its own is the narrowest. `matched`, `top5`, `top1`, `asserted` and `likely` are shares of the labels with
code, the last four counting labels whose matching technique has a right unit among its candidates, as its first, as the
asserted one, and as one that is asserted or likely; a label with several matching techniques counts by the best.
`edges` are all asserted units; `edges_right` and `edges_wrong` those of techniques that match some label by name,
`edges_on_negatives` the wrong ones where all such labels have no code. `likely_edges`, `likely_right` and
`likely_wrong` are the same for likely units.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.code.units import read_units
from benchmarks.common import Label, PaperFolder, by_paper, covers, labels_command, percent
from benchmarks.techniques import matches, names
from ingest.extract import StructuralExtractor
from ingest.ground import ground
from ingest.latex import ParsedPaper, parse_paper
from kg.config import load_settings
from kg.embeddings import open_embedder
from kg.models.code import Grounding
from kg.models.technique import Technique

__all__ = ["figures", "run"]

WIDEST = 6_000
"""Bytes; a wider span around a line says nothing about that line."""


def by_name(label: Label, technique: Technique) -> bool:
    """Some name or alias of the label is, in its words, one of the technique's."""
    return matches(names(label), names(technique))


def by_span(label: Label, techniques: list[Technique], latex: Path) -> list[Technique]:
    """The techniques whose span around the labelled line is the narrowest of all."""
    file = latex / label.tex_file
    if not file.is_file():
        return []
    lines = file.read_bytes().split(b"\n")
    start = sum(len(line) + 1 for line in lines[: label.tex_line - 1])
    end = start + len(lines[label.tex_line - 1]) if label.tex_line <= len(lines) else start
    widths = [
        (
            min(
                (s.end - s.start for s in t.spans if s.file == label.tex_file and s.start <= end and s.end > start),
                default=None,
            ),
            t,
        )
        for t in techniques
    ]
    found = [(width, t) for width, t in widths if width is not None and width <= WIDEST]
    narrowest = min((width for width, _ in found), default=0)
    return [t for width, t in found if width == narrowest]


def compare(
    paper: PaperFolder, asked: list[Label], techniques: list[Technique], groundings: tuple[Grounding, ...],
    places: dict[str, tuple[str, str]],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:  # fmt: skip
    """One row for each label, and one for each asserted or likely edge; `places` maps units to file and symbol."""
    grounded = {g.technique: g for g in groundings}
    rows: list[dict[str, Any]] = []
    named = {t.id: [label for label in asked if by_name(label, t)] for t in techniques}
    for label in asked:
        same_name = [t for t in techniques if by_name(label, t)]
        fitting = same_name or by_span(label, techniques, paper.latex)
        found = [grounded[t.id] for t in fitting]
        firsts = [g for g in found if g.candidates and covers(label, places[g.candidates[0].unit])]
        rows.append(
            {
                "positive": label.code is not None,
                "matched": bool(fitting),
                "by_name": bool(same_name),
                "top5": any(covers(label, places[c.unit]) for g in found for c in g.candidates),
                "top1": bool(firsts),
                "asserted": any(g.level == "unit" for g in firsts),
                "likely": any(g.candidates[0].standing != "candidate" for g in firsts),
                "negative_asserted": label.code is None and any(grounded[t.id].level == "unit" for t in same_name),
            }
        )
    edges = []
    for technique in techniques:
        judges = named[technique.id]
        for candidate in grounded[technique.id].candidates:
            if candidate.standing == "candidate":
                continue
            unit = places[candidate.unit]
            edges.append(
                {
                    "standing": candidate.standing,
                    "judged": bool(judges),
                    "right": any(covers(label, unit) for label in judges),
                    "negative": bool(judges) and all(label.code is None for label in judges),
                }
            )
    return rows, edges


def figures(rows: Iterable[dict[str, Any]], edges: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The benchmark's keys: shares of the labels with code, and counts."""
    rows, told = list(rows), list(edges)
    edges = [edge for edge in told if edge["standing"] == "asserted"]
    likely = [edge for edge in told if edge["standing"] == "likely"]
    positive = [row for row in rows if row["positive"]]
    n = len(positive)

    def share(key: str) -> float:
        return sum(row[key] for row in positive) / n if n else 0.0

    return {
        "n": n,
        **{key: share(key) for key in ("matched", "by_name", "top5", "top1", "asserted", "likely")},
        "edges": len(edges),
        "edges_right": sum(edge["right"] for edge in edges),
        "edges_wrong": sum(edge["judged"] and not edge["right"] for edge in edges),
        "likely_edges": len(likely),
        "likely_right": sum(edge["right"] for edge in likely),
        "likely_wrong": sum(edge["judged"] and not edge["right"] for edge in likely),
        "edges_on_negatives": sum(edge["negative"] for edge in edges),
        "negatives": len(rows) - n,
        "negatives_asserted": sum(row["negative_asserted"] for row in rows),
    }


def run(folder: Path, file: Path) -> dict[str, Any]:
    """All figures, over all labels and for each paper."""
    per_paper: dict[str, Any] = {}
    all_rows, all_edges = [], []
    embedder = open_embedder(load_settings())
    for paper, asked in by_paper(folder, file):
        assert paper.code is not None
        parsed: ParsedPaper = parse_paper(paper.latex, paper.main)
        tree = StructuralExtractor().extract(parsed)
        codebase = read_units(paper.code)
        groundings = ground(parsed, tree, codebase, embedder)
        places = {unit.id: (unit.file, unit.symbol) for unit in codebase.units}
        techniques = list(tree.walk())
        rows, edges = compare(paper, asked, techniques, groundings, places)
        levels = [g.level for g in groundings]
        counts = {"techniques": len(techniques), "files": levels.count("file")}
        per_paper[paper.slug] = figures(rows, edges) | counts
        all_rows += rows
        all_edges += edges
    totals = {key: sum(p[key] for p in per_paper.values()) for key in ("techniques", "files")}
    return figures(all_rows, all_edges) | totals | {"papers": per_paper}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper."""
    lines = [
        f"{'':18}   n match  name  top5  top1 asserted likely  techniques edges right wrong  likely right wrong"
        "  on negatives  files"
    ]
    for slug, row in [*result["papers"].items(), ("all", result)]:
        shares = " ".join(percent(row[key]) for key in ("matched", "by_name", "top5", "top1"))
        lines.append(
            f"{slug:18} {row['n']:3} {shares}    {percent(row['asserted'])}  {percent(row['likely'])}"
            f"  {row['techniques']:10}"
            f" {row['edges']:5} {row['edges_right']:5} {row['edges_wrong']:5}  {row['likely_edges']:6}"
            f" {row['likely_right']:5} {row['likely_wrong']:5}  {row['edges_on_negatives']:12}  {row['files']:5}"
        )
    return "\n".join(lines)


main = labels_command(run, table, __doc__)

if __name__ == "__main__":
    main()
