"""The Pythons of the host, each asked what it is. One of them is inside, seen at ``/opt/python``."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agents.execution.sandbox.models import SandboxError

__all__ = ["Interpreter", "ask", "find_interpreter"]

ASK = """
import json, sys, sysconfig
prefix = getattr(sys, "base_prefix", sys.prefix)
shared = bool(sysconfig.get_config_var("Py_ENABLE_SHARED"))
print(json.dumps([".".join(map(str, sys.version_info[:3])), prefix, shared, sys.version_info[3]]))
"""
SECONDS = 30.0


@dataclass(frozen=True)
class Interpreter:
    """A Python of this machine. `version` is "3.8.18"; `prefix` its base prefix, which is all a sandbox has to bind;
    `shared` whether it needs its own libpython."""

    version: str
    executable: Path
    prefix: Path
    shared: bool = False

    @property
    def minor(self) -> str:
        """ "3.8" for 3.8.18."""
        return ".".join(self.version.split(".")[:2])

    @property
    def key(self) -> tuple[int, ...]:
        """The version as numbers, to compare."""
        return tuple(int(part) for part in self.version.split("."))

    @property
    def name(self) -> str:
        """The executable's path below the prefix."""
        return f"bin/python{self.minor}"

    def packages(self) -> list[str]:
        """Folders below the prefix with installed packages: no part of the interpreter, so hidden inside."""
        library = self.prefix / "lib"
        found = [library / f"python{self.minor}" / "site-packages", library / "python3" / "dist-packages"]
        found += [library / f"python{self.minor}" / "dist-packages"]
        found += [self.prefix / "local" / "lib" / f"python{self.minor}" / "dist-packages"]
        return [str(folder.relative_to(self.prefix)) for folder in found if folder.is_dir() and not folder.is_symlink()]


def ask(program: Path) -> tuple[Interpreter, bool]:
    """The Python behind `program` (a virtual environment's is followed to its base), and whether it is a final release.

    Raises OSError, SubprocessError or ValueError if it does not answer as a Python does.
    """
    answer = subprocess.run(
        [program, "-E", "-s", "-S", "-c", ASK],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
        stdin=subprocess.DEVNULL,
        env={name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ} | {"LC_ALL": "C"},
    ).stdout
    version, prefix, shared, level = json.loads(answer)
    return Interpreter(version, program, Path(prefix).resolve(), shared), level == "final"


@lru_cache(maxsize=64)
def find_interpreter(executable: Path | None = None) -> Interpreter:
    """The interpreter behind `executable`, None: the one that runs xkg.

    Raises SandboxError if it does not answer or its prefix does not hold it.
    """
    path = executable or Path(sys.executable)
    try:
        found, _ = ask(path)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SandboxError(f"{path} is no Python that answers: {error}", remedy="name another interpreter") from error
    if not (found.prefix / found.name).exists():
        raise SandboxError(f"{path} lies not in its prefix {found.prefix}", remedy="name another interpreter")
    return found
