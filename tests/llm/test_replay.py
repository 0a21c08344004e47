"""Kept answers: what they depend on, that they replay byte for byte, and that they tell nothing of this machine."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import ADD, GOOD, Sum, add, told
from servers.model import ModelServer, Say

from agents.llm import LLM, BrokenReply, ReplayMiss
from kg.errors import ServiceError
from prompts import parse_prompt

Make = Callable[..., LLM]
ODD = '```json\r\n{"total": 3,\n "words": ["ü", "\\ud83d\\ude00"]}\n``` \n'


def kept(tmp_path: Path) -> dict[str, bytes]:
    return {str(p.relative_to(tmp_path)): p.read_bytes() for p in (tmp_path / "replies").rglob("*.json")}


def test_a_recorded_answer_replays_byte_for_byte_with_the_server_gone(
    server: ModelServer, make: Make, tmp_path: Path
) -> None:
    server.say(Say(ODD, usage=(123, 45)))
    first = add(make())
    before = kept(tmp_path)
    server.say(Say("{}"))
    gone = make(replay="replay", base_url="http://127.0.0.1:9/v1", api_key_env="NOT_SET")
    again = add(gone)
    assert (again.text, again.value, again.usage, again.key) == (ODD, first.value, first.usage, first.key)
    assert (again.cached, again.seconds) == (True, 0.0)
    assert len(server.bodies) == 1
    assert told(gone) == [("answered", 123, 45, False)], "nothing new was spent"
    assert kept(tmp_path) == before


def test_a_second_run_asks_nothing(server: ModelServer, make: Make, tmp_path: Path) -> None:
    server.say(GOOD)
    add(make())
    before = kept(tmp_path)
    assert add(make("another run")).cached
    assert (len(server.bodies), kept(tmp_path)) == (1, before)


def test_a_file_is_readable_and_tells_nothing_of_this_machine(
    server: ModelServer, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sesame")
    server.say(Say(json.dumps(GOOD, indent=1)))
    add(make(api_key_env="SOME_KEY"), paper="local:secret")
    ((name, text),) = kept(tmp_path).items()
    assert name.startswith("replies/tests/add/")
    found = json.loads(text)
    assert found["reply"] == json.dumps(GOOD, indent=1).split("\n")
    assert found["parameters"] == {"max_output_tokens": 500, "structured": "json_schema", "temperature": None}
    for secret in ("sesame", "127.0.0.1", str(server.url), str(tmp_path), "secret", "2026", "run"):
        assert secret not in text.decode()


def test_what_an_answer_depends_on(server: ModelServer, make: Make) -> None:
    """A change of any of it is another question; what is not among it changes nothing."""
    server.say(GOOD)
    other_file = parse_prompt("tests/add", "---\npurpose: Other.\nversion: 1\noutput: Sum\n" + _rest())
    keys = [
        add(make()).key,
        add(make(model="other")).key,
        add(make(temperature=0.5)).key,
        add(make(max_output_tokens=400)).key,
        add(make(structured="prompt")).key,
        add(make(), "3 and 4").key,
        add(make(), sample=1).key,
        make().ask(other_file, {"least": 2, "text": "1 and 2"}, Sum, stage="s").key,
        make().ask(ADD, {"least": 2, "text": "1 and 2"}, _other_schema(), stage="s").key,
    ]
    assert len(set(keys)) == len(keys) == len(server.bodies)
    assert add(make(stream=False, timeout=9, concurrency=1, tries=2), stage="x", paper=None).key == keys[0]
    assert len(server.bodies) == len(keys)


def _rest() -> str:
    return (
        "inputs: {least: trusted, text: untrusted}\n---\n[system]\nAdd at least {{ least }} numbers.\n[user]\n"
        '{% call data("text") %}\n{{ text }}\n{% endcall %}\n'
    )


def _other_schema() -> type[Sum]:
    class Other(Sum):
        more: int = 0

    Other.__name__ = "Sum"
    return Other


def test_a_miss_is_a_named_error(server: ModelServer, make: Make) -> None:
    server.say(GOOD)
    with pytest.raises(ReplayMiss, match="no answer of scripted to prompt 'tests/add' is kept") as caught:
        add(make(replay="replay"))
    assert isinstance(caught.value, ServiceError)
    assert server.requests == []


def test_off_keeps_nothing(server: ModelServer, make: Make, tmp_path: Path) -> None:
    server.say(GOOD)
    add(make())
    before = kept(tmp_path)
    assert not add(make(replay="off")).cached
    assert not add(make(replay="off"), "3 and 4").cached
    assert (len(server.bodies), kept(tmp_path)) == (3, before)


@pytest.mark.parametrize("spoilt", [b"", b'{"reply": [', b"{}", b'["x"]'])
def test_a_spoilt_file_is_asked_anew(server: ModelServer, make: Make, tmp_path: Path, spoilt: bytes) -> None:
    server.say(GOOD)
    add(make())
    (file,) = (tmp_path / "replies").rglob("*.json")
    good = file.read_bytes()
    file.write_bytes(spoilt)
    with pytest.raises(ReplayMiss):
        add(make(replay="replay"))
    assert not add(make()).cached
    assert file.read_bytes() == good


def test_a_file_under_another_s_name_is_not_its_answer(server: ModelServer, make: Make, tmp_path: Path) -> None:
    server.say(GOOD)
    first, second = add(make()), add(make(), "3 and 4")
    folder = tmp_path / "replies/tests/add"
    (folder / f"{first.key}.json").replace(folder / f"{second.key}.json")
    with pytest.raises(ReplayMiss):
        add(make(replay="replay"), "3 and 4")


def test_an_edited_answer_is_judged_again(server: ModelServer, make: Make, tmp_path: Path) -> None:
    server.say(GOOD)
    add(make())
    (file,) = (tmp_path / "replies").rglob("*.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"reply": ["{}"]}))
    with pytest.raises(BrokenReply):
        add(make(replay="replay"))
    assert not add(make()).cached


def test_what_was_broken_and_asked_again_replays_the_same_way(server: ModelServer, make: Make) -> None:
    server.say("no", GOOD, {"total": 9, "words": []})
    first = add(make(), again=1)
    assert (first.value.total, first.broken, len(server.bodies)) == (3, 1, 2)
    assert add(make(), again=1).text == first.text, "the answer that is kept, though its question is the second one"
    offline = add(make(replay="replay"), again=1)
    assert (offline.text, offline.usage, offline.key) == (first.text, first.usage, first.key)
    assert len(server.bodies) == 2


def test_so_often_and_no_more(server: ModelServer, make: Make) -> None:
    server.say("no")
    with pytest.raises(BrokenReply):
        add(make(), again=2)
    assert len(server.bodies) == 3
    with pytest.raises(BrokenReply):
        add(make(replay="replay"), again=2)
    with pytest.raises(ReplayMiss):
        add(make(replay="replay"), again=3)
