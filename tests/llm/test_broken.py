"""Every way in which a reply can be broken is one error of ours with its name, charged, no answer later, asked once."""

import gzip
import json
import socket
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from asking import GOOD, add, told
from servers.model import JSON, PAGE, STREAM, USAGE, ModelServer, Say, status
from servers.scripted import Reply

from agents.llm import LLM, BrokenReply, Fault, ModelUnavailable, PromptTooLong

Make = Callable[..., LLM]

TEXT = json.dumps(GOOD, indent=0)
CUT_JSON = TEXT[:-9]
DEEP = '{"total": ' * 1500
BOTH: dict[str, tuple[Any, Fault]] = {
    "a page with status 200": (PAGE, Fault.NOT_A_REPLY),
    "an error with status 200": (Reply(body=b'{"error": {"message": "overloaded"}}'), Fault.NOT_A_REPLY),
    "broken JSON": (Reply(body=b'{"id": "x", "choi', headers={"Content-Type": "application/json"}), Fault.NOT_A_REPLY),
    "nothing": (Reply(), Fault.NOT_A_REPLY),
    "no text": (Say(""), Fault.EMPTY),
    "null": (Say(None), Fault.EMPTY),
    "white space": (Say(" \n "), Fault.EMPTY),
    "too long": (Say(CUT_JSON, finish="length"), Fault.LENGTH),
    "too long and yet whole": (Say(GOOD, finish="length"), Fault.LENGTH),
    "filtered": (Say("The", finish="content_filter"), Fault.FILTERED),
    "words": (Say("I'd rather not answer in JSON."), Fault.NOT_JSON),
    "cut JSON that claims to be whole": (Say(CUT_JSON), Fault.NOT_JSON),
    "cut JSON with a whole one inside": (Say(f'{{"all": [{TEXT}, {{"total'), Fault.NOT_JSON),
    "JSON with a digit too many": (Say('{"total": ' + "9" * 10_000 + ', "words": []}'), Fault.NOT_JSON),
    "JSON that is too deep": (Say(DEEP), Fault.NOT_JSON),
    "an array": (Say("[1, 2]"), Fault.NOT_JSON),
    "a wrong type": (Say({"total": "three", "words": []}), Fault.WRONG_SCHEMA),
    "a missing field": (Say({"total": 3}), Fault.WRONG_SCHEMA),
    "the schema itself": (Say({"properties": {"total": {}, "words": {}}, "type": "object"}), Fault.WRONG_SCHEMA),
}
CASES = [(True, *case) for case in BOTH.values()] + [(False, *case) for case in BOTH.values()]
CASES += [
    (True, Say(TEXT, cut=2), Fault.CUT),
    (True, Say(TEXT, finish=None), Fault.CUT),
    (True, Say("", choices=0, usage=None, finish=None), Fault.CUT),
    (True, Say(None, refusal="I can't help with that."), Fault.REFUSAL),
    (False, Say(None, refusal="I can't help with that."), Fault.REFUSAL),
    (False, Say(None, tools=(("add", {"total": 3}),), finish="tool_calls"), Fault.EMPTY),
    (False, Say(choices=0), Fault.EMPTY),
    (False, Say(choices=None), Fault.NOT_A_REPLY),
]
NAMES = [*(f"streamed {name}" for name in BOTH), *BOTH, *map(str, range(len(CASES) - 2 * len(BOTH)))]


