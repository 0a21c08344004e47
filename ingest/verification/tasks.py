"""The tasks of verifying: some units of one repository, or one imported block, each judged and reported at once."""

import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from agents.code.modules import Slicer
from agents.code.units import CodeBase, read_units
from agents.code.verify import Judged
from agents.code.verify.blocks import Block
from ingest.acquire.locations import find_again, signature
from ingest.stages import VERDICT, fingerprint
from ingest.verification.basis import BasisReader
from ingest.verification.judges import Judges
from kg.config import Settings
from kg.errors import InputError, ServiceError, XkgError
from kg.models.code import CodeUnit
from kg.models.execution import Judgement
from kg.results.verdict import CodeTexts, CodeToJudge
from kg.verdicts import Evidence, StoredModule, block_basis, sha256_of

__all__ = ["Outcome", "SharedRepository", "judge_a_block", "judge_units"]

Report = Callable[["Outcome"], None]


@dataclass(frozen=True)
class Outcome:
    """What became of one piece of code: a judgement with its evidence, or why there is none.

    `trouble` says that the reason lies with us (the sandbox, the network, a fault), not with the code.
    """

    code: CodeToJudge
    judged: Judged | None = None
    evidence: Evidence | None = None
    why: str = ""
    trouble: bool = False


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
    def _slicer(self) -> Slicer:
        return Slicer(self.folder)

    @cached_property
    def _bases(self) -> BasisReader:
        return BasisReader(self.folder)

    def evidence(self, unit: CodeUnit, judged: Judged) -> Evidence:
        """What `judged`, of `unit`, was made from. Raises InputError if the folder has changed meanwhile.

        Only "verified" rests on the files that were read alone: anything may give a test to what has none.
        """
        with self._lock:
            module = self._slicer.stored(unit)
            verified, tested = judged.judgement.verdict == "verified", judged.judgement.kind != "property"
            basis = self._bases.of(judged.inputs if verified else None, tested=tested or not verified)
            if signature(self.folder) != self._signature:
                raise InputError(
                    f"{self.repository} was changed while it was judged",
                    where=str(self.folder),
                    remedy="ingest its paper again, then verify",
                )
        return _evidence(unit.text, basis, module)


def judge_units(
    repository: SharedRepository, codes: Sequence[CodeToJudge], texts: Mapping[str, CodeTexts],
    make: Callable[[], Judges], report: Report, stop: threading.Event,
) -> None:  # fmt: skip
    """Judge `codes` of `repository`; `texts` are what the graph holds of each, by id."""
    try:
        repository.open()
    except XkgError as error:
        for code in codes:
            report(Outcome(code, why=str(error), trouble=isinstance(error, ServiceError)))
        return
    waiting: dict[str, tuple[CodeToJudge, CodeUnit]] = {}
    for code in codes:
        unit, why = _unit(repository, code, sha256_of(texts[code.id].implementation))
        if unit is None:
            report(Outcome(code, why=why))
        else:
            waiting[unit.id] = (code, unit)
    judges = make()
    while waiting and not stop.is_set():
        before = len(waiting)
        why = _round(repository, waiting, judges, report, stop)
        if waiting and not stop.is_set() and (why or len(waiting) == before):
            code, _ = waiting.pop(next(iter(waiting)))
            report(Outcome(code, why=why or "the verifier gave no verdict on it", trouble=True))


def _unit(repository: SharedRepository, code: CodeToJudge, text_sha256: str) -> tuple[CodeUnit | None, str]:
    """The unit that a Code node stands for, or why there is none to be judged."""
    unit = repository.units.get(code.id.removeprefix(f"{repository.repository}@{repository.commit}:"))
    if unit is None and code.kind == "file":
        return None, "a whole file only says where the code is; its parts are judged"
    if unit is None:
        return None, "it is not found in its repository as this version of xkg reads it; ingest its paper again"
    if unit.role == "test":
        return None, "it is a test: what it says can't be held against itself"
    if sha256_of(unit.text) != text_sha256:
        return None, "it differs from its repository's; ingest its paper again"
    return unit, ""


def _round(
    repository: SharedRepository, waiting: dict[str, tuple[CodeToJudge, CodeUnit]], judges: Judges,
    report: Report, stop: threading.Event,
) -> str:  # fmt: skip
    """Judge what is waiting, as far as it goes; why it ended early, "" if it did not."""
    try:
        units = [unit for _, unit in waiting.values()]
        for judged in judges.units(repository.folder, repository.codebase, units):
            if (found := waiting.get(judged.judgement.code)) is None:
                continue
            code, unit = found
            outcome = _outcome(code, judged, repository.evidence(unit, judged))
            del waiting[unit.id]
            report(outcome)
            if stop.is_set():
                break
    except (InputError, ServiceError) as error:
        for code, _ in waiting.values():
            report(Outcome(code, why=str(error), trouble=isinstance(error, ServiceError)))
        waiting.clear()
    except Exception as error:  # noqa: BLE001 -- a fault of ours in one unit must not take the others with it
        return _fault(error)
    return ""


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
    except XkgError as error:
        report(Outcome(code, why=str(error), trouble=True))
    except Exception as error:  # noqa: BLE001 -- a fault of ours in one block must not take the others with it
        report(Outcome(code, why=_fault(error), trouble=True))


def _outcome(code: CodeToJudge, judged: Judged, evidence: Evidence) -> Outcome:
    judgement: Judgement = judged.judgement.model_copy(update={"code": code.id})
    return Outcome(code, Judged(judgement, judged.log), evidence)


def _fault(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}" if str(error).strip() else type(error).__name__
    return f"a fault of xkg: {said} ({Path(frame.filename).name}:{frame.lineno})"


def _evidence(text: str, basis: tuple[str, ...], module: StoredModule | None = None) -> Evidence:
    """What a judgement of `text` was made from, by this program and now."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Evidence(text_sha256=sha256_of(text), module=module, basis=basis, program=fingerprint(*VERDICT), date=now)
