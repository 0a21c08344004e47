"""Workers on one repository prepare it once and share its units."""

import json
import shutil
import threading
from collections import Counter
from pathlib import Path

import pytest

from agents.execution.sandbox import Result, RunSpec, Sandbox, open_sandbox
from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import ingest
from ingest.verification.judges import BlockEnvironments, SandboxJudges
from ingest.verification.runner import VerifyReport, select, verify
from kg.config import Settings
from kg.store import Store

pytestmark = [pytest.mark.db, pytest.mark.sandbox]

KEY = 32
"""Bytes before the plan that a sandbox is given."""


class Listening:
    """A sandbox that notes the kinds of the jobs of each run, and the thread that asked for it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.name = sandbox, sandbox.name
        self.runs: list[tuple[str, int]] = []

    def capabilities(self) -> dict[str, str]:
        return self.sandbox.capabilities()

    def run(self, spec: RunSpec) -> Result:
        jobs = json.loads(spec.stdin[KEY:])["jobs"]
        kind = "import" if jobs[0]["kind"] == "import" else "mutants" if "mutate" in jobs[0] else "suite"
        self.runs.append((kind, threading.get_ident()))
        return self.sandbox.run(spec)


@pytest.fixture
def settings(server_settings: Settings) -> Settings:
    return server_settings.replace(verify__mutants=3)


@pytest.fixture
def shapes(tmp_path: Path, settings: Settings, store: Store) -> None:
    """A paper whose code has two functions of as many files, each with a test."""
    paper, code = tmp_path / "paper", tmp_path / "code"
    shutil.copytree(Path(__file__).parent.parent.parent / "examples/reservoir/paper", paper)
    code.mkdir()
    for name, result in (("double", "2 * x + 1"), ("triple", "3 * x + 2")):
        (code / f"{name}.py").write_text(f"def {name}(x):\n    return {result}\n")
        values = f"{name}(2) == {result.replace('x', '2')} and {name}(5) == {result.replace('x', '5')}"
        (code / f"test_{name}.py").write_text(f"from {name} import {name}\n\n\ndef test():\n    assert {values}\n")
    job = Job(name="shapes", slug="shapes", paper=str(paper), repo=str(code))
    (report,) = ingest([job], settings, store).papers
    assert not report.error, report.error


def _verify(store: Store, settings: Settings, jobs: int) -> tuple[VerifyReport, Listening]:
    listening = Listening(open_sandbox(settings, "bubblewrap"))
    codes = [row for row in select(store, everything=True) if row.id.endswith(("#double", "#triple"))]
    judges = SandboxJudges(listening, settings, BlockEnvironments([], settings))
    return verify(store, settings, codes, jobs=jobs, force=True, judges=lambda: judges), listening


def test_two_workers_prepare_once_and_judge_each_unit_once(shapes: None, store: Store, settings: Settings) -> None:
    report, heard = _verify(store, settings, 2)
    kinds = Counter(kind for kind, _ in heard.runs)
    assert kinds == {"import": 1, "suite": 1, "mutants": 2}
    assert len({thread for kind, thread in heard.runs if kind == "mutants"}) == 2
    assert {code.verdict for code in report.codes} == {"verified"}, report
    alone, _ = _verify(store, settings, 1)
    same = {"execution": None, "survivors": ()}
    assert [one.model_copy(update=same) for one in alone.codes] == [one.model_copy(update=same) for one in report.codes]
