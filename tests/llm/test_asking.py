"""A question and its valid answer: what is sent, what comes back, what it cost, for each class of models."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from time import monotonic

import pytest
from asking import ADD, GOOD, Script, Sum, add, told
from servers.model import ModelServer, Say

from agents.llm import LLM, ProfileError, PromptTooLong
from agents.llm.structured import bounded
from kg.config import LlmProfile, Settings

Make = Callable[..., LLM]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("structured", ["json_schema", "json_object", "prompt"])
def test_a_valid_answer(server: ModelServer, make: Make, stream: bool, structured: str) -> None:
    server.say(GOOD)
    llm = make(stream=stream, structured=structured, temperature=0.0)
    answer = add(llm)
    assert answer.value == Sum(**GOOD)
    assert (answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.estimated) == (11, 7, False)
    assert answer.cost == Decimal("0.000025")
    assert (answer.cached, answer.model, answer.prompt_sha256) == (False, "scripted", ADD.sha256)
    assert told(llm) == [("answered", 11, 7, False)]
    (body,) = server.bodies
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("scripted", 0.0, 500)
    form = body.get("response_format", {"type": "prompt"})
    assert form["type"] == structured
    if structured == "json_schema":
        assert form["json_schema"]["schema"]["required"] == ["total", "words"]
        assert form["json_schema"]["strict"] is True
    assert ("JSON schema" in body["messages"][0]["content"]) is (structured != "json_schema")


def test_lists_of_a_small_model_end(server: ModelServer, make: Make) -> None:
    server.say(GOOD)
    bounded, unbounded = make(list_items=6), make()
    assert add(bounded).key != add(unbounded).key
    forms = [body["response_format"]["json_schema"]["schema"] for body in server.bodies]
    assert [form["properties"]["words"].get("maxItems") for form in forms] == [6, None]
    assert add(make(structured="prompt", list_items=6)).key == add(make(structured="prompt")).key


def test_a_list_that_ends_earlier_ends_there() -> None:
    schema = {"$defs": {"A": {"items": {"type": "array", "maxItems": 3}}}, "type": "array", "minItems": 8}
    assert bounded(schema, 5) == {
        "$defs": {"A": {"items": {"type": "array", "maxItems": 3}}}, "type": "array", "minItems": 8, "maxItems": 8,
    }  # fmt: skip


def test_code_is_asked_for_as_a_block_where_the_profile_says_so(server: ModelServer, make: Make) -> None:
    from prompts import parse_prompt

    head = "---\npurpose: p\nversion: 1\noutput: Script\ninputs: {}\n---\n[system]\nWrite.\n[user]\nNow."
    write = parse_prompt("tests/write", head)
    server.say('```python\nx = {}\n```\n{"notes": ["short"]}')
    blocks, strings = make(code="block"), make()
    answer = blocks.ask(write, {}, Script, stage="s")
    assert answer.value == Script(code="x = {}\n", notes=["short"])
    assert strings.ask(write, {}, Script, stage="s").key != answer.key
    asked, enforced = server.bodies
    assert "response_format" not in asked
    said = asked["messages"][0]["content"]
    assert "one block of code between ```python" in said
    assert '"notes"' in said
    assert '"code"' not in said
    assert enforced["response_format"]["type"] == "json_schema"
    server.say(GOOD)
    assert add(make(code="block")).key == add(make()).key


def test_text_is_an_answer_too(server: ModelServer, make: Make) -> None:
    from prompts import parse_prompt

    head = "---\npurpose: p\nversion: 1\noutput: text\ninputs: {}\n---\n[system]\nBe brief.\n[user]\nSpeak."
    server.say("line one\nline two\n")
    answer = make().ask(parse_prompt("tests/speak", head), {}, stage="s")
    assert answer.value == answer.text == "line one\nline two\n"
    assert "response_format" not in server.bodies[0]


@pytest.mark.parametrize(
    "said",
    [
        f"```json\n{json.dumps(GOOD)}\n```",
        f"Let me see: {{x | x > 1}}, so\n```\n{json.dumps(GOOD, indent=2)}\n```\nThat is all {{really}}.",
        f'<think>It wants {{"total": ...}}, perhaps {{"total": 1, "words": []}}.</think>{json.dumps(GOOD)}',
    ],
)
def test_json_is_found_among_words(server: ModelServer, make: Make, said: str) -> None:
    server.say(said)
    assert add(make(structured="prompt")).value == Sum(**GOOD)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("usage", [(-1000, -1000), (-1000, 10), (10, -1000)])
def test_no_server_pays_tokens_back(server: ModelServer, make: Make, stream: bool, usage: tuple[int, int]) -> None:
    server.say(Say(GOOD, usage=usage))
    found = add(make(stream=stream)).usage
    assert found.estimated
    assert found.tokens_in > 0
    assert found.tokens_out > 0


@pytest.mark.parametrize("stream", [True, False])
def test_usage_that_is_not_told_is_estimated_and_says_so(server: ModelServer, make: Make, stream: bool) -> None:
    server.say(Say(GOOD, usage=None))
    llm = make(stream=stream)
    usage = add(llm).usage
    sent = sum(len(message["content"]) for message in server.bodies[0]["messages"])
    assert usage.estimated
    assert sent / 4 <= usage.tokens_in <= sent / 4 + 100
    assert usage.tokens_out == -(-len(json.dumps(GOOD)) // 4)
    assert told(llm) == [("answered", usage.tokens_in, usage.tokens_out, True)]


def test_a_prompt_that_does_not_fit_is_not_sent(server: ModelServer, make: Make) -> None:
    server.say(GOOD)
    llm = make(context_tokens=1000)
    with pytest.raises(PromptTooLong, match="1000"):
        add(llm, "word " * 1000)
    assert (server.bodies, told(llm)) == ([], [])


def test_so_many_calls_at_a_time(server: ModelServer, make: Make) -> None:
    server.say(Say(GOOD, delay=0.1))
    llm = make(concurrency=2)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: add(llm, f"number {n}"), range(6)))
    assert len(server.bodies) == 6
    starts = sorted(request.at for request in server.requests)
    assert all(third - first >= 0.1 for first, third in zip(starts, starts[2:], strict=False))


def test_so_many_calls_a_minute(server: ModelServer, make: Make) -> None:
    server.say(GOOD)
    llm = make(requests_per_minute=600)
    started = monotonic()
    for n in range(4):
        add(llm, f"number {n}")
    assert 0.3 <= monotonic() - started < 10


def test_the_same_question_at_the_same_time_is_paid_once(server: ModelServer, make: Make) -> None:
    server.say(Say(GOOD, delay=0.3))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: add(make()), range(4)))
    assert len(server.bodies) == 1
    assert sorted(answer.cached for answer in answers) == [False, True, True, True]


def test_profiles_and_keys_that_are_missing_are_said(
    settings: Settings, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ProfileError, match=r"no profile 'other' .*strict.*llm\.profiles\.other"):
        LLM(settings, "other")
    with pytest.raises(ProfileError, match="no language model is configured"):
        LLM(settings.replace(llm__profile=None))
    with pytest.raises(ProfileError, match='structured = "prompt"'):
        LLM(settings.replace(llm__profiles={"strict": LlmProfile(model="m", provider="anthropic")}))
    keyed = settings.llm.profiles["strict"].model_copy(update={"api_key_env": "SOME_KEY"})
    llm = LLM(settings.replace(llm__profiles={"strict": keyed}))
    with pytest.raises(ProfileError, match="SOME_KEY is not set"):
        add(llm)
    monkeypatch.setenv("SOME_KEY", "sesame")
    server.say(GOOD)
    assert add(llm).value.total == 3
    sent = {name.lower(): value for name, value in server.requests[0].headers.items()}
    assert sent["authorization"] == "Bearer sesame"


def test_a_server_of_your_own_is_not_given_the_provider_s_key(
    server: ModelServer, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    server.say(GOOD)
    add(make())
    assert "sesame" not in str(server.requests[0].headers)


def test_a_provider_without_its_library_is_said(make: Make) -> None:
    llm = make(provider="anthropic", structured="prompt")
    with pytest.raises(ProfileError, match="langchain-anthropic"):
        add(llm)


def test_inputs_and_schema_are_those_of_the_prompt(make: Make) -> None:
    with pytest.raises(ValueError, match="answers with Sum, not Settings"):
        make().ask(ADD, {"least": 1, "text": ""}, Settings, stage="s")
    with pytest.raises(ValueError, match=r"takes \['least', 'text'\], not \['text'\]"):
        make().ask(ADD, {"text": ""}, Sum, stage="s")
