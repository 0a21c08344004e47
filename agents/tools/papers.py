"""Tools that tell what papers say, without any code."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import Any

from pydantic import Field

from agents.tools.context import Context
from agents.tools.envelope import Listing, Text, sealed
from agents.tools.tool import Arguments, Cursor, Id, Limit, Need, Tool
from kg.body import in_order, passages
from kg.cli.common import printable
from kg.errors import AbsentError, InputError
from kg.lookup import find_node
from kg.models.labels import STATUS
from kg.results.piece import BodyPart, Reference
from kg.results.show import PlannedTechnique, ShownPaper
from kg.search.filters import Only
from kg.search.results import SectionHit
from kg.similar import similar_papers as papers_like

__all__ = ["TOOLS", "find_read", "only_of", "paper_text"]

MOST = 50
"""Papers that are compared at all."""
BRIEF = (480, 240, 120)
"""Characters of a definition in a tree that has no room for all it has to say: the first with which one answer has
room for the tree, or the last."""
SHORT = ("paper", "title", "only_cited", "brief")
"""What is said about a plan on each of its pages."""
PAPER_TOO = frozenset({"id", "paper"})
CITED = STATUS["CitedWork"]


def find_read(context: Context, paper: str) -> str:
    """The id of the paper that is meant, which has been read. Raises InputError, AbsentError for one that has not."""
    node = find_node(context.store, "Paper", paper)
    if _shown(context, node).status == CITED:
        raise AbsentError(
            f"{node} is only cited by papers of the graph: its text was never read",
            remedy="ask for a paper that has been read; `similar_papers` finds them",
        )
    return node


def _shown(context: Context, node: str) -> ShownPaper:
    (paper,) = context.store.rows(ShownPaper, id=node)
    return paper


class _Plan(Arguments):
    paper: Id
    cursor: Cursor = 0


def _paper_plan(context: Context, asked: _Plan) -> Listing:
    node = find_node(context.store, "Paper", asked.paper)
    paper = _shown(context, node)
    tree = list(_tree(context.store.rows(PlannedTechnique, paper=node)))
    for width in (None, *BRIEF):
        plan = _as_plan(node, paper, tree, width)
        if not sealed(replace(plan, cut=False), context.limit_tokens).truncated:
            break
    about = plan.about if asked.cursor == 0 else {k: plan.about[k] for k in SHORT if k in plan.about}
    items = plan.items[asked.cursor :]
    cut = plan.cut and (asked.cursor == 0 or bool(items))
    return replace(plan, items=items, start=asked.cursor, about=about, cut=cut)


def _as_plan(node: str, paper: ShownPaper, tree: Sequence[Mapping[str, Any]], width: int | None) -> Listing:
    """All that a plan has to say; with a `width` only what tells techniques from others, so that a tree is seen whole
    before a part of it is looked at. The last width has the titles of the first level alone."""
    deepest = 1 if width == BRIEF[-1] else 9
    about = {
        "paper": node,
        "title": paper.title,
        "only_cited": True if paper.status == CITED else None,
        "brief": True if width else None,
        "year": paper.year,
        "abstract": shorten(paper.abstract, 3 * width, placeholder=" …") if width else paper.abstract,
        "sections": [
            f"{one.number or ''} {one.title or ''}".strip() for one in paper.sections if (one.level or 1) <= deepest
        ],
    }
    items = [_brief(one, width) for one in tree] if width else tree
    return Listing(items, "techniques", total=len(tree), about=about, cut=bool(width))


def _brief(item: Mapping[str, Any], width: int) -> dict[str, Any]:
    return {
        **{name: item[name] for name in ("id", "name", "depth", "kind")},
        "definition": shorten(item["definition"], width, placeholder=" …"),
    }


def _tree(rows: Sequence[PlannedTechnique]) -> Iterator[dict[str, Any]]:
    """Each technique once, behind the first that it is a part of."""
    below: dict[str | None, list[PlannedTechnique]] = defaultdict(list)
    for row in rows:
        below[row.parent].append(row)
    seen: set[str] = set()

    def walk(parent: str | None, depth: int) -> Iterator[dict[str, Any]]:
        for row in below[parent]:
            if row.id not in seen:
                seen.add(row.id)
                yield {**row.model_dump(exclude={"parent", "order"}), "depth": depth}
                yield from walk(row.id, depth + 1)

    yield from walk(None, 0)


class _Similar(Arguments):
    paper: str = Field("", max_length=500)
    about: str = Field("", max_length=20_000, description="instead of a paper: an abstract or a topic")
    limit: Limit = 5
    cursor: Cursor = 0


def _similar_papers(context: Context, asked: _Similar) -> Listing:
    if bool(asked.paper) == bool(asked.about.strip()):
        raise InputError("one of `paper` and `about` is needed", remedy="give a paper of the graph, or words")
    if asked.about:
        found = context.search("papers", asked.about, limit=asked.limit, after=asked.cursor)
        items = [hit.model_dump(include={"id", "name", "year", "score", "snippet"}) for hit in found.hits]
        return Listing(items, "papers", asked.cursor, more=found.next_cursor is not None)
    node = find_node(context.store, "Paper", asked.paper)
    like = papers_like(context.store, node, MOST)
    shown = [
        {**one.model_dump(include={"id", "year", "score", "concepts"}), "name": one.title, "both_cite": one.shared}
        for one in like[asked.cursor : asked.cursor + asked.limit]
    ]
    return Listing(shown, "papers", asked.cursor, len(like), more=len(like) > asked.cursor + asked.limit)


class _FindSections(Arguments):
    query: Need
    paper: str = Field("", max_length=500, description="only in this one")
    limit: Limit = 5
    cursor: Cursor = 0


def only_of(context: Context, paper: str, **more: tuple[str, ...]) -> Only:
    """A search narrowed to a paper, if one is named."""
    return Only(papers=(find_node(context.store, "Paper", paper),) if paper else (), **more)


def _find_sections(context: Context, asked: _FindSections) -> Listing:
    only = only_of(context, asked.paper)
    found = context.search("sections", asked.query, limit=asked.limit, after=asked.cursor, only=only)
    items = [
        {
            **hit.model_dump(include={"id", "name", "score", "strength", "snippet"}),
            "paper": hit.paper_title or hit.paper,
        }
        for hit in found.hits
        if isinstance(hit, SectionHit)
    ]
    return Listing(items, "sections", asked.cursor, more=found.next_cursor is not None)


class _ReadSection(Arguments):
    section: Id
    cursor: Cursor = 0


def _read_section(context: Context, asked: _ReadSection) -> Text:
    node = find_node(context.store, "Section", asked.section)
    parts = in_order(context.store.rows(BodyPart, id=node.partition("#")[0]))
    (part,) = (part for part in parts if part.id == node)
    inside = [{"id": one.id, "name": f"{one.number} {one.title}".strip()} for one in parts if one.parent == node]
    about = {"id": node, "paper": node.partition("#")[0], "number": part.number, "title": part.title, "inside": inside}
    references = context.store.rows(Reference, id=node)
    return Text("\n\n".join(_lines(part, references)), about, asked.cursor)


def _lines(part: BodyPart, references: Sequence[Reference]) -> Iterator[str]:
    for passage in passages(part):
        if passage.kind == "text":
            yield passage.text
        else:
            yield _piece(passage.kind, passage.id or "", passage.caption, passage.text)
    if references:
        yield "It refers to:"
    for one in references:
        yield (
            f"[section {one.id}] {one.name}"
            if one.kind == "section"
            else _piece(one.kind, one.id, one.caption, one.latex)
        )


def _piece(kind: str, node: str, caption: str, latex: str) -> str:
    return "\n".join(line for line in (f"[{kind} {node}]", caption, latex if kind != "figure" else "") if line)


def paper_text(context: Context, paper: str) -> str:
    """A paper as it is read, in Markdown, with its formulas in LaTeX. Raises InputError."""
    node = find_read(context, paper)
    lines = []
    for part in in_order(context.store.rows(BodyPart, id=node)):
        lines += [f"{'#' * min(part.level + 1, 6)} {part.number} {part.title}".replace("  ", " "), *_lines(part, ())]
    return printable("\n\n".join(lines))


TOOLS = (
    Tool(
        "paper_plan",
        "To plan from: abstract, tree of techniques with definitions, equations, sections (`brief`: cut). No code.",
        _Plan,
        _paper_plan,
        nodes=PAPER_TOO,
    ),
    Tool(
        "similar_papers",
        "Papers of the graph like one of them (meaning, rare works that both cite, shared concepts) or like a text.",
        _Similar,
        _similar_papers,
    ),
    Tool("find_sections", "Sections of papers that answer a query.", _FindSections, _find_sections),
    Tool(
        "read_section",
        "A section's own text with its equations, algorithms and tables in LaTeX, and what it refers to elsewhere. "
        "`section` is an id, or its end.",
        _ReadSection,
        _read_section,
        nodes=PAPER_TOO,
    ),
)
