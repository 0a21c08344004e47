"""Every tool of the graph on a real one: its answer, its limits, what it keeps from whom, and how it fails."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from tools.conftest import (
    CLAIMED,
    HITTERS,
    PAGERANK,
    QUERY,
    RESERVOIR,
    TECHNIQUE,
    UNLICENSED,
    VERIFIED,
    Asking,
    answerable,
)

from agents.tools import LIMIT_TOKENS, TOOLS, Excluded
from agents.tools.envelope import LEAST_TOKENS
from kg.config import Settings
from kg.errors import InputError
from kg.opening import connect
from kg.store import Store

pytestmark = pytest.mark.db

SAMPLING = "local:sampling-from-streams"


def test_every_tool_answers_within_its_limit(asking: Callable[..., Asking]) -> None:
    for limit in (LEAST_TOKENS, LIMIT_TOKENS):
        ask = asking(limit_tokens=limit)
        given = answerable(ask)
        assert list(given) == list(TOOLS)
        for name, arguments in given.items():
            for page in ask.pages(name, **arguments):
                assert page.ok, (name, page.error)
                assert page.data
                assert "embedding" not in page.text()
                assert not re.search(r"(?:-?\d\.\d+,){20}", page.text())


def test_pages_are_parts_of_one_answer(asking: Callable[..., Asking]) -> None:
    whole = asking(limit_tokens=60_000)
    small = asking(limit_tokens=LEAST_TOKENS)
    for name, arguments, items in (
        ("paper_plan", {"paper": RESERVOIR}, "techniques"),
        ("get_technique", {"technique": TECHNIQUE}, "details"),
        ("unknown", {"paper": RESERVOIR}, "unknown"),
    ):
        (only,) = whole.pages(name, **arguments)
        assert only.data is not None
        parts = [item for page in small.pages(name, **arguments) for item in (page.data or {})[items]]
        assert len(parts) == len(only.data[items]) == only.total
        assert [next(iter(part.values())) for part in parts] == [next(iter(one.values())) for one in only.data[items]]
    (code,) = whole.pages("get_code", code=VERIFIED)
    assert "".join((page.data or {})["text"] for page in small.pages("get_code", code=VERIFIED)) == code.data["text"]  # type: ignore[index]


def test_a_plan_has_definitions_and_equations_and_no_code(asking: Callable[..., Asking]) -> None:
    data = asking(limit_tokens=60_000).data("paper_plan", paper=PAGERANK)
    assert data["title"]
    assert data["abstract"]
    assert data["sections"]
    tree = data["techniques"]
    assert any(one.get("depth") for one in tree)
    assert len({one["id"] for one in tree}) == len(tree)
    assert any(one.get("definition") for one in tree)
    assert any("\\" in formula["latex"] for one in tree for formula in one.get("formulas", []))
    told = json.dumps(data)
    assert "folder:" not in told
    assert ".py" not in told


def test_a_plan_without_room_is_brief_and_has_every_technique(asking: Callable[..., Asking]) -> None:
    """One page of a tree of sixty, begun with all of its first technique's equations, is no plan."""
    whole = asking(limit_tokens=60_000).data("paper_plan", paper=PAGERANK)
    pages = asking(limit_tokens=600).pages("paper_plan", paper=PAGERANK)
    brief = [one for page in pages for one in (page.data or {})["techniques"]]
    assert "brief" not in whole
    assert all((page.data or {})["brief"] for page in pages)
    assert [one["id"] for one in brief] == [one["id"] for one in whole["techniques"]]
    assert [one["depth"] for one in brief] == [one["depth"] for one in whole["techniques"]]
    assert max(len(one.get("definition", "")) for one in brief) <= 120
    assert max(len(one.get("definition", "")) for one in whole["techniques"]) > 120
    assert not any("formulas" in one for one in brief)


