"""Judges the code units of one repository: environment, imports, tests, mutants, verdict."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.code.units import CodeBase
from agents.code.verify.definitions import agreeing, definition_tests
from agents.code.verify.discover import date_of, test_files
from agents.code.verify.durations import Durations
from agents.code.verify.layout import lay_out
from agents.code.verify.preparing import Prepared, attempts
from agents.code.verify.record import Judged, untried
from agents.code.verify.running import Reacher, Source, TestRun, run_tests
from agents.code.verify.sources import PAGE, sources
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.execution.sandbox import Sandbox
from kg.config import Settings
from kg.models.code import CodeUnit
from kg.models.execution import Obstacle

__all__ = ["Supplement", "Verifier"]

Supplement = Callable[[CodeUnit, Judged, UnitVerdicts, float], Judged]
"""Given a unit, the judgement of it, what it was judged with and the seconds that it may have: the judgement, or a
better one."""

_LOG = logging.getLogger(__name__)

TEST_SHARE = 0.25
"""Part of a repository's time that running its tests once may take."""
NEAR = 12
"""Test files that are run first at most: those that name most of the asked units."""
BROKEN = 0.02
"""Part of the tests whose failing is not taken for a sign of a wrong environment."""
LEAST_UNIT_SECONDS = 30.0
"""What a unit's mutation check gets, also where the time will not suffice for all."""
PREPARE_SHARE = 0.6
"""Part of a repository's time after which no further environment is tried."""


@dataclass
class Try:
    """An environment with what the tests showed in it."""

    prepared: Prepared
    runs: list[TestRun]
    asked: frozenset[str]

    @property
    def worth(self) -> tuple[int, int, int]:
        """Asked units reached by passing tests, how well their files import, tests that pass."""
        passed = [run for run in self.runs if run.outcome == "passed"]
        reached = {unit for run in passed for unit in run.units & self.asked}
        return len(reached), self.prepared.score, len(passed)

    def __str__(self) -> str:
        outcomes = Counter(run.outcome for run in self.runs)
        ways = Counter(found.way or "not at all" for found in self.prepared.imports.values())
        return (
            f"modules import {dict(ways)}, tests {dict(outcomes)}, {self.worth[0]} of {len(self.asked)} units reached"
        )

    @property
    def perfect(self) -> bool:
        """Whether another environment could do no better."""
        broken = sum(run.source.kind == "repository" and run.curable for run in self.runs)
        return self.prepared.served and (broken <= BROKEN * len(self.runs) or self.worth[0] == len(self.asked))

    def suffices(self, share: float) -> bool:
        """Whether to try another environment, which takes such a share of the repository's time again, costs more units
        than it could win."""
        missing = 1 - self.worth[0] / max(len(self.asked), 1)
        return 0 < missing <= share


class Verifier:
    """The repository at `folder`, read as `codebase`, judged in `sandbox`.

    Its last commit dates its libraries, or what its texts tell. Every piece of the repository's code runs in the
    sandbox and nowhere else. Raises SandboxError when the sandbox itself fails.
    """

    def __init__(self, folder: Path, codebase: CodeBase, sandbox: Sandbox, settings: Settings) -> None:
        self.folder, self.codebase, self.sandbox, self.settings = folder, codebase, sandbox, settings
        self.when = date_of(folder)
        self.layout = lay_out(folder, settings.verify.repository_mb)
        self.durations = Durations(folder, settings.cache)

    def judge(self, units: Iterable[CodeUnit]) -> Iterator[Judged]:
        """A judgement for each unit in its order; the order of work and its result are the same each time.

        Units that the repository's time no longer suffices for are unverified and say so.
        """
        asked = list(units)
        return map(self.judging(asked), asked)

    def judging(
        self,
        units: Iterable[CodeUnit],
        said: Mapping[str, Sequence[str]] | None = None,
        more: Supplement | None = None,
    ) -> Callable[[CodeUnit], Judged]:
        """What judges `units`, one at each call and each once, in any order and by several threads at a time.

        `said` are sentences of papers about units, by their ids. The first call prepares for all, and the others wait
        for it; what it raises, they raise as well. `more` has the last word on what was judged in time; how long it
        takes, as when it waits for a model, is taken from no other unit's time.
        """
        return _Judging(self, units, said or {}, more)

    def obstacle(self, unit: CodeUnit) -> Obstacle | None:
        """Why a unit can't be tried at all; None if it can."""
        if unit.kind == "cell" or unit.file.endswith(".ipynb"):
            return "notebook cell"
        if unit.language != "python":
            return "another language"
        return "file too large" if unit.file not in self.layout.known else None

    def reason(self, unit: CodeUnit, obstacle: Obstacle) -> str:
        """The same for people."""
        if obstacle == "another language":
            return f"nothing here runs tests of {unit.language} code"
        if obstacle == "notebook cell":
            return "a notebook's cell can't be tested on its own"
        return "its file is too large for the sandbox (verify.repository_mb)"

    def prepare(self, units: Sequence[CodeUnit]) -> UnitVerdicts:
        """Try environments until one leaves nothing to be wished for, and keep the best."""
        begin = time.monotonic()
        tests = test_files(self.codebase, units)
        found, written = sources(self.folder, self.codebase, self.layout, tests)
        near = sum(test.mentions > 1 for test in tests[:NEAR])
        shown = {f"repo/{unit.file}" for unit in units}
        own = [
            source for source in found[near:] if source.path in shown or PAGE.match(source.path.removeprefix("repo/"))
        ]
        batches = [[*found[:near], *own], [source for source in found[near:] if source not in own]]
        reacher = Reacher(self.codebase.units)
        asked = frozenset(unit.id for unit in units)
        best: Try | None = None
        problems: tuple[str, ...] = ()
        home = units[0].id.partition("@")[0] if units else str(self.folder)
        _LOG.info("%s: making an environment, and importing what is asked for in it", home)
        for prepared in attempts(self.folder, self.layout, units, tests, self.sandbox, self.settings, self.when):
            problems = prepared.problems
            if prepared.session is None:
                break
            prepared.session.extra = {**prepared.session.extra, **written}
            tried, start = Try(prepared, [], asked), time.monotonic()
            if any(how.way == "name" for how in prepared.imports.values()):
                _LOG.info("%s: running its tests in the environment '%s'", home, prepared.strategy)
                self._run_tests(tried, batches, reacher)
            _LOG.info("%s: environment '%s': %s", home, prepared.strategy, tried)
            if best is None or tried.worth > best.worth:
                best = tried
            whole, now = self.settings.verify.seconds, time.monotonic()
            if best.perfect or now - begin > PREPARE_SHARE * whole or best.suffices((now - start) / whole):
                break
        if best is not None and not best.runs and best.prepared.score:
            self._run_tests(best, batches, reacher)
        if best is None:
            best = Try(Prepared(problems=problems), [], asked)
        _LOG.info("%s: running tests of what its units are by their names", home)
        runs = [*best.runs, *self._definition_tests(best, units)]
        return UnitVerdicts(self.folder, self.codebase, best.prepared, runs, self.settings, self.durations)

    def _run_tests(self, tried: Try, batches: Sequence[Sequence[Source]], reacher: Reacher) -> None:
        """Run what is nearest to the asked units, and the rest only if that leaves a unit unreached."""
        session, seconds = tried.prepared.session, TEST_SHARE * self.settings.verify.seconds
        each = self.settings.verify.test_seconds
        for batch in batches:
            if session is None or not batch or tried.worth[0] == len(tried.asked):
                continue
            begin = time.monotonic()
            tried.runs += run_tests(session, batch, reacher, self.durations, seconds=seconds, each=each, parts=3)
            seconds = max(seconds - (time.monotonic() - begin), seconds / 4)

    def _definition_tests(self, best: Try, units: Sequence[CodeUnit]) -> list[TestRun]:
        """Tests of what units are by their names, on guessed arguments."""
        session = best.prepared.session
        made = definition_tests(self.folder, units, best.prepared.imports)
        if session is None or not made.sources:
            return []
        session.extra = {**session.extra, **made.texts}
        seconds, each = TEST_SHARE * self.settings.verify.seconds, self.settings.verify.test_seconds
        named = Reacher([unit for unit in units if unit.id in made.sources.values()])
        runs = run_tests(session, [*made.sources], named, self.durations, seconds=seconds, each=each, parts=4)
        return [replace(run, units=run.units & {made.sources[run.source]}) for run in agreeing(runs)]


