"""Which backend serves here: found by running something in it, never by the presence of a program."""

import sys
from collections.abc import Callable

from agents.execution.sandbox.models import Backend, Limits, RunSpec, Sandbox, SandboxError
from kg.config import Settings
from kg.errors import InputError

__all__ = ["OPENERS", "PREFERENCE", "open_sandbox", "probe"]

WORD = "xkg-probe"
APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"


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
        said = result.stderr.strip() or f"exit code {result.exit_code}, signal {result.signal}, limit {result.limit}"
        raise SandboxError(f"a test run in {sandbox.name} went wrong: {said}", remedy="xkg sandbox doctor")


def open_sandbox(settings: Settings, backend: str | None = None) -> Sandbox:
    """The backend named, else the one of the settings, else the first of bubblewrap and docker whose probe passes.

    bubblewrap goes first: it starts in a quarter of the time and sees the machine's compilers, and as much is held.

    Raises SandboxError with the cure if none serves, InputError if there is none of that name. ``unsafe-local``, which
    is no sandbox, is only had by name.
    """
    backend = backend or settings.execution.sandbox
    if backend is not None:
        opener = OPENERS.get(backend)
        if opener is None:
            raise InputError(f"there is no sandbox {backend!r}", remedy=f"name one of {', '.join(OPENERS)}")
        return opener(settings)
    reasons, cures = [], []
    for name in PREFERENCE:
        try:
            return OPENERS[name](settings)
        except SandboxError as error:
            reasons.append(f"{name}: {error.what}")
            cures.append(error.remedy)
    raise SandboxError(f"no sandbox works here: {'; '.join(reasons)}", remedy=cures[0])


def _docker(settings: Settings) -> Sandbox:
    from agents.execution.sandbox.docker_backend import open_docker

    sandbox = open_docker(settings)
    probe(sandbox)
    return sandbox


def _bubblewrap(settings: Settings) -> Sandbox:  # noqa: ARG001 -- as every opener
    if sys.platform != "linux":
        raise SandboxError("bubblewrap needs Linux", remedy="install Docker and run `xkg sandbox build`")
    from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
    from agents.execution.sandbox.cgroups import sweep
    from agents.execution.sandbox.programs import programs

    sweep()
    reasons = []
    for program in programs():
        sandbox = BubblewrapSandbox(program)
        try:
            probe(sandbox)
        except SandboxError as error:
            reasons.append(f"{program.origin}: {error.what}")
        else:
            return sandbox
    raise SandboxError("; ".join(reasons) or "bubblewrap is not installed", remedy=_cure())


def _cure() -> str:
    """The command that most likely makes bubblewrap work."""
    try:
        with open(APPARMOR, encoding="ascii") as file:  # noqa: PTH123 -- a file of the kernel
            restricted = file.read().strip() == "1"
    except OSError:
        restricted = False
    if restricted:
        return "allow user namespaces: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    return "install bubblewrap (Debian: sudo apt install bubblewrap)"


def _unsafe_local(settings: Settings) -> Sandbox:  # noqa: ARG001 -- as every opener
    from agents.execution.sandbox.unsafe_local import UnsafeLocal

    return UnsafeLocal()


PREFERENCE: tuple[Backend, ...] = ("bubblewrap", "docker")
OPENERS: dict[Backend | str, Callable[[Settings], Sandbox]] = {
    "bubblewrap": _bubblewrap,
    "docker": _docker,
    "unsafe-local": _unsafe_local,
}
