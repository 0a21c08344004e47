"""Parts of the verifier that can be switched off, and what verdicts rest on by their stored evidence."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from agents.code.verify import verifier
from agents.code.verify.definitions import DefinitionTests
from agents.code.verify.running import Source
from agents.code.verify.sources import sources
from benchmarks.ablation.feature import Feature

__all__ = ["FEATURES", "verified_by"]


def _replaced(name: str, replacement: Callable[..., object]) -> Callable[[], AbstractContextManager[None]]:
    """A switch that puts `replacement` in the place of a name of the verifier's module."""

    @contextmanager
    def off() -> Iterator[None]:
        original = getattr(verifier, name)
        setattr(verifier, name, replacement)
        try:
            yield
        finally:
            setattr(verifier, name, original)

    return off


def _only_test_files(*given: Any) -> tuple[list[Source], dict[str, str]]:
    """The sources of tests without doctests, READMEs and scripts."""
    found, _ = sources(*given)
    return [source for source in found if source.kind == "repository"], {}


FEATURES = (
    Feature("textbook definitions", "verification", _replaced("definition_tests", lambda *_: DefinitionTests())),
    Feature("doctests, READMEs and scripts", "verification", _replaced("sources", _only_test_files)),
)
"""Each a run of the whole bench, for minutes or hours; `verified_by` tells most of it from one run."""


def verified_by(result: dict[str, Any]) -> dict[str, dict[str, int]]:
    """How many verified units of a run of the bench (its JSON) rest on each kind of test, and on each part of the
    strategy by which their environment was found: what switching that part off could lose at most."""
    rows = [row for paper in result["papers"].values() for row in paper["units"] if row["verdict"] == "verified"]
    parts = Counter(part for row in rows for part in (row.get("strategy") or "").split(", ") if part)
    return {"kind": dict(Counter(row["kind"] for row in rows)), "strategy": dict(parts)}