@pytest.mark.parametrize(("stream", "said", "fault"), CASES, ids=NAMES)
def test_a_broken_reply(server: ModelServer, make: Make, tmp_path: Path, stream: bool, said: Any, fault: Fault) -> None:
    server.say(said)
    llm = make(stream=stream, structured="prompt" if stream else "json_schema")
    with pytest.raises(BrokenReply) as caught:
        add(llm)
    assert caught.value.fault is fault
    assert caught.value.exit_code == 3
    assert len(server.bodies) == 1, "it is not asked again"
    ((outcome, tokens_in, tokens_out, estimated),) = told(llm)
    assert outcome == fault
    if isinstance(said, Say) and said.usage and said.cut is None and said.choices is not None:
        assert (tokens_in, tokens_out, estimated) == (*USAGE, False)
    else:
        assert estimated
        assert tokens_in > 0
        assert 0 < tokens_out <= 500
    with pytest.raises(BrokenReply) as recorded:
        add(make(stream=stream, structured=llm.profile.structured, replay="replay"))
    assert (recorded.value.fault, recorded.value.text) == (fault, caught.value.text), "offline it is what it was"
    assert [path.name for path in (tmp_path / "replies").rglob("*") if path.is_file()] == [
        f"{llm.ledger.calls()[0].reserved.key}.json"
    ]
    server.say(GOOD)
    assert add(llm).value.total == 3, "asking again asks the model"


