"""The house keeps its shape: import directions, file sizes, data where data belongs, no addresses of registries."""

import graphlib
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("kg", "agents", "ingest", "cypher", "prompts")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_imports_point_one_way() -> None:
    result = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """Every module with those it imports, at the top or in a function."""
    graph = grimp.build_graph(*PACKAGES)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


@pytest.mark.parametrize("depth", [2, 3, 9], ids=["packages", "packages in packages", "modules"])
def test_imports_go_round_in_no_circle(imports: dict[str, set[str]], depth: int) -> None:
    place = {module: ".".join(module.split(".")[:depth]) for module in imports}
    merged: dict[str, set[str]] = defaultdict(set)
    for module, imported in imports.items():
        merged[place[module]] |= {place[one] for one in imported} - {place[module]}
    merged["ingest.latex.commands"].discard("ingest.latex.scan")  # until the commands know a narrower scanner
    try:
        graphlib.TopologicalSorter(merged).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_file_is_two_things(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_cypher_lives_in_cypher_files(path: Path) -> None:
    assert not re.search(r"[\"']\s*(MATCH|MERGE|CREATE|UNWIND|DETACH)\s+[(\[$a-zA-Z]", path.read_text())


def test_locks_name_no_registry() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        assert not re.search(r"https?://|--index|--find-links", lock.read_text()), lock.name


def test_every_dependency_has_its_line_in_the_readme() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {match.group() for group in groups for item in group if (match := re.match(r"[A-Za-z0-9_.-]+", item))}
    readme = (ROOT / "README.md").read_text()
    assert sorted(name for name in names if f"`{name}`" not in readme) == []
