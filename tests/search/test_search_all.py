"""`xkg search QUERY`: all kinds of nodes at once, and what a kind's name among the words means."""

import json

import pytest
from click.testing import CliRunner, Result

import xkg
from kg.store import Store

pytestmark = pytest.mark.db
KINDS = ["techniques", "code", "papers", "sections"]


def run(*words: str) -> Result:
    return CliRunner().invoke(xkg.cli, ["search", *words])


def test_without_a_kind_all_are_searched_and_shown_in_groups(filled: Store) -> None:
    text = run("reservoir", "sampling", "of", "a", "stream").stdout
    heads = [line for line in text.splitlines() if line.lower() in KINDS]
    assert heads[:2] == ["Techniques", "Code"]
    assert "1. Reservoir Sampling" in text


def test_its_json_has_a_result_for_each_kind(filled: Store) -> None:
    answer = json.loads(run("--json", "-n", "1", "reservoir sampling of a stream").stdout)
    assert answer["query"] == "reservoir sampling of a stream"
    assert list(answer["results"]) == KINDS
    for kind in KINDS:
        alone = json.loads(run(kind, "--json", "-n", "1", "reservoir sampling of a stream").stdout)
        assert answer["results"][kind] == alone


def test_what_has_no_hit_is_told_in_a_line(filled: Store) -> None:
    text = run("sourdough bread baking at home").stdout
    assert [line.partition(" among")[0] for line in text.splitlines()] == ["Nothing relevant"] * 4


def test_the_name_of_a_kind_comes_first_and_all_looks_for_the_word_itself(filled: Store) -> None:
    assert json.loads(run("code", "--json", "sketch").stdout)["query"] == "sketch"
    assert json.loads(run("all", "--json", "code", "sketch").stdout)["query"] == "code sketch"


def test_a_kind_alone_is_told_how_to_look_for_the_word() -> None:
    result = run("papers")
    assert result.exit_code == 2
    assert "`xkg search all papers`" in result.output


def test_a_wrong_option_is_still_a_usage_error() -> None:
    assert run("--colour", "x").exit_code == 2
    assert run("--help").exit_code == 0
