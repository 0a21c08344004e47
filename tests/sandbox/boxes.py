"""The sandboxes of the tests: each backend, and every bubblewrap that is here."""

import pytest

from agents.execution.sandbox import Limits, Result, RunSpec, Sandbox
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.programs import programs

MIB = 1024 * 1024
FOUND = list(programs())
EVERY = {"wheel" if program.libraries else "system": BubblewrapSandbox(program) for program in FOUND}
BOXES = {name: BubblewrapSandbox(FOUND[0], groups=name == "bubblewrap") for name in ("bubblewrap", "polled") if FOUND}
"""The first bubblewrap with control groups, and as an ordinary user without them has it."""
BUBBLEWRAP, POLLED = (pytest.param(name, marks=pytest.mark.sandbox) for name in ("bubblewrap", "polled"))
DOCKER = pytest.param("docker", marks=pytest.mark.dockerd)


def python(box: Sandbox, code: str, limits: Limits | None = None, **more: object) -> Result:
    """Run `code` by the sandbox's python3, for at most 30 seconds unless `limits` say otherwise."""
    spec = RunSpec(argv=("python3", "-c", code), limits=limits or Limits(wall=30), **more)  # type: ignore[arg-type]
    return box.run(spec)
