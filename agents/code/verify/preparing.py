"""Environments for a repository, and in each the ways in which the asked modules import."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from agents.code.mutants import Raised, classify
from agents.code.verify.discover import TestFile, outside_imports, sets_variables
from agents.code.verify.layout import Layout
from agents.code.verify.session import Session, raised_of
from agents.execution.environments import EnvironmentFailed, build_environment, interpreter, rescues, strategies
from agents.execution.harness import BatchRun, Job, JobResult
from agents.execution.sandbox import Sandbox
from kg.config import Settings
from kg.models.code import CodeUnit

__all__ = ["Import", "Prepared", "attempts"]

IMPORT_SECONDS = 90.0


@dataclass(frozen=True)
class Import:
    """How a file's module can be had inside, or why not.

    `way` is "name" (under its dotted `name`), "path" (from its own folder) or "statements" (one by one, going on after
    the `failures`), "" if none works; then `raised` or `ended` tell what the first way said.
    """

    file: str
    way: str = ""
    name: str = ""
    failures: tuple[Raised, ...] = ()
    raised: Raised | None = None
    ended: str = "finished"
    loaded: tuple[str, ...] = ()
    log: str = ""

    @property
    def ok(self) -> bool:
        """Whether it can be imported at all."""
        return bool(self.way)

    @property
    def curable(self) -> bool:
        """Whether another environment might import it as it is meant: a script that asks for arguments never will, nor
        what has no end."""
        if self.raised is None or "SystemExit" in self.raised.types:
            return self.raised is None and self.ended != "timeout"
        return classify(self.raised).kind in {"missing module", "version conflict", "syntax", "other error"}

    @property
    def outdated(self) -> bool:
        """Whether libraries of another version stand in the way of how it is meant to be imported, and of its tests."""
        return self.raised is not None and classify(self.raised).kind == "version conflict"

    @property
    def points(self) -> int:
        """How good that is: as the repository means it, whole in another way, in part, not at all."""
        return (3 if self.way == "name" else 1 if self.failures else 2) if self.ok else 0


@dataclass
class Prepared:
    """A session in one environment, and the imports of the asked files in it, made in `batch`.

    `strategy` names all that helped; `problems` tell the environments that could not be built.
    """

    session: Session | None = None
    batch: BatchRun | None = None
    imports: dict[str, Import] = field(default_factory=dict)
    strategy: str = ""
    problems: tuple[str, ...] = ()

    @property
    def score(self) -> int:
        """The points of all files."""
        return sum(found.points for found in self.imports.values())

    @property
    def obstacles(self) -> list[Raised | None]:
        """What stands in the way of each file."""
        return [found.raised for found in self.imports.values()]

    @property
    def served(self) -> bool:
        """Whether no other environment could do better."""
        return all(not found.curable or found.points >= (3 if found.outdated else 2) for found in self.imports.values())


def attempts(
    folder: Path,
    layout: Layout,
    units: Iterable[CodeUnit],
    tests: Iterable[TestFile],
    sandbox: Sandbox,
    settings: Settings,
    when: date | None,
) -> Iterator[Prepared]:
    """Environments in the order of trust, each with the imports of the files of `units`, made on demand.

    One that can't be built gives a `Prepared` without a session. Never raises for code that fails.
    """
    asked: dict[str, list[str]] = {}
    for unit in units:
        asked.setdefault(unit.file, []).append(unit.symbol if unit.kind in {"function", "class", "method"} else "")
    files = sorted({*asked, *(test.path for test in tests), *_configuration(layout)})
    needed = [*outside_imports(layout, files), "pytest"]
    problems: list[str] = []
    try:
        for spec in strategies(folder, needed, when, settings):
            try:
                environment = build_environment(spec, settings)
            except EnvironmentFailed as error:
                problems.append(f"{spec.strategy}: {error}")
                continue
            session = Session(folder, layout, environment, sandbox, memory=settings.verify.memory_mb * 1_000_000)
            ways = ", ".join([spec.strategy, *(f"{name}={value}" for name, value in session.variables.items())])
            bare = _attempt(session, asked, ways, tuple(problems))
            rescued = _rescued(session, when, settings, whole=bare.score >= 3 * len(asked))
            if rescued:
                mended = _attempt(rescued, asked, f"{ways}, {', '.join(rescued.rescues)}", tuple(problems))
                better = mended.score > bare.score or (
                    mended.score == bare.score and (rescued.wheel_files or mended.obstacles != bare.obstacles)
                )
                bare = mended if better else bare
            yield bare
    except EnvironmentFailed as error:
        problems.append(str(error))
    yield Prepared(problems=tuple(problems))


def _rescued(session: Session, when: date | None, settings: Settings, *, whole: bool) -> Session | None:
    """A session with what the repository lacks; None if it lacks nothing, or all imports are `whole` without it.

    Data files are no matter of imports: tests need them where everything imports.
    """
    python = interpreter(session.environment.spec.python, settings.execution.pythons)
    found = rescues(session.folder, when, settings, python)
    if whole:
        found = tuple(rescue for rescue in found if rescue.site)
    if not found:
        return None
    again = Session(session.folder, session.layout, session.environment, session.sandbox, memory=session.memory)
    again.add(found)
    return again


def _configuration(layout: Layout) -> list[str]:
    return [path for path in layout.files if re.search(r"(^|/)conftest\.py$", path)]


def _attempt(session: Session, asked: dict[str, list[str]], strategy: str, problems: tuple[str, ...]) -> Prepared:
    """Import each file in the first way that works."""
    jobs: list[Job] = []
    for file, symbols in asked.items():
        ways = [("name", name) for name in session.layout.module_names(file)] + [("path", ""), ("statements", "")]
        earlier: list[str] = []
        for number, (way, name) in enumerate(ways):
            options = {"root": "repo", "file": file, "way": way, "name": name, "unless": [*earlier]}
            options["in_time"] = earlier[-1:] if way == "statements" else []  # it hangs by itself, not by its package
            options["symbols"] = sorted(set(symbols))
            jobs.append(Job(f"import {file} {number}", "import", IMPORT_SECONDS, options))
            earlier.append(jobs[-1].id)
    batch = session.run(jobs, min(600.0, 60 + IMPORT_SECONDS * len(asked)))
    imports = {}
    for file in asked:
        mine = [job for job in jobs if job.options["file"] == file and job.id in batch.results]
        imports[file] = _import(file, [(job, batch.results[job.id]) for job in mine])
    session.warm = _libraries(session, imports)
    return Prepared(session, batch, imports, strategy, problems)


def _libraries(session: Session, imports: dict[str, Import]) -> tuple[str, ...]:
    """Packages of the environment that the modules load: worth loading once, before the children are forked.

    Not where the repository sets environment variables when it is loaded: libraries that were there before would not
    see them.
    """
    if sets_variables(session.folder, session.layout.files):
        return ("pytest",)
    site = session.environment.site
    loaded = {name for found in imports.values() for name in found.loaded if found.ok}
    packages = (name for name in sorted(loaded) if (site / name / "__init__.py").is_file())
    return ("pytest", *(name for name in packages if name != "pytest" and f"{name}.py" not in session.layout.known))


def _import(file: str, results: list[tuple[Job, JobResult]]) -> Import:
    """The first way that worked, and what the very first said: it is how the code is meant to be imported."""
    records = [(raised_of(event.get("raised")), result) for _, result in results for event in result.of("import")]
    first = records[0][0] if records else None
    for job, result in results:
        for event in result.of("import"):
            if event.get("ok") and result.ended == "finished":
                failures = tuple(r for r in map(raised_of, event.get("failures") or ()) if r)
                if failures and not event.get("symbols"):
                    break
                loaded = tuple(str(name) for name in event.get("loaded") or ())
                return Import(file, job.options["way"], job.options["name"], failures, first, loaded=loaded)
    for _, result in results:
        if first or result.ended != "finished":
            return Import(file, raised=first, ended=result.ended, log=result.log)
    return Import(file, ended="lost")
