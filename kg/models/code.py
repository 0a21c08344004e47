"""Code units of a repository, and the grounding of techniques in them."""

import hashlib
import json
from typing import Literal

from pydantic import model_validator

from kg.models.paper import Model, Span

__all__ = [
    "Candidate",
    "CodeUnit",
    "Grounding",
    "Level",
    "Part",
    "Repository",
    "Role",
    "Standing",
    "StoredModule",
    "UnitKind",
]

UnitKind = Literal["function", "class", "method", "constant", "cell", "script", "file"]
Role = Literal["source", "test", "example", "vendored", "generated", "minified"]
Level = Literal["unit", "file", "none"]
Standing = Literal["asserted", "likely", "candidate"]
"""How surely a unit implements a technique: right nine times in ten, seven or eight, or only worth a look."""


Part = Literal["whole", "core", "part"]
"""What of a technique a unit does: all of it; its heart, without what belongs around; one of several parts."""


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
    """A repository at one commit. `id` is ``github:<owner>/<name>`` or ``folder:<slug>``.

    `commit` is the full hash, or for a folder without git ``sha256-<hash of its files>``; `official` and `evidence`
    say whether it is the paper's own repository and how that is known. `forked_from` are the ``owner/name`` of those it
    is a fork of, the nearest first; None if nobody was asked. `requirements` are what it says that its code needs, as
    PEP 508, `python` the versions of it ("" if it does not say).
    """

    id: str
    name: str
    url: str = ""
    commit: str
    licence: str | None = None
    official: bool = False
    evidence: str = ""
    forked_from: tuple[str, ...] | None = None
    requirements: tuple[str, ...] = ()
    python: str = ""


class Candidate(Model):
    """A unit that may implement a technique. `rank` is 1 for the one that is shown first, `score` in [0, 1]; `why`
    holds each feature's share of it.

    What a model judged has its own `confidence` and `reason`, says which `part` the unit does, `quotes` the lines that
    do it, and names the places in the paper (``file:start-end``) that they carry out. `disagrees`: model and evidence
    point to different code.
    """

    unit: str
    rank: int
    score: float
    standing: Standing = "candidate"
    why: dict[str, float] = {}
    judged: bool = False
    confidence: float | None = None
    reason: str = ""
    part: Part | None = None
    quotes: tuple[str, ...] = ()
    realises: tuple[str, ...] = ()
    disagrees: bool = False


class Grounding(Model):
    """What the code says of one technique.

    `level` tells what is asserted: the candidates whose standing says so ("unit"), only the first one's file ("file"),
    or nothing ("none": the technique is honestly ungrounded). `confidence` is the calibrated probability that the
    first candidate is right. `reason` says in words why. `model` and `prompt` (its sha256) are those of what is judged.
    """

    technique: str
    level: Level
    confidence: float
    method: str
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
    model: str = ""
    prompt: str = ""

    @property
    def likely(self) -> bool:
        """Whether some unit is likely."""
        return any(c.standing == "likely" for c in self.candidates)

    @model_validator(mode="after")
    def _agrees(self) -> "Grounding":
        if (self.level == "unit") != any(c.standing == "asserted" for c in self.candidates):
            raise ValueError(f"level {self.level!r} of {self.technique} disagrees with its candidates' standing")
        return self


class StoredModule(Model):
    """A self-contained module as a Code node keeps it: files by path, and where in them the unit is.

    `import_name` and `symbol` name the unit ("edo.fitness", "get_fitness"; symbol "" is the whole file). `third_party`
    are the top-level import names that are neither of the module nor of the standard library, and dotted ones below
    them that another distribution provides. `data` are repository files that it reads by literal name. `problems` say
    why it does not stand alone, empty if it does. `translated` names a mechanical translation ("python 2").
    """

    import_name: str
    symbol: str
    files: dict[str, str]
    third_party: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    translated: str | None = None

    @property
    def sha256(self) -> str:
        """Hash of all its files."""
        digest = hashlib.sha256()
        for path, text in sorted(self.files.items()):
            digest.update(path.encode() + b"\0" + text.encode() + b"\0")
        return digest.hexdigest()

    def dump(self) -> str:
        """As the property `module` of a Code node: JSON, equal modules equal texts."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
