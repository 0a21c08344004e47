"""A benchmark's headline figures with one feature off, in a process of its own so that no cache outlives the switch."""

import multiprocessing
import pkgutil
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

import benchmarks.ablation
from benchmarks import end_to_end, grounding, latex, slicing, techniques, verification
from benchmarks.ablation.feature import Feature
from benchmarks.figures import FIGURES, Better
from kg.config import load_settings

__all__ = ["BENCHES", "HOURS", "ablate", "features", "headline"]

BENCHES: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    "latex": lambda papers, _: latex.measure(papers, mutations=200, seed=1),
    "techniques": techniques.run,
    "grounding": grounding.run,
    "end_to_end": end_to_end.run,
    "verification": lambda papers, labels: verification.run(papers, labels, load_settings(), 1, None, set()),
    "slicing": lambda papers, _: slicing.run(papers, load_settings(), None),
}
"""Benchmarks that are run again without a feature: from papers and labels to all figures. Slicing is without its
imports and LaTeX with few mutations, which take most of their time."""
HOURS = frozenset({"verification"})
"""Benchmarks that are run again only where they are asked for by name."""


def features() -> list[Feature]:
    """Every feature that a module of this package names in ``FEATURES``, in the order of their names."""
    places = [module.name for module in pkgutil.iter_modules(benchmarks.ablation.__path__)]
    modules = [import_module(f"benchmarks.ablation.{place}") for place in places if place != "__main__"]
    found = [feature for module in modules for feature in getattr(module, "FEATURES", ())]
    names = [feature.name for feature in found]
    assert len(set(names)) == len(names), "two features of one name"
    return sorted(found, key=lambda feature: feature.name)


def headline(bench: str, result: dict[str, Any]) -> dict[str, float]:
    """The figures of quality among those that are told of a benchmark, by key."""
    told = ((figure, figure.of(result)) for figure in FIGURES[bench] if figure.better is not Better.NEITHER)
    return {figure.key: value for figure, value in told if value is not None}


def _measured(bench: str, feature: str | None, papers: Path, labels: Path) -> dict[str, float]:
    off = next((one.off for one in features() if one.name == feature), nullcontext)
    with off():
        return headline(bench, BENCHES[bench](papers, labels))


def ablate(chosen: Iterable[Feature], papers: Path, labels: Path, jobs: int = 1) -> dict[str, Any]:
    """For each benchmark of the `chosen` features its headline figures ``on``, and ``off`` by the feature's name."""
    wanted = list(chosen)
    found: dict[str, Any] = {bench: {"off": {}} for bench in sorted({one.bench for one in wanted})}
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(jobs, context, max_tasks_per_child=1) as pool:
        on = {bench: pool.submit(_measured, bench, None, papers, labels) for bench in found}
        off = {one: pool.submit(_measured, one.bench, one.name, papers, labels) for one in wanted}
        for bench, with_all in on.items():
            found[bench]["on"] = with_all.result()
        for one, without in off.items():
            found[one.bench]["off"][one.name] = without.result()
    return found
