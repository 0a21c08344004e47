"""The show commands: they find what is meant, say what is known, and mark what is only a candidate."""

import json
from typing import Any

import click
import pytest
from click.testing import CliRunner

from kg.cli.search import search_code, search_techniques
from kg.cli.show import code_show, paper_list, paper_show, technique_show
from kg.errors import InputError
from kg.lookup import find_node
from kg.store import Store

pytestmark = pytest.mark.db


def run(command: click.Command, *arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(command: click.Command, *arguments: str) -> Any:
    return json.loads(run(command, *arguments, "--json"))


@pytest.mark.parametrize(
    "text",
    ["arxiv:2101.00001", "2101.00001", "2101.00001v3", "https://arxiv.org/abs/2101.00001", "arxiv:2101",
     "approximate set membership"],
)  # fmt: skip
def test_a_paper_by_any_of_its_names(filled: Store, text: str) -> None:
    assert find_node(filled, "Paper", text) == "arxiv:2101.00001"


def test_a_technique_by_slug_and_name(filled: Store) -> None:
    for text in ("bloom-filter", "Bloom Filter", "arxiv:2101.00001#t/bloom-filter"):
        assert find_node(filled, "Technique", text) == "arxiv:2101.00001#t/bloom-filter"


def test_code_by_the_end_of_its_id(filled: Store) -> None:
    whole = f"github:o/bloom@{'c' * 40}:bloom/filter.py#BloomFilter.add"
    for text in ("BloomFilter.add", "add", "filter.py#BloomFilter.add", whole):
        assert find_node(filled, "Code", text) == whole


def test_an_unknown_name_shows_near_ones(filled: Store) -> None:
    with pytest.raises(InputError, match=r"no technique 'reservoir samplers'; near it are .*reservoir-sampling"):
        find_node(filled, "Technique", "reservoir samplers")
    with pytest.raises(InputError, match=r"no paper 'zzz'; `xkg paper list`"):
        find_node(filled, "Paper", "zzz")


def test_an_ambiguous_name_shows_the_choices(filled: Store) -> None:
    with pytest.raises(InputError, match=r"'local:' can mean several: local:counting.*local:sampling"):
        find_node(filled, "Paper", "local:")


def test_cited_papers_are_found_by_their_whole_id_and_by_name(filled: Store) -> None:
    found = find_node(filled, "Paper", "random sampling with a reservoir")
    assert run_json(paper_show, found)["status"] == "cited"


def test_paper_list(filled: Store) -> None:
    papers = {row["id"]: row for row in run_json(paper_list)["papers"]}
    assert list(papers) == ["arxiv:2101.00001", "local:counting-heavy-hitters", "local:sampling-from-streams"]
    assert papers["local:sampling-from-streams"]["techniques"] == 3
    assert papers["local:sampling-from-streams"]["grounded"] == 1
    assert len(run_json(paper_list, "--cited")["papers"]) == 4
    assert "Approximate Set Membership · 2021" in run(paper_list)


def test_paper_show(filled: Store) -> None:
    shown = run_json(paper_show, "2101.00001")
    assert shown["repositories"][0]["commit"] == "c" * 40
    assert [section["title"] for section in shown["sections"]] == ["Bloom filters"]
    assert shown["techniques"][0]["code"][0]["name"] == "BloomFilter.add"
    text = run(paper_show, "2101.00001")
    assert "repository: github:o/bloom@cccccccccccc · MIT" in text
    assert "→ BloomFilter.add  github:o/bloom@cccccccccccc:bloom/filter.py:3-8  0.90  unverified" in text
    tree = run(paper_show, "local:sampling")
    assert "  Reservoir Sampling\n" in tree
    assert "    Skip Counting\n" in tree
    assert "Uniformity [finding]" in tree
    assert "local:counting-heavy-hitters" in tree.partition("Cites, in this graph")[2]


def test_technique_show_tells_code_from_candidates(filled: Store) -> None:
    shown = run_json(technique_show, "bloom-filter")
    assert [row["name"] for row in shown["code"]] == ["BloomFilter.add"]
    assert [row["name"] for row in shown["candidates"]] == ["BloomFilter.contains"]
    text = run(technique_show, "bloom-filter")
    assert "Code (unit): BloomFilter.add" in text
    assert "score 0.90 · right with probability 0.93 · structural · names agree" in text
    assert "why: name 0.60, words 0.30" in text
    assert "candidate 2: BloomFilter.contains" in text
    assert "A bit array with k hash functions" in text


def test_code_show_prints_the_source_under_its_origin(filled: Store) -> None:
    text = run(code_show, "BloomFilter.add")
    assert text.startswith("github:o/bloom bloom/filter.py:3-8@cccccccccccc\n")
    assert "licence: MIT" in text
    assert "implements Bloom filter" in text
    assert "def add(self, item):\n    return item" in text
    imported = run_json(technique_show, "reservoir-sampling")["code"][0]["id"]
    assert "its source claims that it runs; that is a claim" in run(code_show, imported)
    assert "# test\nprint(reservoir(range(9), 3))" in run(code_show, imported)


def test_search_commands(filled: Store) -> None:
    text = run(search_code, "add", "item", "bloom", "filter")
    assert "github:o/bloom@cccccccccccc:bloom/filter.py:3-8" in text
    assert "unverified (nothing was run) · MIT · python · extracted" in text
    assert "Nothing relevant among 7 techniques." in run(search_techniques, "sourdough", "bread", "baking")
    assert run_json(search_techniques, "sourdough bread baking")["hits"] == []
