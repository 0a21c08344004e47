"""Envelopes keep their limit, lose nothing over their pages, and say what is wrong."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.tools import TOOLS, Listing, Text, card, tokens
from agents.tools.envelope import LEAST_TOKENS, sealed

TEXTS = st.text(st.sampled_from('ab \n\\"é\u2028漢😀'), max_size=3_000)


def described() -> list[str]:
    return [
        json.dumps({"name": tool.name, "description": tool.description, "input_schema": tool.schema()})
        for tool in TOOLS.values()
    ]


def test_the_tools_and_the_card_cost_little() -> None:
    assert sum(map(tokens, described())) < 3_000
    assert tokens(card()) <= 1_500


def test_the_card_names_tools_that_there_are() -> None:
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", card())) - {"next_cursor", "verdict_reason", "give_up"}
    assert named
    assert named <= set(TOOLS)


def test_the_order_is_fixed() -> None:
    assert list(TOOLS) == [
        "paper_plan", "similar_papers", "find_sections", "read_section", "find_techniques", "get_technique", "concepts",
        "get_code", "find_code", "find_verified_code", "why_hit", "unknown",
    ]  # fmt: skip
    assert all(tool.hints.read_only and not tool.hints.destructive for tool in TOOLS.values())


@given(TEXTS, st.integers(LEAST_TOKENS, 900))
def test_a_text_comes_whole_over_its_pages(text: str, limit: int) -> None:
    parts, cursor = [], 0
    while True:
        page = sealed(Text(text, {"id": "x", "about": text[:50]}, cursor), limit)
        assert tokens(page.text()) <= limit
        assert page.data is not None
        parts.append(page.data["text"])
        assert page.total == len(text)
        if page.next_cursor is None:
            break
        assert page.next_cursor > cursor
        cursor = page.next_cursor
    assert "".join(parts) == text


ITEMS = st.lists(st.fixed_dictionaries({"id": st.text("ab", min_size=1, max_size=9), "said": TEXTS}), max_size=8)


@given(ITEMS, TEXTS, st.integers(LEAST_TOKENS, 900))
def test_a_listing_gives_every_item_once(items: list[dict[str, Any]], about: str, limit: int) -> None:
    found: list[Any] = []
    cursor: int | None = 0
    while cursor is not None:
        page = sealed(Listing(items[cursor:], "items", cursor, len(items), about={"about": about}), limit)
        assert tokens(page.text()) <= limit
        assert page.data is not None
        assert page.truncated >= (page.next_cursor is not None)
        found += page.data.get("items", [])
        assert page.next_cursor is None or page.next_cursor > cursor
        cursor = page.next_cursor
    assert [item["id"] for item in found] == [item["id"] for item in items]


def test_what_nobody_sees_is_shown() -> None:
    page = sealed(Text("a\u202eb\U000e0041c", {"name": "x\x1b[2J"}), LEAST_TOKENS)
    assert page.data == {"name": "x\ufffd[2J", "text": "a\ufffdb\ufffdc"}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_a_schema_is_plain(tool: Any) -> None:
    schema = tool.schema()
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(tool.arguments.model_fields)


def test_lines_end_in_the_form_of_this_system() -> None:
    page = sealed(Text("def f():\r\n    return 1\r\n\r", {"name": "a\r\nb"}), LEAST_TOKENS)
    assert page.data == {"name": "a\nb", "text": "def f():\n    return 1\n\ufffd"}
