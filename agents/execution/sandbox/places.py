"""The places inside every sandbox, what may be put where, and the environment that a command finds."""

from pathlib import PurePosixPath
from typing import get_args

from agents.execution.sandbox.interpreter import Interpreter
from agents.execution.sandbox.models import Protection, RunSpec
from kg.errors import InputError

__all__ = [
    "DEFAULTS",
    "INIT",
    "NAMES",
    "PROTECTIONS",
    "PYTHON",
    "SYSTEM_PATH",
    "UID",
    "WORK",
    "check_inputs",
    "check_mount",
    "environment",
]

PROTECTIONS: tuple[Protection, ...] = get_args(Protection)
UID = 1000
WORK = "/work"
PYTHON = "/opt/python"
INIT = "/opt/init"
NAMES = "/opt/bin"
"""Where `python3` and `python` are, whatever the interpreter is called in its prefix."""
TAKEN = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/lib32",
    "/etc",
    "/dev",
    "/proc",
    "/sys",
    "/run",
    PYTHON,
    INIT,
    NAMES,
)
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
DEFAULTS = {
    "PATH": f"{NAMES}:{PYTHON}/bin:{SYSTEM_PATH}",
    "HOME": "/tmp",  # noqa: S108 -- a tmpfs of the run's own
    "TMPDIR": "/tmp",  # noqa: S108
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
}


def check_inputs(spec: RunSpec) -> None:
    """Raises InputError for a file, folder or mount that has no place in a sandbox."""
    for name in (*spec.files, spec.cwd):
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\0" in name or (not path.parts and name in spec.files):
            raise InputError(f"{name!r} is no place in the working folder", remedy="give a relative path without ..")
    for inside, source in spec.read_only.items():
        check_mount(inside)
        if not source.exists():
            raise InputError(f"{source} does not exist", remedy="name a file or folder that does")


def check_mount(inside: str) -> None:
    """Raises InputError if nothing may be mounted at `inside`."""
    path = PurePosixPath(inside)
    if not path.is_absolute() or ".." in path.parts or len(path.parts) < 2 or "\0" in inside:
        raise InputError(f"{inside!r} is no place for a mount", remedy="give an absolute path below the root")
    taken = [PurePosixPath(place) for place in TAKEN]
    covered = [*taken, PurePosixPath(DEFAULTS["HOME"]), PurePosixPath(WORK)]
    if any(path.is_relative_to(place) for place in taken) or any(place.is_relative_to(path) for place in covered):
        raise InputError(f"{inside} is the sandbox's own and can't be mounted over", remedy="mount it elsewhere")


def environment(spec: RunSpec, python: Interpreter) -> dict[str, str]:
    """The whole environment of the command."""
    given = {**DEFAULTS, **spec.environment}
    if python.shared:
        more = given.get("LD_LIBRARY_PATH")
        given["LD_LIBRARY_PATH"] = f"{PYTHON}/lib" + (f":{more}" if more else "")
    return given
