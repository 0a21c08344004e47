"""Running a piece of the graph's code for a person, in the sandbox: a unit from its module, a block as it is."""

from pathlib import Path

from agents.code.modules import Slicer
from agents.code.modules.data import wheel_parts
from agents.code.units import read_units
from agents.code.verify.discover import date_of
from agents.execution.environments import (
    Environment,
    EnvironmentFailed,
    build_environment,
    distributions,
    interpreter,
    mounts,
    rescues,
    strategies,
    variables,
)
from agents.execution.harness import run_unit
from agents.execution.sandbox import Limits, Result, RunSpec, open_sandbox
from ingest.acquire.locations import find_again
from kg.config import Settings
from kg.errors import InputError, XkgError
from kg.models.paper import Model
from kg.results.show import ShownCode
from kg.verdicts import StoredModule, sha256_of

__all__ = ["CodeRun", "run_code"]

LARGEST = 50_000_000
"""Bytes of data files of the repository that go into the sandbox with a module."""

MIB = 1024 * 1024


class CodeRun(Model):
    """What came of running code, and where: `result` as the sandbox tells it, `remarks` what was left out."""

    id: str
    result: Result
    environment: str
    python: str
    packages: dict[str, str]
    remarks: tuple[str, ...] = ()


def run_code(
    code: ShownCode, settings: Settings, arguments: tuple[str, ...], backend: str | None, seconds: float
) -> CodeRun:
    """Run `code`. `arguments` are statements to run on a unit once it is imported, or the arguments of a block.

    Raises InputError for what can't be run (another language, no module, no text), EnvironmentFailed if its packages
    can't be had, SandboxError if no sandbox works here.
    """
    if (code.language or "python") != "python":
        raise InputError(f"{code.id} is {code.language} code; only Python is run", remedy="give Python code")
    remarks: list[str] = []
    folder: Path | None = None
    if code.origin == "imported" or not code.repository:
        files, argv, imports = _block(code)
        argv += arguments
    else:
        folder = _folder(code, settings, remarks)
        module = _module(code, folder, remarks)
        files = {path: text.encode("utf-8", "replace") for path, text in module.files.items()}
        files |= _data(module, folder, remarks)
        runner, argv = run_unit(module.import_name, module.symbol)
        files, argv = files | runner, (*argv, *arguments)
        imports = module.third_party
    sandbox = open_sandbox(settings, backend)
    environment = _environment(folder, imports, _served(code), settings)
    if folder:
        rescued = rescues(
            folder, date_of(folder), settings, interpreter(environment.spec.python, settings.execution.pythons)
        )
        files |= {place: file.read_bytes() for place, file in wheel_parts(files, rescued).items()}
    result = sandbox.run(
        RunSpec(
            argv=argv,
            files=files,
            read_only=mounts(environment),
            environment=variables(environment),
            python=environment.python,
            limits=Limits(wall=seconds, memory=settings.verify.memory_mb * MIB),
            outputs=(),
        )
    )
    missing = distributions(imports).unmapped
    remarks += [f"no known package provides {', '.join(missing)}"] if missing else []
    return CodeRun(
        id=code.id,
        result=result,
        environment=environment.id,
        python=environment.python_version,
        packages=environment.packages,
        remarks=tuple(remarks),
    )


def _block(code: ShownCode) -> tuple[dict[str, bytes], tuple[str, ...], tuple[str, ...]]:
    """Files, command and imports of a block: implementation and test in one process."""
    from agents.code.verify.blocks import Block
    from agents.code.verify.blocks.text import imports, join

    if not code.implementation.strip():
        raise InputError(f"the text of {code.id} is not kept in this graph", remedy="import its file again")
    joined = join(Block(id=code.id, implementation=code.implementation, test=code.test))
    return {"block.py": joined.text.encode("utf-8", "replace")}, ("python3", "block.py"), tuple(imports(joined))


def _folder(code: ShownCode, settings: Settings, remarks: list[str]) -> Path | None:
    try:
        return find_again(settings, code.repository or "", code.commit or "")
    except XkgError as error:
        remarks.append(f"its repository is not here: {error.what}")
        return None


def _module(code: ShownCode, folder: Path | None, remarks: list[str]) -> StoredModule:
    """The module cut now or, without the repository, the one that was judged last, be it of a former text.

    Raises InputError if there is neither.
    """
    if folder is None or code.origin == "rewritten":
        if not code.module:
            raise InputError(
                f"the graph keeps no module of {code.id}", remedy="ingest its paper again, where its code is"
            )
        if code.text_sha256 != sha256_of(code.implementation):
            remarks.append("what runs is its text as it was last judged, which has changed since")
        return StoredModule.model_validate_json(code.module)
    codebase = read_units(folder)
    key = code.id.removeprefix(f"{code.repository}@{code.commit}:")
    unit = next((unit for unit in codebase.units if unit.id == key), None)
    if unit is None or sha256_of(unit.text) != sha256_of(code.implementation):
        raise InputError(f"{code.id} is no unit that can be run on its own", remedy="run one of the units of its file")
    module = Slicer(folder).stored(unit)
    if module is None:
        raise InputError(f"no module can be cut for {code.id}", remedy="`xkg code show ID` prints it")
    return module


def _data(module: StoredModule, folder: Path | None, remarks: list[str]) -> dict[str, bytes]:
    """Files of the repository that the module reads, under their paths there."""
    found: dict[str, bytes] = {}
    for path in module.data if folder else ():
        file = (folder or Path()) / path
        inside = folder and file.resolve().is_relative_to(folder.resolve())
        if inside and file.is_file() and sum(map(len, found.values())) + file.stat().st_size <= LARGEST:
            found[path] = file.read_bytes()
        else:
            remarks.append(f"{path}, which it reads, was left out")
    return found


def _served(code: ShownCode) -> str:
    """The strategy of the environment that the code's verdict rests on, "" if there is none."""
    return next((run.strategy or "" for run in code.executions if run.current), "")


def _environment(folder: Path | None, imports: tuple[str, ...], served: str, settings: Settings) -> Environment:
    """The environment that `served`, else the first that can be built. Raises EnvironmentFailed if none can."""
    failed = EnvironmentFailed("no environment can be had for it")
    specs = list(strategies(folder, imports, date_of(folder) if folder else None, settings))
    for spec in sorted(specs, key=lambda spec: -len(spec.strategy) * served.startswith(spec.strategy)):
        try:
            return build_environment(spec, settings)
        except EnvironmentFailed as error:
            failed = error
    raise failed
