"""Rows of counts and audits of the whole graph."""

from kg.results import Row


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
    """Code of a verdict, and the kind of test that it is from."""

    query = "graph/count_verdicts"
    verdict: str
    kind: str | None
    count: int


class Finding(Row):
    """Something an audit found on a node, and what it is."""

    label: str
    id: str
    detail: str


class Orphan(Finding):
    """A node that nothing holds."""

    query = "graph/find_orphans"


class HomelessCode(Finding):
    """Code of no repository."""

    query = "graph/find_homeless_code"


class BadSpan(Finding):
    """A span that can't be."""

    query = "graph/find_bad_spans"


class MixedModel(Finding):
    """A vector of a model that is not the graph's."""

    query = "graph/find_mixed_models"


class Unscored(Finding):
    """An implementation without a sound score, method or rank."""

    query = "graph/find_unscored"


class Unsourced(Finding):
    """A fact that does not say who made it."""

    query = "graph/find_unsourced"


class Unfounded(Finding):
    """Verified code without an execution that shows it."""

    query = "graph/find_unfounded"


class Unlicensed(Finding):
    """A repository with code whose licence is not known."""

    query = "graph/find_unlicensed"
