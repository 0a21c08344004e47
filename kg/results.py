"""What each query returns, one model for each: the columns of its `// returns:` line, typed.

A model names its query; `Store.rows(Model, **params)` runs it and gives the rows. `result_models()` finds them all,
wherever they are declared, so that a test can compare every model with its query.
"""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

__all__ = ["Row", "result_models"]


class Row(BaseModel):
    """Base of all result models; fields are columns, a column more or less is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    query: ClassVar[str]


def result_models() -> dict[str, type[Row]]:
    """Every imported result model by the name of its query."""
    found: dict[str, type[Row]] = {}
    todo = list(Row.__subclasses__())
    while todo:
        model = todo.pop()
        todo += model.__subclasses__()
        if "query" in model.__dict__:
            found[model.query] = model
    return found


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


class VectorIndex(Row):
    """A vector index and the length of its vectors."""

    query = "schema/list_vector_indexes"
    name: str
    dimension: int


class StoredNode(Row):
    """As much of a node as the writer needs to see whether it must change."""

    query = "write/read_paper_nodes"
    label: str
    id: str
    element: str
    content_hash: str | None
    place: dict[str, Any]
    curated: bool
    embedding_model: str | None


class StoredCode(StoredNode):
    """The same for code."""

    query = "write/read_code_nodes"


class StoredRepository(StoredNode):
    """The same for repositories."""

    query = "write/read_repositories"


class KnownPaper(StoredNode):
    """A paper found by its id or one of the names it goes by, its own or those that citing papers give it."""

    query = "write/find_papers"
    status: str | None
    arxiv_ids: list[str]
    dois: list[str]
    title_keys: list[str]


class StoredEdge(Row):
    """An edge with all it carries."""

    query = "write/read_edges"
    element: str
    type: str
    start_label: str
    start_id: str
    end_label: str
    end_id: str
    properties: dict[str, Any]


class RepositoryUse(Row):
    """A paper's use of a repository."""

    query = "write/read_repository_users"
    repository: str
    paper: str
    commit: str | None


class Claim(Row):
    """What one paper says of a paper it cites (properties of its CITES edge)."""

    query = "write/read_claims"
    cited: str
    citing: str
    properties: dict[str, Any]


class TechniqueRow(Row):
    """A technique as far as joining needs it."""

    query = "concept/list_techniques"
    id: str
    name: str
    aliases: list[str]
    paper: str | None
    has_vector: bool


class Instance(Row):
    """A technique's place in a concept."""

    query = "concept/list_instances"
    technique: str
    concept: str
    score: float
    decided_by: str


class ConceptRow(Row):
    """A concept and how far it is shared."""

    query = "concept/list_concepts"
    id: str
    name: str
    aliases: list[str]
    curated: bool
    techniques: int
    papers: int


class ConceptMember(Row):
    """A technique of a concept, with its paper."""

    query = "concept/list_members"
    technique: str
    name: str
    kind: str
    definition: str | None
    paper: str | None
    title: str | None
    score: float
    decided_by: str


class Decision(Row):
    """A curator's decision about concepts. `when` is a date and time of ISO 8601; `former` are concepts it changed."""

    query = "concept/list_decisions"
    id: str
    action: str
    who: str
    when: str
    why: str
    concept: str
    former: list[str]
    techniques: list[str]


class BackupNode(Row):
    """A node of a backup."""

    query = "backup/list_nodes"
    label: str
    id: str | None
    element: str


class BackupEdge(Row):
    """An edge of a backup."""

    query = "backup/list_edges"
    type: str
    start_label: str
    start_id: str
    end_label: str
    end_id: str
    element: str


class NodeCount(Row):
    """Nodes of a label."""

    query = "graph/count_nodes"
    label: str
    count: int


class EdgeCount(Row):
    """Relationships of a type."""

    query = "graph/count_edges"
    type: str
    count: int


class PaperCount(Row):
    """Papers of a status."""

    query = "graph/count_papers"
    status: str | None
    count: int


class GroundingCount(Row):
    """Techniques by what code they have."""

    query = "graph/count_grounding"
    asserted: int
    candidates: int
    none: int


class VerdictCount(Row):
    """Code of a verdict."""

    query = "graph/count_verdicts"
    verdict: str
    count: int


class Finding(Row):
    """Something an audit found; every graph/find_* query returns it."""

    query = "graph/find_orphans"
    label: str
    id: str
    detail: str
