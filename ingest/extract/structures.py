"""Candidates from a paper's structure: headings, paragraph and run-in heads, list items, algorithms."""

from ingest.extract.candidates import Candidate, Source
from ingest.extract.naming import title_names
from ingest.extract.outline import Node, Outline

__all__ = ["structures"]

_SOURCE: dict[str, Source] = {
    "heading": "heading", "paragraph": "paragraph", "run_in": "run-in", "item": "item", "algorithm": "algorithm",
}  # fmt: skip


def structures(plan: Outline) -> list[Candidate]:
    """One candidate for each titled stretch that has a name of its own."""
    found = []
    for index, node in enumerate(plan.nodes):
        if node.role in ("back", "intro") or _inside_back(plan, node):
            continue
        title = title_names(node.title) if node.title else None
        if title is not None:
            found.append(
                Candidate(
                    title.name, _SOURCE[node.kind], node.start, node.end, index, node.role, node.appendix,
                    aliases=title.aliases, clause=title.clause,
                )
            )  # fmt: skip
    return found


def _inside_back(plan: Outline, node: Node) -> bool:
    steps = 0
    while node.parent >= 0 and steps < 20:
        node = plan.nodes[node.parent]
        steps += 1
        if node.role == "back":
            return True
    return False