def test_a_plan_is_cut_no_further_than_its_limit_asks(asking: Callable[..., Asking]) -> None:
    plans = [asking(limit_tokens=limit)("paper_plan", paper=PAGERANK) for limit in (600, 1000, 1400, 2000, 60_000)]
    said = [plan.data or {} for plan in plans]
    told = [sum(len(one.get("definition", "")) for one in plan["techniques"]) for plan in said[1:]]
    assert told == sorted(told)
    assert told[0] < told[-2]
    assert [plan.truncated for plan in plans] == ["brief" in data for data in said] == [True, True, True, True, False]
    assert len(said[-2]["sections"]) == len(said[-1]["sections"]) > len(said[0]["sections"])


def test_papers_like_one_or_like_a_text(ask: Asking) -> None:
    like = ask.data("similar_papers", paper=RESERVOIR)["papers"]
    assert like
    assert RESERVOIR not in {one["id"] for one in like}
    assert ask.data("similar_papers", about="sampling a stream in one pass")["papers"][0]["name"]
    for wrong in ({}, {"paper": RESERVOIR, "about": "x"}):
        assert ask("similar_papers", **wrong).error.kind == "retry"  # type: ignore[union-attr]


def test_a_section_is_read_with_what_it_refers_to(ask: Asking) -> None:
    sections = ask.data("find_sections", query="estimates and uniformity", paper=RESERVOIR)["sections"]
    assert all(one["id"].startswith(f"{RESERVOIR}#") for one in sections)
    texts = []
    for paper in (RESERVOIR, HITTERS, PAGERANK):
        for hit in ask.data("find_sections", query="we sample count walk rank", paper=paper, limit=20)["sections"]:
            texts.append("".join((page.data or {})["text"] for page in ask.pages("read_section", section=hit["id"])))
    assert any("[equation " in text for text in texts)
    referring = [text.partition("It refers to:")[2] for text in texts if "It refers to:" in text]
    assert any(re.search(r"\[(equation|algorithm|table) [^\]]+\]\n.*\\", text, re.DOTALL) for text in referring)


def test_a_technique_with_its_code_verdict_and_licence(ask: Asking) -> None:
    hits = ask.data("find_techniques", query=QUERY)["techniques"]
    assert TECHNIQUE in {hit["id"] for hit in hits}
    told = [code for hit in hits for key in ("code", "likely_code") for code in hit.get(key, [])]
    assert told
    assert all(code["verdict"] and code["licence"] for code in told)
    found = ask.data("get_technique", technique="reservoir#t/reservoir-sampling")
    code = [detail for detail in found["details"] if "code" in detail]
    assert code[0]["standing"] == "asserted"
    assert code[0]["verdict"] == "verified"
    assert code[0]["licence"] == "MIT"
    assert found["definition"]
    assert ask.data("find_techniques", query="sourdough bread baking")["techniques"] == []


def test_the_same_technique_elsewhere(ask: Asking) -> None:
    data = ask.data("concepts", technique=TECHNIQUE)
    assert data["concepts"]
    others = {one["id"]: one for one in data["others"]}
    assert "same concept" in others[f"{HITTERS}#t/reservoir-sampling"]["relations"]


def test_code_comes_with_its_verdict_licence_and_origin(ask: Asking) -> None:
    data = ask.data("get_code", code=VERIFIED)
    assert data["text"].startswith("class Reservoir")
    assert (data["verdict"], data["licence"], data["origin"]) == ("verified", "MIT", "extracted")
    assert data["test_state"] == "holds"
    assert data["repository"] == "folder:reservoir"
    assert TECHNIQUE in {one["id"] for one in data["implements"]}
    assert ask.data("get_code", code=VERIFIED, part="documentation")["text"]
    error = ask("get_code", code=UNLICENSED, part="test").error
    assert error is not None
    assert error.kind == "give_up"


def test_a_verdict_that_nobody_here_has_given_is_not_told(ask: Asking) -> None:
    data = ask.data("get_code", code=CLAIMED)
    assert data["verdict"] == "unverified"
    assert "called verified, but" in data["verdict_reason"]
    assert CLAIMED not in json.dumps(ask.data("find_verified_code", need="merge two reservoirs", limit=50))


