"""Entries become a tree: every one below the parent it was given, if the paper bears that out, else below the root."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.extract.judged.checks import Entry
from ingest.extract.judged.drops import Drop, Reason
from ingest.extract.judged.passages import Passages
from ingest.extract.judged.quotes import says
from ingest.extract.words import key_of

__all__ = ["Placed", "place"]


@dataclass
class Placed:
    """An entry and those below it, in the order of the paper."""

    entry: Entry
    children: list["Placed"] = field(default_factory=list)


def place(root: Entry, entries: Sequence[Entry], passages: Passages, lost: Sequence[str]) -> tuple[Placed, list[Drop]]:
    """The tree of `root` and `entries`, and the parents that were not taken.

    `lost` are names of entries that were dropped: who had one of them as parent stands below the root without further
    words.
    """
    known = {key_of(name): entry for entry in (*entries, root) for name in reversed(entry.names)}
    gone = {key_of(name) for name in lost}
    parents: dict[int, Entry] = {}
    drops: list[Drop] = []
    for entry in entries:
        parent = known.get(key_of(entry.parent)) if entry.parent else root
        reason = None
        if parent is None:
            reason = None if key_of(entry.parent) in gone else Reason.PARENT_UNKNOWN
        elif parent is entry or _above(parent, entry, parents):
            reason, parent = Reason.CYCLE, None
        elif parent is not root and not _related(parent, entry, passages):
            reason, parent = Reason.PARENT_UNRELATED, None
        if reason:
            drops.append(Drop(reason=reason, entry=entry.name, detail=entry.parent[:120]))
        parents[id(entry)] = parent or root
    nodes = {id(entry): Placed(entry) for entry in (root, *entries)}
    for entry in sorted(entries, key=_start):
        nodes[id(parents[id(entry)])].children.append(nodes[id(entry)])
    return nodes[id(root)], drops


def _start(entry: Entry) -> int:
    """Where an entry is defined."""
    starts = [found.start for role, found in entry.quotes if role == "definition"]
    return min(starts, default=0)


def _above(entry: Entry, other: Entry, parents: dict[int, Entry]) -> bool:
    """Whether `other` stands above `entry`."""
    at: Entry | None = entry
    while at is not None:
        at = parents.get(id(at))
        if at is other:
            return True
    return False


def _related(parent: Entry, child: Entry, passages: Passages) -> bool:
    """Whether a section that the parent stands in encloses the child or says one of its names; or a passage of the
    child says one of the parent's."""
    for start, end in _sections(parent, passages):
        if any(start <= passage.start < end for passage in child.passages):
            return True
        if any(says(passage.text, name) for passage in passages.inside(start, end) for name in child.names):
            return True
    return any(says(passage.text, name) for passage in child.passages for name in parent.names)


def _sections(entry: Entry, passages: Passages) -> list[tuple[int, int]]:
    """The stretches of text that an entry stands in: innermost headings (not run-in heads), abstract aside."""
    found = []
    for passage in entry.passages:
        at = passage.node
        while at >= 0 and passages.plan.nodes[at].kind != "heading":
            at = passages.plan.nodes[at].parent
        if at >= 0:
            node = passages.plan.nodes[at]
            found.append((node.start, node.end))
    return list(dict.fromkeys(found))
