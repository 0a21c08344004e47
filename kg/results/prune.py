"""Rows of pruning: what techniques' code shows, and what was pruned of papers."""

from kg.results import Row


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


class RememberedPruning(Row):
    """A paper that remembers what was pruned of it."""

    query = "prune/remember"
    id: str


class ForgottenPruning(Row):
    """A paper that no longer does."""

    query = "prune/forget"
    id: str