def test_code_without_a_licence_keeps_its_text(asking: Callable[..., Asking], ask: Asking) -> None:
    for part in ("implementation", "documentation", "module"):
        error = ask("get_code", code=UNLICENSED, part=part).error
        assert error is not None
        assert error.kind == "give_up"
        assert "no licence" in error.message
    told = asking(unlicensed=True).data("get_code", code=UNLICENSED)
    assert told["licence"] == "none"
    body = told["text"].splitlines()[3].strip()
    everything = [page.text() for name, given in answerable(ask).items() for page in ask.pages(name, **given)]
    assert body not in "".join(everything)
    (block,) = ask.data("get_technique", technique=f"{SAMPLING}#t/reservoir-sampling")["details"][-1:]
    assert ask.data("get_code", code=block["code"])["text"].startswith("import random")


def test_code_is_found_by_what_it_does(asking: Callable[..., Asking], ask: Asking) -> None:
    found = ask.data("find_code", query="uniform sample of a stream in one pass, kept in a reservoir")["code"]
    first = next(hit for hit in found if hit["id"].endswith(VERIFIED))
    assert (first["verdict"], first["licence"], first["strength"]) == ("verified", "MIT", "strong")
    assert first["test_state"] == "holds"
    assert first["implements"]
    (named, *_) = ask.data("find_code", query="CountMin", paper=HITTERS)["code"]
    assert named["name"] == "CountMin"
    assert ask.data("find_code", query="sourdough bread baking")["code"] == []
    assert ask.data("find_code", query=QUERY, language="Rust")["code"] == []
    assert ask("find_code", query=QUERY, paper="arxiv:0000.00000").error is not None


def test_code_without_a_licence_is_found_without_its_words(asking: Callable[..., Asking], ask: Asking) -> None:
    hidden, shown = (
        next(hit for hit in one.data("find_code", query="CountMin", limit=50)["code"] if hit["id"].endswith(UNLICENSED))
        for one in (ask, asking(unlicensed=True))
    )
    assert shown["licence"] == "none"
    assert shown["snippet"]
    assert not hidden.get("snippet")


def test_pairs_are_verified_and_fit(ask: Asking) -> None:
    (first, *_) = pairs = ask.data("find_verified_code", need=QUERY, limit=50)["pairs"]
    assert first["code"]["id"].endswith(VERIFIED)
    assert {pair["code"]["verdict"] for pair in pairs} == {"verified"}
    assert {pair["code"]["licence"] for pair in pairs} == {"MIT"}
    assert first["code"]["test_state"] == "holds"
    assert first["technique"]["definition"]
    assert [pair["relevance"] for pair in pairs] == sorted((pair["relevance"] for pair in pairs), reverse=True)
    for narrowed in ({"language": "c++"}, {"licence": "GPL-3.0"}, {"paper": PAGERANK}):
        assert ask.data("find_verified_code", need=QUERY, **narrowed)["pairs"] == []
    assert ask.data("find_verified_code", need=QUERY, language="Python", licence="mit", paper=RESERVOIR)["pairs"]


def test_why_something_is_a_hit_and_why_not(ask: Asking) -> None:
    data = ask.data("why_hit", query=QUERY, id=TECHNIQUE)
    assert data["hit"] is True
    assert data["relevance"] >= data["threshold"] or data["strength"] == "weak"
    assert "meaning" in data["why"]
    data = ask.data("why_hit", query="power iteration of a rank", id=TECHNIQUE)
    assert data["hit"] is False
    assert ask("why_hit", query=QUERY, id="reservoir").error.kind == "retry"  # type: ignore[union-attr]


