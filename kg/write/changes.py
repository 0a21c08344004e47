"""What a write did to the graph, or would do."""

from collections import defaultdict

from kg.models.ids import Ref
from kg.models.paper import Model

__all__ = ["Changes", "ChangesBuilder"]

Keys = dict[str, tuple[str, ...]]


class Changes(Model):
    """Natural keys by label (nodes: their id) or by relationship type (edges: "start -> end"), sorted.

    `moved` counts what says the same as before at another place or commit: no change. `kept` lists nodes that are gone
    from the source but stay, because a curator's word holds them. `stale` lists code whose verdict was taken back.
    """

    paper: str
    nodes_added: Keys = {}
    nodes_changed: Keys = {}
    nodes_removed: Keys = {}
    edges_added: Keys = {}
    edges_changed: Keys = {}
    edges_removed: Keys = {}
    moved: int = 0
    kept: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """True if the graph says what it said before."""
        return not any(self.counts().values()) and not self.stale

    def counts(self) -> dict[str, int]:
        """How many nodes and edges were added, changed and removed."""
        names = [f"{what}_{how}" for what in ("nodes", "edges") for how in ("added", "changed", "removed")]
        return {name: sum(len(keys) for keys in getattr(self, name).values()) for name in names}

    def by_label(self) -> dict[str, dict[str, int]]:
        """Counts by label or relationship type: ``{"Section": {"added": 12}, …}``."""
        table: dict[str, dict[str, int]] = defaultdict(dict)
        for how in ("added", "changed", "removed"):
            for label, keys in sorted({**getattr(self, f"nodes_{how}"), **getattr(self, f"edges_{how}")}.items()):
                table[label][how] = len(keys)
        return dict(table)

    def summary(self) -> str:
        """One line for people."""
        if self.empty:
            return f"{self.paper}: no change"
        counts = self.counts()
        parts = [f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number]
        parts += [f"{len(self.stale)} verdicts no longer current"] if self.stale else []
        return f"{self.paper}: {', '.join(parts)}"


class ChangesBuilder:
    """Collects keys while a write goes on."""

    def __init__(self, paper: str) -> None:
        self._paper = paper
        self._keys: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self.moved = 0
        self.kept: set[str] = set()
        self.stale: set[str] = set()

    def node(self, how: str, ref: Ref) -> None:
        """A node was "added", "changed" or "removed"."""
        self._keys[f"nodes_{how}"][ref[0]].add(ref[1])

    def edge(self, how: str, key: tuple[str, Ref, Ref]) -> None:
        """An edge was "added", "changed" or "removed"."""
        self._keys[f"edges_{how}"][key[0]].add(f"{key[1][1]} -> {key[2][1]}")

    def build(self) -> Changes:
        """The finished, sorted report."""
        tables = {
            name: {label: tuple(sorted(keys)) for label, keys in sorted(table.items())}
            for name, table in self._keys.items()
        }
        return Changes(
            paper=self._paper,
            moved=self.moved,
            kept=tuple(sorted(self.kept)),
            stale=tuple(sorted(self.stale)),
            **tables,
        )
