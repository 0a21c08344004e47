"""The ledger: exact sums whatever the order, hard limits, torn lines, several processes, dead ones."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from asking import GOOD, add, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from servers.model import ModelServer, Say, status

from agents.llm import LLM, BrokenReply, BudgetExceeded, Fault, ModelUnavailable, ProfileError, most_tokens
from agents.llm.ledger import Ledger, Reservation, Usage
from kg.config import LlmPrice, LlmSettings
from kg.errors import BudgetError, ServiceError

Make = Callable[..., LLM]

FREE = LlmSettings(prices={"m": LlmPrice(input=Decimal("0.15"), output=Decimal("0.6"))})


def reserve(
    ledger: Ledger, limits: LlmSettings = FREE, tokens_in: int = 1000, tokens_out: int = 500, **fields: Any
) -> Reservation:
    given = {"key": "k", "run": "r", "stage": "s", "paper": "p", "model": "m", "prompt": "x"}
    return ledger.reserve(limits, Usage(tokens_in=tokens_in, tokens_out=tokens_out), **given | fields)


def settle(ledger: Ledger, one: Reservation, tokens_in: int, tokens_out: int) -> None:
    ledger.settle(one, FREE, "answered", Usage(tokens_in=tokens_in, tokens_out=tokens_out))


CALL = st.tuples(
    st.sampled_from(["r1", "r2"]), st.sampled_from(["s1", "s2"]), st.sampled_from([None, "p1"]),
    st.integers(0, 10**7), st.integers(0, 10**6), st.booleans(),
)  # fmt: skip


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(calls=st.lists(CALL, max_size=8), order=st.randoms(use_true_random=False))
def test_sums_are_exact_in_any_order_and_read_back(
    tmp_path_factory: pytest.TempPathFactory, calls: list[Any], order: Any
) -> None:
    folder = tmp_path_factory.mktemp("ledger")
    one, other = Ledger(folder), Ledger(folder)
    made = [
        (reserve(order.choice([one, other]), run=r, stage=s, paper=p, tokens_in=9, tokens_out=1), i, o)
        for r, s, p, i, o, _ in calls
    ]
    open_ = [reserved for (reserved, *_), (*_, done) in zip(made, calls, strict=True) if not done]
    done = [entry for entry, (*_, finished) in zip(made, calls, strict=True) if finished]
    order.shuffle(done)
    for reserved, tokens_in, tokens_out in done:
        settle(order.choice([one, other]), reserved, tokens_in, tokens_out)
    for ledger in (one, other, Ledger(folder)):
        counted = [call.counted for call in ledger.calls()]
        assert sum(c.tokens_in + c.tokens_out for c in counted) == sum(i + o for _, i, o in done) + 10 * len(open_)
        money = sum((Decimal(i) * 15 + Decimal(o) * 60 for _, i, o in done), Decimal(0)) / 100 / 1_000_000
        assert (
            sum((c.cost or Decimal(0) for c in counted), Decimal(0))
            == money + len(open_) * (Decimal("9") * 15 + 60) / 100 / 1_000_000
        )


@pytest.mark.parametrize("scope", ["run", "paper", "stage"])
@pytest.mark.parametrize(("unit", "limit"), [("tokens", 3500), ("money", "0.0011"), ("calls", 2)])
def test_a_limit_is_never_passed(tmp_path: Path, scope: str, unit: str, limit: Any) -> None:
    """Each call reserves 1500 tokens, or 0.00045, and uses two thirds of it."""
    limits = LlmSettings(prices=FREE.prices, **{f"{scope}_{unit}": limit})
    ledger = Ledger(tmp_path)
    for _ in range(2):
        settle(ledger, reserve(ledger, limits), 800, 200)
    if unit != "calls":
        settle(ledger, reserve(ledger, limits), 800, 200 if unit == "tokens" else 500)
    with pytest.raises(BudgetExceeded, match=rf"the {scope} may use {limit} {unit}.*llm\.{scope}_{unit}") as caught:
        reserve(ledger, limits)
    assert isinstance(caught.value, BudgetError)
    before = (tmp_path / "ledger.jsonl").read_bytes()
    reserve(ledger, limits, run="another")
    if scope != "run":
        reserve(ledger, limits, **{scope: "another"})
    assert (tmp_path / "ledger.jsonl").read_bytes().startswith(before)


def test_money_is_not_limited_for_a_model_without_a_price(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    with pytest.raises(ProfileError, match=r'\[llm\.prices\."other"\]'):
        reserve(ledger, LlmSettings(run_money=1), model="other")
    assert reserve(ledger, LlmSettings(), model="other").cost is None


def test_a_call_waits_for_those_under_way_where_they_may_leave_room(server: ModelServer, make: Make) -> None:
    """Each may use some 910 tokens, so that only one fits at a time, and uses 18."""
    server.say(Say(GOOD, delay=0.1))
    llm = make(limits={"run_tokens": 1000})
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: add(llm, f"number {n}"), range(4)))
    assert len(answers) == len(server.bodies) == 4
    assert sum(c[1] + c[2] for c in told(llm)) == 4 * 18
    starts = sorted(request.at for request in server.requests)
    assert all(second - first >= 0.1 for first, second in pairwise(starts))


def test_a_budget_that_ends_in_the_middle_is_resumed(server: ModelServer, make: Make) -> None:
    server.say(Say(GOOD, usage=(300, 100)))
    llm, done = make("first", {"run_tokens": 2000}), 0
    with pytest.raises(BudgetExceeded) as caught:
        for n in range(10):
            add(llm, f"number {n}")
            done += 1
    assert caught.value.exit_code == 5
    assert 1 < done < 10
    assert len(server.bodies) == done, "the call that would not fit was not made"
    assert told(llm) == [("answered", 300, 100, False)] * done
    again = make("first", {"run_tokens": 10_000})
    for n in range(10):
        add(again, f"number {n}")
    assert len(server.bodies) == 10
    assert told(again) == [("answered", 300, 100, False)] * 10


def test_failed_calls_use_up_a_limit_of_calls(server: ModelServer, make: Make) -> None:
    server.say(status(429))
    llm = make(limits={"run_calls": 3})
    with pytest.raises(BudgetExceeded):
        add(llm)
    assert (len(server.bodies), told(llm)) == (3, [("limited", 0, 0, False)] * 3)


def test_the_ledger_is_exact_over_a_mixed_run(server: ModelServer, make: Make) -> None:
    server.say(
        status(503), Say(GOOD, usage=(1001, 11)), Say("no", usage=(1002, 12)),
        Say(GOOD, usage=(1003, 13), finish="length"), Say({"total": 1}, usage=(1004, 14)),
        status(400), Say(GOOD, usage=(1005, 15)),
    )  # fmt: skip
    llm = make()
    for n, error in enumerate([None, BrokenReply, BrokenReply, BrokenReply, ModelUnavailable, None]):
        if error:
            with pytest.raises(error):
                add(llm, f"{n}")
        else:
            add(llm, f"{n}")
    assert told(llm) == [
        (Fault.FAILING, 0, 0, False),
        ("answered", 1001, 11, False),
        (Fault.NOT_JSON, 1002, 12, False),
        (Fault.LENGTH, 1003, 13, False),
        (Fault.WRONG_SCHEMA, 1004, 14, False),
        (Fault.REFUSED, 0, 0, False),
        ("answered", 1005, 15, False),
    ]


@pytest.mark.parametrize("torn", [b"{", b'{"event":"reserve","call":"x"', b'{"event":"settle"', b"\xff\xfe"])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    ledger, file = Ledger(tmp_path), tmp_path / "ledger.jsonl"
    settle(ledger, reserve(ledger), 10, 20)
    whole = file.read_bytes()
    file.write_bytes(whole + torn)
    fresh = Ledger(tmp_path)
    assert [call.counted.tokens_in for call in fresh.calls()] == [10]
    assert file.read_bytes() == whole
    file.write_bytes(whole + torn)
    settle(ledger, reserve(ledger), 30, 40)
    assert [call.counted.tokens_in for call in Ledger(tmp_path).calls()] == [10, 30]


def test_every_beginning_of_the_file_can_be_read(tmp_path: Path) -> None:
    ledger, file = Ledger(tmp_path), tmp_path / "ledger.jsonl"
    first, second = reserve(ledger), reserve(ledger)
    settle(ledger, first, 10, 20)
    settle(ledger, second, 30, 40)
    whole = file.read_bytes()
    for end in range(0, len(whole), 7):
        file.write_bytes(whole[:end])
        lines = whole[:end].count(b"\n")
        tokens = [call.counted.tokens_in for call in Ledger(tmp_path).calls()]
        assert tokens == [[], [1000], [1000, 1000], [10, 1000], [10, 30]][lines]


def test_a_spoilt_line_is_named(tmp_path: Path) -> None:
    ledger, file = Ledger(tmp_path), tmp_path / "ledger.jsonl"
    settle(ledger, reserve(ledger), 10, 20)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + b"rubbish\n" + lines[1])
    with pytest.raises(ServiceError, match=r"ledger\.jsonl:2"):
        Ledger(tmp_path).calls()


CHILD = [sys.executable, str(Path(__file__).with_name("ledger_child.py"))]


def test_two_processes_share_one_limit(tmp_path: Path) -> None:
    children = [subprocess.Popen([*CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    made = [int(child.communicate(timeout=120)[0]) for child in children]
    assert sum(made) == 60, "100 tokens each, 20 more set aside: the 61st would need 6120"
    counted = [call.counted for call in Ledger(tmp_path).calls()]
    assert sum(one.tokens_in + one.tokens_out for one in counted) == 6000


def test_what_a_dead_process_left_open_counts_at_its_worst_until_it_is_written_off(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert subprocess.run([*CHILD, str(tmp_path), "die"], check=False, timeout=120).returncode == -signal.SIGKILL
    settle(ledger, reserve(ledger, stage="t"), 10, 10)
    assert [call.lost for call in ledger.calls()] == [True, False]
    with pytest.raises(BudgetExceeded, match="has used or reserved 140"):
        reserve(ledger, LlmSettings(run_tokens=1600, prices=FREE.prices))
    assert ledger.write_off(FREE) == 1
    assert [(call.counted.tokens_in, call.lost) for call in ledger.calls()] == [(0, False), (10, False)]
    assert json.loads((tmp_path / "ledger.jsonl").read_text().splitlines()[-1])["outcome"] == "written off"
    assert reserve(ledger, LlmSettings(run_tokens=1600, prices=FREE.prices))


@pytest.mark.parametrize(
    ("text", "tokens"), [("7" * 999, 999), ("{([;" * 200, 800), ("\U000e0041" * 99, 396), ("語" * 99, 297)]
)
def test_what_is_set_aside_is_no_less_than_tokenizers_make_of_odd_texts(text: str, tokens: int) -> None:
    """Some have a token for each digit, each sign, each byte of a rare character: a text could pass a limit by them."""
    assert most_tokens(text) >= tokens
    assert 0.5 * 5000 <= most_tokens("some words ".ljust(10) * 455) <= 0.6 * 5005
