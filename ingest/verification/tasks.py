"""The tasks of verifying: some units of one repository, or one imported block, each judged and reported at once."""

import threading
import traceback
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from agents.code.modules import Slicer
from agents.code.units import CodeBase, read_units
from agents.code.verify import Judged
from agents.code.verify.blocks import Block
from agents.llm import LLM
from agents.testwriting import TestWriter
from ingest.acquire.locations import find_again, signature
from ingest.ground.words import sentences
from ingest.stages import VERDICT, Stage, fingerprint
from ingest.verification.basis import BasisReader
from ingest.verification.judges import Judges
from kg.config import Settings
from kg.errors import BudgetError, InputError, ServiceError, XkgError
from kg.models.code import CodeUnit
from kg.models.execution import Judgement
from kg.results.verdict import CodeTexts, CodeToJudge
from kg.verdicts import Evidence, StoredModule, as_basis, block_basis, sha256_of
from kg.verdicts.basis import Part, parse, place
from kg.verdicts.specification import UNSPECIFIED, Specification

__all__ = ["Outcome", "SharedRepository", "SharedUnits", "judge_a_block"]

Report = Callable[["Outcome"], None]
MADE = {"property", "written"}
"""Kinds of tests that are not the repository's own."""


@dataclass(frozen=True)
class Outcome:
    """What became of one piece of code: a judgement with its evidence, or why there is none.

    `trouble` says that the reason lies with us (the sandbox, the network, a fault), not with the code, `mendable` that
    it is something of this machine or the network; `paused` that a limit of what a model may spend was reached.
    """

    code: CodeToJudge
    judged: Judged | None = None
    evidence: Evidence | None = None
    why: str = ""
    trouble: bool = False
    mendable: bool = False
    paused: bool = False

    @classmethod
    def of_error(cls, code: CodeToJudge, error: Exception) -> "Outcome":
        """What an error leaves of one piece of code: one that nobody raised on purpose is a fault of ours."""
        return cls(
            code,
            why=str(error) if isinstance(error, XkgError) else _fault(error),
            trouble=not isinstance(error, (InputError, BudgetError)),
            mendable=isinstance(error, ServiceError),
            paused=isinstance(error, BudgetError),
        )


class SharedRepository:
    """A repository at one commit, found and read once for all tasks that need it."""

    def __init__(self, settings: Settings, repository: str, commit: str) -> None:
        self.settings, self.repository, self.commit = settings, repository, commit
        self._lock = threading.RLock()

    def open(self) -> None:
        """Find and read it. Raises InputError if it is not what was ingested, ServiceError if it can't be had now."""
        with self._lock:
            _ = self.units

    @cached_property
    def folder(self) -> Path:
        return find_again(self.settings, self.repository, self.commit)

    @cached_property
    def _signature(self) -> str:
        return signature(self.folder)

    @cached_property
    def codebase(self) -> CodeBase:
        _ = self._signature
        return read_units(self.folder)

    @cached_property
    def units(self) -> dict[str, CodeUnit]:
        """Its units by the part of their graph ids that follows the commit."""
        return {unit.id: unit for unit in self.codebase.units}

    @cached_property
    def _bases(self) -> BasisReader:
        return BasisReader(self.folder)

    @cached_property
    def slicer(self) -> Slicer:
        """What cuts its units out."""
        return Slicer(self.folder)

    def evidence(
        self, unit: CodeUnit, judged: Judged, *, module: StoredModule | None = None,
        specification: Specification | None = None,
    ) -> Evidence:  # fmt: skip
        """What `judged`, of `unit`, was made from: its slice, or the `module` that stood in its place.

        Raises InputError if the folder has changed meanwhile. Only "verified" rests on the files
        that were read alone: anything may give a test to what has none. A written test rests on its `specification`
        besides.
        """
        with self._lock:
            module = module or self.slicer.stored(unit)
            verified, tested = judged.judgement.verdict == "verified", judged.judgement.kind not in MADE
            basis = self._bases.of(judged.inputs if verified else None, tested=tested or not verified)
            if signature(self.folder) != self._signature:
                raise InputError(
                    f"{self.repository} was changed while it was judged",
                    where=str(self.folder),
                    remedy="ingest its paper again, then verify",
                )
        written = judged.judgement.written
        if written and (specification or written.state != "not asked"):
            digest = (specification or UNSPECIFIED).digest
            basis = as_basis({**parse(basis), place(Part.SPECIFICATION): digest})
        return _evidence(unit.text, basis, module, written=judged.judgement.written is not None)


