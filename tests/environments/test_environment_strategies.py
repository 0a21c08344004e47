"""Strategies in the order of trust, stand-ins, rescues, interpreters and the cache."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from environment_index import Index, wish

from agents.cli.environment import environment_list, environment_prune
from agents.execution.environments import (
    STRATEGIES,
    EnvironmentFailed,
    build_environment,
    interpreter,
    mounts,
    rescues,
    strategies,
    variables,
)
from agents.execution.environments.cache import kept_environments, prune_environments
from agents.execution.environments.interpreters import find_interpreters
from agents.execution.environments.models import Environment
from kg.config import Settings


def run(built: Environment, code: str, python: Path | None = None) -> str:
    """What our own `code` prints with the environment's folders on its path, as they are mounted in a run."""
    path = variables(built)["PYTHONPATH"]
    for inside, outside in mounts(built).items():
        path = path.replace(inside, str(outside))
    done = subprocess.run(
        [python or built.python, "-S", "-c", code],
        env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_strategies_come_in_the_order_of_trust(index: Index, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "requirements.txt").write_text("numpy>=1\nblack\n")
    imports = ["numpy", "gym", "wandb", "os", "nowhere_to_be_found"]
    specs = list(strategies(tmp_path / "repo", imports, date(2021, 6, 1), settings))
    names = [spec.strategy for spec in specs]
    assert names == sorted(names, key=STRATEGIES.index)
    assert names == list(STRATEGIES)
    pins, dated, relaxed, renamed, missing, _ = specs
    assert [line for line in pins.requirements if "setuptools" not in line] == ["gym", "numpy>=1", "wandb"]
    assert (dated.before, relaxed.before) == (date(2021, 6, 1), None)
    assert tuple(map(int, dated.python.split("."))) <= tuple(map(int, relaxed.python.split(".")))
    assert renamed.aliases == {"gym": "gymnasium"}
    assert "gym" not in renamed.requirements
    assert set(missing.stubs) == {"wandb", "gym", "numpy", "nowhere_to_be_found"}


def test_libraries_find_the_setuptools_that_each_environment_once_had(settings: Settings) -> None:
    found = [spec.requirements for spec in strategies(None, ["numpy"], date(2019, 6, 1), settings)]
    assert found
    assert all("setuptools<81" in lines for lines in found)
    alone = next(strategies(None, ["pytest"], None, settings))
    assert alone.requirements == ("pytest",), "code without libraries needs none"


def test_extras_that_the_repository_asks_for_are_kept_when_its_versions_are_not(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "requirements.txt").write_text("dask[dataframe]==2.30.0\n")
    found = {spec.strategy: spec.requirements for spec in strategies(tmp_path, ["dask"], date(2020, 11, 1), settings)}
    assert "dask[dataframe]" in found["numeric stack of the date"]
    assert "dask[dataframe]" in found["relaxed"]


def test_the_python_is_one_that_the_repository_allows(index: Index, settings: Settings, tmp_path: Path) -> None:
    oldest = next(one for one in find_interpreters() if one.key >= (3, 6))
    (tmp_path / "setup.py").write_text(f"from setuptools import setup\nsetup(python_requires='=={oldest.minor}.*')\n")
    assert {spec.python for spec in strategies(tmp_path, ["numpy"], None, settings)} == {oldest.minor}


def test_without_a_repository_there_is_only_what_is_imported(index: Index, settings: Settings) -> None:
    names = [spec.strategy for spec in strategies(None, ["numpy"], None, settings)]
    assert names == ["relaxed", "relaxed, stand-ins for what is missing"]


def test_a_module_that_left_the_standard_library_asks_for_an_older_python(index: Index, settings: Settings) -> None:
    if not any((3, 6) <= one.key < (3, 12) for one in find_interpreters()):
        pytest.skip("this machine has no Python before 3.12")
    spec = next(strategies(None, ["imp", "numpy"], None, settings))
    assert tuple(map(int, spec.python.split("."))) < (3, 12)


ABSENT = """
import signatory
from signatory.deep import Path
class Mine(Path): pass
@signatory.jitted
def f(x): return x + 1
print(f(1), end=" ")
for use in (lambda: signatory.signature([1]), lambda: Mine(), lambda: Path(3)):
    try:
        use()
    except ModuleNotFoundError as error:
        print(error.name, end=" ")
"""


@pytest.mark.parametrize("python", [one for one in find_interpreters() if one.key >= (3, 6)], ids=lambda one: one.minor)
def test_stand_ins_work_on_every_python(index: Index, settings: Settings, python: object) -> None:
    index.wheel("gymnasium", files={"gymnasium/__init__.py": "x = 1\n", "gymnasium/spaces.py": "class Box: pass\n"})
    spec = wish("gymnasium", stubs=("signatory", "gymnasium"), aliases={"gym": "gymnasium"}, strategy="relaxed")
    built = build_environment(spec, settings)
    program = python.executable  # type: ignore[attr-defined] # an Interpreter
    assert run(built, ABSENT, program) == "2 signatory signatory signatory"
    assert run(built, "import gymnasium; print(gymnasium.x)", program) == "1"
    aliased = "import gym, gym.spaces, gymnasium.spaces as s; print(gym.x, gym.spaces is s, gym.spaces.Box is s.Box)"
    assert run(built, aliased, program) == "1 True True"


def test_a_stand_in_never_takes_the_place_of_a_package(index: Index, settings: Settings) -> None:
    index.wheel("wandb", files={"wandb/__init__.py": "real = True\n"})
    built = build_environment(wish("wandb", stubs=("wandb",)), settings)
    assert run(built, "import wandb; print(wandb.real)") == "True"


@pytest.mark.parametrize("name", ["../evil", "a/b", "os;x", "class", "", "!../x", "a b"])
def test_a_hostile_name_makes_no_stand_in(index: Index, settings: Settings, name: str) -> None:
    built = build_environment(wish(stubs=(name, "fine")), settings)
    assert built.standins is not None
    assert sorted(path.name for path in built.standins.iterdir()) == ["fine", "xkg_standin.py"]


def test_a_missing_version_file_is_stood_in_for_and_others_are_not(
    index: Index, settings: Settings, tmp_path: Path
) -> None:
    package = tmp_path / "src" / "thing"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text("from ._version import __version__\nfrom .missing import x\n")
    (package / "sub" / "a.py").write_text("from ..my_version import version, __version_tuple__\nfrom .gone import y\n")
    (package / "b.py").write_text("from thing.there_version import version\nfrom .conversion_of import thing\n")
    (package / "there_version.py").write_text("version = '9'\n")
    found = rescues(tmp_path, None, settings)
    assert [rescue.name for rescue in found] == ["version stub"]
    assert sorted(found[0].files) == ["src/thing/_version.py", "src/thing/my_version.py"]
    space: dict[str, object] = {}
    exec(found[0].files["src/thing/_version.py"], space)  # noqa: S102 -- our own text
    assert (space["__version__"], space["__version_tuple__"]) == ("0.0.0", (0, 0, 0))


def test_data_files_and_compiled_modules_come_from_the_projects_own_wheel_and_only_from_it(
    index: Index, settings: Settings, tmp_path: Path
) -> None:
    repo = tmp_path / "repo"
    (repo / "src" / "thing").mkdir(parents=True)
    (repo / "setup.cfg").write_text("[metadata]\nname = thing\n")
    (repo / "src" / "thing" / "__init__.py").write_text("")
    (repo / "src" / "thing" / "has.csv").write_text("mine")
    ours = interpreter(f"{sys.version_info.major}.{sys.version_info.minor}")
    mine = f"fast.cpython-{ours.minor.replace('.', '')}-x86_64-linux-gnu.so"
    files = {"thing/__init__.py": "", "thing/has.csv": "theirs", "thing/data/lacks.csv": "1", "other/fast.so": "x"}
    (repo / "src" / "thing" / "flat").write_text("a file, where the wheel has a folder")
    (repo / "src" / "thing" / "dangling.csv").symlink_to("nowhere")
    (repo / "src" / "thing" / "away").symlink_to(tmp_path)
    files |= {"thing/flat/in.csv": "1", "thing/dangling.csv": "1", "thing/away/out.csv": "1"}
    files |= {f"thing/{mine}": "x", "thing/fast.cpython-21-x.so": "z", "thing.libs/libx.so.1": "y", "thing/a.sh": "x"}
    index.wheel("thing", "2.0", files)
    metadata, found = rescues(repo, None, settings, ours)
    assert list(metadata.files) == ["thing-0.0.0.dist-info/METADATA"]
    assert b"Name: thing\n" in metadata.files["thing-0.0.0.dist-info/METADATA"]
    assert found.name == "own wheel thing==2.0"
    assert found.site is not None
    texts = {path: (found.site / file).read_text() for path, file in found.taken.items()}
    assert texts == {"src/thing/data/lacks.csv": "1", f"src/thing/{mine}": "x", "src/thing.libs/libx.so.1": "y"}
    assert rescues(repo, None, settings, ours) == (metadata, found)


def test_another_project_by_the_same_name_supplies_nothing(index: Index, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "thing").mkdir()
    (tmp_path / "setup.cfg").write_text("[metadata]\nname = thing\n")
    (tmp_path / "thing" / "mine.py").write_text("")
    index.wheel("thing", files={"thing/__init__.py": "", "thing/theirs.py": "", "thing/data.csv": "1"})
    assert [rescue.name for rescue in rescues(tmp_path, None, settings)] == ["package metadata"]


def test_interpreters_are_asked_and_none_is_downloaded() -> None:
    found = find_interpreters()
    assert any(one.prefix == Path(sys.base_prefix).resolve() for one in found)
    assert [one.key for one in found] == sorted(one.key for one in found)
    ours = interpreter(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert ours.executable.is_file()
    with pytest.raises(EnvironmentFailed, match=r"no Python 2\.3"):
        interpreter("2.3")


def test_a_program_that_only_looks_like_a_python_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("python3.98", "#!/bin/sh\nexit 127\n"), ("python3.97", "#!/bin/sh\necho hello\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    find_interpreters.cache_clear()
    try:
        assert not {"3.97", "3.98"} & {one.minor for one in find_interpreters()}
    finally:
        find_interpreters.cache_clear()


def test_places_of_pythons_that_cant_be_read_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system refuses a name that is too long as it does another user's folder, but root as well."""
    for name in ("PYENV_ROOT", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.setenv(name, str(tmp_path / ("long" * 100)))
    find_interpreters.cache_clear()
    try:
        assert find_interpreters()
    finally:
        find_interpreters.cache_clear()


def test_the_longest_unused_goes_first_and_comes_back_the_same(index: Index, settings: Settings) -> None:
    index.wheel("alpha", files={"alpha.bin": os.urandom(700_000)})
    index.wheel("beta", files={"beta.bin": os.urandom(700_000)})
    first = build_environment(wish("alpha"), settings)
    second = build_environment(wish("beta"), settings)
    small = settings.replace(execution__environments_mb=1)
    assert prune_environments(small).removed == ()
    for hours, built in ((3, first), (2, second)):
        then = time.time() - hours * 3600
        os.utime(built.site.parent / "complete", (then, then))
    assert prune_environments(small).removed == (first.id,)
    assert [kept.id for kept in kept_environments(settings)] == [second.id]
    index.wheel("alpha", "2.0")
    assert build_environment(wish("alpha"), settings) == first
    assert first.site.is_dir()


def test_the_commands_print_json(index: Index, settings: Settings, set_variables: Callable[..., None]) -> None:
    index.wheel("alpha")
    built = build_environment(wish("alpha"), settings)
    set_variables(XKG_CACHE=settings.cache)
    listed = json.loads(CliRunner().invoke(environment_list, ["--json"]).stdout)
    assert [(row["id"], row["packages"], row["strategies"]) for row in listed] == [(built.id, 1, ["relaxed"])]
    assert "1 environments" in CliRunner().invoke(environment_list).stdout
    left = settings.cache / "environments" / ".resolve-of-a-killed-one"
    left.mkdir()
    pruned = json.loads(CliRunner().invoke(environment_prune, ["--all", "--json"]).stdout)
    assert not left.exists()
    assert pruned == {"removed": [built.id], "size": 0}
    assert kept_environments(settings) == []
