"""A slice gives what the original gives: random packages, each function called in both, nothing shared."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from module_packages import Package, packages

from agents.code.modules import Slicer
from agents.code.units import read_units

_CALLS = """
import importlib, json, os, sys
for root, module, symbol in json.load(sys.stdin):
    reader, writer = os.pipe()
    if os.fork() == 0:
        sys.path.insert(0, root)
        try:
            said = getattr(importlib.import_module(module), symbol)()
        except BaseException as error:
            said = type(error).__name__ + ": " + str(error).replace(root, "")
        os.write(writer, json.dumps(said).encode())
        os._exit(0)
    os.wait()
    os.close(writer)
    print(os.read(reader, 100000).decode())
    os.close(reader)
"""


def calls(targets: list[tuple[str, str, str]]) -> list[object]:
    """What each function (root, module, name) gives or raises, each in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _CALLS], input=json.dumps(targets), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(packages())
def test_slices_give_what_the_original_gives(package: Package) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "original")
        write(folder, package.files)
        codebase = read_units(folder)
        slicer = Slicer(folder)
        original, sliced = [], []
        for number, (path, name) in enumerate(package.functions):
            unit = next(u for u in codebase.units if u.id == f"{path}#{name}")
            module = slicer.module(unit)
            write(Path(temporary, str(number)), module.files)
            original.append((str(folder), path.removesuffix(".py").replace("/", "."), name))
            sliced.append((str(Path(temporary, str(number))), module.import_name, module.symbol))
        expected = calls(original)
        given_back = calls(sliced)
        for what, before, after in zip(package.functions, expected, given_back, strict=True):
            if not isinstance(before, str):
                assert after == before, what