def test_what_the_graph_does_not_know(ask: Asking) -> None:
    needs = ["keep a uniform sample in a reservoir", "sourdough bread baking", "chain sampling over a sliding window"]
    known, bread, chain = ask.data("unknown", needs=needs)["unknown"]
    assert known["state"] == "verified code"
    assert bread["state"] == "unknown"
    assert {"sourdough", "bread"} <= set(bread["words_nowhere"])
    assert chain["state"] in ("no code", "code likely", "code unverified", "verified code")
    assert "words_nowhere" not in known or "reservoir" not in known["words_nowhere"]
    data = ask.data("unknown", paper=RESERVOIR)
    lacking = {one["technique"]: one["state"] for one in data["unknown"]}
    assert TECHNIQUE not in lacking
    assert lacking[f"{RESERVOIR}#t/reservoir-merge"] == "code unverified"
    assert data["techniques"] > len(lacking)
    assert ask("unknown").error.kind == "retry"  # type: ignore[union-attr]


def test_what_is_excluded_is_nowhere(asking: Callable[..., Asking], ask: Asking) -> None:
    """The target paper, its repository and what other papers share with it."""
    seen = answerable(ask)
    assert RESERVOIR in "".join(ask(name, **given).text() for name, given in seen.items())
    for excluded in (Excluded(papers=(RESERVOIR,)), Excluded(papers=(RESERVOIR,), repositories=("o/bloom",))):
        blind = asking(excluded)
        named = {name: blind(name, **given) for name, given in seen.items()}
        for name in ("paper_plan", "read_section", "get_technique", "concepts", "get_code", "why_hit"):
            error = named[name].error
            assert error is not None
            assert "local:reservoir#" not in error.message.partition("near it")[2]
            assert "folder:reservoir" not in error.message.partition("near it")[2]
        told = [named["find_sections"], named["find_techniques"], named["find_verified_code"], named["unknown"]]
        told += [named["find_code"], blind("find_code", query="merge two reservoirs", limit=50)]
        told += [blind("similar_papers", paper=HITTERS), blind("concepts", technique=f"{HITTERS}#t/reservoir-sampling")]
        told += [blind("find_techniques", query=need) for need in ("skip sampling", "reservoir merge")]
        for envelope in told:
            assert envelope.ok
            assert "local:reservoir" not in envelope.text()
            assert "folder:reservoir" not in envelope.text()


def test_a_repository_alone_can_be_excluded(asking: Callable[..., Asking]) -> None:
    blind = asking(Excluded(repositories=("folder:reservoir",)))
    told = blind.data("get_technique", technique=TECHNIQUE)
    assert not any("code" in detail for detail in told["details"])
    assert blind.data("find_verified_code", need=QUERY)["pairs"] == []
    assert blind.data("unknown", needs=[QUERY])["unknown"][0]["state"] != "verified code"
    assert "folder:reservoir" not in blind("get_code", code=VERIFIED).text()
    assert not blind("get_code", code=VERIFIED).ok


def test_an_address_that_an_excluded_paper_names_as_its_code_is_nowhere(
    asking: Callable[..., Asking], tool_graph: Store, server_settings: Settings
) -> None:
    """Also where the graph has that code from a folder."""
    said = {RESERVOIR: "Code: https://github.com/q/Reservoirs.", HITTERS: "As in https://github.com/q/reservoirs/wiki."}
    with connect(server_settings) as connection:
        run = connection.driver.execute_query
        for paper, more in said.items():
            change = "MATCH (p:Paper {id: $id}) SET p.kept = p.abstract, p.abstract = p.abstract + ' ' + $more"
            run(change, id=paper, more=more)
        try:
            seen, blind = (
                asking(excluded).data("paper_plan", paper=HITTERS)["abstract"]
                for excluded in (Excluded(), Excluded(papers=(RESERVOIR,)))
            )
        finally:
            run("MATCH (p:Paper) WHERE p.kept IS NOT NULL SET p.abstract = p.kept REMOVE p.kept")
    assert "github.com/q/reservoirs" in seen
    assert ("reservoirs/wiki" in blind, "As in [withheld]." in blind) == (False, True)


