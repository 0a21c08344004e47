"""Rows of rewriting: what may be made into modules, and what was."""

from typing import Any, Literal

from kg.results import Row

ModuleState = Literal["runs", "faithful", "verified", "failed"]
"""What may be said of a rewrite: that it runs; does what the original does, too; is verified; or is no knowledge."""


def module_state(verdict: str, cause: str | None, fidelity: str) -> ModuleState:
    """The state of a rewrite with this verdict, in which `cause` is wrong, if anything is."""
    if verdict == "failed" or cause:
        return "failed"
    if verdict == "verified":
        return "verified"
    return "faithful" if fidelity == "faithful" else "runs"


class RewriteTask(Row):
    """A technique with a unit of code that implements it; `above` are the techniques that it is a component of,
    directly or not."""

    query = "rewrite/list_tasks"
    technique: str
    name: str
    definition: str
    paper: str
    above: list[str]
    code: str
    unit_name: str
    repository: str
    commit: str
    language: str
    text_sha256: str | None
    implementation: str


class StoredRewrite(Row):
    """A rewrite and the code (`source`) that it was made from; `key` is of all that it depends on, `program` None
    where its verdict is not current."""

    query = "rewrite/list_rewrites"
    id: str
    source: str
    key: str | None
    verdict: str
    verdict_reason: str
    program: str | None
    fidelity: str
    inputs: int
    equal: int
    difference: str
    cause: str | None
    stop: str
    file: str
    symbol: str
    implementation: str
    documentation: str

    @property
    def state(self) -> ModuleState:
        """What may be said of it."""
        return module_state(self.verdict, self.cause, self.fidelity)


class FormerRewrite(Row):
    """The seal of a rewrite's present verdict."""

    query = "rewrite/read_former"
    id: str
    seal: str | None


class PutRewrite(Row):
    """A rewrite that is in the graph now."""

    query = "rewrite/put_rewrite"
    id: str


class KeptRewrite(Row):
    """A rewrite as it is stored, and the hash of the text that it was made from."""

    query = "rewrite/read_kept"
    id: str
    source: str
    source_sha256: str | None
    properties: dict[str, Any]
