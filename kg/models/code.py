"""Code units of a repository, and the grounding of techniques in them."""

from typing import Literal

from kg.models.paper import Model, Span

__all__ = ["Candidate", "CodeUnit", "Grounding", "Level", "Repository", "Role", "UnitKind"]

UnitKind = Literal["function", "class", "method", "constant", "cell", "script", "file"]
Role = Literal["source", "test", "example", "vendored", "generated", "minified"]
Level = Literal["unit", "file", "none"]


class CodeUnit(Span):
    """A piece of code with a name: bytes ``[start, end)`` of `file`, lines `line`..`end_line` (1-based, inclusive).

    `id` is ``<path>#<symbol>``, with ``@<line>`` added where several units of a file share a symbol (overloads);
    `symbol` is dotted ("MergingDigest.merge"); `parent` is the id of the enclosing unit. `calls` are called names as
    written, last part last ("np.linalg.svd"); `imports` are module or header names the file imports.
    `licence` is the SPDX id of the nearest licence file, "unknown" if its text is not recognised, None without one.
    """

    id: str
    symbol: str
    name: str
    kind: UnitKind
    language: str
    role: Role = "source"
    line: int
    end_line: int
    parent: str | None = None
    signature: str = ""
    docstring: str = ""
    bases: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    licence: str | None = None
    text: str = ""


class Repository(Model):
    """A repository at one commit. `id` is ``github:<owner>/<name>`` or ``local:<slug>``.

    `commit` is the full hash, or for a folder without git ``sha256-<hash of its files>``; `official` and `evidence`
    say whether it is the paper's own repository and how that is known.
    """

    id: str
    name: str
    url: str = ""
    commit: str
    licence: str | None = None
    official: bool = False
    evidence: str = ""


class Candidate(Model):
    """A unit that may implement a technique. `score` is in [0, 1]; `why` holds each feature's share of it."""

    unit: str
    rank: int
    score: float
    why: dict[str, float] = {}


class Grounding(Model):
    """What the code says of one technique.

    `level` tells what is asserted: the first candidate itself ("unit"), only its file ("file"), or nothing ("none":
    the technique is honestly ungrounded, the candidates are only candidates). `confidence` is the calibrated
    probability that the assertion at unit level would be right. `reason` says in words why.
    """

    technique: str
    level: Level
    confidence: float
    method: str
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
