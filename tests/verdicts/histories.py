"""A repository with a history, and a judge that runs its tests and has it told from outside what they read."""

import importlib.util
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import agents.execution.harness
from agents.code.units import CodeBase
from agents.code.verify import Judged, Supplement
from agents.code.verify.blocks import Block
from agents.code.verify.discover import test_files
from agents.code.verify.layout import lay_out
from agents.code.verify.sources import sources
from agents.execution.harness import Inputs
from kg.models.code import CodeUnit
from kg.models.execution import Execution, Judgement
from kg.verdicts import sha256_of

LOG = b"1 passed"
LINKS = {
    "links/current": "../data/five", "models/active": "../releases/v1", "tests/now/cases.json": "../../cases/a.json",
    "version": "release-7",
}  # fmt: skip
WHO = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


class Laboratory:
    """The laboratory of ``lab.txt`` in `folder`, under git."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        text = Path(__file__).with_name("lab.txt").read_text("utf-8")
        for path, body in re.findall(r"(?ms)^==> (.+?)\n(.*?)(?=^==> |\Z)", text):
            self.write(path, body)
        self.rows("tests/data/rows.db", 1, 2, 3)
        for path, target in LINKS.items():
            self.link(path, target)
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.folder), *WHO, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self) -> str:
        """Commit all that is there; the commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def write(self, path: str, body: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(body, encoding="utf-8")

    def link(self, path: str, target: str) -> None:
        """A link in place of whatever is there."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        self.remove(path)
        place.symlink_to(target)

    def remove(self, path: str) -> None:
        place = self.folder / path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)

    def rows(self, path: str, *numbers: int) -> None:
        """A database with these rows."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with sqlite3.connect(file) as opened:
            opened.execute("CREATE TABLE rows (n)")
            opened.executemany("INSERT INTO rows VALUES (?)", [(n,) for n in numbers])
        opened.close()


class Reader:
    """Says "verified" of a unit whose tests (those that name it) pass: run, unconfined, on a copy that is watched."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch

    def units(
        self, folder: Path, codebase: CodeBase, units: Sequence[CodeUnit], said: Mapping[str, Sequence[str]],
        more: Supplement | None,
    ) -> Callable[[CodeUnit], Judged]:  # fmt: skip
        work = self.scratch / "work"
        shutil.rmtree(work, ignore_errors=True)
        layout = lay_out(folder, 10)
        found, written = sources(folder, codebase, layout, test_files(codebase, units))
        for path in layout.files:
            (work / "repo" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / path, work / "repo" / path)
        for path, target in layout.links.items():
            (work / "repo" / path).parent.mkdir(parents=True, exist_ok=True)
            (work / "repo" / path).symlink_to(target)
        for path, text in written.items():
            (work / path).parent.mkdir(exist_ok=True)
            (work / path).write_text(text)

        def judge(unit: CodeUnit) -> Judged:
            word = re.compile(rf"\b{unit.name}\b|check_{unit.name}")
            mine = [s.path for s in found if word.search((work / s.path).read_text()) and "lab/" not in s.path]
            inputs, passed = self._run(work, mine or [f"repo/{unit.file}"])
            return self._judged(unit, inputs, passed=passed)

        return judge

    def block(self, block: Block) -> Judged:
        raise NotImplementedError

    def _run(self, work: Path, tests: Sequence[str]) -> tuple[Inputs, bool]:
        inside = Path(agents.execution.harness.__file__).parent / "inside"
        spec = importlib.util.spec_from_file_location("watching", inside / "watching.py")
        assert spec
        assert spec.loader
        watching = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(watching)
        watch = watching.Watch(str(work / "repo"))
        watch.start()
        command = [
            sys.executable,
            "-B",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(work / "repo"),
        ]
        variables = {**os.environ, "PYTHONPATH": str(work / "repo"), "XKG_WORK": str(work)}
        done = subprocess.run(
            [*command, *(str(work / path) for path in tests)],
            cwd=work / "repo", env=variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return Inputs.parse(watch.stop()), done.returncode == 0

    def _judged(self, unit: CodeUnit, inputs: Inputs, *, passed: bool) -> Judged:
        made = Execution(
            id="", code_sha256=sha256_of(unit.text), closure_sha256=sha256_of(unit.id), test_sha256="t",
            environment="e", python="3.11", backend="unsafe-local", exit_code=int(not passed),
            log=sha256_of(LOG.decode()), date="2026-01-01T00:00:00+00:00",
        ).identified()  # fmt: skip
        judgement = Judgement(
            code=unit.id, verdict="verified" if passed else "failed", reason="its tests say so", kind="repository",
            mutants=2, killed=2, killed_by_assertion=1, execution=made,
        )  # fmt: skip
        return Judged(judgement, LOG, inputs=inputs)
