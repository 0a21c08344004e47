"""All that one ingest knows about one paper: the only thing the writer accepts."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from kg.models.code import CodeUnit, Grounding, Repository
from kg.models.ids import Ref, bounded, code_id
from kg.models.paper import Model, PaperDoc
from kg.models.technique import TechniqueTree

__all__ = ["CodeRefs", "Origin", "PaperMeta", "PaperRecord", "RunInfo", "Scalar", "Vectors"]

Origin = Literal["extracted", "rewritten", "generated", "imported"]
Scalar = str | int | float | bool | None | tuple[str, ...]


class PaperMeta(Model):
    """Who a paper is. `id` is ``arxiv:1706.03762`` (never with a version), ``doi:…`` or ``local:<slug>``.

    `version` is the pinned version ("v5"); `licence` an SPDX id or the URL of the licence. Empty title, abstract and
    authors are taken from the document.
    """

    id: str = Field(pattern=r"^(arxiv|doi|local):\S+$")
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    version: str | None = None
    arxiv_id: str | None = None
    doi: str | None = None
    licence: str | None = None
    url: str = ""
    categories: tuple[str, ...] = ()
    comment: str = ""


class Vectors(Model):
    """Embeddings of nodes: row i of the matrix belongs to ``ids[i]`` (graph ids: see kg.models.ids).

    `data` is the matrix as little-endian float32, rows one after the other, ``len(ids) * dimension`` numbers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    model_id: str
    dimension: int
    ids: tuple[str, ...] = ()
    data: bytes = b""

    @model_validator(mode="after")
    def _whole(self) -> "Vectors":
        if len(self.data) != 4 * self.dimension * len(self.ids):
            raise ValueError(f"{len(self.data)} bytes are not {len(self.ids)} vectors of {self.dimension} float32")
        return self

    @classmethod
    def of(cls, model_id: str, ids: Sequence[str], matrix: np.ndarray) -> "Vectors":
        """From a matrix of shape [len(ids), dimension]."""
        rows = np.ascontiguousarray(matrix, dtype="<f4")
        return cls(model_id=model_id, dimension=int(rows.shape[1]), ids=tuple(ids), data=rows.tobytes())

    def matrix(self) -> np.ndarray:
        """Shape [len(ids), dimension], float32, read only."""
        return np.frombuffer(self.data, dtype="<f4").reshape(len(self.ids), self.dimension)


class RunInfo(Model):
    """What made the facts: the command, and the versions of what took part. No clock, no random number."""

    command: str = "ingest paper"
    versions: dict[str, str] = Field(default_factory=dict)


class PaperRecord(Model):
    """One paper, ready to be written.

    `section_texts` holds the readable own text of each section (subsections not included) by the section's id in
    `doc`. `units` are the code units of `repository` to be stored; without a repository they belong to the paper
    itself. `calls` are pairs of unit ids (caller, callee), unambiguous ones only. `groundings` name techniques by their
    id in `techniques` and units by their id in `units`, and are asserted as their `level` says; where that is "file",
    the first candidate's file is among the units. `vectors` are keyed by
    graph id. `extras` are further properties by graph id, for importers. `places` tell of all that verdicts on units of
    the repository rest on what is there now: hashes by place (see kg.verdicts.basis).
    """

    paper: PaperMeta
    doc: PaperDoc
    section_texts: dict[str, str] = Field(default_factory=dict)
    techniques: TechniqueTree = TechniqueTree()
    repository: Repository | None = None
    units: tuple[CodeUnit, ...] = ()
    calls: tuple[tuple[str, str], ...] = ()
    origin: Origin = "extracted"
    groundings: tuple[Grounding, ...] = ()
    vectors: Vectors | None = None
    extras: Mapping[str, dict[str, Scalar]] = Field(default_factory=dict)
    places: Mapping[str, str] = Field(default_factory=dict)
    run: RunInfo = RunInfo()
    warnings: tuple[str, ...] = ()
    format: Literal["paperrecord/1"] = "paperrecord/1"


class CodeRefs:
    """Graph ids of a record's code."""

    def __init__(self, record: PaperRecord) -> None:
        self._record = record
        self._units = {unit.id: unit for unit in record.units}
        self._whole_files = {unit.file: unit.id for unit in record.units if unit.kind == "file"}

    def unit(self, unit: str) -> Ref:
        """The Code node of a unit; without a repository a content hash within the paper."""
        repository = self._record.repository
        if repository:
            return "Code", code_id(repository.id, repository.commit, unit)
        content = hashlib.sha256(f"{unit}\0{self._units[unit].text}".encode("utf-8", "replace")).hexdigest()
        return "Code", bounded(f"{self._record.paper.id}#c/{content[:16]}")

    def knows(self, unit: str) -> bool:
        """Whether the record brings this unit."""
        return unit in self._units

    def file(self, unit: str) -> Ref:
        """The Code node of the whole file that a unit stands in. Raises KeyError where the record does not bring it."""
        return self.unit(self._whole_files[self._units[unit].file])
