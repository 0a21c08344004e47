"""Items get their places: each below the innermost kept structure that encloses it, and the list is cut short."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.extract.merge import Item
from ingest.extract.outline import Outline
from ingest.extract.words import f1

__all__ = ["Branch", "grow"]

MOST_TOP = 22
MOST_CHILDREN = 7
MOST_ALL = 48
LEAST_TOP = 0.40
LEAST_CHILD = 0.30
LEAST_STEP = 0.22


@dataclass(slots=True)
class Branch:
    """An item and what stands below it."""

    item: Item
    children: list["Branch"] = field(default_factory=list)


def _home(item: Item, plan: Outline) -> int:
    """The outline node an item is at home in: its own, or that of the candidate that says most about it."""
    if item.node >= 0:
        return item.node
    order = ("called", "proposed", "definition", "emphasis", "pseudo-code", "step", "acronym", "used", "frequent")
    best = min(
        item.candidates,
        key=lambda c: (
            c.role not in ("method", "background"),
            c.appendix,
            order.index(c.source) if c.source in order else 9,
            c.start,
        ),
    )
    return best.node


def _ancestors(node: int, plan: Outline) -> list[int]:
    chain: list[int] = []
    while node >= 0 and len(chain) < 30:
        chain.append(node)
        node = plan.nodes[node].parent
    return chain


def grow(items: Sequence[Item], plan: Outline) -> list[Branch]:
    """Nested branches, best first, at most `MOST_TOP` at the top and `MOST_ALL` in all."""
    kept = _keep([item for item in items if item.score >= LEAST_STEP])
    owner: dict[int, Item] = {}
    for item in sorted(kept, key=lambda item: item.score):
        if item.structural:
            owner[item.node] = item
            for candidate in item.candidates:
                if candidate.source in ("heading", "paragraph", "run-in", "item", "algorithm"):
                    owner.setdefault(candidate.node, item)
    children: dict[int, list[Item]] = defaultdict(list)
    top: list[Item] = []
    for item in kept:
        chain = _ancestors(_home(item, plan), plan)
        parent = next((owner[n] for n in chain if n in owner and owner[n] is not item), None)
        if parent is None or _cycle(parent, item, owner, plan):
            top.append(item)
        else:
            children[id(parent)].append(item)
    branches = [_branch(item, children, 0) for item in top]
    return _cut(branches)


def _cycle(parent: Item, item: Item, owner: dict[int, Item], plan: Outline) -> bool:
    seen = 0
    at: Item | None = parent
    while at is not None and seen < 30:
        if at is item:
            return True
        chain = _ancestors(_home(at, plan), plan)
        at = next((owner[n] for n in chain if n in owner and owner[n] is not at), None)
        seen += 1
    return seen >= 30


def _keep(items: list[Item]) -> list[Item]:
    """Greedy by score; what is nearly the same as something better is left out."""
    kept: list[Item] = []
    for item in sorted(items, key=lambda item: (-item.score, item.candidates[0].start, item.name)):
        if not item.structural and any(f1(item.key, other.key) >= 0.8 for other in kept):
            continue
        kept.append(item)
    return kept


def _branch(item: Item, children: dict[int, list[Item]], depth: int) -> Branch:
    below = children.get(id(item), []) if depth < 4 else []
    return Branch(item, [_branch(child, children, depth + 1) for child in below])


def _cut(branches: list[Branch]) -> list[Branch]:
    for branch in branches:
        _prune(branch)
    top = [b for b in branches if b.item.score >= LEAST_TOP or (b.children and b.item.structural)]
    top.sort(key=lambda b: (-_worth(b), b.item.candidates[0].start, b.item.name))
    top = top[:MOST_TOP]
    _shrink(top)
    return top


def _worth(branch: Branch) -> float:
    return branch.item.score + 0.15 * sum(_worth(child) for child in branch.children[:4])


def _prune(branch: Branch) -> None:
    for child in branch.children:
        _prune(child)
    branch.children = [
        c for c in branch.children
        if c.item.score >= (LEAST_STEP if c.item.sources <= {"step", "pseudo-code"} else LEAST_CHILD) or c.children
    ]  # fmt: skip
    branch.children.sort(key=lambda b: (-_worth(b), b.item.candidates[0].start, b.item.name))
    branch.children = branch.children[:MOST_CHILDREN]


def _all(branches: Sequence[Branch]) -> list[tuple[Branch, list[Branch]]]:
    found: list[tuple[Branch, list[Branch]]] = []
    queue = [(branch, None) for branch in branches]  # type: list[tuple[Branch, list[Branch] | None]]
    while queue:
        branch, siblings = queue.pop(0)
        if siblings is not None:
            found.append((branch, siblings))
        queue += [(child, branch.children) for child in branch.children]
    return found


def _shrink(top: list[Branch]) -> None:
    """Leaves of the least score go until at most `MOST_ALL` branches are left."""
    while True:
        below = _all(top)
        if len(below) + len(top) <= MOST_ALL:
            return
        leaves = [(branch, siblings) for branch, siblings in below if not branch.children]
        if not leaves:
            return
        branch, siblings = min(leaves, key=lambda pair: (pair[0].item.score, pair[0].item.name))
        siblings.remove(branch)
