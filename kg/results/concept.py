"""Rows of concepts, their techniques and the decisions on them."""

from kg.results.row import Row

__all__ = [
    "ConceptMember",
    "ConceptRow",
    "CuratedConcept",
    "Decision",
    "DroppedConcept",
    "DroppedInstance",
    "Instance",
    "PutConcept",
    "PutInstance",
    "RecordedDecision",
    "TechniqueRow",
    "TechniqueVector",
]


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


class TechniqueVector(Row):
    """The vector of a technique that has one, as it is stored: of any length but zero."""

    query = "concept/read_vectors"
    id: str
    vector: list[float]


class PutConcept(Row):
    """A concept that was made or changed."""

    query = "concept/put_concepts"
    id: str


class CuratedConcept(Row):
    """A concept that is a curator's now."""

    query = "concept/curate_concepts"
    id: str


class DroppedConcept(Row):
    """A concept that was deleted."""

    query = "concept/drop_concepts"
    id: str


class PutInstance(Row):
    """A technique that was put into a concept."""

    query = "concept/put_instances"
    technique: str


class DroppedInstance(Row):
    """A technique that was taken out of a concept."""

    query = "concept/drop_instances"
    technique: str


class RecordedDecision(Row):
    """A decision that was noted."""

    query = "concept/record_decision"
    id: str