def test_a_connection_that_is_cut_amid_a_stream(server: ModelServer, make: Make) -> None:
    chunk = Say(TEXT, cut=2).reply({"stream": True, "model": "m"})
    body = b"".join(piece for piece in chunk.pieces if isinstance(piece, bytes))
    sized = {"Content-Type": "text/event-stream", "Content-Length": "100000"}
    server.say(Reply(headers=sized, sized=False, body=body))
    llm = make()
    with pytest.raises(BrokenReply) as caught:
        add(llm)
    assert caught.value.fault is Fault.CUT
    assert caught.value.text == "".join(TEXT.splitlines(keepends=True)[:2])
    assert told(llm)[0][2] == -(-len(caught.value.text) // 4)


def test_a_stream_without_end_is_ended(server: ModelServer, make: Make) -> None:
    server.say(Say("word\n" * 5000))
    with pytest.raises(BrokenReply) as caught:
        add(make(max_output_tokens=10))
    assert caught.value.fault is Fault.LENGTH
    assert len(caught.value.text) < 500


SPACE = [b" " * 100_000] * 40
FLOODS = {
    "white space": Reply(headers=JSON, sized=False, pieces=SPACE),
    "a comment of a stream": Reply(headers=STREAM, sized=False, pieces=[b": ", *SPACE]),
    "a packed reply": Reply(headers=JSON | {"Content-Encoding": "gzip"}, body=gzip.compress(bytes(4_000_000))),
}


@pytest.mark.parametrize("said", FLOODS.values(), ids=FLOODS)
@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_of_more_bytes_than_it_can_have_is_not_read(
    server: ModelServer, make: Make, said: Reply, stream: bool
) -> None:
    server.say(said)
    llm = make(max_output_tokens=10, stream=stream)
    with pytest.raises(BrokenReply, match="does not end") as caught:
        add(llm)
    assert caught.value.fault is Fault.LENGTH
    assert len(server.bodies) == 1, "it is not asked again"


@pytest.mark.parametrize(
    ("said", "stream"),
    [
        (Say(TEXT, hang=30), True),
        (Say(TEXT, cut=0, hang=30), True),
        (Say(TEXT, drip=300), True),
        (Say(GOOD, delay=30), True),
        (Say(GOOD, delay=30), False),
    ],
    ids=["hangs", "hangs before the first word", "drips", "no headers", "no reply"],
)
def test_a_reply_that_does_not_come_ends_in_time_and_is_tried_again(
    server: ModelServer, make: Make, said: Say, stream: bool
) -> None:
    server.say(said)
    llm = make(timeout=0.6, tries=2, stream=stream)
    started = monotonic()
    with pytest.raises(ModelUnavailable, match=r"no whole reply in 0\.6 s.* after 2 tries") as caught:
        add(llm)
    assert monotonic() - started < 10
    assert caught.value.fault is Fault.TIMEOUT
    worst = [(call.reserved.tokens_in, call.reserved.tokens_out) for call in llm.ledger.calls()]
    assert told(llm) == [("timeout", *worst[0], True), ("timeout", *worst[1], True)]


@pytest.mark.parametrize("code", [429, 500, 503])
def test_what_may_pass_is_tried_again_and_every_try_is_counted(server: ModelServer, make: Make, code: int) -> None:
    server.say(status(code), status(code), GOOD)
    llm = make()
    assert add(llm).value.total == 3
    fault = "limited" if code == 429 else "failing"
    assert told(llm) == [(fault, 0, 0, False)] * 2 + [("answered", 11, 7, False)]
    first, second, third = (request.at for request in server.requests)
    assert (second - first >= 0.01, third - second >= 0.02) == (True, True)


def test_a_storm_of_429_ends_in_a_named_error(server: ModelServer, make: Make) -> None:
    server.say(status(429, "slow down"))
    llm = make(tries=4)
    with pytest.raises(ModelUnavailable, match=r"slow down.* after 4 tries") as caught:
        add(llm)
    assert caught.value.fault is Fault.LIMITED
    assert told(llm) == [("limited", 0, 0, False)] * 4


@pytest.mark.parametrize("wait", ["0.4", "1"])
def test_the_server_s_wait_is_kept(server: ModelServer, make: Make, wait: str) -> None:
    server.say(status(429, retry_after=wait), status(503, retry_after=wait), GOOD)
    add(make())
    waits = [after.at - before.at for before, after in pairwise(server.requests)]
    assert all(took >= (1 if wait == "1" else 0.01) for took in waits)


@pytest.mark.parametrize("code", [400, 401, 403, 404, 409, 422])
def test_a_refusal_is_not_tried_again(
    server: ModelServer, make: Make, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sesame")
    server.say(status(code, "no such thing for sesame"))
    llm = make(api_key_env="SOME_KEY")
    with pytest.raises(ModelUnavailable, match=r"no such thing for \*{8}\)") as caught:
        add(llm)
    assert "sesame" not in str(caught.value)
    assert caught.value.fault is Fault.REFUSED
    assert told(llm) == [("refused", 0, 0, False)]


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirection_is_not_followed(server: ModelServer, make: Make, code: int) -> None:
    server.say(Reply(code, b"", {"Location": f"{server.base_url}/chat/completions"}))
    llm = make()
    with pytest.raises(ModelUnavailable, match="said to be elsewhere") as caught:
        add(llm)
    assert caught.value.fault is Fault.REFUSED
    assert len(server.bodies) == 1, "each request counts"
    assert told(llm) == [("refused", 0, 0, False)]


def test_tokens_that_no_model_has_are_not_believed(server: ModelServer, make: Make) -> None:
    server.say(Say(GOOD, usage=(10**30, 10**30)))
    llm = make()
    add(llm)
    ((_, tokens_in, tokens_out, estimated),) = told(llm)
    assert estimated and 0 < tokens_in < 10_000 and 0 < tokens_out < 10_000


def test_a_context_that_the_server_says_is_exceeded(server: ModelServer, make: Make) -> None:
    body = {"error": {"message": "maximum context length", "code": "context_length_exceeded"}}
    server.say(Reply(400, json.dumps(body).encode(), {"Content-Type": "application/json"}))
    llm = make()
    with pytest.raises(PromptTooLong):
        add(llm)
    assert told(llm) == [("refused", 0, 0, False)]


def test_nobody_there(make: Make) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        llm = make(base_url=f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        with pytest.raises(ModelUnavailable, match="no connection to") as caught:
            add(llm)
    assert caught.value.fault is Fault.UNREACHABLE
    assert told(llm) == [("unreachable", 0, 0, False)] * 2


def test_a_server_that_hangs_up_is_asked_again(server: ModelServer, make: Make) -> None:
    server.say(Reply(body=b"x" * 10, cut=0, headers={"Content-Type": "application/json"}), GOOD)
    llm = make(stream=False)
    assert add(llm).value.total == 3
    assert [outcome for outcome, *_ in told(llm)] == ["disconnected", "answered"]
