"""What the graph tells an agent, as a component that can be put in or left out, in parts.

Four parts can be switched off, each with the tools that ask for it and with what other tools tell of it:

- papers: other papers, and the techniques that were found in the paper itself;
- techniques: definitions, and what implements them;
- code: bodies, and which code there is;
- graph: all of it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agents.loops.target import Target
from agents.loops.trajectory import Trajectory
from agents.tools import TOOLS, Context, Envelope, Tool, call

__all__ = ["PARTS", "Knowledge", "Part"]

Part = Literal["papers", "techniques", "code", "graph"]
PARTS: tuple[Part, ...] = ("papers", "techniques", "code", "graph")

ASKS: Mapping[Part, frozenset[str]] = {
    "papers": frozenset({"paper_plan", "similar_papers", "find_sections", "read_section"}),
    "techniques": frozenset({"find_techniques", "get_technique", "concepts", "why_hit", "unknown"}),
    "code": frozenset({"get_code", "find_code", "find_verified_code", "why_hit", "unknown"}),
    "graph": frozenset(TOOLS),
}
"""The tools that are gone without a part."""
TELLS: Mapping[Part, frozenset[str]] = {
    "papers": frozenset({"paper", "paper_title", "described_in", "place", "quote"}),
    "techniques": frozenset({"technique", "techniques", "implements", "concepts", "why"}),
    "code": frozenset({"code", "likely_code", "candidates"}),
    "graph": frozenset(),
}
"""What the answers of the other tools lose with it. An item of a list that begins with one of these goes as a whole."""

SIMILAR, NEEDS, PAIRS, BODIES = 2, 3, 2, 3
"""Papers that a plan is shown, needs of a file that are looked up, pairs of each, and bodies of a file in all."""


class Knowledge:
    """The graph behind `context`, without some parts of it; every question is a step of the trajectory."""

    def __init__(self, context: Context, target: Target, trajectory: Trajectory, without: Sequence[Part] = ()) -> None:
        self.context, self.target, self.trajectory = context, target, trajectory
        self.without = frozenset(without)
        if "graph" in self.without:
            self.without = frozenset(PARTS)

    @property
    def tools(self) -> list[Tool]:
        """Those that are left."""
        gone = {name for part in self.without for name in ASKS[part]}
        return [tool for name, tool in TOOLS.items() if name not in gone]

    def ask(self, name: str, arguments: Mapping[str, Any]) -> Envelope:
        """What a tool says, without what is switched off."""

        def work() -> dict[str, Any]:
            left = {tool.name: tool for tool in self.tools}
            given = call(self.context, name, arguments, left, outages=True)
            data = self._left(given.data)
            nodes = left[name].nodes_in(data) if data else []
            return {**given.model_copy(update={"data": data}).value(), "nodes": nodes}

        return Envelope.model_validate(self.trajectory.do("graph", name, dict(arguments), work).result)

    def planning(self) -> str:
        """For a plan: what was found in the paper itself, and papers like it with their techniques; never any code."""
        if "papers" in self.without:
            return ""
        said = [] if "techniques" in self.without else [f"Found in this paper:\n{self.target.tree()}"]
        like = self.ask("similar_papers", {"about": self.target.abstract or self.target.title, "limit": SIMILAR})
        for paper in (like.data or {}).get("papers", ()):
            plan = self.ask("paper_plan", {"paper": paper["id"]})
            if plan.data:
                said.append(f"Another paper:\n{_told(plan.data)}")
        return "\n\n".join(said)

    def coding(self, needs: Sequence[str]) -> list[dict[str, Any]]:
        """For a file: pairs of a technique and code for each need, verified ones first, or what is left of them."""
        found: dict[str, dict[str, Any]] = {}
        for need in needs[:NEEDS]:
            for pair in self._pairs(need):
                code = pair.get("code")
                key = code["id"] if code else _told(pair)
                if key not in found and len(found) < BODIES:
                    body = self.ask("get_code", {"code": code["id"]}).data if code else None
                    found[key] = {**pair, **({"code": body} if body else {})}
        return list(found.values())

    def _pairs(self, need: str) -> list[dict[str, Any]]:
        if "code" not in self.without:
            data = self.ask("find_verified_code", {"need": need, "limit": PAIRS}).data or {}
            if pairs := [pair for pair in data.get("pairs", ()) if pair.get("strength") == "strong"]:
                return pairs
        if "techniques" in self.without:
            return []
        data = self.ask("find_techniques", {"query": need, "limit": PAIRS}).data or {}
        hits = [hit for hit in data.get("techniques", ()) if hit.get("strength") == "strong"]
        facts = ("id", "name", "paper", "definition")
        return [
            {"technique": {fact: hit[fact] for fact in facts if fact in hit}, **({"code": code} if code else {})}
            for hit in hits
            for code in (hit.get("code") or [None])[:1]
        ]

    def _left(self, data: dict[str, Any] | None) -> dict[str, Any] | None:
        gone = frozenset(key for part in self.without for key in TELLS[part])
        return _bare(data, gone) if data is not None and gone else data


def _bare(value: Any, gone: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: _bare(item, gone) for key, item in value.items() if key not in gone}
    if isinstance(value, list):
        return [_bare(item, gone) for item in value if not (isinstance(item, dict) and next(iter(item), "") in gone)]
    return value


def _told(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
