"""Which source files each stage on the way to graph and verdict rests on: a change redoes no more than it must.

A file belongs to the stage that declares the longest beginning of its path; data files count like code. What no stage
declares decides nothing that is kept: commands, the server, settings (which are inputs of their own), messages.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

__all__ = ["STAGES", "VERDICT", "Declared", "Stage", "before", "fingerprint", "stage_of"]

ROOT = Path(__file__).parent.parent
"""The folder of the product's packages."""


class Stage(StrEnum):
    """One step from sources to graph, or from code to verdict; all rest on MODELS: types, and the reading of syntax."""

    MODELS = "models"
    ACQUIRE = "acquire"
    PARSE = "parse"
    EXTRACT = "techniques"
    JUDGE = "judged techniques"
    UNITS = "units"
    GROUND = "ground"
    JUDGE_CODE = "judged implementations"
    MODULES = "modules"
    EMBED = "embed"
    WRITE = "write"
    ENVIRONMENTS = "environments"
    EXECUTION = "execution"
    MUTANTS = "mutants"
    VERIFY = "verify"
    REWRITE = "rewrite"
    WRITE_TESTS = "written tests"


@dataclass(frozen=True)
class Declared:
    """What a stage rests on: files and folders, from the top of the source tree, and the stages whose results it is
    given."""

    paths: tuple[str, ...]
    after: tuple[Stage, ...] = ()


STAGES = {
    Stage.MODELS: Declared(
        (
            "kg/models/code.py",
            "kg/models/ids.py",
            "kg/models/paper.py",
            "kg/models/record.py",
            "kg/models/technique.py",
            "agents/execution/syntax.py",
            "agents/execution/harness/inputs.py",
        )
    ),
    Stage.ACQUIRE: Declared(("ingest/acquire",), (Stage.MODELS,)),
    Stage.PARSE: Declared(("ingest/latex", "kg/words.py"), (Stage.ACQUIRE,)),
    Stage.EXTRACT: Declared(("ingest/extract", "kg/names.py"), (Stage.PARSE,)),
    Stage.JUDGE: Declared(
        ("ingest/extract/judged", "prompts/techniques.md", "prompts/techniques_again.md"), (Stage.EXTRACT,)
    ),
    Stage.UNITS: Declared(("agents/code/units",), (Stage.ACQUIRE,)),
    Stage.GROUND: Declared(("ingest/ground",), (Stage.EXTRACT, Stage.UNITS)),
    Stage.JUDGE_CODE: Declared(("ingest/ground/judged", "prompts/implementations.md"), (Stage.GROUND, Stage.JUDGE)),
    Stage.ENVIRONMENTS: Declared(("agents/execution/environments", "agents/execution/sandbox"), (Stage.MODELS,)),
    Stage.MODULES: Declared(
        (
            "agents/code/modules",
            "ingest/verification/asking.py",
            "ingest/verification/basis.py",
            "kg/verdicts/basis.py",
            "kg/verdicts/models.py",
            "kg/verdicts/statements.py",
        ),
        (Stage.UNITS, Stage.ENVIRONMENTS),
    ),
    Stage.EMBED: Declared(("kg/embeddings",), (Stage.EXTRACT, Stage.UNITS)),
    Stage.WRITE: Declared(
        (
            "ingest/pipeline",
            "kg/models/labels.py",
            "kg/write",
            "kg/results",
            "kg/store.py",
            "kg/pruning.py",
            "kg/verdicts/specification.py",
            "cypher",
        ),
        (Stage.JUDGE_CODE, Stage.JUDGE, Stage.GROUND, Stage.MODULES, Stage.EMBED),
    ),
    Stage.EXECUTION: Declared(("agents/execution",), (Stage.ENVIRONMENTS,)),
    Stage.MUTANTS: Declared(("agents/code/mutants", "kg/models/execution.py"), (Stage.MODELS,)),
    Stage.VERIFY: Declared(
        ("agents/code", "kg/verdicts/rules.py"),
        (Stage.MODULES, Stage.MUTANTS, Stage.ENVIRONMENTS, Stage.EXECUTION),
    ),
    Stage.REWRITE: Declared(
        (
            "agents/rewrite",
            "prompts/module_leaf.md",
            "prompts/module_composite.md",
            "prompts/module_repair.md",
            "prompts/module_review.md",
        ),
        (Stage.VERIFY, Stage.WRITE_TESTS),
    ),
    Stage.WRITE_TESTS: Declared(
        (
            "agents/testwriting",
            "prompts/unit_test.md",
            "prompts/unit_test_again.md",
            "prompts/unit_test_more.md",
            "prompts/unit_test_review.md",
        ),
        (Stage.VERIFY, Stage.WRITE),
    ),
}

VERDICT = (Stage.UNITS, Stage.ENVIRONMENTS, Stage.MODULES, Stage.EXECUTION, Stage.MUTANTS, Stage.VERIFY)
"""The stages whose change asks for new verdicts. How code was acquired is not among them: its text and all that it
needs are compared by their hashes when it is judged; nor are the types, which decide nothing of a run."""


def fingerprint(*stages: Stage) -> str:
    """Hash of all files that `stages` declare themselves, 16 hex digits."""
    return hashlib.sha256("".join(_hash(ROOT, stage) for stage in stages).encode()).hexdigest()[:16]


def before(stage: Stage) -> tuple[Stage, ...]:
    """`stage` and all that it comes after, in the order of declaration."""
    found = {stage}
    for earlier in STAGES[stage].after:
        found.update(before(earlier))
    return tuple(each for each in STAGES if each in found)


def stage_of(path: str) -> Stage | None:
    """The stage that a file, by its path from the top of the source tree, belongs to; None if it decides nothing."""
    parts = path.split("/")
    for length in range(len(parts), 0, -1):
        if found := _owners().get("/".join(parts[:length])):
            return found
    return None


@cache
def _owners() -> dict[str, Stage]:
    return {path: stage for stage, declared in STAGES.items() for path in declared.paths}


@cache
def _hash(root: Path, stage: Stage) -> str:
    digest = hashlib.sha256()
    for path in sorted(set(_files(root, stage))):
        digest.update(path.encode() + b"\0" + hashlib.sha256((root / path).read_bytes()).digest())
    return digest.hexdigest()


def _files(root: Path, stage: Stage) -> Iterator[str]:
    for declared in STAGES[stage].paths:
        place = root / declared
        for file in (place,) if place.is_file() else place.rglob("*"):
            path = file.relative_to(root).as_posix()
            if file.is_file() and file.parent.name != "__pycache__" and stage_of(path) is stage:
                yield path
