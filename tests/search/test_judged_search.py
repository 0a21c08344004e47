"""A search that a model judges: what stands of its answers, and what is left where it gives none."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from judging_model import (
    BODY,
    SOUGHT,
    TASK,
    all_kept,
    asked,
    client,
    kept,
    label_of,
    labels,
    playing,
    rejected,
    step,
    user,
    with_model,
)
from servers.model import PAGE, ModelServer, Saying, status

import xkg
from agents.llm import ProfileError
from agents.retrieval import JudgedSearch, judged_search
from agents.retrieval.results import Drop
from kg.config import Settings
from kg.embeddings import Embedder
from kg.search import search_kinds
from kg.store import Store

pytestmark = pytest.mark.db
Ask = Callable[..., JudgedSearch]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def ask(filled: Store, server_settings: Settings, embedder: Embedder, server: ModelServer, tmp_path: Path) -> Ask:
    """A judged search in the sample graph; keywords beginning with ``run_`` are limits, others the profile's."""

    def asking(task: str = TASK, techniques: int | None = None, **fields: Any) -> JudgedSearch:
        limits = {name: fields.pop(name) for name in list(fields) if name.startswith("run_")}
        settings = with_model(server_settings, server, tmp_path / "replies", **fields)
        llm = client(settings, **limits)
        return judged_search(filled, settings, embedder, llm, task, techniques=techniques)

    return asking


def judge(body: BODY) -> BODY:
    """Keep two hits, the better one last, and reject the others."""
    filter_, sampling = (
        label_of(body, "'Bloom filter'"),
        label_of(body, "'Reservoir Sampling' of the paper 'Sampling from Streams'"),
    )
    chosen = [
        kept(filter_, "background", beware="it has false positives"),
        kept(sampling, quotes=["replaces a random\n kept one"]),
    ]
    return {"kept": chosen, "rejected": [rejected(label) for label in labels(body) if label not in (filter_, sampling)]}


def names(found: JudgedSearch) -> list[str]:
    return [one.hit.name for one in (*found.kept, *found.rejected, *found.unjudged)]


def test_it_takes_apart_filters_and_orders(ask: Ask, server: ModelServer, filled: Store, embedder: Embedder) -> None:
    playing(server, SOUGHT, judge)
    found = ask()
    assert (found.state, found.failures, found.dropped) == ("judged", (), ())
    assert [query.name for query in found.queries] == [TASK, "Reservoir sampling", "Bloom filter"]
    best, other = found.kept
    assert (best.hit.name, best.relevance, best.quotes) == (
        "Reservoir Sampling",
        "direct",
        ("replaces a random kept one",),
    )
    assert (other.hit.name, other.relevance, other.beware) == ("Bloom filter", "background", "it has false positives")
    assert {one.reason for one in found.rejected} == {"other problem"}
    assert not found.unjudged
    queries = [search_kinds(filled, embedder, ("techniques", "code"), query.text, limit=3) for query in found.queries]
    true = {
        (number, hit.id): (hit.rank, hit.score, hit.evidence.relevance)
        for number, results in enumerate(queries) for result in results for hit in result.hits
    }  # fmt: skip
    told = {
        (by.query, one.hit.id): (by.rank, by.score, by.relevance)
        for one in (*found.kept, *found.rejected) for by in one.found
    }  # fmt: skip
    assert told == true
    assert (found.calls, found.tokens_in, found.tokens_out, found.model) == (2, 22, 14, "scripted")
    assert set(found.prompts) == {"decompose", "rerank"}
    assert JudgedSearch.model_validate_json(found.model_dump_json()) == found


def test_the_same_search_asks_nothing_again(ask: Ask, server: ModelServer) -> None:
    playing(server, SOUGHT, judge)
    first = ask()
    assert ask() == first
    assert len(server.bodies) == 2
    assert ask(replay="replay") == first


def test_what_leaves_is_fenced_and_of_the_user(ask: Ask, server: ModelServer) -> None:
    playing(server, SOUGHT, judge)
    ask()
    (first,), (second,) = asked(server, "decompose"), asked(server, "rerank")
    for body, material in ((first, [TASK]), (second, [TASK, *(one["query"] for one in SOUGHT), "false positives"])):
        fenced = "".join(part.partition("</data")[0] for part in user(body).split("\n<data ")[1:])
        for text in material:
            assert text in fenced or text == "false positives"
            assert text not in body["messages"][0]["content"]
    text = user(second)
    assert "definition: A bit array with k hash functions that answers set membership approximately." in text
    assert "verdict: unverified; licence: MIT" in text
    assert "signature: def add(self, item)" in text
    assert "  | def add(self, item):\n  |     return item" in text


