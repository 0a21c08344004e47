"""Rows of verdicts: the code they are on, the executions they rest on, and what an audit finds of them."""

from typing import Any

from kg.results import Row


class CodeState(Row):
    """Code as the graph holds it at the moment a judgement of it is to be written, with all its properties."""

    query = "verdict/read_state"
    id: str
    element: str
    origin: str
    implementation: str
    properties: dict[str, Any]


class GraphId(Row):
    """What tells a database from every other."""

    query = "verdict/read_graph_id"
    id: str


class Anchor(Row):
    """The last seal in a home's list of what it has taken back, as far as the graph knows."""

    query = "verdict/read_anchors"
    seal: str


class DoubtedCode(Row):
    """Code that has lost its verdict with an execution, and the seal that it had."""

    query = "verdict/doubt_execution"
    id: str
    seal: str | None


class SetVerdict(Row):
    """Code that has its verdict; `bound` is 1 if it rests on an execution now."""

    query = "verdict/set_verdict"
    id: str
    bound: int


class JudgedRepository(Row):
    """What current verdicts on code of a repository rest on, each item once."""

    query = "verdict/list_judged"
    repository: str
    commit: str
    basis: list[str]


class JudgedCode(Row):
    """Code whose verdict a write may have to take back; `basis` is empty where another program set the verdict."""

    query = "verdict/read_judged"
    id: str
    element: str
    verdict: str
    verdict_reason: str
    seal: str | None
    text_sha256: str | None
    basis: list[str]


class PaperVersion(Row):
    """The version of an ingested paper, None if it has none; no row for a paper that is only cited."""

    query = "verdict/read_paper_version"
    version: str | None


class BoundExecution(Row):
    """An execution that goes with the code it was of."""

    query = "verdict/find_bound_executions"
    id: str
    element: str


class CodeToJudge(Row):
    """Code that may be judged, and what is known of it.

    `rank` is 0 for code that is asserted for a technique, the best rank among candidates otherwise, None without any.
    `program` is the version of what judged it, None if its verdict is not current; `unfinished` says that its time was
    over first; `test_model` was asked for a test of it, and `test_state` is what came of that; `claimed` is an
    importer's claim.
    """

    query = "verdict/list_code"
    id: str
    rank: int | None
    name: str
    kind: str
    origin: str
    repository: str | None
    commit: str | None
    text_sha256: str | None
    verdict: str
    verdict_reason: str
    program: str | None
    unfinished: bool
    failure: str | None
    line: str | None
    test_kind: str | None
    test_model: str | None
    test_state: str | None
    mutants: int
    killed: int
    survivors: list[str]
    claimed: bool | None
    execution: str | None


class CodeTexts(Row):
    """The texts of a piece of code; `test` and `requirements` as they came with it, `definitions` those of the
    techniques that it is asserted to implement."""

    query = "verdict/read_texts"
    id: str
    implementation: str
    test: str
    requirements: list[str]
    definitions: list[str]


class SpecifiedCode(Row):
    """What papers say of code: techniques that it is asserted or likely to implement, each with "paper", "name",
    "aliases", "definition", "quotes", "formulas" ("latex", "algorithm") and the texts of "sections"."""

    query = "verdict/read_specifications"
    id: str
    techniques: list[dict[str, Any]]


class NotedUntried(Row):
    """How much code now says why it was not judged."""

    query = "verdict/note_untried"
    noted: int


class VerifiedCode(Row):
    """Verified code with all its properties, to be hashed anew; `runs` are the executions that it rests on now, each
    with the properties of its "edge" and of the "execution", `repositories` the ids of those that it is said to be
    from."""

    query = "verdict/list_verified"
    id: str
    properties: dict[str, Any]
    runs: list[dict[str, dict[str, Any]]]
    repositories: list[str]


class VerifiedEdge(Row):
    """An execution that is said to have verified code, though the code does not rest on it now."""

    query = "verdict/list_verified_edges"
    id: str
    execution: str
    properties: dict[str, Any]


class StrangeVerdict(Row):
    """A word that is no verdict, or a verdict on what has none: on a node, or on an edge (its type, its start)."""

    query = "verdict/list_strange"
    label: str
    id: str
    verdict: str
