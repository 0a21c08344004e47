"""Imports modules in the sandbox, many to a run."""

import json
import secrets
from collections.abc import Iterator, Sequence
from importlib import resources

from agents.environments import Environment, mounts, variables
from agents.sandbox import Limits, RunSpec, Sandbox
from ingest.slice.models import Module

__all__ = ["import_modules"]

BATCH = 60
SECONDS = 20.0
"""For one module."""
MEBIBYTE = 1024 * 1024


def import_modules(
    modules: Sequence[Module], sandbox: Sandbox, environment: Environment, *, batch: int = BATCH
) -> Iterator[tuple[Module, str]]:
    """Each module with the error that importing it raised, "" for none. Raises SandboxError if nothing can be run.

    A module that brings the run itself down is told so, and the others of its batch are run again.
    """
    waiting = list(modules)
    warm = True
    while waiting:
        current, waiting = waiting[:batch], waiting[batch:]
        said, reason = _run(current, sandbox, environment, warm)
        if not said and warm:
            warm, waiting = False, [*current, *waiting]
            continue
        yield from ((module, said[module.unit]) for module in current if module.unit in said)
        left = [module for module in current if module.unit not in said]
        if left:
            yield left[0], reason
            waiting = [*left[1:], *waiting]


def _run(
    modules: Sequence[Module], sandbox: Sandbox, environment: Environment, warm: bool
) -> tuple[dict[str, str], str]:
    """What each module's import said, and what ended the run if it ended early."""
    token = secrets.token_hex(16)
    listed = [{"id": m.unit, "import_name": m.import_name, "symbol": m.symbol, "files": m.files} for m in modules]
    script = resources.files("ingest.slice.inside").joinpath("import_modules.py").read_bytes()
    foreign = sorted({name for m in modules for name in m.third_party}) if warm else []
    result = sandbox.run(
        RunSpec(
            argv=("python3", "import_modules.py", str(SECONDS), *foreign),
            files={"modules.json": json.dumps(listed).encode(), "import_modules.py": script},
            read_only=mounts(environment),
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
