"""How many of the techniques that people labelled stand in the extracted trees.

``python -m benchmarks.techniques --papers DIR --labels FILE [--profile NAME] [--json]``. A label is found when token
F1 of stemmed tokens between one of its names (phrase or alias) and a name or alias of the tree is at least .66. Shares
are between 0 and 1, the rest are counts and seconds. With a profile a model judges: its calls and tokens, kept answers
among them, and what of them was not true are counted for each paper.
"""

import re
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import Stemmer

from agents.llm import LLM
from benchmarks.common import Label, by_paper, labels_command
from ingest.extract import StructuralExtractor
from ingest.extract.judged import JudgedExtractor
from ingest.latex import parse_paper
from kg.config import load_settings
from kg.embeddings import open_embedder
from kg.errors import XkgError
from kg.models.technique import Technique, TechniqueTree

STRICT = 0.66
_STEM = Stemmer.Stemmer("english").stemWord
_STOP = frozenset(
    ["a", "an", "the", "of", "for", "to", "in", "on", "by", "with", "and", "or", "from", "at", "as", "via", "into"]
)


def tokens(name: str) -> frozenset[str]:
    """Stemmed words of a name without articles and prepositions."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    return frozenset(_STEM(word) for word in words if word not in _STOP) or frozenset(words)


def matches(left: Iterable[frozenset[str]], right: Iterable[frozenset[str]]) -> bool:
    """Whether some pair of token sets reaches the strict F1."""
    right = list(right)
    return any(2 * len(a & b) >= STRICT * (len(a) + len(b)) and a & b for a in left for b in right)


def names(item: Technique | Label) -> list[frozenset[str]]:
    """Token sets of a technique's or a label's name and aliases."""
    name = item.name if isinstance(item, Technique) else item.technique
    return [tokens(each) for each in (name, *item.aliases)]


def run(folder: Path, file: Path, profile: str | None = None) -> dict[str, Any]:
    """All figures, over all labels and for each labelled paper."""
    judge = _judge(profile) if profile else None
    hits: dict[str, list[bool]] = defaultdict(list)
    rows: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for paper, asked in by_paper(folder, file, code=False):
        started = time.perf_counter()
        try:
            parsed = parse_paper(paper.latex, paper.main)
            middle = time.perf_counter()
            tree = StructuralExtractor().extract(parsed)
            judged = judge.judge(parsed, tree, f"local:{paper.slug}") if judge else None
        except XkgError as error:
            failed[paper.slug] = str(error)
            continue
        said = {**judged.figures(), "drops": judged.counts()} if judged else {}
        rows[paper.slug] = _row(judged.tree if judged else tree, asked, hits) | said | {
            "seconds_parse": round(middle - started, 3), "seconds_extract": round(time.perf_counter() - middle, 3),
        }  # fmt: skip
    count = max(1, len(rows))
    mean = {key: round(sum(row[key] for row in rows.values()) / count, 3)
            for key in ("items", "top_items", "seconds_parse", "seconds_extract",
                        *(("calls", "tokens_in", "tokens_out", "dropped") if judge else ()))}  # fmt: skip
    shares = {key: round(sum(values) / len(values), 4) for key, values in sorted(hits.items())}
    counts = {f"n_{key}": len(values) for key, values in sorted(hits.items()) if not key.endswith("_top")}
    return {**shares, **counts, **{f"{k}_per_paper": v for k, v in mean.items()}, "papers": rows, "failed": failed}


def _judge(profile: str) -> JudgedExtractor:
    settings = load_settings()
    llm = LLM(settings, profile)
    return JudgedExtractor(llm, open_embedder(settings), retrieved=settings.techniques.retrieved)


def _row(tree: TechniqueTree, labels: list[Label], hits: dict[str, list[bool]]) -> dict[str, Any]:
    everywhere = [name for item in tree.walk() for name in names(item)]
    top = [name for item in tree.items for name in names(item)]
    found: dict[str, list[bool]] = defaultdict(list)
    for label in labels:
        wanted = names(label)
        group = "strict" if label.kind in ("technique", "methodology") else f"strict_{label.kind}"
        for suffix, have in (("", everywhere), ("_top", top)):
            hit = matches(wanted, have)
            found[group + suffix].append(hit)
            if group == "strict" and label.central:
                found["strict_central" + suffix].append(hit)
    for key, values in found.items():
        hits[key] += values
    row: dict[str, Any] = {key: round(sum(values) / len(values), 4) for key, values in sorted(found.items())}
    return row | {"items": sum(1 for _ in tree.walk()), "top_items": len(tree.items)}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper, then one per figure over all."""
    lines = [f"{slug:18}" + "  ".join(f"{k} {v}" for k, v in row.items()) for slug, row in result["papers"].items()]
    return "\n".join([*lines, *(f"{key:28} {value}" for key, value in result.items() if key != "papers")])


main = labels_command(run, table, __doc__, model=True)

if __name__ == "__main__":
    main()
