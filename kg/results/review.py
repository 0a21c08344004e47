"""Rows of the curator's review: what awaits a word, and what was decided."""

from typing import Any

from kg.results import Row


class DoubtfulEdge(Row):
    """An implementation that a curator is to judge; `told` is what the paper says, `lines` are quoted of the code."""

    query = "review/list_edges"
    technique: str
    name: str
    definition: str
    status: str | None
    paper: str
    title: str
    told: list[str]
    code: str
    symbol: str
    kind: str
    signature: str
    file: str
    line: int | None
    text: str
    standing: str
    confidence: float | None
    method: str
    reason: str
    part: str | None
    lines: list[str]
    disagrees: bool
    others: list[dict[str, Any]]


class UnjudgedName(Row):
    """A technique whose name is a machine's."""

    query = "review/list_names"
    technique: str
    name: str
    coined: bool
    definition: str
    status: str | None
    paper: str
    title: str
    told: list[str]


class Described(Row):
    """What a paper says of one of its techniques."""

    query = "review/describe_techniques"
    technique: str
    name: str
    definition: str
    status: str | None
    paper: str
    title: str
    told: list[str]


class Decided(Row):
    """A decision on an item of the review; `name` is the technique's as it was then, `value` what was said beside."""

    query = "review/list_decided"
    item: str
    kind: str
    action: str
    value: str
    technique: str
    name: str
    who: str
    when: str


class NamedTechnique(Row):
    """A technique with the name that a curator gave it; `model` is that of its vector."""

    query = "review/name_technique"
    id: str
    name: str
    aliases: list[str]
    definition: str
    element: str
    model: str | None


class WordPut(Row):
    """The code that a curator's word is about."""

    query = "review/put_word"
    id: str


class TechniqueDropped(Row):
    """A technique that is one no more."""

    query = "review/drop_technique"
    id: str
