"""How well labelled phrases find their code: ``python -m benchmarks.grounding --papers DIR --labels FILE``.

Every label of a paper is asked at once, its phrase with the text from `tex_line` on. A unit is a hit when it is in the
same file as the labelled one (or as one that the label also accepts) and has the same dotted symbol, or contains it, or
lies in it; strict asks for the same symbol. `n` counts labels with code, `negatives` those without. `asserted_*` count
labels for which a unit was asserted: right by the same rule; all others, negatives included, are wrong. `likely_*`
count in the same way those whose first unit was called likely. With a profile the model judges the ranking:
its calls and tokens, those of kept answers too, are counted, and what of its answers did not stand.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.code.units import read_units
from agents.llm import LLM
from benchmarks.common import LINES, Label, PaperFolder, by_paper, covers, labels_command, percent
from ingest.ground import CodeIndex, Ranking, judge, load_calibration, query_from_text, rank
from ingest.ground.assertion import Assertion
from ingest.ground.features import Embeds
from ingest.ground.judged import judge_ranking, readme
from ingest.ground.words import spelled
from ingest.latex import ParsedPaper, parse_paper
from kg.config import load_settings
from kg.embeddings import open_embedder
from kg.models.code import Grounding
from kg.models.paper import Span
from kg.models.technique import Technique

__all__ = ["figures", "place", "rank_labels"]

DEPTH = 200
"""Places that count for the mean reciprocal rank."""


def rank_labels(paper: PaperFolder, asked: list[Label], embedder: Embeds, parsed: ParsedPaper | None = None) -> Ranking:
    """The paper's units ranked for all of its labelled phrases together."""
    assert paper.code is not None
    parsed = parsed or parse_paper(paper.latex, paper.main)
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


def judged_outcome(label: Label, ranking: Ranking, query: int, found: Grounding) -> dict[str, Any]:
    """The same where a model judged: right or wrong is the first candidate that is asserted, or else likely."""
    places = {unit.id: (unit.file, unit.symbol) for unit in ranking.index.units}
    first = min(found.candidates, key=lambda c: ("asserted", "likely", "candidate").index(c.standing), default=None)
    standing = first.standing if first else "candidate"
    own = outcome(label, ranking, query, Assertion(found.level, standing, 0.0, 0.0, ""))
    return own | {"right": first is not None and covers(label, places[first.unit])}


def as_technique(label: Label, number: int, paper: PaperFolder) -> Technique:
    """A label as a technique that is described where it says."""
    file = paper.latex / label.tex_file
    lines = file.read_bytes().splitlines(keepends=True) if file.is_file() else []
    start = sum(map(len, lines[: label.tex_line - 1]))
    end = start + sum(map(len, lines[label.tex_line - 1 : label.tex_line + LINES]))
    span = Span(file=label.tex_file, start=start, end=end)
    return Technique(id=str(number), name=label.technique, kind="technique", score=0.0, spans=(span,))


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


def run(folder: Path, file: Path, profile: str | None = None) -> dict[str, Any]:
    """All figures, over all labels and for each paper. A paper without any code unit keeps its labels."""
    per_paper: dict[str, list[dict[str, Any]]] = {}
    calibration, settings = load_calibration(), load_settings()
    llm, embedder, spent = LLM(settings, profile) if profile else None, open_embedder(settings), Counter[str]()
    for paper, asked in by_paper(folder, file):
        parsed = parse_paper(paper.latex, paper.main)
        ranking = rank_labels(paper, asked, embedder, parsed)
        if llm:
            techniques = [as_technique(label, i, paper) for i, label in enumerate(asked)]
            found = judge_ranking(parsed, techniques, ranking, llm, paper=paper.slug, readme=readme(paper.code))
            rows = [judged_outcome(label, ranking, i, found.groundings[i]) for i, label in enumerate(asked)]
            spent.update(
                {name: getattr(found.judged, name) for name in ("calls", "tokens_in", "tokens_out")}
                | {"faults": len(found.judged.faults), "dropped": len(found.judged.dropped)}
            )
        else:
            judged = judge(ranking, calibration)
            rows = [outcome(label, ranking, i, judged[i]) for i, label in enumerate(asked)]
        per_paper[paper.slug] = rows
    everything = figures(row for rows in per_paper.values() for row in rows) | dict(spent)
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
    if "calls" in result:
        names = ("calls", "tokens_in", "tokens_out", "faults", "dropped")
        lines.append(", ".join(f"{name.replace('_', ' ')} {result[name]:,}" for name in names))
    return "\n".join(lines)


main = labels_command(run, table, __doc__, model=True)

if __name__ == "__main__":
    main()
