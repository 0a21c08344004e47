"""Imports modules in the sandbox, many to a run."""

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path

from agents.code.modules.models import Module
from agents.execution.environments import Environment, Rescue, mounts, variables
from agents.execution.sandbox import Limits, RunSpec, Sandbox

__all__ = ["import_modules", "wheel_parts"]

BATCH = 60
SECONDS = 20.0
"""For one module."""
MEBIBYTE = 1024 * 1024
WHEELS = "/in/wheels"


def import_modules(
    modules: Sequence[Module],
    sandbox: Sandbox,
    environment: Environment,
    rescued: Sequence[Rescue] = (),
    *,
    batch: int = BATCH,
) -> Iterator[tuple[Module, str]]:
    """Each module with the error that importing it raised, "" for none. Raises SandboxError if nothing can be run.

    Of `rescued` each module gets what the project's own wheel has for its packages. A module that brings the run itself
    down is told so, and the others of its batch are run again.
    """
    waiting = list(modules)
    warm = True
    while waiting:
        current, waiting = waiting[:batch], waiting[batch:]
        said, reason = _run(current, sandbox, environment, rescued, warm)
        if not said and warm:
            warm, waiting = False, [*current, *waiting]
            continue
        yield from ((module, said[module.unit]) for module in current if module.unit in said)
        left = [module for module in current if module.unit not in said]
        if left:
            yield left[0], reason
            waiting = [*left[1:], *waiting]


def _run(
    modules: Sequence[Module], sandbox: Sandbox, environment: Environment, rescued: Sequence[Rescue], warm: bool
) -> tuple[dict[str, str], str]:
    """What each module's import said, and what ended the run if it ended early."""
    token = secrets.token_hex(16)
    listed = [
        {
            "id": m.unit,
            "import_name": m.import_name,
            "symbol": m.symbol,
            "files": m.files,
            "own": _from_wheels(m, rescued),
        }
        for m in modules
    ]
    lent = {f"{WHEELS}/{number}": rescue.site for number, rescue in enumerate(rescued) if rescue.site}
    script = resources.files("agents.code.modules.inside").joinpath("import_modules.py").read_bytes()
    foreign = sorted({name for m in modules for name in m.third_party}) if warm else []
    result = sandbox.run(
        RunSpec(
            argv=("python3", "import_modules.py", str(SECONDS), *foreign),
            files={"modules.json": json.dumps(listed).encode(), "import_modules.py": script},
            read_only={**mounts(environment), **lent},
            environment=variables(environment),
            python=environment.python,
            stdin=f"{token}\n".encode(),
            limits=Limits(
                wall=SECONDS * len(modules) + 120, memory=4096 * MEBIBYTE, output=8 * MEBIBYTE, disk=512 * MEBIBYTE
            ),
            outputs=(),
        )
    )
    said: dict[str, str] = {}
    for line in result.stdout.splitlines():
        if line.startswith(token):
            answer = json.loads(line[len(token) :])
            said[str(answer["id"])] = str(answer["error"])
    ended = result.limit or (f"signal {result.signal}" if result.signal else f"exit code {result.exit_code}")
    return said, f"the sandbox ended it: {ended} {result.stderr[-200:]}".strip()


def _from_wheels(module: Module, rescued: Sequence[Rescue]) -> dict[str, str]:
    """Place in the module → where the run finds what the wheel has for it."""
    found: dict[str, str] = {}
    for number, rescue in enumerate(rescued):
        for place, file in wheel_parts(module.files, [rescue]).items():
            found[place] = f"{WHEELS}/{number}/{file.relative_to(rescue.site or file).as_posix()}"
    return found


def wheel_parts(files: Iterable[str], rescued: Iterable[Rescue]) -> dict[str, Path]:
    """Place in the module → file of the wheel, for each of the wheel's files that belongs to a package of the module.

    `files` are the module's paths. The folder that a repository keeps its packages in ("src") is no part of them.
    """
    packages = {path.partition("/")[0] for path in files if "/" in path}
    found: dict[str, Path] = {}
    for rescue in rescued:
        for target, source in rescue.taken.items() if rescue.site else ():
            parts = target.split("/")
            start = next((i for i, part in enumerate(parts[:-1]) if part.removesuffix(".libs") in packages), None)
            if start is not None and rescue.site:
                found["/".join(parts[start:])] = rescue.site / source
    return found
