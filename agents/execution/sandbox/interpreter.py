"""Which Python is inside: an interpreter of the host, found by its base prefix, seen at ``/opt/python``."""

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agents.execution.sandbox.models import SandboxError

__all__ = ["Interpreter", "find_interpreter"]

ASK = """
import json, sys, sysconfig
prefix = getattr(sys, "base_prefix", sys.prefix)
print(json.dumps([prefix, "%d.%d" % sys.version_info[:2], bool(sysconfig.get_config_var("Py_ENABLE_SHARED"))]))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python of the host: its base `prefix`, its `version` ("3.11"), and whether it needs its own libpython."""

    prefix: Path
    version: str
    shared: bool

    @property
    def name(self) -> str:
        """The executable's path below the prefix."""
        return f"bin/python{self.version}"

    def packages(self) -> list[str]:
        """Folders below the prefix with installed packages: no part of the interpreter, so hidden inside."""
        library = self.prefix / "lib"
        found = [library / f"python{self.version}" / "site-packages", library / "python3" / "dist-packages"]
        found += [library / f"python{self.version}" / "dist-packages"]
        found += [self.prefix / "local" / "lib" / f"python{self.version}" / "dist-packages"]
        return [str(folder.relative_to(self.prefix)) for folder in found if folder.is_dir() and not folder.is_symlink()]


@lru_cache(maxsize=64)
def find_interpreter(executable: Path | None = None) -> Interpreter:
    """The interpreter behind `executable` (a virtual environment's is followed to its base), None: the one that runs.

    Raises SandboxError if it does not answer or its prefix does not hold it.
    """
    path = str(executable or sys.executable)
    try:
        told = subprocess.run([path, "-E", "-s", "-S", "-c", ASK], capture_output=True, timeout=30, check=True).stdout
        prefix, version, shared = json.loads(told)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SandboxError(f"{path} is no Python that answers: {error}", remedy="name another interpreter") from error
    found = Interpreter(Path(prefix), version, shared)
    if not (found.prefix / found.name).exists():
        raise SandboxError(f"{path} lies not in its prefix {prefix}", remedy="name another interpreter")
    return found
