"""The tools that agents ask the graph by, on synthetic papers of sixteen techniques: the latency of each.

``python -m benchmarks.tools [--techniques N] [--home DIR] [--json]``. The papers are written and joined as
`benchmarks.growth` does it, and one function of each is verified by a sealed judgement; then the server is started
again. A call is what an agent's is, arguments checked and the answer cut to its tokens: forty of each tool, with other
arguments every time, after forty that do not count. A call without an answer ends the benchmark. Query vectors are
given; what MiniLM takes to embed a query is told apart, without its cache. ``--home`` keeps the graph, and goes on with
one that is there.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import click

from agents.tools import TOOLS, Context, call, tokens
from benchmarks.growth import Asker, graph_at, write
from benchmarks.growth_papers import Papers
from benchmarks.search import QUERIES, milliseconds
from kg.config import Settings
from kg.embeddings.minilm import MiniLM
from kg.models.execution import Execution, Judgement
from kg.models.ids import code_id, piece_id, technique_id
from kg.models.record import PaperRecord
from kg.opening import open_store
from kg.results.write import IngestedPaper
from kg.server import LocalServer
from kg.store import Store
from kg.verdicts import Evidence, LogStore, open_logs, sha256_of, write_judgement

A_PAPER = 16
"""Techniques of a synthetic paper."""
STRIDE = 7919
"""Papers asked about lie so far apart, around the corner at the end of all."""
DATE = "2026-01-01T00:00:00+00:00"

Arguments = Mapping[str, Any]


def verify(store: Store, logs: LogStore, record: PaperRecord) -> None:
    """Give the first function of a paper a verdict that stands when it is looked at."""
    assert record.repository
    unit = record.units[0]
    ran = Execution(
        id="", code_sha256=sha256_of(unit.text), test_sha256=sha256_of("test"), environment="e", python="3.11",
        packages={}, strategy="none", backend="bubblewrap", enforced={}, exit_code=0, wall_s=1.0, peak_memory=1,
        log=logs.put("1 passed"), date=DATE,
    ).identified()  # fmt: skip
    judgement = Judgement(
        code=code_id(record.repository.id, record.repository.commit, unit.id), verdict="verified", reason="synthetic",
        kind="repository", test="test", mutants=2, killed=2, killed_by_assertion=2, survivors=(), execution=ran,
    )  # fmt: skip
    write_judgement(store, judgement, Evidence(text_sha256=sha256_of(unit.text), program="p", date=DATE), logs)


def questions(papers: int, asker: Asker) -> Mapping[str, Callable[[int], Arguments]]:
    """For each tool the arguments of its call by number."""
    made = Papers()
    records = [made.record(number * STRIDE % papers) for number in range(QUERIES)]

    def paper(number: int) -> str:
        return records[number].paper.id

    def technique(number: int) -> str:
        walked = list(records[number].techniques.walk())
        return technique_id(paper(number), walked[number % len(walked)].id)

    def code(number: int) -> str:
        record = records[number]
        assert record.repository
        return code_id(record.repository.id, record.repository.commit, record.units[number % len(record.units)].id)

    def query(number: int) -> str:
        return asker.texts[number]

    return {
        "paper_plan": lambda number: {"paper": paper(number)},
        "similar_papers": lambda number: {"paper": paper(number)},
        "find_sections": lambda number: {"query": query(number)},
        "read_section": lambda number: {"section": piece_id(paper(number), "s0")},
        "find_techniques": lambda number: {"query": query(number)},
        "get_technique": lambda number: {"technique": technique(number)},
        "concepts": lambda number: {"technique": technique(number)},
        "get_code": lambda number: {"code": code(number)},
        "find_code": lambda number: {"query": query(number)},
        "find_verified_code": lambda number: {"need": query(number)},
        "why_hit": lambda number: {"query": query(number), "id": technique(number)},
        "unknown": lambda number: {"needs": [query(number)]},
    }


def measure(context: Context, asker: Asker, papers: int) -> dict[str, dict[str, float]]:
    """Milliseconds of each tool, and how many `tokens` an answer has in the mean. Raises SystemExit for a call that has
    no answer."""
    asked, found = questions(papers, asker), {}
    for name in TOOLS:

        def ask(number: int, name: str = name) -> int:
            asker.next = number
            envelope = call(context, name, asked[name](number))
            if not envelope.ok:
                raise SystemExit(f"{name} {asked[name](number)}: {envelope.error}")
            return tokens(envelope.text())

        ms, lengths = milliseconds(ask)
        found[name] = {**ms, "tokens": round(mean(lengths))}
        click.echo(f"{name}: {found[name]}", err=True)
    return found


def at_size(settings: Settings, techniques: int) -> dict[str, Any]:
    """All figures of a graph of so many techniques, rounded up to whole papers."""
    papers, asker, made, logs = -(-techniques // A_PAPER), Asker(), Papers(), open_logs(settings)
    with open_store(settings) as store:
        there = len(store.rows(IngestedPaper))
        write(store, settings, there, papers)
        for number in range(there, papers):
            verify(store, logs, made.record(number))
    LocalServer(settings).stop()
    with open_store(settings) as store:
        counts = {row["name"]: row["count"] for row in store.read("graph/count_all") if row["table"] == "nodes"}
        ms = measure(Context(store, settings, asker), asker, papers)
    model = MiniLM(settings.cache)
    ms["embedding"] = milliseconds(lambda number: model.embed([asker.texts[number]]))[0]
    return {"papers": papers, "techniques": counts["Technique"], "nodes": sum(counts.values()), "ms": ms}


@click.command(help=__doc__)
@click.option("--techniques", default=20_000, show_default=True, help="Techniques of the graph.")
@click.option("--home", type=click.Path(path_type=Path), help="Where the graph is kept; default: nowhere.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(techniques: int, home: Path | None, as_json: bool) -> None:
    """Measure and print."""
    with graph_at(home) as settings:
        result = at_size(settings, techniques)
    click.echo(json.dumps(result, indent=None if as_json else 2))


if __name__ == "__main__":
    main()
