"""Rows of concepts, their techniques and the decisions on them."""

from typing import Literal

from kg.results import Row


class TechniqueRow(Row):
    """A technique as far as joining needs it, with the concept it is an instance of; a curator's comes first."""

    query = "concept/list_techniques"
    id: str
    name: str
    aliases: list[str]
    paper: str | None
    kind: str
    concept: str | None
    decided_by: str | None


class Unjoined(Row):
    """A technique that awaits joining: its words `changed`, it is to be joined `again`, or its concept has lost one."""

    query = "concept/list_unjoined"
    id: str
    changed: bool
    again: bool


class Found(Row):
    """Techniques that one technique finds by its keys."""

    query = "concept/find_by_keys"
    technique: str
    found: list[str]


class Instance(Row):
    """A technique's place in a concept; `beside` is the technique that it was joined with ("" if a curator did)."""

    query = "concept/list_instances"
    technique: str
    concept: str
    score: float
    decided_by: str
    beside: str


class ConceptNames(Row):
    """A concept as far as joining needs it."""

    query = "concept/find_concepts"
    id: str
    name: str
    aliases: list[str]
    curated: bool


class RelationRow(Row):
    """How a technique relates to another of which it is no instance: `type` is the relationship's."""

    query = "concept/list_relations"
    one: str
    other: str
    type: Literal["VARIANT_OF", "SIMILAR_TO", "SAME_AS", "DIFFERS_FROM"]
    score: float
    decided_by: str
    shared: list[str]


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
