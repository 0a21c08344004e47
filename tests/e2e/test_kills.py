"""Ingests killed in every part of their time: resumed, they give the same graph, byte for byte."""

import time
from pathlib import Path

import pytest
from crash.crash_points import moments
from e2e.command import EXAMPLES, Cli

from kg.connection import Connection

KILLS, KILLS_OF_A_SOAK = 12, 50
KILLS_BEFORE_A_RESUME = 4


@pytest.mark.e2e
@pytest.mark.db
@pytest.mark.crash
@pytest.mark.timeout(1800)
def test_kills_leave_the_same_graph(cli: Cli, connection: Connection, tmp_path: Path, soak: bool) -> None:
    corpus = EXAMPLES / "corpus.toml"
    reports = cli.json("ingest", "corpus", corpus, "--jobs", "2")
    longest = 2.0 + max(sum(report["seconds"].values()) for report in reports)
    cli.run("graph", "export", tmp_path / "whole.jsonl")
    parts = KILLS_OF_A_SOAK if soak else KILLS
    shares = moments(5261, 0.0, 1.0, parts)
    kills = 0
    for turn in range(0, parts, KILLS_BEFORE_A_RESUME):
        connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
        for share in shares[turn : turn + KILLS_BEFORE_A_RESUME]:
            begun = time.monotonic()
            hit = cli.killed("ingest", "corpus", corpus, "--jobs", "2", "--force", after=0.2 + share * longest)
            kills += hit
            # What the first ingest took says little where other tests ran beside it and do no more.
            longest = longest if hit else min(longest, time.monotonic() - begun)
        cli.run("ingest", "corpus", corpus, "--jobs", "2")
        cli.run("graph", "export", tmp_path / "resumed.jsonl")
        assert (tmp_path / "resumed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert kills > parts / 2, "most kills must hit a running ingest"
