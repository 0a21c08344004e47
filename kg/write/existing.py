"""What the graph holds already of one paper, its code and its repositories."""

from dataclasses import dataclass, field

from kg.models.ids import Ref
from kg.results.write import RepositoryUse, StoredCode, StoredEdge, StoredNode, StoredRepository
from kg.store import Transaction

__all__ = ["OWNED_EDGES", "Existing", "Pin", "read_existing"]

OWNED_EDGES = frozenset(
    {
        "HAS_SECTION", "HAS_EQUATION", "HAS_ALGORITHM", "HAS_FIGURE", "HAS_TABLE", "HAS_TECHNIQUE", "HAS_COMPONENT",
        "DESCRIBED_IN", "REFERS_TO", "CITES",
        "IMPLEMENTED_BY", "MAY_BE_IMPLEMENTED_BY", "NOT_IMPLEMENTED_BY", "HAS_REPOSITORY", "FROM_REPOSITORY",
        "USES", "HAS_MEMBER", "DEPENDS_ON",
    }
)  # fmt: skip
"""Relationship types that belong to the paper at their start; INSTANCE_OF and VERIFIED_BY are not the writer's."""

Pin = tuple[str, str]
"""A repository's id and a commit."""


@dataclass
class Existing:
    """Nodes and edges that belong to one paper.

    `code` maps each pin (repository at a commit) that the paper used, or is to use, to its Code nodes; `others` are
    the pins that other papers use; `repositories` are the Repository nodes concerned.
    """

    nodes: dict[Ref, StoredNode] = field(default_factory=dict)
    edges: list[StoredEdge] = field(default_factory=list)
    code: dict[Pin, dict[Ref, StoredNode]] = field(default_factory=dict)
    others: set[Pin] = field(default_factory=set)
    repositories: dict[str, StoredNode] = field(default_factory=dict)

    def element(self, ref: Ref) -> str | None:
        """The element of an owned node."""
        stored = self.nodes.get(ref) or next((code[ref] for code in self.code.values() if ref in code), None)
        return stored.element if stored else None

    @property
    def pins(self) -> set[Pin]:
        """The pins that the paper's own edges name."""
        return {
            (edge.end_id, edge.properties.get("commit", "")) for edge in self.edges if edge.type == "HAS_REPOSITORY"
        }


def _keyed(rows: list[StoredNode]) -> dict[Ref, StoredNode]:
    return {(row.label, row.id): row for row in rows}


def _edges(tx: Transaction, nodes: dict[Ref, StoredNode]) -> list[StoredEdge]:
    elements = [node.element for node in nodes.values()]
    return [row for row in tx.row_batches(StoredEdge, "elements", elements) if row.type in OWNED_EDGES]


def read_existing(tx: Transaction, paper: str, wanted: Pin | None) -> Existing:
    """Everything of `paper`, the code at the pins it used and at `wanted`, and who else uses those repositories."""
    found = Existing(_keyed(list(tx.rows(StoredNode, paper=paper, prefix=f"{paper}#"))))
    found.edges = _edges(tx, found.nodes)
    pins = found.pins | ({wanted} if wanted else set())
    repositories = sorted({repository for repository, _ in pins})
    for use in tx.rows(RepositoryUse, ids=repositories):
        if use.paper != paper:
            found.others.add((use.repository, use.commit or ""))
    found.repositories = {node.id: node for node in tx.rows(StoredRepository, ids=repositories)}
    for repository, commit in sorted(pins):
        code = _keyed(list(tx.rows(StoredCode, prefix=f"{repository}@{commit}:")))
        found.code[repository, commit] = code
        found.edges += _edges(tx, code)
    return found
