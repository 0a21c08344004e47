"""Rows of writing: what the graph holds of a paper, and what was done to it."""

from typing import Any

from kg.results import ElementRow, Row


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
    """A paper, or a work that is only cited, found by its id or a name: its own, or one that a citing paper
    gives it. Of its names those are told that were asked for, and one arXiv id if it has any."""

    query = "write/find_papers"
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


class Echo(Row):
    """A cited work of which another paper says just the same."""

    query = "write/find_echoes"
    element: str


class CreatedNode(ElementRow):
    """A node that was made."""

    query = "write/create_nodes"


class OrphanRemoved(Row):
    """A node that nothing needed any more."""

    query = "write/delete_orphans"
    label: str
    id: str


class Touched(Row):
    """A node that a curator's word on one of its edges keeps."""

    query = "write/find_touched"
    element: str


class KnownRun(Row):
    """A run that the graph knows."""

    query = "write/read_run"
    id: str


class WriterLock(Row):
    """The writers' lock, taken for the `writes`-th time.

    `importing` is the sha256 of a file whose import has begun and not ended, None if there is none.
    """

    query = "write/take_lock"
    importing: str | None
    writes: int


class CountedWrites(Row):
    """How often the writers' lock was taken by a transaction that has ended."""

    query = "write/count_writes"
    writes: int


class IngestedPaper(Row):
    """An ingested paper.

    `fingerprint` is that of the sources and the program that made it, "" if none was kept; `partial` says that not all
    of it could be had, `model` which one judged its techniques, "" if none did.
    """

    query = "ingest/list_fingerprints"
    id: str
    fingerprint: str
    partial: bool
    model: str