class SharedUnits:
    """A task that any number of workers share: `codes` of `repository`, each judged by whoever takes it first.

    `texts` are what the graph holds of each, by id. What one worker prepared serves all. The model of `llm` writes
    tests for those that no test verifies and that have one of the `specifications`, by id; with `challenge` also for
    those that are verified.
    """

    def __init__(
        self, repository: SharedRepository, codes: Sequence[CodeToJudge], texts: Mapping[str, CodeTexts],
        make: Callable[[], Judges], llm: LLM | None = None, specifications: Mapping[str, Specification] | None = None,
        *, challenge: bool = False,
    ) -> None:  # fmt: skip
        self.repository, self.codes, self.texts, self.make = repository, codes, texts, make
        self.specifications = specifications or {}
        specified = {self._unit_id(code): one for code, one in self.specifications.items()}
        self.writer = TestWriter(llm, specified, challenge=challenge) if llm else None
        self._lock = threading.RLock()
        self._waiting: deque[tuple[CodeToJudge, CodeUnit]] = deque()
        self._judge: Callable[[CodeUnit], Judged] | None = None
        self._begun = False

    def __call__(self, report: Report, stop: threading.Event) -> None:
        """Judge, one by one, what no other worker has taken."""
        with self._lock:
            if not self._begun:
                self._begun = True
                self._begin(report)
        while not stop.is_set() and self._judge and (taken := self._take()):
            code, unit = taken
            try:
                judged = self._judge(unit)
                if self.writer:
                    judged = self.writer.noted(judged)
                report(
                    _outcome(
                        code,
                        judged,
                        self.repository.evidence(unit, judged, specification=self.specifications.get(code.id)),
                    )
                )
            except (BudgetError, InputError, ServiceError) as error:
                report(Outcome.of_error(code, error))
                self._give_up(report, error)
            except Exception as error:  # noqa: BLE001 -- a fault of ours in one unit must not take the others with it
                report(Outcome.of_error(code, error))

    def _begin(self, report: Report) -> None:
        """Find what can be judged; what can't be is reported at once."""
        try:
            self.repository.open()
        except XkgError as error:
            for code in self.codes:
                report(Outcome.of_error(code, error))
            return
        for code in self.codes:
            unit, why = _unit(self.repository, code, sha256_of(self.texts[code.id].implementation))
            if unit is None:
                report(Outcome(code, why=why))
            else:
                self._waiting.append((code, unit))
        units = [unit for _, unit in self._waiting]
        said = {
            unit.id: [part for text in self.texts[code.id].definitions for part in sentences(text)]
            for code, unit in self._waiting
        }
        try:
            self._judge = self.make().units(self.repository.folder, self.repository.codebase, units, said, self.writer)
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one repository must not take the others with it
            self._give_up(report, error)

    def _give_up(self, report: Report, error: Exception) -> None:
        """Report all that nobody has taken."""
        while taken := self._take():
            report(Outcome.of_error(taken[0], error))

    def _unit_id(self, code: str) -> str:
        return code.removeprefix(f"{self.repository.repository}@{self.repository.commit}:")

    def _take(self) -> tuple[CodeToJudge, CodeUnit] | None:
        """The next that nobody has taken."""
        with self._lock:
            return self._waiting.popleft() if self._waiting else None


def _unit(repository: SharedRepository, code: CodeToJudge, text_sha256: str) -> tuple[CodeUnit | None, str]:
    """The unit that a Code node stands for, or why there is none to be judged."""
    unit = repository.units.get(code.id.removeprefix(f"{repository.repository}@{repository.commit}:"))
    if code.origin == "rewritten":
        return None, "it is a rewrite: `xkg code rewrite`, with the id of its original, judges it"
    if unit is None and code.kind == "file":
        return None, "a whole file only says where the code is; its parts are judged"
    if unit is None:
        return None, "it is not found in its repository as this version of xkg reads it; ingest its paper again"
    if unit.role == "test":
        return None, "it is a test: what it says can't be held against itself"
    if sha256_of(unit.text) != text_sha256:
        return None, "it differs from its repository's; ingest its paper again, with --force"
    return unit, ""


def judge_a_block(
    code: CodeToJudge, block: Block, make: Callable[[], Judges], report: Report, stop: threading.Event
) -> None:
    """Judge one imported block."""
    if stop.is_set():
        return
    try:
        judged = make().block(block)
        evidence = _evidence(block.implementation, block_basis(block.test, block.requirements))
        report(_outcome(code, judged, evidence))
    except Exception as error:  # noqa: BLE001 -- a fault of ours in one block must not take the others with it
        report(replace(Outcome.of_error(code, error), trouble=True))


def _outcome(code: CodeToJudge, judged: Judged, evidence: Evidence) -> Outcome:
    judgement: Judgement = judged.judgement.model_copy(update={"code": code.id})
    return Outcome(code, Judged(judgement, judged.log), evidence)


def _fault(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}" if str(error).strip() else type(error).__name__
    return f"a fault of xkg: {said} ({Path(frame.filename).name}:{frame.lineno})"


def _evidence(
    text: str, basis: tuple[str, ...], module: StoredModule | None = None, *, written: bool = False
) -> Evidence:
    """What a judgement of `text` was made from, by this program and now; `written` if a model was asked for a test."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    program = "+".join([fingerprint(*VERDICT), *([fingerprint(Stage.WRITE_TESTS)] if written else [])])
    return Evidence(text_sha256=sha256_of(text), module=module, basis=basis, program=program, date=now)
