"""Which backend serves here: found by running something in it, never by the presence of a program."""

import shutil
from collections.abc import Callable
from pathlib import Path

from agents.sandbox.bubblewrap import BubblewrapSandbox
from agents.sandbox.models import Limits, RunSpec, Sandbox, SandboxError
from kg.config import Settings

__all__ = ["open_sandbox", "probe"]

WORD = "xkg-probe"


def probe(sandbox: Sandbox) -> None:
    """Run a word through the sandbox. Raises SandboxError, saying why, if it does not come back as it should."""
    spec = RunSpec(
        argv=("python3", "-c", "import sys; open('out', 'w').write(sys.stdin.read()); print(open('in').read())"),
        files={"in": WORD.encode()},
        stdin=WORD.encode(),
        limits=Limits(wall=30),
    )
    result = sandbox.run(spec)
    if not result.passed or result.stdout.strip() != WORD or [output.path for output in result.outputs] != ["out"]:
        told = result.stderr.strip() or f"exit code {result.exit_code}, signal {result.signal}"
        raise SandboxError(f"a test run in {sandbox.name} went wrong: {told}", remedy="xkg sandbox doctor")


def open_sandbox(settings: Settings, backend: str | None = None) -> Sandbox:
    """The first backend of docker and bubblewrap whose probe passes, or the one named.

    Raises SandboxError with the cure if none serves. ``unsafe-local`` is only had by name.
    """
    reasons = []
    for name in [backend] if backend else list(BACKENDS):
        if name not in BACKENDS:
            raise SandboxError(f"there is no sandbox {name!r}", remedy=f"name one of {', '.join(BACKENDS)}")
        try:
            sandbox = BACKENDS[name]()
            probe(sandbox)
        except SandboxError as error:
            if backend:
                raise
            reasons.append(f"{name}: {error}")
        else:
            return sandbox
    raise SandboxError(
        f"no sandbox works here: {'; '.join(reasons)}", remedy="`xkg sandbox doctor` says what to install"
    )


def _docker() -> Sandbox:
    from agents.sandbox.docker_backend import open_docker

    return open_docker()


def _bubblewrap() -> Sandbox:
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed", remedy="install it (Debian: sudo apt install bubblewrap)")
    return BubblewrapSandbox(Path(program))


BACKENDS: dict[str, Callable[[], Sandbox]] = {"docker": _docker, "bubblewrap": _bubblewrap}
