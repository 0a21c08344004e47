"""Items get their places: each below the innermost kept structure that encloses it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.extract.merge import STRUCTURAL, Item
from ingest.extract.outline import Outline

__all__ = ["Branch", "grow", "parents_of"]

MOST_TOP = 18
_DEEPEST = 4
_OF_ITS_OWN = 0.5


@dataclass(slots=True)
class Branch:
    """An item and what stands below it."""

    item: Item
    children: list["Branch"] = field(default_factory=list)


def grow(items: Sequence[Item], plan: Outline) -> list[Branch]:
    """Nested branches in order of worth, at most `MOST_TOP` at the top."""
    branches = {id(item): Branch(item) for item in items}
    parents = parents_of(items, plan)
    top: list[Branch] = []
    for item in items:
        if parent := parents.get(id(item)):
            branches[id(parent)].children.append(branches[id(item)])
        else:
            top.append(branches[id(item)])
    top = opened([branch for branch in top if not is_stray(branch)])
    for branch in branches.values():
        branch.children.sort(key=_order)
    top.sort(key=_order)
    top = rooted(top[:MOST_TOP])
    _flatten(top)
    return top


def parents_of(items: Sequence[Item], plan: Outline) -> dict[int, Item]:
    """By ``id(item)`` the item that each stands below, without circles; those at the top are not in it."""
    owner: dict[int, Item] = {}
    for item in sorted(items, key=lambda item: item.score):
        if item.structural:
            owner[item.node] = item
    for item in sorted(items, key=lambda item: -item.score):
        for candidate in item.candidates:
            if candidate.source in STRUCTURAL:
                owner.setdefault(candidate.node, item)
    parents: dict[int, Item] = {}
    for item in items:
        parent = _parent(item, owner, plan)
        if parent is not None and not _above(parent, item, parents):
            parents[id(item)] = parent
    return parents


def _parent(item: Item, owner: dict[int, Item], plan: Outline) -> Item | None:
    at, steps = item.home, 0
    while at >= 0 and steps < 40:
        if at in owner and owner[at] is not item:
            return owner[at]
        at, steps = plan.nodes[at].parent, steps + 1
    return None


def _above(item: Item, other: Item, parents: dict[int, Item]) -> bool:
    """Whether `other` is `item` or stands above it."""
    at: Item | None = item
    while at is not None:
        if at is other:
            return True
        at = parents.get(id(at))
    return False


def is_stray(branch: Branch) -> bool:
    """Whether a phrase or step belongs to no structure and stands where no method is told."""
    item = branch.item
    in_method = any(c.role in ("method", "background") and not c.appendix for c in item.candidates)
    return not item.structural and not branch.children and not in_method and item.score < 0.5


def opened(top: list[Branch]) -> list[Branch]:
    """The strongest named techniques stand at the top, steps stay where they belong, as long as the list is short.

    What a reader looks for is then seen at once, however deep the paper's headings put it.
    """
    while len(top) < MOST_TOP:
        inner = [
            (branch, child)
            for branch in top
            for child in branch.children
            if child.item.score >= _OF_ITS_OWN and not child.item.told
        ]
        if not inner:
            break
        branch, child = min(inner, key=lambda pair: (-pair[1].item.score, pair[1].item.name))
        branch.children.remove(child)
        top = [*top, child]
    return top


def rooted(top: list[Branch]) -> list[Branch]:
    """What the paper calls its own stands first, and above what its method sections have a title for."""
    root = next((branch for branch in top if "own" in branch.item.sources), None)
    if root is None:
        return top
    below = [branch for branch in top if branch is not root and _is_of_method(branch.item)]
    root.children = sorted([*root.children, *below], key=_order)
    return [root, *(branch for branch in top if branch is not root and branch not in below)]


def _is_of_method(item: Item) -> bool:
    return item.structural and any(
        c.role == "method" and not c.appendix and c.source in STRUCTURAL for c in item.candidates
    )


def _flatten(branches: Sequence[Branch]) -> None:
    """What stands deeper than `_DEEPEST` moves up to that depth."""
    level, depth = list(branches), 1
    while level:
        if depth == _DEEPEST:
            for branch in level:
                branch.children = _leaves(branch.children)
            return
        level = [child for branch in level for child in branch.children]
        depth += 1


def _leaves(branches: Sequence[Branch]) -> list[Branch]:
    found, queue = [], list(branches)
    while queue:
        branch = queue.pop(0)
        queue += branch.children
        found.append(Branch(branch.item))
    return found


def _worth(branch: Branch) -> float:
    """An item's score, or nearly that of the best below it."""
    return max([branch.item.score, *(0.9 * _worth(child) for child in branch.children)])


def _order(branch: Branch) -> tuple[float, int, str]:
    return (-_worth(branch), branch.item.candidates[0].start, branch.item.name)
