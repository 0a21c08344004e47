"""The bubblewraps that the tests run in: every program that is here, the first with control groups and without."""

from agents.execution.sandbox import Limits, Result, RunSpec
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.programs import programs

MIB = 1024 * 1024
FOUND = list(programs())
EVERY = {"wheel" if program.libraries else "system": BubblewrapSandbox(program) for program in FOUND}
BOXES = {
    "groups" if groups else "polled": BubblewrapSandbox(program, groups=groups)
    for program in FOUND[:1]
    for groups in (True, False)
}


def python(box: BubblewrapSandbox, code: str, limits: Limits | None = None, **more: object) -> Result:
    """Run `code` by the sandbox's python3, for at most 20 seconds unless `limits` say otherwise."""
    spec = RunSpec(argv=("python3", "-c", code), limits=limits or Limits(wall=20), **more)  # type: ignore[arg-type]
    return box.run(spec)
