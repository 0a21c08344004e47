"""Environments: seconds to build one cold and warm, and its size; for repositories, which strategy gives one.

`python -m benchmarks.environments [DIR] [--json]`. Without DIR a numeric stack is built: cold with an empty cache of
ours and of uv, then with uv's cache alone, then from our cache. DIR holds `<slug>/code`: of each Python repository
every strategy is built once in the cache in force, with what it could not have.
"""

import ast
import json
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from agents.execution.environments import EnvironmentSpec, build_environment, is_standard, strategies
from benchmarks.common import papers
from kg.config import Settings, load_settings
from kg.errors import XkgError

STACK = ("numpy", "scipy", "pandas", "scikit-learn", "matplotlib")


def imports(folder: Path) -> list[str]:
    """Names at the top of what the Python files below `folder` import and is neither theirs nor the standard's."""
    files = [file for file in sorted(folder.rglob("*.py")) if file.is_file() and not file.is_symlink()]
    own = {part for file in files for part in (*file.relative_to(folder).parts[:-1], file.stem)}
    return sorted({name for file in files for name in imported(file.read_bytes())} - own)


def imported(source: bytes) -> Iterator[str]:
    """Names at the top of what a file imports and is not the standard library's; none of one that can't be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        yield from (name.partition(".")[0] for name in names if not is_standard(name))


def timed(spec: EnvironmentSpec, settings: Settings) -> dict[str, Any]:
    """One build: seconds, and what came of it."""
    started = time.perf_counter()
    row: dict[str, Any] = {"strategy": spec.strategy, "python": spec.python, "before": str(spec.before or "")}
    try:
        built = build_environment(spec, settings)
    except XkgError as error:
        return row | {"seconds": round(time.perf_counter() - started, 1), "failed": str(error)}
    return row | {
        "seconds": round(time.perf_counter() - started, 1),
        "packages": len(built.packages),
        "mb": round(built.size / 1e6),
        "torch": built.packages.get("torch", ""),
        "dropped": [line.partition(":")[0] for line in built.dropped],
        "loosened": [line.partition(":")[0] for line in built.loosened],
        "built": list(built.built),
    }


def stack() -> dict[str, Any]:
    """The numeric stack, cold and warm."""
    spec = EnvironmentSpec(
        requirements=STACK, python=f"{sys.version_info.major}.{sys.version_info.minor}", strategy="relaxed"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UV_CACHE_DIR"] = f"{folder}/uv"
        first, second = (load_settings().replace(cache=Path(folder) / name) for name in ("first", "second"))
        return {
            "requirements": STACK,
            "cold": timed(spec, first),
            "wheels_in_uv": timed(spec, second),
            "cached": timed(spec, first),
        }


def repository(slug: str, folder: Path, settings: Settings) -> dict[str, Any]:
    """All strategies of one repository."""
    names = imports(folder)
    started = time.perf_counter()
    specs = list(strategies(folder, names, None, settings))
    return {
        "paper": slug,
        "imports": names,
        "planning_s": round(time.perf_counter() - started, 1),
        "environments": [timed(spec, settings) for spec in specs],
    }


@click.command(help=__doc__)
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--only", multiple=True, help="Only these papers.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(folder: Path | None, only: tuple[str, ...], as_json: bool) -> None:
    """Measure and print."""
    if folder is None:
        result: Any = stack()
    else:
        codes = {p.slug: p.code for p in papers(folder) if p.code and (not only or p.slug in only)}
        result = [repository(slug, code, load_settings()) for slug, code in codes.items() if any(code.rglob("*.py"))]
    if as_json:
        click.echo(json.dumps(result, indent=1))
    elif isinstance(result, list):
        for row in result:
            click.echo(f"{row['paper']}: planned in {row['planning_s']} s")
            for built in row["environments"]:
                click.echo(f"  {built}")
    else:
        for name in ("cold", "wheels_in_uv", "cached"):
            click.echo(f"{name:14} {result[name]}")


if __name__ == "__main__":
    main()
