"""What a seal says: the judgement, and of judged code all by which a person knows which code it is."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kg.models.ids import vouched
from kg.verdicts.basis import digest_of

__all__ = ["JUDGEMENT", "SEALED", "edge_statement", "execution_statement", "texts_of", "verdict_statement"]

IDENTITY = ("name", "symbol", "kind", "language", "role", "origin", "parent", "signature", "licence", "requirements",
            "repository", "commit", "file", "start", "end", "line", "end_line")  # fmt: skip
"""Which code it is, and where; a write that moves unchanged code seals its verdict anew."""

JUDGEMENT = ("verdict", "verdict_reason", "verdict_date", "verdict_program", "verdict_basis", "verdict_texts",
             "text_sha256", "code_sha256", "test_sha256", "test_kind", "test_model", "test_prompt",
             "test_run", "test_state", "mutants", "killed", "killed_by_assertion",
             "failure_class", "failure_line", "module_sha256")  # fmt: skip
"""What was found of it; texts by their hashes, for an export may withhold them."""

SEALED = (*IDENTITY, *JUDGEMENT)
"""Properties of judged code that its seal covers."""

TEXTS = ("documentation", "test", "test_left_out", "test_opened", "survivors")
"""Texts that no other property has the hash of."""


def texts_of(properties: Mapping[str, Any]) -> list[str]:
    """`verdict_texts` of code: the hash of each of these texts that is there, ``"documentation <32 hex digits>"``."""
    return [f"{name} {digest_of(text.encode('utf-8', 'replace'))}" for name, text in _texts(properties)]


def _texts(properties: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in TEXTS:
        if (value := properties.get(name)) is not None:
            yield name, "\0".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def verdict_statement(code: str, properties: Mapping[str, Any], execution: str | None) -> tuple[str, dict[str, Any]]:
    """What the seal of judged code says."""
    facts = {name: properties.get(name) for name in SEALED}
    repository = facts["repository"]
    home = {"repository": vouched(repository)} if isinstance(repository, str) else {}
    return "verdict", {**facts, **home, "code": vouched(code), "execution": execution}


def edge_statement(code: str, execution: str, edge: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """What the seal of an edge VERIFIED_BY says; whether it is the current one changes, and the commit of the code."""
    said = {name: edge.get(name) for name in ("verdict", "date")}
    return "edge", {**said, "code": re.sub(r"^([^@]*)@[^@:]*:", r"\1@:", vouched(code)), "execution": execution}


def execution_statement(properties: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """What the seal of an execution says: all of it."""
    return "execution", {name: value for name, value in properties.items() if name != "seal"}