def test_what_was_not_shown_is_not_taken(ask: Ask, server: ModelServer) -> None:
    def confused(body: BODY) -> BODY:
        first, second, *_ = labels(body)
        said = [kept(f"[{first.lower()}]", quotes=["never written here", "x"]), kept("T99"), kept("arxiv:2101.00001")]
        return {"kept": said, "rejected": [rejected(first), rejected("../../etc/passwd"), rejected(second)]}

    playing(server, SOUGHT, confused)
    found = ask()
    assert (len(found.kept), len(found.rejected)) == (1, 1)
    assert found.kept[0].quotes == ()
    assert found.unjudged
    left = [Drop.NOT_JUDGED] * len(found.unjudged)
    assert [drop.why for drop in found.dropped] == [
        Drop.FALSE_QUOTE, Drop.FALSE_QUOTE, Drop.UNKNOWN_HIT, Drop.UNKNOWN_HIT, Drop.JUDGED_TWICE, Drop.UNKNOWN_HIT,
        *left,
    ]  # fmt: skip
    hits = [one.hit.id for one in (*found.kept, *found.rejected, *found.unjudged)]
    assert len(hits) == len(set(hits))


BROKEN = "broken reply"
OTHER_FORM = {"kept": [{"hit": "T1", "relevance": "verified"}]}
TINY = {"context_tokens": 600, "max_output_tokens": 500}
FAILURES: dict[str, tuple[Any, Any, dict[str, Any], list[tuple[str, str, str | None]], int]] = {
    "a page": (PAGE, PAGE, {}, [("decompose", BROKEN, "not a reply"), ("rerank", BROKEN, "not a reply")], 2),
    "no key": (status(401), all_kept, {}, [("decompose", "model not available", "refused")], 1),
    "overloaded": (status(503), all_kept, {}, [("decompose", "model not available", "failing")], 1),
    "no answer in the end": (SOUGHT, "I would rather not.", {}, [("rerank", "broken reply", "not JSON")], 2),
    "another form": (SOUGHT, OTHER_FORM, {}, [("rerank", BROKEN, "wrong schema")], 2),
    "unreachable in the end": (SOUGHT, status(500), {}, [("rerank", "model not available", "failing")], 2),
    "a limit at once": (SOUGHT, all_kept, {"run_tokens": 10}, [("decompose", "limit reached", None)], 0),
    "a limit between": (SOUGHT, all_kept, {"run_calls": 1}, [("rerank", "limit reached", None)], 1),
    "nothing kept": (SOUGHT, all_kept, {"replay": "replay"}, [("decompose", "answer not kept", None)], 0),
    "no room": (SOUGHT, all_kept, TINY, [("decompose", "prompt too long", None)], 0),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second", "fields", "failures", "calls"), FAILURES.values(), ids=FAILURES)
def test_where_the_model_fails_the_hits_are_left(
    ask: Ask, server: ModelServer, first: Any, second: Any, fields: dict[str, Any],
    failures: list[tuple[str, str, str | None]], calls: int,
) -> None:  # fmt: skip
    playing(server, first, second)
    found = ask(**fields)
    assert [(one.step, one.kind, one.fault) for one in found.failures] == failures
    assert (found.state, found.kept, found.rejected) == ("not judged", (), ())
    assert found.unjudged
    assert len(server.bodies) == calls
    assert len(found.queries) == (1 if failures[0][0] == "decompose" else 3)


def test_going_on_after_a_limit_pays_nothing_twice(ask: Ask, server: ModelServer) -> None:
    playing(server, SOUGHT, judge)
    paused = ask(run_calls=1)
    assert (paused.state, len(server.bodies)) == ("not judged", 1)
    assert ask().state == "judged"
    assert [step(body) for body in server.bodies] == ["decompose", "rerank"]


def test_a_broken_decomposition_leaves_the_task_alone(ask: Ask, server: ModelServer) -> None:
    playing(server, "none", all_kept)
    found = ask()
    assert (found.state, [one.step for one in found.failures], len(found.queries)) == ("judged", ["decompose"], 1)
    assert found.kept


SILLY: dict[str, tuple[list[dict[str, str]], list[Drop]]] = {
    "nothing": ([], []),
    "the task itself": ([{"name": "it", "query": f" {TASK.upper()}! "}], [Drop.TWICE]),
    "no words": ([{"name": "", "query": "  "}, {"name": "…", "query": "--"}], [Drop.EMPTY, Drop.EMPTY]),
    "a book": ([{"name": "x", "query": "stream " * 5000}], [Drop.TOO_LONG]),
    "one thing twice": ([SOUGHT[0], {**SOUGHT[0], "query": "other words"}], [Drop.TWICE]),
    "too many": ([{"name": f"t{n}", "query": f"sample {n}"} for n in range(9)], [Drop.TOO_MANY] * 4),
}


@pytest.mark.parametrize(("sought", "dropped"), SILLY.values(), ids=SILLY)
def test_a_silly_decomposition_does_no_harm(
    ask: Ask, server: ModelServer, sought: list[dict[str, str]], dropped: list[Drop]
) -> None:
    playing(server, sought, all_kept)
    found = ask()
    assert [drop.why for drop in found.dropped] == dropped
    assert len(found.queries) == 1 + len(sought) - len(dropped)
    assert found.state == "judged"


def test_without_a_number_of_techniques_the_task_is_not_taken_apart(ask: Ask, server: ModelServer) -> None:
    playing(server, SOUGHT, all_kept)
    found = ask(techniques=0)
    assert (found.state, found.calls, len(found.queries)) == ("judged", 1, 1)


def test_without_hits_there_is_no_second_question(ask: Ask, server: ModelServer) -> None:
    playing(server, [{"name": "Sourdough", "query": "feed a sourdough starter with rye flour"}], all_kept)
    found = ask("bake bread at home")
    assert (found.state, found.failures, names(found)) == ("nothing found", (), [])
    assert [step(body) for body in server.bodies] == ["decompose"]


def test_a_small_context_is_shown_less(ask: Ask, server: ModelServer) -> None:
    playing(server, SOUGHT, all_kept)
    found = ask(context_tokens=3500, max_output_tokens=500)
    (second,) = asked(server, "rerank")
    assert len(user(second)) < 6000
    assert len(found.kept) == len(labels(second))
    assert [drop.why for drop in found.dropped] == [Drop.NOT_SHOWN] * len(found.unjudged)
    assert found.unjudged


@pytest.fixture
def run(
    filled: Store, server: ModelServer, tmp_path: Path, set_variables: Callable[..., None]
) -> Callable[..., Result]:
    def ran(*words: str, **settings: object) -> Result:
        profile = {"model": "scripted", "base_url": server.base_url, "tries": 1, "replies": str(tmp_path / "replies")}
        set_variables(
            XKG_LLM_PROFILES=json.dumps({"it": profile}), XKG_RETRY_WAIT="0.01",
            **{f"XKG_{name.upper()}": value for name, value in settings.items()},
        )  # fmt: skip
        return CliRunner().invoke(xkg.cli, ["search", *words])

    return ran


VERIFY = (TASK, "--verify", "--profile", "it")


def test_the_command_prints_what_is_kept_rejected_and_why(run: Callable[..., Result], server: ModelServer) -> None:
    playing(server, SOUGHT, judge)
    done = run(*VERIFY)
    assert done.exit_code == 0, done.output
    text = done.stdout
    assert text.startswith("Techniques of the task: Reservoir sampling; Bloom filter\n\n 1. Reservoir Sampling\n")
    for phrase in ("    direct: why T", "    use: use T", "    beware: it has false positives", "it says: “replaces a",
                   "    found by: the task (relevance 0.", "\nRejected\n  ", ": other problem: no "):  # fmt: skip
        assert phrase in text, phrase
    assert "NOT JUDGED" not in text
    assert done.stderr.splitlines()[-1] == "model scripted: this run has used 2 calls, 22 tokens in, 14 out"
    again = run(*VERIFY).stderr.splitlines()
    assert again[-1] == "model scripted: this run has used 0 calls, 0 tokens in, 0 out", "its answers were kept"
    value = json.loads(run(*VERIFY, "--json").stdout)
    assert list(value) == [
        "task", "state", "queries", "kept", "rejected", "unjudged", "dropped", "failures", "searched", "model",
        "prompts", "calls", "tokens_in", "tokens_out",
    ]  # fmt: skip
    assert list(value["kept"][0]) == ["hit", "found", "relevance", "why", "guidance", "beware", "quotes"]
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("second", "limits", "code", "told"),
    [("no", {}, 4, "rerank: broken reply: "), (all_kept, {"llm_run_calls": 1}, 5, "rerank: limit reached: ")],
)
def test_the_command_says_that_nothing_was_judged(
    run: Callable[..., Result], server: ModelServer, second: Saying, limits: dict[str, object], code: int, told: str
) -> None:
    playing(server, SOUGHT, second)
    done = run(*VERIFY, **limits)
    assert done.exit_code == code, done.output
    assert "\nNOT JUDGED by the model, as the search found them\n 1. " in done.stdout
    assert told in done.stderr
    calls = 1 if limits else 2
    used = f"model scripted: this run has used {calls} calls, {11 * calls} tokens in, {7 * calls} out"
    assert done.stderr.splitlines()[-1] == used, "also what a broken reply has used"


