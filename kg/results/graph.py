"""Rows about the graph as a whole: its schema and the model of its vectors, counts, audits, pruning."""

from typing import Literal

from kg.results import Row


class MigrationRow(Row):
    """A migration the graph has had."""

    query = "schema/list_migrations"
    id: str
    number: int
    name: str
    checksum: str


class IndexInfo(Row):
    """The model of the graph's vectors."""

    query = "schema/read_index_info"
    model_id: str
    dimension: int


class BoundIndexInfo(IndexInfo):
    """The model in force after binding."""

    query = "schema/bind_index_info"


class VectorIndex(Row):
    """A vector index and the length of its vectors."""

    query = "schema/list_vector_indexes"
    name: str
    dimension: int


class Count(Row):
    """How many there are of something: in the `table` of nodes the `name` is a label, in that of edges a type."""

    query = "graph/count_all"
    table: Literal["nodes", "edges", "papers", "grounding", "verdicts", "verified"]
    name: str
    count: int


class Finding(Row):
    """Something that should not be: which check found it, how bad it is, on which node, and what it is."""

    query = "graph/find_faults"
    check: str
    severity: Literal["error", "warning"]
    label: str
    id: str
    detail: str


class GroundedTechnique(Row):
    """A technique with what its code shows; `components` are ids of techniques below it."""

    query = "prune/list_techniques"
    id: str
    element: str
    name: str
    kind: str | None
    paper: str | None
    curated: bool
    components: list[str]
    asserted: bool
    executable: bool
    verified: bool


class BlockCode(Row):
    """Imported code that goes with its techniques."""

    query = "prune/list_block_code"
    id: str
    element: str
    paper: str | None


class PaperSources(Row):
    """What a paper was made from; `pins` are "<repository>@<commit>"."""

    query = "prune/read_sources"
    id: str
    source_sha256: str
    pins: list[str]


class PrunedOfPaper(Row):
    """Ids of techniques and code that were pruned of a paper when it had these `sources`."""

    query = "prune/read_pruned"
    id: str
    pruned: list[str]
    level: str
    sources: str
