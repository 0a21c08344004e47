"""Search: latency and recall at several sizes against an exact scan, and answers to real and to off-topic queries.

The techniques of the first part are synthetic: vectors of 384 numbers in 300 clusters with low-rank noise, texts of
Zipf-distributed words, a paper for every ten. `exact_ms` is numpy's product of the whole matrix with the query and its
top ten, in memory; `candidates_ms` the product's own query of vector and full-text index; `search_ms` the whole search
with graph expansion, the embedding of the query apart. Recall is that of the exact top ten among the ten and among all
of the vector list. With --graphs DIR, a folder of xKG's JSON graphs is imported and asked, MiniLM included.
"""

import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import click
import numpy as np

from benchmarks.search_queries import HELD_OUT_OFF, HELD_OUT_ON, SEEN_OFF, SEEN_ON
from benchmarks.throwaway import fresh_graph
from kg.embeddings import Embedder, Vectors, open_embedder
from kg.embeddings.nodes import embed_record
from kg.migrations import bind_model
from kg.results.search import CandidateRow
from kg.results.write import CreatedNode
from kg.search import SearchKind, search_kinds
from kg.search.engine import CHARACTERS, DEPTH, TEXT_FETCH
from kg.search.terms import lucene_query, name_query
from kg.store import Store
from kg.write import write_paper
from kg.xkg_json import read_graph

DIMENSION = 384
CLUSTERS = 300
VOCABULARY = 20_000
WORDS = 40
COMMON = 20
BATCH = 1000
QUERIES = 40
WARM_UP = 40
TOP = 10


