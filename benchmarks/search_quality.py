"""How well search finds techniques: by name and acronym, misspelled, in an engineer's own words; and silence elsewhere.

The graph holds the xKG project's JSON graphs and the examples. The queries and their right answers stand in
``search_quality.jsonl``; they were written before the first run. Those of the set ``held_out`` are not looked at when
search is changed, those of ``chosen`` are what its weights were chosen on. A hit is right if its name is one of those,
whatever is written in parentheses, in capitals or with hyphens. Asked without a model:
``python -m benchmarks.search_quality --graphs DIR``.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from benchmarks.common import FOLDER
from benchmarks.throwaway import fresh_home
from kg.config import Settings, load_settings
from kg.embeddings import Embedder, open_embedder
from kg.opening import open_store
from kg.search import SearchKind, search_kinds
from kg.search.results import Hit
from kg.store import Store
from kg.words import name_words

QUERIES = Path(__file__).with_suffix(".jsonl")
EXAMPLES = Path(__file__).parent.parent / "examples" / "corpus.toml"
KINDS: tuple[SearchKind, ...] = ("techniques", "code", "papers", "sections")
OFF_TOPIC = "off topic"
FIVE = 5
SETS = {"tuned": "", "held_out": "_held_out", "chosen": "_chosen"}
"""What ends the names of each set's figures."""


def queries() -> list[dict[str, Any]]:
    """All queries: `set` (of SETS), `kind`, `query`, and the names of its right answers (`right`)."""
    return [json.loads(line) for line in QUERIES.read_text("utf-8").splitlines()]


def asked(store: Store, embedder: Embedder, row: dict[str, Any]) -> dict[str, Any]:
    """The row with the `rank` of its first right answer (None without one), and how many hits there are of what
    strength; for what is off topic hits of every kind count.
    """
    kinds: tuple[SearchKind, ...] = KINDS if row["kind"] == OFF_TOPIC else KINDS[:1]
    hits: list[Hit] = [hit for found in search_kinds(store, embedder, kinds, row["query"]) for hit in found.hits]
    right = {_plain(name) for name in row["right"]}
    rank = next((hit.rank for hit in hits if {_plain(hit.name), *_aliases(hit)} & right), None)
    strong = sum(getattr(hit, "strength", "strong") == "strong" for hit in hits)
    return {**row, "rank": rank, "hits": len(hits), "strong": strong, "found": [hit.name for hit in hits[:FIVE]]}


def _plain(name: str) -> str:
    return " ".join(name_words(re.sub(r"\([^)]*\)", " ", name)))


def _aliases(hit: Hit) -> set[str]:
    return {_plain(alias) for alias in getattr(hit, "aliases", ())}


def shares(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """For each kind of query: their number, and the share answered at the first place, among five, and not at all;
    for what is off topic the shares without a strong hit, and without any.
    """
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_kind[row["kind"].replace(" ", "_")].append(row)
    if called := [row for row in rows if row["kind"] in ("name", "acronym")]:
        by_kind["names_and_acronyms"] = called
    return {
        kind: {
            "queries": len(some),
            "first": sum(row["rank"] == 1 for row in some) / len(some),
            "five": sum((row["rank"] or FIVE + 1) <= FIVE for row in some) / len(some),
            "silent": sum(not row["hits"] for row in some) / len(some),
            "nothing_strong": sum(not row["strong"] for row in some) / len(some),
        }
        for kind, some in by_kind.items()
    }


@contextmanager
def filled(graphs: Path) -> Iterator[Settings]:
    """A graph with the JSON graphs of a folder and the examples, made as a person would."""
    with fresh_home() as home:
        home.xkg("import", "xkg-json", str(graphs))
        home.xkg("ingest", "corpus", str(EXAMPLES), "--jobs", "1")
        yield load_settings().replace(home=Path(home.environment["XKG_HOME"]), neo4j__uri=None)


def measure(settings: Settings) -> dict[str, Any]:
    """All figures of the graph that `settings` name."""
    embedder = open_embedder(settings)
    with open_store(settings) as store:
        rows = [asked(store, embedder, row) for row in queries()]
    sets = {name: shares([row for row in rows if row["set"] == name]) for name in SETS}
    counts = {f"queries{end}": sum(row["set"] == name for row in rows) for name, end in SETS.items()}
    return {**sets, **counts, "rows": rows}


@click.command(help=__doc__)
@click.option("--graphs", type=FOLDER, help="xKG's JSON graphs, read with the examples into a graph of their own.")
@click.option("--set", "shown", type=click.Choice([*SETS]), default="tuned", show_default=True,
              help="Whose queries are told one by one.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(graphs: Path | None, shown: str, as_json: bool) -> None:
    """Run the benchmark; without --graphs on the user's own graph, which should hold them already."""
    if graphs:
        with filled(graphs) as settings:
            result = measure(settings)
    else:
        result = measure(load_settings())
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for row in result["rows"]:
        if row["set"] == shown:
            said = f"{row['hits']} hits, {row['strong']} strong" if row["kind"] == OFF_TOPIC else f"at {row['rank']}"
            click.echo(f"{row['kind']}: {row['query']}: {said}: {'; '.join(row['found'])}")
    for name in SETS:
        for kind, figures in result[name].items():
            click.echo(f"{name} {kind} " + " ".join(f"{key} {value:.2f}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