def test_exclusions_are_not_an_agents(asking: Callable[..., Asking]) -> None:
    blind = asking(Excluded(papers=(RESERVOIR,)))
    for name, extra in (("find_techniques", {"exclude_paper": []}), ("get_code", {"unlicensed": True})):
        error = blind(name, **calls_of(name), **extra).error
        assert error is not None
        assert error.kind == "retry"
        assert next(iter(extra)) in error.hint
    with pytest.raises(InputError):
        asking(Excluded(papers=("no such paper",)))
    with pytest.raises(InputError, match="tokens"):
        asking(limit_tokens=10)
    for empty in ({"papers": (" ",)}, {"repositories": ("",)}):
        with pytest.raises(InputError, match="empty name"):
            Excluded(**empty)


def test_an_exclusion_that_nothing_is_called_by_is_told(
    asking: Callable[..., Asking], caplog: pytest.LogCaptureFixture
) -> None:
    asking(Excluded(papers=("1706.99999",), repositories=("nobody/nothing", "folder:reservoir")))
    said = [record.message for record in caplog.records if "nothing in this graph" in record.message]
    assert [message.split(":")[0] for message in said] == [
        "--exclude-paper 1706.99999", "--exclude-repository nobody/nothing",
    ]  # fmt: skip


def test_a_paper_is_excluded_with_its_code_however_it_is_called(asking: Callable[..., Asking]) -> None:
    blind = asking(Excluded(papers=(RESERVOIR.upper(),)))
    assert not blind("get_code", code=VERIFIED).ok
    assert not blind("paper_plan", paper=RESERVOIR).ok
    sampling = {"technique": f"{HITTERS}#t/reservoir-sampling"}
    assert blind.data("concepts", **sampling)["concepts"]
    alone = asking(Excluded(papers=(RESERVOIR, SAMPLING)))
    assert not alone.data("concepts", **sampling).get("concepts"), "a concept of one paper tells that another is hidden"


def test_a_reason_quotes_no_code_without_a_licence(asking: Callable[..., Asking], ask: Asking) -> None:
    def reasons(one: Asking) -> set[str]:
        found = one.pages("get_technique", technique=f"{HITTERS}#t/count-min-sketch")
        items = [item for page in found for item in (page.data or {})["details"]]
        return {item["verdict_reason"] for item in items if item.get("licence") == "none"}

    assert reasons(ask) == {"withheld: its source states no licence"}
    assert reasons(asking(unlicensed=True)) != reasons(ask)


def calls_of(name: str) -> dict[str, Any]:
    return {"query": QUERY} if name == "find_techniques" else {"code": VERIFIED}


def test_errors_tell_what_to_do(ask: Asking) -> None:
    for name, arguments, kind, said in (
        ("nothing", {}, "give_up", "paper_plan"),
        ("find_techniques", {}, "retry", "query"),
        ("find_techniques", {"query": 5}, "retry", "query"),
        ("find_techniques", {"query": QUERY, "limit": 1_000}, "retry", "limit"),
        ("find_techniques", {"query": QUERY, "cursor": -1}, "retry", "cursor"),
        ("find_techniques", {"query": "  "}, "retry", "what to look for"),
        ("find_techniques", {"query": QUERY, "paper": "nowhere"}, "give_up", "no paper"),
        ("get_technique", {"technique": "reservoir-sampling"}, "retry", f"{HITTERS}#t/reservoir-sampling"),
        ("get_technique", {"technique": "quicksort"}, "give_up", "no technique"),
        ("get_code", {"code": VERIFIED, "part": "all"}, "retry", "part"),
        ("get_code", {"code": "'}) //"}, "give_up", "no code"),
        ("unknown", {"needs": ["x"] * 11}, "retry", "needs"),
    ):
        error = ask(name, **arguments).error
        assert error is not None, name
        assert (error.kind, said in f"{error.message} {error.hint}") == (kind, True), (name, error)
        assert "`xkg " not in error.hint
