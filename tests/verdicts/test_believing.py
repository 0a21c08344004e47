"""Search, `paper show` and `technique show` call verified only what the seals bear out, not what a property says."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from judgements import RUN, ask, verify
from store_records import paper

import xkg
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.search import search_kinds
from kg.search.believing import believed
from kg.store import Store
from kg.verdicts import open_logs
from kg.write import write_paper

pytestmark = pytest.mark.db
COMMANDS = {
    "search code": ("search", "code", "run"),
    "search techniques": ("search", "techniques", "reservoir sampling"),
    "search": ("search", "all", "reservoir sampling"),
    "paper show": ("paper", "show", "arxiv:2001.00001"),
    "technique show": ("technique", "show", "reservoir-sampling"),
}
EDITS = {
    "a word": "MATCH (c:Code {symbol: 'run'})-[r:VERIFIED_BY]->() DELETE r",
    "a number": "MATCH (c:Code {symbol: 'run'}) SET c.killed = 5",
    "its text": "MATCH (c:Code {symbol: 'run'}) SET c.documentation = 'Sorts.'",
    "no verdict": "MATCH (c:Code {symbol: 'run'}) SET c.verdict = 'Verified'",
}


@pytest.fixture(autouse=True)
def _verified(store: Store, connection: Connection, embedder: Embedder, server_settings: Settings) -> None:
    record = paper()
    write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
    verify(store, connection, open_logs(server_settings))
    store.read("schema/await_indexes", seconds=60)


def verdicts(value: Any) -> set[str]:
    """All that an answer says of the unit that was judged."""
    if isinstance(value, dict):
        own = {value["verdict"]} if value.get("id") == RUN and "verdict" in value else set()
        return own.union(*map(verdicts, value.values()))
    return set().union(*map(verdicts, value)) if isinstance(value, list) else set()


def shown(words: tuple[str, ...]) -> tuple[set[str], str]:
    def run(*more: str) -> str:
        done = CliRunner().invoke(xkg.cli, [*words, *more], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return verdicts(json.loads(run("--json"))), run()


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_was_shown_is_called_so_and_what_was_written_is_not(
    words: tuple[str, ...], connection: Connection
) -> None:
    told, text = shown(words)
    assert told == {"verified"}
    assert "verified" in text.replace("unverified", "")
    ask(connection, "MATCH (c:Code {symbol: 'step'}) SET c.verdict = 'verified'")
    ask(connection, EDITS["a number"])
    told, text = shown(words)
    assert told == {"unverified"}
    assert "verified" not in text.replace("unverified", "").replace("called verified", "")


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_no_edit_is_believed(edit: str, connection: Connection, store: Store, embedder: Embedder) -> None:
    ask(connection, edit)
    told, text = shown(COMMANDS["search code"])
    assert told == {"unverified"}
    reason = "is no verdict" if "'Verified'" in edit else "called verified, but"
    assert f"unverified ({reason}" in text or f"unverified ('Verified' {reason}" in text


def test_a_verdict_that_is_gone_meanwhile_is_not_shown(
    connection: Connection, store: Store, embedder: Embedder, server_settings: Settings
) -> None:
    found = search_kinds(store, embedder, ["code"], "run")
    ask(connection, "MATCH (c:Code {symbol: 'run'}) SET c.verdict = 'stale'")
    (hit,) = (hit for hit in believed(store, server_settings, found)[0].hits if hit.id == RUN)
    assert hit.model_dump()["verdict"] == "unverified"
    assert "it is no longer so" in hit.model_dump()["verdict_reason"]


def test_what_claims_nothing_is_the_same_object(store: Store, embedder: Embedder, server_settings: Settings) -> None:
    found = search_kinds(store, embedder, ["papers", "sections"], "reservoir")
    assert believed(store, server_settings, found) is found
