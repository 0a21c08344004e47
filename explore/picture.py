"""The neighbourhood of a node as a picture: the node in the middle, what stands beside it around, by relation.

The left half holds what points at the node, the right half what it points at, each in columns, so that names are beside
their circles and never upon each other, and the same graph always gives the same picture.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import get_args

from explore.links import address
from kg.models.execution import Verdict
from kg.results.explore import Centre, NeighbourRow

__all__ = ["Drawn", "Picture", "draw"]

WIDTH, ROW, TOP, RADIUS = 960, 34, 44, 9
LEFT, MIDDLE, RIGHT = 300, 480, 660
LONGEST_NAME = 36
VERDICTS = get_args(Verdict)
RELATIONS = {
    ("HAS_TECHNIQUE", True): "its techniques", ("HAS_TECHNIQUE", False): "of the paper",
    ("HAS_COMPONENT", True): "its parts", ("HAS_COMPONENT", False): "part of",
    ("IMPLEMENTED_BY", True): "implemented by", ("IMPLEMENTED_BY", False): "implements",
    ("MAY_BE_IMPLEMENTED_BY", True): "may be implemented by", ("MAY_BE_IMPLEMENTED_BY", False): "may implement",
    ("INSTANCE_OF", True): "the same in all papers", ("INSTANCE_OF", False): "is in papers",
    ("DEPENDS_ON", True): "needs", ("DEPENDS_ON", False): "is needed by",
    ("HAS_REPOSITORY", True): "its repository", ("HAS_REPOSITORY", False): "repository of",
    ("FROM_REPOSITORY", True): "from the repository", ("FROM_REPOSITORY", False): "has code",
    ("USES", True): "uses", ("USES", False): "is used by",
    ("HAS_MEMBER", True): "its members", ("HAS_MEMBER", False): "member of",
    ("REWRITTEN_FROM", True): "rewritten from", ("REWRITTEN_FROM", False): "rewritten as",
    ("CITES", True): "cites", ("CITES", False): "is cited by",
    ("VARIANT_OF", True): "variant of", ("VARIANT_OF", False): "has the variant",
    ("SIMILAR_TO", True): "similar to", ("SIMILAR_TO", False): "similar to",
}  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A neighbour and its place; `title` is set above the first of a relation."""

    row: NeighbourRow
    x: int
    y: int
    title: str
    href: str
    leftward: bool
    shade: str

    @property
    def name(self) -> str:
        """As much of its name as there is room for."""
        return short(self.row.name or self.row.id)

    @property
    def verdict(self) -> str:
        """The verdict of code, "" of all else."""
        return self.shade.partition(" ")[2]

    @property
    def edge(self) -> str:
        """The class of its edge: how surely the two belong together."""
        return self.row.standing or "structural"


@dataclass(frozen=True)
class Picture:
    """A picture of so many units, with what is in it."""

    centre: Centre
    drawn: tuple[Drawn, ...]
    shade: str
    height: int
    width: int = WIDTH
    middle: int = MIDDLE
    radius: int = RADIUS

    @property
    def lists(self) -> tuple[tuple[str, list[Drawn]], ...]:
        """What is drawn, by relation."""
        found: list[tuple[str, list[Drawn]]] = []
        for one in self.drawn:
            if one.title:
                found.append((one.title, []))
            found[-1][1].append(one)
        return tuple(found)

    @property
    def name(self) -> str:
        """The name in the middle."""
        return short(self.centre.name or self.centre.id)


def short(text: str) -> str:
    """A name cut to the room beside a circle."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def shade(node: Centre | NeighbourRow, doubted: Collection[str]) -> str:
    """The classes of a circle: what it is, and the verdict of code."""
    verdict = "unverified" if node.id in doubted or node.verdict not in VERDICTS else node.verdict
    return f"{node.label} {verdict}" if node.label == "Code" else node.label


def draw(centre: Centre, rows: Sequence[NeighbourRow], doubted: Collection[str] = ()) -> Picture:
    """Places for all rows: those that point at the centre left, those that it points at right.

    Code of `doubted` ids is shown as unverified, whatever the graph says.
    """
    sides = {False: [row for row in rows if not row.outgoing], True: [row for row in rows if row.outgoing]}
    drawn, lowest = [], TOP
    for outgoing, side in sides.items():
        y, before = TOP, None
        for row in side:
            title = "" if row.relation == before else RELATIONS.get((row.relation, outgoing), row.relation)
            y += ROW if title and before else 0
            drawn.append(
                Drawn(
                    row,
                    RIGHT if outgoing else LEFT,
                    y,
                    title,
                    address(row.id, row.label),
                    not outgoing,
                    shade(row, doubted),
                )
            )
            before, y = row.relation, y + ROW
        lowest = max(lowest, y)
    return Picture(centre, tuple(drawn), shade(centre, doubted), max(lowest, 2 * TOP + ROW))
