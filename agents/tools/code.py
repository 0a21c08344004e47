"""Tools that hand out code: never without its verdict and its licence."""

from typing import Any, Literal, get_args

from pydantic import Field

from agents.tools.context import Context
from agents.tools.envelope import Listing, Text
from agents.tools.papers import only_of
from agents.tools.techniques import NO_LICENCE
from agents.tools.tool import Arguments, Cursor, Id, Limit, Need, Tool
from kg.errors import AbsentError
from kg.licences import without_licence
from kg.lookup import find_node
from kg.results.search import VerifiedPair
from kg.results.show import ShownCode
from kg.search.results import CodeHit, SearchKind, Strength

__all__ = ["TOOLS"]

Part = Literal["implementation", "test", "documentation", "module"]
KINDS: tuple[SearchKind, ...] = ("techniques", "code")
DEPTH = 20
"""Hits whose code is looked at."""


class _GetCode(Arguments):
    code: Id = Field(description="id, its end, a path or a symbol")
    part: Part = "implementation"
    cursor: Cursor = 0


def _get_code(context: Context, asked: _GetCode) -> Text:
    node = find_node(context.store, "Code", asked.code)
    (code,) = context.believed(context.store.rows(ShownCode, id=node))
    return Text(_text(context, code, asked.part), _about(code), asked.cursor)


def _text(context: Context, code: ShownCode, part: Part) -> str:
    """The text of a part. Raises AbsentError where it may not be shown, and where there is none."""
    if not context.may_show(code.licence, code.origin):
        raise AbsentError(
            without_licence(code.id, code.verdict),
            remedy="write it from the paper, or look for other code with `find_verified_code`",
        )
    text = getattr(code, part)
    if not text:
        there = [name for name in get_args(Part) if getattr(code, name)]
        raise AbsentError(f"{code.id} has no {part} here", remedy=f"it has: {', '.join(there) or 'no text'}")
    return str(text)


ORIGIN = {"id", "name", "kind", "language", "origin", "repository", "commit", "file", "line", "end_line", "imported"}
TRIED = {"verdict", "verdict_reason", "test_state", "test_kind", "mutants", "killed", "failure_class"}


def _about(code: ShownCode) -> dict[str, Any]:
    said = code.model_dump(include={*ORIGIN, *TRIED, "signature", "requirements"})
    return {
        **said,
        "licence": code.licence or NO_LICENCE,
        "implements": [one.model_dump(include={"id", "standing"}) for one in code.implements[:5]],
        "uses": [one.id for one in code.uses[:5]],
        "member_of": code.member_of and code.member_of.id,
        "modules": code.rewrites,
        "parts": {name: len(getattr(code, name) or "") for name in get_args(Part) if getattr(code, name)},
    }


class _FindCode(Arguments):
    query: Need
    language: str = Field("", max_length=50)
    paper: str = Field("", max_length=500, description="only of this one")
    limit: Limit = 5
    cursor: Cursor = 0


def _find_code(context: Context, asked: _FindCode) -> Listing:
    only = only_of(context, asked.paper, languages=(asked.language.lower(),) if asked.language else ())
    found = context.search("code", asked.query, limit=asked.limit, after=asked.cursor, only=only)
    items = [_hit(context, hit) for hit in found.hits if isinstance(hit, CodeHit)]
    about = {"read_as": found.spelling, "searched": found.searched}
    return Listing(items, "code", asked.cursor, more=found.next_cursor is not None, about=about)


def _hit(context: Context, hit: CodeHit) -> dict[str, Any]:
    said = {"id", "name", "kind", "language", "signature", "score", "strength", "implements", "likely"}
    return {
        **hit.model_dump(include={*said, "verdict", "test_state"}),
        "licence": hit.licence or NO_LICENCE,
        "snippet": hit.snippet if context.may_show(hit.licence, hit.origin) else "",
        "why": hit.evidence.why,
    }


class _FindVerified(Arguments):
    need: Need = Field(description="what the code is to do")
    language: str = Field("", max_length=50)
    licence: str = Field("", max_length=100, description="SPDX id")
    paper: str = Field("", max_length=500, description="only of this one")
    limit: Limit = 5
    cursor: Cursor = 0


def _find_verified(context: Context, asked: _FindVerified) -> Listing:
    only = only_of(
        context, asked.paper, verdicts=("verified",),
        languages=(asked.language.lower(),) if asked.language else (),
        licences=(asked.licence.lower(),) if asked.licence else (),
    )  # fmt: skip
    techniques, code = (context.claimed(kind, asked.need, limit=DEPTH, only=only).hits for kind in KINDS)
    relevance = {hit.id: hit.score for hit in (*techniques, *code)}
    strong = {hit.id for hit in (*techniques, *code) if hit.strength == "strong"}
    rows = context.store.rows(
        VerifiedPair, techniques=[hit.id for hit in techniques], code=[hit.id for hit in code], only=only.model_dump()
    )

    def near(row: VerifiedPair) -> float:
        return max(relevance.get(row.technique, 0.0), relevance.get(row.id, 0.0))

    pairs = [row for row in context.believed(rows) if row.verdict == "verified"]
    pairs.sort(key=near, reverse=True)
    items = [_pair(row, near(row), "strong" if strong & {row.technique, row.id} else "weak") for row in pairs]
    end = asked.cursor + asked.limit
    return Listing(items[asked.cursor : end], "pairs", asked.cursor, len(items), more=len(items) > end)


def _pair(row: VerifiedPair, near: float, strength: Strength) -> dict[str, Any]:
    technique = {
        "id": row.technique, "name": row.technique_name, "definition": row.definition,
        "paper": row.paper_title or row.paper,
    }  # fmt: skip
    said = {"id", "signature", "language", "verdict", "verdict_reason", "test_state", "origin", "standing"}
    code = row.model_dump(include=said)
    return {
        "relevance": near,
        "strength": strength,
        "technique": technique,
        "code": {**code, "licence": row.licence or NO_LICENCE},
    }


TOOLS = (
    Tool(
        "get_code",
        "A piece of code: its text (or its test, documentation, or self-contained module), what it implements, where "
        "it is from, its licence and its verdict with the reason. Without a licence the text is withheld.",
        _GetCode,
        _get_code,
    ),
    Tool(
        "find_code",
        "Functions, classes and files by what they do or are called, with verdict and licence.",
        _FindCode,
        _find_code,
    ),
    Tool(
        "find_verified_code",
        "Pairs of a technique and code of it that passed tests able to fail; weak: near at most. No pair: nothing "
        "verified does that.",
        _FindVerified,
        _find_verified,
    ),
)
