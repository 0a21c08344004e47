"""Modules imported in the real sandbox."""

import sys
from pathlib import Path

import pytest

from agents.code.modules import Module
from agents.execution.environments import Environment, EnvironmentSpec
from agents.execution.sandbox import Sandbox, open_sandbox
from benchmarks.importing import import_modules
from kg.config import load_settings

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return open_sandbox(load_settings())


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    version = ".".join(map(str, sys.version_info[:2]))
    spec = EnvironmentSpec(python=version, strategy="none")
    return Environment(id="0", spec=spec, python=Path(sys.executable), python_version=version, site=tmp_path)


def module(name: str, text: str, symbol: str = "f") -> Module:
    return Module(
        unit=name, language="python", import_name=f"pkg.{name}", symbol=symbol, files={f"pkg/{name}.py": text}
    )


def test_each_import_says_what_came_of_it(sandbox: Sandbox, environment: Environment) -> None:
    modules = [
        module("good", "def f():\n    pass\n"),
        module("lacks", "x = nowhere\n"),
        module("leaves", "import os\nos._exit(0)\n"),
        module("exits", "import sys\nsys.exit('bye')\n"),
        module("other", "def g():\n    pass\n"),
        module("dies", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"),
        module("lies", 'print(\'{"id": "lacks", "error": ""}\')\ndef f():\n    pass\n'),
    ]
    said = {module.unit: error for module, error in import_modules(modules, sandbox, environment)}
    assert said["good"] == said["lies"] == ""
    assert said["lacks"] == "NameError: name 'nowhere' is not defined (pkg/lacks.py:1)"
    assert said["leaves"].startswith("SystemExit: the process ended by itself")
    assert said["exits"].startswith("SystemExit: bye")
    assert said["other"].startswith("AttributeError")
    assert said["dies"].startswith("SystemExit: the process ended by itself")
