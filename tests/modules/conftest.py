"""Small repositories, sliced and executed."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from agents.code.modules import Module, Slicer
from agents.code.units import read_units

_CALL = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
found = importlib.import_module(sys.argv[2])
for part in sys.argv[3].split(".") if sys.argv[3] else ():
    found = getattr(found, part)
print(json.dumps(found(*json.loads(sys.argv[4])) if callable(found) else None))
"""


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def call(root: Path, module: str, symbol: str, *arguments: object) -> object:
    """What a function of a module below `root` gives, in a process that knows nothing else. The code is our own."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _CALL, str(root), module, symbol, json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@dataclass
class Repository:
    """A repository of our own in a temporary folder."""

    folder: Path
    out: Path

    def slice(self, unit: str) -> Module:
        """The module of the unit `file#symbol`."""
        codebase = read_units(self.folder)
        slicer = Slicer(self.folder)
        return slicer.module(next(u for u in codebase.units if u.id == unit))

    def call(self, module: Module, *arguments: object) -> object:
        """What the unit gives when only its module is there."""
        target = self.out / module.sha256
        write(target, module.files)
        return call(target, module.import_name, module.symbol, *arguments)


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[Mapping[str, str]], Repository]:
    """Makes a repository of paths and texts."""

    def make(files: Mapping[str, str]) -> Repository:
        return Repository(write(tmp_path / "repository", files), tmp_path / "slices")

    return make
