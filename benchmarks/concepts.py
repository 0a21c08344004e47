"""How papers are joined: pairs judged by hand, and what joining costs as the graph grows.

``python -m benchmarks.concepts [--graphs DIR] [--papers DIR] [--pairs FILE] [--sizes N …] [--json]``. The pairs are
of different papers, out of xKG's JSON graphs and of papers laid out; all of these are joined, and each kind's precision
and recall are of the pairs that name it or are found to be it. `related` counts any of the three kinds. Growth is of
synthetic techniques, ten to a paper, a fifth of them named as another is: `first_s` joins all for the first time,
`whole_s` looks at all again, `paper_s` is what one more paper of ten costs (median of five).
"""

import json
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from benchmarks.common import FILE, FOLDER, papers
from benchmarks.search import DIMENSION, Synthetic
from benchmarks.throwaway import fresh_graph
from ingest.extract import StructuralExtractor
from ingest.latex import parse_paper
from kg.concepts import refresh_concepts
from kg.embeddings import Embedder, open_embedder
from kg.embeddings.nodes import embed_record
from kg.migrations import bind_model
from kg.models.record import PaperMeta, PaperRecord
from kg.results.concept import Instance, RelationRow
from kg.results.write import CreatedNode
from kg.store import Store
from kg.write import write_paper
from kg.xkg_json import read_graph

PAIRS = Path(__file__).parent.parent / "tests" / "concepts" / "pairs.jsonl"
KINDS = {"VARIANT_OF": "variant", "SIMILAR_TO": "similar"}
SIZES = (5_000, 80_000)
BATCH = 1000
WORDS = 20_000
"""Words of synthetic names; the commonest is in one name of ten, as the words of a field are."""


def fill(store: Store, embedder: Embedder, graphs: Path | None, folder: Path | None) -> int:
    """Write what the pairs are of; how many papers."""
    records = [read_graph(file) for file in sorted(graphs.glob("*.json"))] if graphs else []
    for paper in papers(folder) if folder else ():
        parsed = parse_paper(paper.latex, paper.main)
        tree = StructuralExtractor().extract(parsed)
        records.append(PaperRecord(paper=PaperMeta(id=f"local:{paper.slug}"), doc=parsed.doc, techniques=tree))
    for record in records:
        write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
    return len(records)


def quality(store: Store, pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """Precision and recall of each kind."""
    concept = {i.technique: i.concept for i in store.rows(Instance, ids=None)}
    relations = {(r.one, r.other): KINDS[r.type] for r in store.rows(RelationRow, ids=None) if r.type in KINDS}

    def found(pair: dict[str, Any]) -> str:
        one, other = pair["one"], pair["other"]
        if one in concept and concept[one] == concept.get(other):
            return "same"
        return relations.get((one, other)) or {"similar": "similar", "variant": "reversed"}.get(
            relations.get((other, one), ""), "none"
        )

    told = [(pair["kind"], found(pair)) for pair in pairs]
    result: dict[str, Any] = {"pairs": len(pairs), "concepts": len(set(concept.values())), "relations": len(relations)}
    for kind in ("same", "variant", "similar"):
        result[kind] = _shares([(right == kind, said == kind) for right, said in told])
    result["related"] = _shares([(right != "none", said != "none") for right, said in told])
    wrong = [(right, said, pair["names"]) for (right, said), pair in zip(told, pairs, strict=True) if right != said]
    return result | {"wrong": wrong}


def _shares(answers: list[tuple[bool, bool]]) -> dict[str, Any]:
    hits = sum(right and said for right, said in answers)
    judged, said = sum(right for right, _ in answers), sum(said for _, said in answers)
    return {
        "judged": judged, "found": said, "right": hits, "precision": hits / said if said else None,
        "recall": hits / judged if judged else None,
    }  # fmt: skip


class _Named(Synthetic):
    """Synthetic techniques with names of two to four words, a fifth of them named as one before."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.names: list[str] = []

    def name(self) -> str:
        if self.names and self.random.random() < 0.2:
            return self.names[int(self.random.integers(len(self.names)))]
        count = int(self.random.integers(2, 5))
        new = " ".join(f"w{int(WORDS * draw**3)}" for draw in self.random.random(count))
        self.names.append(new)
        return new


def growth(store: Store, size: int) -> dict[str, Any]:
    """What joining costs among so many techniques."""
    data, written = _Named(size), 0
    bind_model(store, data.model_id, DIMENSION)

    def write(count: int) -> None:
        nonlocal written
        rows = []
        for number in range(written, written + count):
            paper = f"local:p{number // 10}"
            about = {"id": f"{paper}#t/{number}", "name": data.name(), "paper": paper, "kind": "technique"}
            rows.append({"label": "Technique", "properties": {**about, "unjoined": True}})
        elements = {node.id: node.element for node in store.write_rows(CreatedNode, rows=rows)}
        order = [elements[str(row["properties"]["id"])] for row in rows]  # type: ignore[index]  # rows of two kinds
        vectors = np.asarray(data.draw(count), np.float64).tolist()
        pairs = [{"element": element, "vector": vector} for element, vector in zip(order, vectors, strict=True)]
        store.write("write/set_vectors", rows=pairs, model_id=data.model_id)
        written += count

    while written < size:
        write(min(BATCH, size - written))
    store.read("schema/await_indexes", seconds=600)
    first = _seconds(store, whole=True)
    whole = _seconds(store, whole=True)
    single = []
    for _ in range(5):
        write(10)
        single.append(_seconds(store))
    counts = Counter(i.concept for i in store.rows(Instance, ids=None))
    return {
        "techniques": size, "concepts": len(counts), "largest": max(counts.values(), default=0), "first_s": first,
        "whole_s": whole, "paper_s": round(median(single), 3), "paper_most_s": max(single),
    }  # fmt: skip


def _seconds(store: Store, *, whole: bool = False) -> float:
    began = time.perf_counter()
    refresh_concepts(store, whole=whole)
    return round(time.perf_counter() - began, 3)


def run(graphs: Path | None, folder: Path | None, pairs: Path, sizes: tuple[int, ...]) -> dict[str, Any]:
    """All figures."""
    result: dict[str, Any] = {"sizes": []}
    if graphs or folder:
        with fresh_graph() as (store, settings):
            result["papers"] = fill(store, open_embedder(settings), graphs, folder)
            refresh_concepts(store)
            listed = [json.loads(line) for line in pairs.read_text("utf-8").splitlines()]
            result["quality"] = quality(store, listed)
    for size in sizes:
        with fresh_graph() as (store, _):
            result["sizes"].append(growth(store, size))
    return result


@click.command(help=__doc__)
@click.option("--graphs", type=FOLDER, help="xKG's JSON graphs.")
@click.option("--papers", "folder", type=FOLDER, help="Papers laid out.")
@click.option("--pairs", type=FILE, default=PAIRS, help="Pairs judged by hand, JSON lines.")
@click.option("--sizes", type=int, multiple=True, default=SIZES, help="Synthetic techniques; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def main(graphs: Path | None, folder: Path | None, pairs: Path, sizes: tuple[int, ...], as_json: bool) -> None:
    result = run(graphs, folder, pairs, sizes)
    click.echo(json.dumps(result, indent=2) if as_json else str(result))


if __name__ == "__main__":
    main()
