"""Ingests killed at random points: resumed, they give the same graph, byte for byte."""

import random
from pathlib import Path

import pytest
from e2e.command import EXAMPLES, Cli

from kg.connection import Connection

KILLS_BEFORE_A_RESUME = 5
RESUMES = 10


@pytest.mark.e2e
@pytest.mark.db
@pytest.mark.crash
@pytest.mark.timeout(1800)
def test_fifty_kills_leave_the_same_graph(cli: Cli, connection: Connection, tmp_path: Path) -> None:
    corpus = EXAMPLES / "corpus.toml"
    reports = cli.json("ingest", "corpus", corpus, "--jobs", "2")
    longest = 2.0 + max(sum(report["seconds"].values()) for report in reports)
    cli.run("graph", "export", tmp_path / "whole.jsonl")
    moment = random.Random(5261)  # noqa: S311 -- when to kill, no secret
    kills = 0
    for _ in range(RESUMES):
        connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
        for _ in range(KILLS_BEFORE_A_RESUME):
            kills += cli.killed(
                "ingest", "corpus", corpus, "--jobs", "2", "--force", after=moment.uniform(0.2, longest)
            )
        cli.run("ingest", "corpus", corpus, "--jobs", "2")
        cli.run("graph", "export", tmp_path / "resumed.jsonl")
        assert (tmp_path / "resumed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert kills > RESUMES * KILLS_BEFORE_A_RESUME / 2, "most kills must hit a running ingest"
