"""Imports modules in the sandbox, many to a run, each in a process and a folder of its own."""

from collections.abc import Iterator, Sequence

from agents.code.modules import Module
from agents.code.modules.data import wheel_parts
from agents.execution.environments import Environment, Rescue
from agents.execution.harness import Harness, Job, JobResult, Workspace
from agents.execution.sandbox import Sandbox

__all__ = ["import_modules"]

BATCH = 60
SECONDS = 20.0
"""For one module."""
MEBIBYTE = 1024 * 1024
FOLDER = "module"


def import_modules(
    modules: Sequence[Module],
    sandbox: Sandbox,
    environment: Environment,
    rescued: Sequence[Rescue] = (),
    *,
    batch: int = BATCH,
) -> Iterator[tuple[Module, str]]:
    """Each module with the error that importing it raised, "" for none. Raises SandboxError if nothing can be run.

    Of `rescued` each module gets what the first wheel of the project itself has for its packages. A module that brings
    the run itself down is told so.
    """
    wheel = next((rescue for rescue in rescued if rescue.site), None)
    harness = Harness(environment, sandbox, 4096 * MEBIBYTE)
    for start in range(0, len(modules), batch):
        current = modules[start : start + batch]
        foreign = sorted({name for module in current for name in module.third_party})
        jobs = [_job(number, module, wheel) for number, module in enumerate(current)]
        workspace = Workspace(lent=wheel.site if wheel else None, fresh=True)
        ran = harness.run(jobs, workspace, SECONDS * len(current) + 120, preload=foreign)
        for number, module in enumerate(current):
            yield module, _error(module, ran.results[str(number)])


def _job(number: int, module: Module, wheel: Rescue | None) -> Job:
    lent = {}
    if wheel and wheel.site:
        parts = wheel_parts(module.files, [wheel])
        lent = {f"{FOLDER}/{place}": file.relative_to(wheel.site).as_posix() for place, file in parts.items()}
    options = {
        "root": FOLDER,
        "way": "name",
        "name": module.import_name,
        "symbols": [module.symbol.partition(".")[0]],
        "path": [FOLDER],
        "write": {f"{FOLDER}/{path}": text for path, text in module.files.items()},
        "lend": lent,
    }
    return Job(str(number), "import", SECONDS, options)


def _error(module: Module, result: JobResult) -> str:
    if result.ended == "timeout":
        return f"TimeoutError: not imported after {SECONDS:g} s"
    if result.ended in {"lost", "skipped"}:
        return f"the run of the sandbox ended before it was imported ({result.ended})"
    told = next(iter(result.of("import")), None)
    if result.ended == "died" or told is None:
        return f"SystemExit: the process ended by itself (status {result.status})"
    if raised := told.get("raised"):
        own = [(file, line) for file, line, *_ in raised["frames"] if file.startswith(f"/work/{FOLDER}/")]
        where = f" ({own[-1][0].removeprefix(f'/work/{FOLDER}/')}:{own[-1][1]})" if own else ""
        return f"{raised['types'][0]}: {' '.join(raised['message'].split())[:300]}{where}"
    symbol = module.symbol.partition(".")[0]
    if symbol and symbol not in told["symbols"]:
        return f"AttributeError: module {module.import_name!r} has no attribute {symbol!r}"
    return ""
