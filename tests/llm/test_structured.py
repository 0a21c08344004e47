"""JSON in a reply: found whatever stands around it, never made of half of one, in time linear in the text."""

import json
from time import process_time
from typing import Any

import pytest
from asking import Script, Sum
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.llm import BrokenReply
from agents.llm.structured import json_values, read

PROSE = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=40)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab{}\"'`\n", max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(st.text(max_size=5), VALUE, max_size=4)
PLAIN = st.dictionaries(
    st.text("abc", min_size=1, max_size=5), st.integers() | st.text("xyz \n", max_size=9), min_size=1
)


@settings(deadline=None)
@given(before=PROSE, value=OBJECT, after=PROSE, indent=st.sampled_from([None, 2]), fence=st.sampled_from(["", "```"]))
def test_a_whole_object_is_found(
    before: str, value: dict[str, Any], after: str, indent: int | None, fence: str
) -> None:
    text = f"{before}\n{fence}json\n{json.dumps(value, indent=indent, ensure_ascii=False)}\n{fence}\n{after}"
    assert list(json_values(text)) == [value]


@settings(deadline=None)
@given(value=PLAIN, inner=PLAIN, cut=st.floats(0.01, 0.999))
def test_half_of_one_is_none(value: dict[str, Any], inner: dict[str, Any], cut: float) -> None:
    text = json.dumps({**value, "inner": [inner, inner]})
    assert list(json_values(text[: max(1, int(len(text) * cut))])) == []


@settings(deadline=None)
@given(st.text(st.sampled_from('{}[]":,\\ \n1etrul'), max_size=60))
def test_any_text_is_read(text: str) -> None:
    for value in json_values(text):
        assert isinstance(value, dict)


@pytest.mark.parametrize("piece", ["{", '{"', '{"a":', '{"a":{"b":1}', '{"}', "{ ", '{"a" 1}', '{"a":[', "}{", '{{"'])
def test_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        started = process_time()
        list(json_values(piece * (length // len(piece))))
        return process_time() - started

    seconds(20_000)
    assert seconds(400_000) < 60 * max(seconds(20_000), 0.002)


def test_the_last_one_that_fits_is_the_answer() -> None:
    one, other = {"total": 1, "words": []}, {"total": 2, "words": ["x"]}
    assert read(f"{json.dumps(one)} no: {json.dumps(other)}", Sum).total == 2
    assert read(f'{json.dumps(one)} as in {{"note": "done"}}', Sum).total == 1


def test_what_does_not_fit_is_said_without_what_it_is() -> None:
    with pytest.raises(BrokenReply, match=r"no Sum: words\.0: Input should be a valid string \(2 in all\)") as caught:
        read('{"total": 1, "words": [7, 8], "secret": "sesame"}', Sum)
    assert "sesame" not in str(caught.value)


CODE = "FIELDS = {'a': 1}\n\n\ndef f():\n    return {\"notes\": []}\n"


@pytest.mark.parametrize(
    ("text", "code", "notes"),
    [
        (f'Here it is:\n```python\n{CODE}```\nand\n```json\n{{"notes": ["x"]}}\n```', CODE, ["x"]),
        (f'```python\n{CODE}```\n{{"notes": ["x"], "code": ""}}', CODE, ["x"]),
        (f"```\n{CODE}```\nTo use it:\n```python\nf()\n```", CODE, []),
        (f'```python\n{CODE}```\n{{"notes": 7}}', CODE, []),
        (json.dumps({"code": CODE, "notes": ["x"]}), CODE, ["x"]),
        (f"```json\n{json.dumps({'code': CODE, 'notes': ['x']})}\n```", CODE, ["x"]),
        (f"```\n{json.dumps({'code': CODE}, indent=1)}\n```", CODE, []),
        (f'```python\r\n{CODE}```\rand\r{{"notes": ["x"]}}', CODE, ["x"]),
        (json.dumps({"code": '"""As in\n```\nf()\n```\n"""', "notes": []}), '"""As in\n```\nf()\n```\n"""', []),
    ],
)
def test_code_may_stand_in_a_block_outside_of_json(text: str, code: str, notes: list[str]) -> None:
    assert read(text, Script, "block") == Script(code=code, notes=notes)


def test_a_block_that_was_asked_for_wins_over_the_same_in_json() -> None:
    text = f'```python\n{CODE}```\n{{"notes": ["x"], "code": "file a.py"}}'
    assert read(text, Script, "block") == Script(code=CODE, notes=["x"])
    assert read(text, Script).code == "file a.py"
    assert read(f"An aside:\n```sh\nrun\n```\n{json.dumps({'notes': ['none']})}", Script) == Script(notes=["none"])
    assert read("```python\nx = 1\n```", Script).code == "x = 1\n"
    assert read(json.dumps({"code": CODE}), Script, "block").code == CODE


def test_a_form_without_code_takes_nothing_from_a_block() -> None:
    assert read('```python\nwords = {"total": 5}\n```\n{"total": 1, "words": []}', Sum).total == 1
    with pytest.raises(BrokenReply, match="no whole JSON object"):
        read("```python\nx = 1\n```", Sum)


def test_a_block_that_does_not_end_is_none() -> None:
    with pytest.raises(BrokenReply, match="no whole JSON object"):
        read("```python\nx = 1\n", Script, "block")


@pytest.mark.parametrize("piece", ["```a\n", "```python\n\n\n", "```a\r"])
def test_fences_without_end_hold_nothing(piece: str) -> None:
    """However many: looked for from each of them anew, the end would take minutes."""
    with pytest.raises(BrokenReply, match="no whole JSON object"):
        read(piece * (400_000 // len(piece)), Script, "block")