def test_no_answer_steers_the_terminal(run: Callable[..., Result], server: ModelServer) -> None:
    escape = "\x1b[2J\x1b]0;x\x07"

    def steering(body: BODY) -> BODY:
        return {"kept": [kept(f"T9{escape}"), kept(next(iter(labels(body))), guidance=escape)], "rejected": []}

    playing(server, [{"name": escape, "query": f"sample {escape}"}], steering)
    done = run(*VERIFY)
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "not taken: unknown hit: T9" in done.stderr


def test_the_setting_says_into_how_many_techniques(run: Callable[..., Result], server: ModelServer) -> None:
    playing(server, SOUGHT, all_kept)
    assert len(json.loads(run(*VERIFY, "--json", search_techniques=1).stdout)["queries"]) == 2
    assert len(json.loads(run(*VERIFY, "--json", "--techniques", "2", search_techniques=1).stdout)["queries"]) == 3


def test_a_profile_without_verify_and_verify_without_a_profile(run: Callable[..., Result]) -> None:
    for words in ((TASK, "--profile", "it"), (TASK, "--techniques", "3"), ("--verify",)):
        assert run(*words).exit_code == 2
    assert isinstance(run(TASK, "--verify").exception, ProfileError)
    assert isinstance(run(TASK, "--verify", "--profile", "other").exception, ProfileError)
