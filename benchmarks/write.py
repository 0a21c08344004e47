"""Write rates of the product's own writer against those of a plain loader.

The plain loader, a script that does nothing but UNWIND batches through the same driver with its Rust extension, once
wrote 2 000 papers, 20 000 techniques and 20 000 code nodes with 384-d vectors (42 000 nodes) and 100 000 edges into
the same Neo4j on two cores: nodes with vectors in 15.9 s, edges in 3.4 s. Here as
many techniques and code nodes come as paper records through `write_paper`: reading what is there, comparing, one
transaction for each paper. They come as 20 large papers (a thousand techniques and code units each), without vectors
and with, whose difference is what vectors cost, and a second time, unchanged; then as small papers of ten each, where
the round trips of a transaction count. `--scale` is the share of the plain loader's size.
"""

import json
import time

import click
import numpy as np

from benchmarks.throwaway import fresh_graph
from kg.models.code import Candidate, CodeUnit, Grounding, Repository
from kg.models.ids import code_id, technique_id
from kg.models.paper import PaperDoc, Section, Span
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree
from kg.store import Store
from kg.write import write_paper

LARGE, SMALL, DIMENSION = 1000, 10, 384
PLAIN_LOADER_SECONDS = 15.9 + 3.4
"""For 40 000 techniques and code nodes with vectors, and their edges."""


def record(number: int, size: int, vectors: bool) -> PaperRecord:
    """A paper with `size` techniques in a section and as many functions; a candidate and an assertion for each."""
    name, span = f"local:p{number}", Span(file="main.tex", start=10, end=90)
    home = Repository(id=f"folder:r{number}", name=f"r{number}", commit="c", licence="MIT")
    body = f"def function_of_{number}(values):\n" + "    total = sum(values)\n" * 10
    units = tuple(
        CodeUnit(
            id=f"m.py#f{i}", symbol=f"f{i}", name=f"f{i}", kind="function", language="python", file="m.py",
            start=i * 300, end=i * 300 + len(body), line=1 + i * 12, end_line=12 + i * 12, text=body, licence="MIT",
        )
        for i in range(size)
    )  # fmt: skip
    techniques = tuple(
        Technique(
            id=f"t{i}", name=f"Technique {i} of {number}", kind="technique", score=0.5, spans=(span,),
            definition="A sentence of the paper that says what this technique does. " * 3,
        )
        for i in range(size)
    )  # fmt: skip
    grounded = tuple(
        Grounding(
            technique=f"t{i}", level="unit", confidence=0.9, method="fused",
            candidates=(
                Candidate(unit=units[i].id, rank=1, score=0.9, standing="asserted"),
                Candidate(unit=units[i - 1].id, rank=2, score=0.4),
            ),
        )
        for i in range(size)
    )  # fmt: skip
    ids = [technique_id(name, t.id) for t in techniques] + [code_id(home.id, home.commit, u.id) for u in units]
    numbers = np.random.default_rng(number).normal(size=(len(ids), DIMENSION))
    embedded = Vectors.of("bench", ids, numbers) if vectors else None
    section = Section(id="s1", file="main.tex", start=0, end=100, number="1", title="Method", level=1, parent=None)
    return PaperRecord(
        paper=PaperMeta(id=name, title=f"The title of paper {number}"),
        doc=PaperDoc(main="main.tex", sections=(section,)), techniques=TechniqueTree(items=techniques),
        repository=home, units=units, groundings=grounded, vectors=embedded,
    )  # fmt: skip


def load(store: Store, papers: int, size: int, vectors: bool) -> tuple[float, int, int]:
    """Write so many papers; seconds in the writer, nodes and edges added."""
    seconds, nodes, edges = 0.0, 0, 0
    for number in range(papers):
        made = record(number, size, vectors)
        start = time.perf_counter()
        counts = write_paper(store, made).counts()
        seconds += time.perf_counter() - start
        nodes, edges = nodes + counts["nodes_added"], edges + counts["edges_added"]
    return seconds, nodes, edges


def wipe(store: Store) -> None:
    """Empty the graph."""
    while store.write("backup/delete_some", limit=2000)[0]["deleted"]:
        pass


def measure(store: Store, scale: float) -> dict[str, object]:
    """Large papers without vectors, with, and again; then small ones."""
    large, small = max(1, round(20 * scale)), max(10, round(200 * scale))
    load(store, 1, LARGE, True)
    wipe(store)
    plain, nodes, edges = load(store, large, LARGE, False)
    wipe(store)
    full, _, _ = load(store, large, LARGE, True)
    again, added, _ = load(store, large, LARGE, True)
    assert added == 0
    wipe(store)
    little, _, _ = load(store, small, SMALL, True)
    vectors = large * 2 * LARGE
    loader = vectors / 40_000 * PLAIN_LOADER_SECONDS
    return {
        "papers": large,
        "nodes": nodes,
        "edges": edges,
        "vectors": vectors,
        "seconds_without_vectors": round(plain, 2),
        "seconds_with_vectors": round(full, 2),
        "seconds_for_vectors": round(full - plain, 2),
        "seconds_unchanged": round(again, 2),
        "nodes_and_edges_per_second": round((nodes + edges) / plain),
        "plain_loader_seconds": round(loader, 2),
        "ratio_to_plain_loader": round(full / loader, 2),
        "small_papers": small,
        "milliseconds_for_a_small_paper": round(1000 * little / small, 1),
    }


@click.command()
@click.option("--scale", default=0.1, show_default=True, help="Share of 40 000 nodes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(scale: float, as_json: bool) -> None:
    """Measure write rates on a local server of its own."""
    with fresh_graph() as (store, _):
        result = measure(store, scale)
    text = "\n".join(f"{name:32} {value}" for name, value in result.items())
    click.echo(json.dumps(result, indent=2) if as_json else text)


if __name__ == "__main__":
    main()
