"""Rows of concepts, their techniques and the decisions on them."""

from kg.results import Row


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
