"""What runs inside with its byte code beside it, so that no run compiles it anew."""

import hashlib
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from agents.execution.environments import Environment

__all__ = ["compiled", "inside"]

SECONDS = 60.0


def inside() -> Path:
    """The folder of what runs inside."""
    return Path(str(resources.files("agents.execution.harness").joinpath("inside")))


def compiled(environment: Environment) -> Path:
    """A copy of `inside` with byte code for the interpreter of `environment`, kept beside its packages and gone with
    them; `inside` itself where none can be made."""
    files, digest = _sources()
    final = environment.site.parent / f"harness-{digest}"
    if final.is_dir():
        return final
    try:
        with tempfile.TemporaryDirectory(dir=final.parent, prefix=".harness-", ignore_cleanup_errors=True) as place:
            new = Path(place, "inside")
            new.mkdir()
            for name, text in files.items():
                (new / name).write_bytes(text)
            # Our own files, by the interpreter alone: nothing foreign is loaded here.
            command = [str(environment.python), "-I", "-S", "-m", "compileall", "-q", str(new)]
            subprocess.run(command, check=True, timeout=SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            new.rename(final)
    except (OSError, subprocess.SubprocessError):
        return final if final.is_dir() else inside()
    return final


@cache
def _sources() -> tuple[Mapping[str, bytes], str]:
    """The files of `inside`, and a hash of them all."""
    files = {path.name: path.read_bytes() for path in sorted(inside().glob("*.py"))}
    whole = b"\0".join(part for name, text in files.items() for part in (name.encode(), text))
    return files, hashlib.sha256(whole).hexdigest()[:16]
