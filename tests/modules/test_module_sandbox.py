"""Modules imported in the real sandbox."""

import sys
from pathlib import Path

import pytest

from agents.code.modules import Module
from agents.execution.environments import Environment, EnvironmentSpec, Rescue
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


def test_a_module_finds_what_the_wheel_of_its_project_has_for_its_package(
    sandbox: Sandbox, environment: Environment, tmp_path: Path
) -> None:
    site = tmp_path / "wheel"
    (site / "pkg").mkdir(parents=True)
    (site / "pkg" / "built.py").write_text("value = 7\n")
    rescue = Rescue(name="own wheel", taken={"src/pkg/built.py": "pkg/built.py"}, site=site)
    needy = module("needy", "from pkg.built import value\n\n\ndef f():\n    return value\n")
    assert [error for _, error in import_modules([needy], sandbox, environment, [rescue])] == [""]
    assert "pkg.built" in next(error for _, error in import_modules([needy], sandbox, environment))