class _Judging:
    """See `Verifier.judging`: what units of one repository share, their preparation and the time that is left."""

    def __init__(
        self, verifier: Verifier, units: Iterable[CodeUnit], said: Mapping[str, Sequence[str]],
        more: Supplement | None,
    ) -> None:  # fmt: skip
        self._verifier, self._said, self._more = verifier, said, more
        self._units = [unit for unit in units if verifier.obstacle(unit) is None]
        self._left = len(self._units)
        self._lock = threading.Lock()
        self._threads: set[int] = set()
        self._contradicted: dict[str, str] = {}
        self._prepared: UnitVerdicts | Exception | None = None
        self._stop = 0.0

    def __call__(self, unit: CodeUnit) -> Judged:
        if obstacle := self._verifier.obstacle(unit):
            return Judged(untried(unit.id, obstacle, self._verifier.reason(unit, obstacle)))
        settings = self._verifier.settings.verify
        with self._lock:
            verdicts = self._prepare()
            seconds = self._stop - time.monotonic()
            self._threads.add(threading.get_ident())
            fair = max(LEAST_UNIT_SECONDS, seconds * min(len(self._threads) / max(self._left, 1), 1.0))
            self._left -= 1
        limit = min(settings.unit_seconds, fair)
        if seconds < 0:
            return verdicts.late(unit)
        judged = self._with_its_class(verdicts.of(unit, limit, self._said.get(unit.id, ())), unit, verdicts, limit)
        if self._more is None:
            return judged
        begin = time.monotonic()
        judged = self._more(unit, judged, verdicts, limit)
        with self._lock:
            self._stop += (time.monotonic() - begin) / len(self._threads)
        return judged

    def _with_its_class(self, judged: Judged, unit: CodeUnit, verdicts: UnitVerdicts, limit: float) -> Judged:
        """A method is not verified whose class does not keep what it says: which of its methods is at fault nobody
        knows."""
        owner = verdicts.hashes.units.get(unit.parent or "")
        if judged.judgement.verdict != "verified" or owner is None or owner.kind != "class":
            return judged
        if owner.id not in self._contradicted:
            self._contradicted[owner.id] = verdicts.contradicted(owner, limit)
        if not (broken := self._contradicted[owner.id]):
            return judged
        reason = f"its class does not keep what it says: {broken}"
        weaker = judged.judgement.model_copy(update={"verdict": "unverified", "reason": reason})
        return replace(judged, judgement=weaker, contradicted=broken)

    def _prepare(self) -> UnitVerdicts:
        if self._prepared is None:
            self._stop = time.monotonic() + self._verifier.settings.verify.seconds
            try:
                self._prepared = self._verifier.prepare(self._units)
            except Exception as error:  # noqa: BLE001 -- for all who wait for it, here and in other threads
                self._prepared = error
        if isinstance(self._prepared, Exception):
            raise self._prepared
        return self._prepared
