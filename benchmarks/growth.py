"""How the graph grows: synthetic papers of a hundred nodes written into a local server, beside the same at 100 papers.

``python -m benchmarks.growth [--papers N] [--small N] [--home DIR] [--json]``. Papers go through `write_paper` one by
one, and are joined with the others after every hundred, as a run of `xkg ingest corpus` does. Before the last fifty the
server is started again, so that both sizes are measured of one that is as old, with the memory that its store asks for:
what the last of them cost, the latency of searches, memory, disk, and every query of `cypher/` profiled: which looked
at a whole label, and whose database hits grew though what they gave did not. ``--home`` keeps the graph, and goes on
with one that is there.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np
import psutil

from benchmarks.growth_papers import MODEL, Papers
from benchmarks.query_plans import growing, profiled
from benchmarks.search import COMMON, DIMENSION, QUERIES, milliseconds
from benchmarks.server import peak_mb
from benchmarks.throwaway import fresh_graph
from kg.concepts import refresh_concepts
from kg.config import Settings, load_settings
from kg.embeddings import Vectors
from kg.opening import open_store
from kg.results.write import IngestedPaper
from kg.search import search_kinds
from kg.server import LocalServer
from kg.server.memory import store_mb
from kg.store import Store
from kg.write import write_paper

PAPERS, SMALL, STEP, LAST, PROFILED = 10_000, 100, 100, 50, 3
"""Papers of the large graph and of the small, of one run of joining, whose cost is told, and which is asked about."""


class Asker:
    """An embedder whose vectors are given."""

    model_id, dimension = MODEL, DIMENSION

    def __init__(self) -> None:
        self.random = np.random.default_rng(7)
        self.vectors = Papers().vectors(self.random, QUERIES)
        self.texts = [self._question() for _ in range(QUERIES)]
        self.next = 0

    def _question(self) -> str:
        words = dict.fromkeys(int(n) % 20_000 for n in self.random.zipf(1.3, size=40))
        return " ".join(f"w{word}" for word in words if word > COMMON)[:60].rsplit(" ", 1)[0]

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.repeat(self.vectors[self.next : self.next + 1], len(texts), axis=0)


def searches(store: Store) -> dict[str, Any]:
    """Latency of a search for techniques and of one for code."""
    asker = Asker()

    def ask(number: int) -> None:
        asker.next = number
        search_kinds(store, asker, ["techniques"], asker.texts[number])

    return milliseconds(ask)[0]


def write(store: Store, settings: Settings, start: int, end: int) -> dict[str, Any]:
    """Write and join the papers from `start` to `end`; seconds, and what the last of them cost each."""
    papers, server = Papers(), psutil.Process(_pid(settings))
    total, joining, times = 0.0, 0.0, []
    busy = _busy(server)
    for number in range(start, end):
        record, began = papers.record(number), time.perf_counter()
        if number == end - LAST // 2:
            busy = _busy(server)
        write_paper(store, record)
        times.append(time.perf_counter() - began)
        total += times[-1]
        if (number + 1) % STEP == 0 or number + 1 == end:
            cost, began = _busy(server) - busy, time.perf_counter()
            refresh_concepts(store)
            joining += time.perf_counter() - began
            click.echo(f"{number + 1} papers: {total:.0f} s, joining {joining:.0f} s", err=True)
    if not times:
        return {}
    share = min(LAST // 2, len(times))
    return {
        "written": end - start, "write_s": round(total, 1), "join_s": round(joining, 1),
        "paper_ms": round(1000 * median(times[-share:]), 1), "server_cpu_ms": round(1000 * cost / share, 1),
    }  # fmt: skip


def _pid(settings: Settings) -> int:
    running = LocalServer(settings).find()
    assert running
    return running.server_pid


def _busy(process: psutil.Process) -> float:
    spent = process.cpu_times()
    return float(spent.user + spent.system)


def at_size(settings: Settings, papers: int) -> dict[str, Any]:
    """Grow to so many papers and measure, after a start that both sizes have: it gives memory for what is there."""
    server = LocalServer(settings)
    with open_store(settings) as store:
        loaded = write(store, settings, len(store.rows(IngestedPaper)), papers - LAST)
    peak = round(server_peak_mb(settings))
    server.stop()
    with open_store(settings) as store:
        last = write(store, settings, len(store.rows(IngestedPaper)), papers)
        counts = store.read("graph/count_all")
        sums = {table: sum(row["count"] for row in counts if row["table"] == table) for table in ("nodes", "edges")}
        measured = {"search_ms": searches(store), "queries": profiled(store, PROFILED)}
        peak = max(peak, round(server_peak_mb(settings)))
    server.stop()
    return {**last, **loaded, "papers": papers, **sums, **measured, "server_peak_mb": peak,
            "last_join_s": last.get("join_s"), "paper_ms": last.get("paper_ms"),
            "server_cpu_ms": last.get("server_cpu_ms"), "data_mb": round(store_mb(server.home))}  # fmt: skip


def server_peak_mb(settings: Settings) -> float:
    """The most memory that the server of these settings had since its start."""
    return peak_mb(_pid(settings))


def measure(small: int, papers: int, home: Path | None) -> dict[str, Any]:
    """Both sizes, and the one's figures by the other's."""
    with graph_at(None) as settings:
        one = at_size(settings, small)
    with graph_at(home) as settings:
        other = at_size(settings, papers)
    sizes = ("nodes", "edges", "paper_ms", "server_cpu_ms", "last_join_s", "data_mb", "server_peak_mb")
    ratios = {name: round(other[name] / one[name], 2) for name in sizes if one.get(name) and other.get(name)}
    ratios |= {f"search_{name}": round(other["search_ms"][name] / one["search_ms"][name], 2) for name in ("p50", "p95")}
    queries = one.pop("queries"), other.pop("queries")
    both = {name: [of.get(name, {}) for of in queries] for name in sorted(queries[1])}
    return {"small": one, "large": other, "ratios": ratios, "growing": growing(*queries), "queries": both}


@contextmanager
def graph_at(home: Path | None) -> Iterator[Settings]:
    """Settings of a graph that is kept at `home`, or of one that is gone afterwards."""
    if home is None:
        with fresh_graph() as (_, settings):
            yield settings
        return
    settings = load_settings().replace(home=home.absolute(), neo4j__uri=None)
    try:
        yield settings
    finally:
        LocalServer(settings).stop()


@click.command(help=__doc__)
@click.option("--papers", default=PAPERS, show_default=True, help="Papers of the large graph.")
@click.option("--small", default=SMALL, show_default=True, help="Papers of the small one.")
@click.option("--home", type=click.Path(path_type=Path), help="Where the graph is kept; default: nowhere.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(papers: int, small: int, home: Path | None, as_json: bool) -> None:
    """Measure and print."""
    result = measure(small, papers, home)
    click.echo(json.dumps(result, indent=None if as_json else 2))


if __name__ == "__main__":
    main()
