"""What a module says about itself: origins, licence, problems, data, scripts, several units together."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents.code.modules.check import inspect_files
from agents.code.units import read_units

MIT = (
    "Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
    "The above copyright notice and this permission notice shall be included"
)
PACKAGE = {
    "pkg/__init__.py": "",
    "pkg/a.py": "import numpy as np\n\n# About one.\ndef one():\n    return np.ones(1)\n\ndef two():\n    return 2\n",
    "pkg/b.py": "from pkg.a import one\n\nclass B:\n    def run(self):\n        return one()\n",
}


def test_each_piece_says_where_it_is_from(repository) -> None:
    module = repository(PACKAGE).slice("pkg/b.py#B.run")
    assert (module.import_name, module.symbol, module.third_party) == ("pkg.b", "B.run", ("numpy",))
    assert module.files["pkg/a.py"].startswith("# from pkg/a.py:1-5\nimport numpy as np\n\n# About one.\ndef one")
    places = {(piece.file, piece.source, piece.line, piece.end_line) for piece in module.pieces}
    assert places == {("pkg/a.py", "pkg/a.py", 1, 5), ("pkg/b.py", "pkg/b.py", 1, 5)}


_SLICE = """
import sys
from pathlib import Path
from agents.code.modules import Slicer
from agents.code.units import read_units
slicer = Slicer(Path(sys.argv[1]))
print(*(slicer.module(unit).model_dump_json() for unit in read_units(Path(sys.argv[1])).units))
"""


def test_the_same_repository_gives_the_same_modules_whatever_the_order_of_sets(repository) -> None:
    uses = "".join(f"    gone.part_{number}\n    more.part_{number}\n" for number in range(9))
    folder = repository(PACKAGE | {"pkg/c.py": f"from . import a as more\n\ndef f():\n{uses}"}).folder
    said = {
        subprocess.run(
            [sys.executable, "-c", _SLICE, str(folder)],
            capture_output=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).parents[2],
        ).stdout
        for seed in range(3)
    }
    assert len(said) == 1


def test_a_licence_holds_if_every_piece_has_one(repository) -> None:
    licensed = repository(PACKAGE | {"LICENSE": MIT})
    assert licensed.slice("pkg/b.py#B").licence == "MIT"
    (licensed.folder / "LICENSE").unlink()
    (licensed.folder / "pkg/b.py").write_text("# SPDX-License-Identifier: MIT\n" + PACKAGE["pkg/b.py"])
    assert licensed.slice("pkg/b.py#B").licence is None


def test_what_the_repository_lacks_too_is_told_so(repository) -> None:
    repo = repository(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "from .gone import g\nfrom .b import missing\n\ndef f():\n    return g() + missing + nowhere\n",
            "pkg/b.py": "",
        }
    )
    assert repo.slice("pkg/a.py#f").problems == (
        "not in the repository: .gone (imported in pkg/a.py:1)",
        "not in the repository: missing of pkg/b.py (imported in pkg/a.py:2)",
        "undefined in the repository too: nowhere (pkg/a.py:5)",
    )


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {
                "pkg/kinds/__init__.py": "",
                "pkg/kinds/one.py": "VALUE = 1\n",
                "m.py": "from importlib import import_module\n\ndef f(name):\n"
                "    return import_module(f'pkg.kinds.{name}').VALUE\n",
            },
            "m.py: imports by a computed name, pkg.kinds.…",
        ),
        (
            {
                "pkg/__init__.py": "import importlib\n\ndef __getattr__(name):\n"
                "    return getattr(importlib.import_module('.' + name, __name__), name)\n",
                "pkg/one.py": "def one():\n    return 1\n",
                "m.py": "import pkg\n\ndef f():\n    return pkg.two()\n",
            },
            "pkg/__init__.py: imports by a computed name, .…",
        ),
        (
            {
                "kinds.py": "for _name in ('one', 'two'):\n    globals()[_name] = len(_name)\n",
                "m.py": "from kinds import one\n\ndef f():\n    return one\n",
            },
            "not in the repository: one of kinds.py (imported in m.py:1)",
        ),
    ],
    ids=["modules", "package attributes", "globals"],
)
def test_what_is_found_by_a_computed_name_is_told_not_to_be_there(repository, files, problem: str) -> None:
    assert problem in repository(files).slice("m.py#f").problems


def test_data_is_listed_by_its_literal_name_and_links_are_not(repository) -> None:
    repo = repository(
        {
            "pkg/a.py": "import os\nHERE = os.path.dirname(__file__)\n\ndef f():\n"
            "    open(os.path.join(HERE, 'data', 'x.csv'))\n"
            "    open('table.txt'); open('/etc/passwd'); open('../../secret.txt'); open('linked.txt')\n",
            "pkg/data/x.csv": "1",
            "table.txt": "2",
        }
    )
    (repo.folder / "linked.txt").symlink_to(repo.folder / "table.txt")
    assert repo.slice("pkg/a.py#f").data == ("pkg/data/x.csv", "table.txt")


def test_a_script_keeps_what_its_result_depends_on(repository) -> None:
    script = (
        "import math\nimport os\n\ndef area(r):\n    return math.pi * r ** 2\n\n"
        "def unneeded():\n    return os.getcwd()\n\n"
        "radius = [1]\nother = unneeded()\nradius.append(2)\n\ndef between():\n    pass\n\n"
        "areas = [area(r) for r in radius]\ntotal = sum(areas)\nprint(total)\nresult = lambda: round(total, 2)\n\n"
        "def after():\n    pass\n\ntotal = None\n"
    )
    repo = repository({"run.py": script})
    module = repo.slice("run.py#<module>@16" if "run.py#<module>@16" in _ids(repo) else "run.py#<module>")
    assert module.symbol == ""
    assert module.problems == ()
    text = module.files["run.py"]
    assert "radius.append(2)" in text
    assert "unneeded" not in text
    assert "total = None" not in text


def _ids(repo) -> set[str]:
    return {unit.id for unit in read_units(repo.folder).units}


def test_a_version_that_only_a_build_writes_is_stood_in_for(repository) -> None:
    repo = repository({"pkg/__init__.py": "from ._version import __version__\n\ndef f():\n    return __version__\n"})
    module = repo.slice("pkg/__init__.py#f")
    assert module.problems == ()
    assert repo.call(module) == "0.0.0"
    assert "# stands in for pkg/_version.py" in module.files["pkg/_version.py"]


def test_settings_of_other_packages_come_along(repository) -> None:
    repo = repository(
        {
            "pkg/__init__.py": "import json\nimport decimal\ndecimal.getcontext().prec = 5\nfrom jax import config\n"
            "config.update('jax_enable_x64', True)\n",
            "pkg/m.py": "import jax\n\ndef f():\n    return jax.numpy.ones(1)\n",
        }
    )
    assert "config.update('jax_enable_x64', True)" in repo.slice("pkg/m.py#f").files["pkg/__init__.py"]


def test_a_text_that_python_warns_of_stands_alone(repository) -> None:
    """A warning would be the user's to read, and none of them is theirs to mend."""
    text = "import re\n\n\ndef digits(text):\n    return re.findall('\\d', text)\n"
    assert inspect_files({"a.py": text}) == []
