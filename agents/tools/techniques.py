"""Tools that find techniques and tell all about one."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from agents.tools.context import Context
from agents.tools.envelope import Listing
from agents.tools.papers import only_of
from agents.tools.tool import Arguments, Cursor, Id, Limit, Need, Tool
from kg.lookup import find_node
from kg.results.concept import ConceptMember
from kg.results.search import GroundedCode
from kg.results.show import ImplementationRow, ShownTechnique
from kg.search.results import Implementation, TechniqueHit
from kg.similar import similar_techniques

__all__ = ["TOOLS", "code_of"]

NO_LICENCE = "none"
WITHHELD_REASON = "withheld: its source states no licence"
"""A reason may quote a line of the code or of its test."""
MOST = 50
"""Techniques that are compared at all."""
KINDS = Literal["methodology", "technique", "finding", "resource"]


def code_of(code: GroundedCode | Implementation) -> dict[str, Any]:
    """What is said of code wherever it is named: where it is, its verdict and its licence."""
    return {"id": code.id, "verdict": code.verdict, "licence": code.licence or NO_LICENCE, "score": code.score}


class _FindTechniques(Arguments):
    query: Need
    kind: KINDS | None = None
    paper: str = Field("", max_length=500, description="only of this one")
    limit: Limit = 5
    cursor: Cursor = 0


def _find_techniques(context: Context, asked: _FindTechniques) -> Listing:
    only = only_of(context, asked.paper, kinds=(asked.kind,) if asked.kind else ())
    found = context.search("techniques", asked.query, limit=asked.limit, after=asked.cursor, only=only)
    items = [_hit(hit) for hit in found.hits if isinstance(hit, TechniqueHit)]
    about = {"read_as": found.spelling, "searched": found.searched}
    return Listing(items, "techniques", asked.cursor, more=found.next_cursor is not None, about=about)


def _hit(hit: TechniqueHit) -> dict[str, Any]:
    return {
        **hit.model_dump(include={"id", "name", "kind", "score", "strength", "candidates"}),
        "paper": hit.paper_title or hit.paper,
        "definition": hit.snippet,
        "why": hit.evidence.why,
        "code": [code_of(code) for code in hit.code],
        "likely_code": [code_of(code) for code in hit.likely],
    }


class _OfTechnique(Arguments):
    technique: Id = Field(description="id, its end, or a name")
    cursor: Cursor = 0


FACTS = {"id", "name", "kind", "aliases", "definition", "status", "inputs", "outputs", "steps", "subject", "comparator",
         "number", "dataset", "paper", "paper_title", "parents", "components", "needs", "imported"}  # fmt: skip


def _get_technique(context: Context, asked: _OfTechnique) -> Listing:
    node = find_node(context.store, "Technique", asked.technique)
    (technique,) = context.store.rows(ShownTechnique, id=node)
    rows = context.believed(context.store.rows(ImplementationRow, id=node))
    about: dict[str, Any] = technique.model_dump(include=FACTS if asked.cursor == 0 else {"id", "name"})
    items = list(_said(context, technique, rows))
    return Listing(items[asked.cursor :], "details", asked.cursor, len(items), about=about)


def _said(context: Context, technique: ShownTechnique, rows: Sequence[ImplementationRow]) -> Iterator[dict[str, Any]]:
    """What is known besides: formulas and other places, quotes, then code, the best first."""
    for place in technique.described_in:
        yield {"described_in": place.id, "kind": place.kind, "latex": place.latex}
    for quote in technique.quotes:
        yield {"quote": quote.text, "role": quote.role, "place": quote.place}
    for row in rows:
        yield {
            "code": row.id,
            **row.model_dump(include={"standing", "score", "verdict", "signature", "part", "origin"}),
            "verdict_reason": row.verdict_reason if context.may_show(row.licence, row.origin) else WITHHELD_REASON,
            "licence": row.licence or NO_LICENCE,
        }


def _concepts(context: Context, asked: _OfTechnique) -> Listing:
    node = find_node(context.store, "Technique", asked.technique)
    (technique,) = context.store.rows(ShownTechnique, id=node)
    members_of = {one.id: context.store.rows(ConceptMember, id=one.id) for one in technique.concepts}
    members = [row for rows in members_of.values() for row in rows]
    shared = {name for name, rows in members_of.items() if any(row.technique != node for row in rows)}
    said = {row.technique: row.definition for row in members}
    like = similar_techniques(context.store, node, MOST)
    items = [
        {**one.model_dump(include={"id", "name", "relations", "score"}), "paper": one.paper_title,
         "definition": said.get(one.id)}
        for one in like
    ]  # fmt: skip
    about = {
        "id": node, "name": technique.name,
        "concepts": [{"id": one.id, "name": one.name} for one in technique.concepts if one.id in shared],
    }  # fmt: skip
    return Listing(items[asked.cursor :], "others", asked.cursor, len(items), about=about)


TOOLS = (
    Tool(
        "find_techniques",
        "Techniques that answer a query, each with its definition, why it is a hit, and its code with verdict and "
        "licence. Empty if nothing is near; `weak` hits may be meant.",
        _FindTechniques,
        _find_techniques,
    ),
    Tool(
        "get_technique",
        "All about one technique: definition, parts, needs; then places with LaTeX, quotes, and its code: `asserted`, "
        "`likely` or mere `candidate`.",
        _OfTechnique,
        _get_technique,
        nodes=frozenset({"id", "paper", "described_in", "code"}),
    ),
    Tool(
        "concepts",
        "The same technique in other papers, its variants and what is similar, the nearest first.",
        _OfTechnique,
        _concepts,
    ),
)
