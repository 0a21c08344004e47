"""docs/architecture.md says what is: its pictures are the import graph, and every package has its line."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PACKAGES = ("kg", "agents", "ingest", "explore", "cypher", "prompts")

Edges = set[tuple[str, str]]


def room(module: str) -> str:
    """The box of the first picture that a module lies in: kg is one, agents and ingest are shown by package."""
    parts = module.split(".")
    if parts[0] in {"agents", "ingest"}:
        return ".".join(parts[: 3 if parts[1:2] in (["execution"], ["code"]) else 2])
    return parts[0]


def part_of_kg(module: str) -> str:
    """The box of the second picture: a module or package directly below kg; "" for what is outside."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "kg" and len(parts) > 1 else ""


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def arrows(graph: grimp.ImportGraph, boxes: Mapping[str, str]) -> Edges:
    """The imports between boxes, without those that a longer way implies (the transitive reduction)."""
    below: dict[str, set[str]] = {}
    for module, box in boxes.items():
        for imported in graph.find_modules_directly_imported_by(module):
            other = boxes.get(imported, "")
            if box and other and not f"{box}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{box}."):
                below.setdefault(box, set()).add(other)

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            for box in below.get(waiting.pop(), set()) - found:
                found.add(box)
                waiting.append(box)
        return found

    return {
        (box, other)
        for box, others in below.items()
        for other in others
        if not any(other in reached(between) for between in others - {other})
    }


@pytest.mark.parametrize(("number", "boxed"), [(0, room), (1, part_of_kg)], ids=["house", "kg"])
def test_the_picture_is_the_import_graph(graph: grimp.ImportGraph, number: int, boxed: Callable[[str], str]) -> None:
    real = arrows(graph, {module: boxed(module) for module in graph.modules})
    block = re.findall(r"```mermaid\n(.*?)```", PAGE, re.DOTALL)[number]
    drawn = set(re.findall(r"^ *([\w.]+) --> ([\w.]+)$", block, re.MULTILINE))
    assert drawn == real, "the picture should be:\n" + "\n".join(f"    {a} --> {b}" for a, b in sorted(real))


def test_every_package_has_its_line(graph: grimp.ImportGraph) -> None:
    packages = {m for m in graph.modules if (ROOT / m.replace(".", "/")).is_dir() and not m.endswith(".inside")}
    told = set(re.findall(r"^\| `([\w/.]+)`", PAGE, re.MULTILINE))
    grouped = {"kg", "agents", "agents.code", "agents.execution", "ingest"}  # their packages have lines of their own
    assert {p.replace(".", "/") for p in packages - grouped} <= told
    assert [path for path in sorted(told) if not (ROOT / path).exists()] == []