class Synthetic:
    """The vectors of the synthetic texts, and an embedder whose vectors are given."""

    model_id = "synthetic/1"
    dimension = DIMENSION

    def __init__(self, size: int) -> None:
        self.random = np.random.default_rng(size)
        self.centres = self.random.normal(size=(CLUSTERS, DIMENSION))
        self.basis = self.random.normal(size=(24, DIMENSION))
        self.matrix = self.draw(size)
        self.next: Vectors = self.matrix[:1]

    def draw(self, count: int) -> Vectors:
        """Unit vectors near the centres."""
        noise = self.random.normal(size=(count, len(self.basis))) @ self.basis
        rows = self.centres[self.random.integers(CLUSTERS, size=count)] + 0.15 * noise
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def text(self) -> str:
        """Some words, frequent ones more often."""
        return " ".join(f"w{int(n) % VOCABULARY}" for n in self.random.zipf(1.3, size=WORDS))

    def question(self) -> str:
        """Four words of a text that are not among the commonest, as a person's words for a subject are."""
        rare = [word for word in dict.fromkeys(self.text().split()) if int(word[1:]) > COMMON]
        return " ".join(rare[:4])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vector set before, for every text."""
        return np.repeat(self.next, len(texts), axis=0)


def fill(store: Store, data: Synthetic) -> float:
    """Write the synthetic techniques with their vectors; seconds until all indexes answer."""
    began = time.perf_counter()
    bind_model(store, data.model_id, data.dimension)
    size = len(data.matrix)
    for start in range(0, size, BATCH):
        rows = []
        for number in range(start, min(size, start + BATCH)):
            paper = f"local:p{number // 10}"
            definition = data.text()
            about = {"id": f"{paper}#t/{number}", "name": definition[:30], "definition": definition, "paper": paper}
            rows.append({"label": "Technique", "properties": {**about, "kind": "technique"}})
        created = {node.id: node.element for node in store.write_rows(CreatedNode, rows=rows)}
        elements = [created[row["properties"]["id"]] for row in rows]  # type: ignore[index]  # rows of two kinds of value
        vectors = data.matrix[start : start + len(rows)].tolist()
        pairs = [{"element": e, "vector": v} for e, v in zip(elements, vectors, strict=True)]
        store.write("write/set_vectors", rows=pairs, model_id=data.model_id)
    store.read("schema/await_indexes", seconds=600)
    return time.perf_counter() - began


def milliseconds(work: Callable[[int], Any]) -> tuple[dict[str, float], list[Any]]:
    """Median and 95th percentile of `work` after a warm-up, and what it gave."""
    for number in range(WARM_UP):
        work(number)
    times, results = [], []
    for number in range(QUERIES):
        began = time.perf_counter()
        results.append(work(number))
        times.append(1e3 * (time.perf_counter() - began))
    return {"p50": round(median(times), 2), "p95": round(quantiles(times, n=20)[-1], 2)}, results


def at_size(store: Store, size: int) -> dict[str, Any]:
    """All figures of one size."""
    data = Synthetic(size)
    seconds = fill(store, data)
    queries, texts = data.draw(QUERIES), [data.question() for _ in range(QUERIES)]

    def exact(number: int) -> list[int]:
        scores = data.matrix @ queries[number]
        top = np.argpartition(-scores, TOP)[:TOP]
        return [int(n) for n in top[np.argsort(-scores[top])]]

    def candidates(number: int) -> list[int]:
        rows = store.rows(
            CandidateRow,
            vector_index="technique_vector",
            text_index="technique_text",
            vector=queries[number].tolist(),
            query=lucene_query(texts[number]),
            name_query=name_query(texts[number]),
            depth=DEPTH,
            fetch=TEXT_FETCH,
            characters=CHARACTERS,
            first=DEPTH,
            verdicts=[],
        )
        near = sorted((row for row in rows if row.near), key=lambda row: -(row.cosine or 0.0))
        return [int(row.id.rpartition("/")[2]) for row in near]

    def whole(number: int) -> int:
        data.next = queries[number : number + 1]
        return len(search_kinds(store, data, ["techniques"], texts[number])[0].hits)

    exact_ms, truth = milliseconds(exact)
    candidates_ms, found = milliseconds(candidates)
    search_ms, hits = milliseconds(whole)
    pairs = list(zip(truth, found, strict=True))
    return {
        "techniques": size,
        "load_s": round(seconds, 1),
        "exact_ms": exact_ms,
        "candidates_ms": candidates_ms,
        "search_ms": search_ms,
        "hits_mean": sum(hits) / len(hits),
        "recall_of_ten": round(sum(len(set(t) & set(f[:TOP])) for t, f in pairs) / (TOP * len(pairs)), 4),
        "recall_of_list": round(sum(len(set(t) & set(f)) for t, f in pairs) / (TOP * len(pairs)), 4),
    }


def on_graphs(store: Store, embedder: Embedder, folder: Path) -> dict[str, Any]:
    """Import a folder of JSON graphs and ask it."""
    began = time.perf_counter()
    files = sorted(folder.glob("*.json"))
    for file in files:
        record = read_graph(file)
        write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
    store.read("schema/await_indexes", seconds=600)
    result: dict[str, Any] = {"files": len(files), "import_s": round(time.perf_counter() - began, 1)}
    for name, on, off in (("seen", SEEN_ON, SEEN_OFF), ("held_out", HELD_OUT_ON, HELD_OUT_OFF)):
        result[name] = {kind: _quality(store, embedder, kind, on, off) for kind in ("techniques", "code")}
    return result


def _quality(
    store: Store, embedder: Embedder, kind: SearchKind, on: Sequence[tuple[str, str]], off: Sequence[str]
) -> dict[str, Any]:
    times: list[float] = []
    ranks: list[int | None] = []
    for query, pattern in on:
        began = time.perf_counter()
        hits = search_kinds(store, embedder, [kind], query)[0].hits
        times.append(1e3 * (time.perf_counter() - began))
        told = [
            json.dumps(hit.model_dump(include={"name", "paper_title", "implements"}), ensure_ascii=False)
            for hit in hits
        ]
        ranks.append(next((rank for rank, text in enumerate(told, 1) if re.search(pattern, text, re.IGNORECASE)), None))
    silent = sum(not search_kinds(store, embedder, [kind], query)[0].hits for query in off)
    return {
        "queries": len(on),
        "found": sum(rank is not None for rank in ranks) / len(on),
        "first": sum(rank == 1 for rank in ranks) / len(on),
        "off_topic_queries": len(off),
        "off_topic_silent": silent / len(off),
        "ms": {"p50": round(median(times), 1), "p95": round(quantiles(times, n=20)[-1], 1)},
    }


@click.command(help=__doc__)
@click.option("--sizes", default="1000,20000,100000", show_default=True, help="Numbers of techniques.")
@click.option("--graphs", type=click.Path(exists=True, file_okay=False, path_type=Path), help="xKG's JSON graphs.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(sizes: str, graphs: Path | None, as_json: bool) -> None:
    """Run the benchmark."""
    result: dict[str, Any] = {"sizes": []}
    for size in map(int, filter(None, sizes.split(","))):
        with fresh_graph() as (store, _):
            result["sizes"].append(at_size(store, size))
            click.echo(f"{result['sizes'][-1]}", err=True)
    if graphs:
        with fresh_graph() as (store, settings):
            result["graphs"] = on_graphs(store, open_embedder(settings), graphs)
    click.echo(json.dumps(result, indent=None if as_json else 2))


if __name__ == "__main__":
    main()
