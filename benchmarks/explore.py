"""The pages of `xkg explore` on a graph of synthetic papers: the first page, its second screen, and a paper.

Each paper has three techniques and a piece of code; the time is that of the server alone, read to the end.
"""

import json
import time
from statistics import median, quantiles
from typing import Any

import click
from starlette.testclient import TestClient

from benchmarks.throwaway import fresh_graph
from explore.app import make_app
from explore.pages import Pages
from kg.embeddings import open_embedder
from kg.results.write import CreatedNode
from kg.store import Store

BATCH = 500
ROUNDS = 20
HOST = "127.0.0.1:7480"


def fill(store: Store, papers: int) -> None:
    """Write so many papers."""
    for start in range(0, papers, BATCH):
        rows: list[dict[str, Any]] = []
        ties: list[tuple[str, str, str]] = []
        for number in range(start, min(papers, start + BATCH)):
            paper, code = f"local:p{number}", f"folder:r{number}@1:a.py#f"
            about = {"id": paper, "name": f"Paper {number}", "title": f"Paper {number * 7919 % papers}"}
            rows.append({"label": "Paper", "properties": {**about, "status": "ingested", "authors": ["A", "B"]}})
            rows.append({"label": "Code", "properties": {"id": code, "name": "f", "implementation": "def f(): ..."}})
            for place in range(3):
                technique = f"{paper}#t/{place}"
                named = {"id": technique, "name": f"Technique {place}", "paper": paper, "kind": "technique"}
                rows.append({"label": "Technique", "properties": named})
                ties.append((paper, "HAS_TECHNIQUE", technique))
            ties.append((f"{paper}#t/0", "IMPLEMENTED_BY", code))
        made = {node.id: node.element for node in store.write_rows(CreatedNode, rows=rows)}
        edges = [{"start": made[a], "type": kind, "end": made[b], "properties": {}} for a, kind, b in ties]
        store.write("write/create_edges", rows=edges)


def milliseconds(client: TestClient, address: str) -> dict[str, float]:
    """Median and 95th percentile of a page, after two that count not."""
    times = []
    for _ in range(ROUNDS + 2):
        began = time.perf_counter()
        client.get(address).raise_for_status()
        times.append(1e3 * (time.perf_counter() - began))
    return {"p50": round(median(times[2:]), 1), "p95": round(quantiles(times[2:], n=20)[-1], 1)}


@click.command(help=__doc__)
@click.option("--papers", default=10_000, show_default=True, help="Papers of the graph.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(papers: int, as_json: bool) -> None:
    """Measure and print."""
    with fresh_graph() as (store, settings):
        fill(store, papers)
        app = make_app(Pages(store, settings, open_embedder(settings)), hosts={HOST})
        with TestClient(app, base_url=f"http://{HOST}") as client:
            pages = {"first": "/", "second": "/?after=50", "paper": "/paper?id=local:p7"}
            result = {"papers": papers, **{name: milliseconds(client, page) for name, page in pages.items()}}
    click.echo(json.dumps(result, indent=2) if as_json else result)


if __name__ == "__main__":
    main()
