"""What is not there, or was never read, is told as that; and whoever excludes a paper excludes what it alone cites."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from tools.conftest import HITTERS, PAGERANK, QUERY, RESERVOIR, TECHNIQUE, VERIFIED, Asking

from agents.mcp.resources import read_body
from agents.tools import Excluded
from kg.errors import InputError

pytestmark = pytest.mark.db

SAMPLING = "local:sampling-from-streams"
SHARED, OWN = "doi:10.1145/3147.3165", "doi:10.1016/j.ipl.2005.11.003"
"""Works that are only cited: by three papers, and by that of reservoirs alone."""


@pytest.mark.parametrize(
    "node", ["local:nowhere#t/foo", "folder:nowhere@sha256-1:a.py#b", "local:nowhere", f"{RESERVOIR}#s/99"]
)
def test_what_is_not_in_the_graph_has_no_reason_to_be_a_hit(ask: Asking, node: str) -> None:
    error = ask("why_hit", query=QUERY, id=node).error
    assert error is not None
    assert "the graph has no" in error.message
    assert error.hint


def test_what_is_excluded_is_told_of_as_what_is_not_there(asking: Callable[..., Asking]) -> None:
    blind = asking(Excluded(papers=(RESERVOIR,)))
    for node in (RESERVOIR, TECHNIQUE, TECHNIQUE.replace("sampling", "zebras")):
        error = blind("why_hit", query="zebras", id=node).error
        assert error is not None
        assert error.message.startswith("the graph has no")
        assert RESERVOIR not in error.message.partition("near it")[2]


def test_of_a_work_that_is_only_cited_nothing_is_known(ask: Asking) -> None:
    error = ask("unknown", paper=SHARED).error
    assert error is not None
    assert (error.kind, "only cited" in error.message, bool(error.hint)) == ("give_up", True, True)
    with pytest.raises(InputError, match="only cited"):
        read_body(ask.context, f"xkg://paper/{quote(SHARED, safe='')}")
    plan = ask.data("paper_plan", paper=SHARED)
    assert plan["only_cited"] is True
    assert "only_cited" not in ask.data("paper_plan", paper=RESERVOIR)


def test_behind_the_end_of_a_plan_nothing_is_cut(asking: Callable[..., Asking]) -> None:
    brief = asking(limit_tokens=600)
    assert brief("paper_plan", paper=PAGERANK).truncated
    behind = brief("paper_plan", paper=PAGERANK, cursor=10**9)
    assert behind.ok
    assert (behind.truncated, behind.next_cursor, (behind.data or {})["techniques"]) == (False, None, [])


@pytest.mark.parametrize("name", ["get_code", "paper_plan", "read_section", "get_technique"])
def test_an_empty_id_gets_a_hint(ask: Asking, name: str) -> None:
    argument = {"get_code": "code", "paper_plan": "paper", "read_section": "section", "get_technique": "technique"}
    error = ask(name, **{argument[name]: " \t"}).error
    assert error is not None
    assert (error.kind, bool(error.hint)) == ("retry", True)


@pytest.mark.parametrize("kind", ["paper", "code", "other"])
@pytest.mark.parametrize("words", ["a" * 100_000, "reservoir sampling " * 5_000])
def test_a_long_address_is_not_repeated(ask: Asking, kind: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_body(ask.context, f"xkg://{kind}/{quote(words)}")
    assert len(str(refused.value)) < 1_500


def test_works_that_an_excluded_paper_alone_cites_are_excluded_with_it(
    asking: Callable[..., Asking], ask: Asking
) -> None:
    for work in (SHARED, OWN):
        assert ask.data("paper_plan", paper=work)["paper"] == work
    blind = asking(Excluded(papers=(RESERVOIR,)))
    assert blind.data("paper_plan", paper=SHARED)["paper"] == SHARED
    for asked in (OWN, RESERVOIR, "Weighted random sampling with a reservoir"):
        envelope = blind("paper_plan", paper=asked)
        assert not envelope.ok
        assert "10.1016" not in envelope.text().replace(asked, "")
    for papers, told in (((RESERVOIR, HITTERS), True), ((RESERVOIR, HITTERS, SAMPLING), False)):
        assert asking(Excluded(papers=papers))("paper_plan", paper=SHARED).ok is told
    assert asking(Excluded(repositories=("folder:reservoir",)))("paper_plan", paper=OWN).ok
    assert not blind("get_code", code=VERIFIED).ok
