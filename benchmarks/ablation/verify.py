"""Parts of the verifier that can be switched off, and what verdicts rest on by their stored evidence."""

from collections import Counter
from typing import Any

from agents.code.verify.definitions import DefinitionTests
from agents.code.verify.running import Source
from agents.code.verify.sources import sources
from benchmarks.ablation.feature import Feature, replaced

__all__ = ["FEATURES", "verified_by"]

VERIFIER = "agents.code.verify.verifier"


def _only_test_files(*given: Any) -> tuple[list[Source], dict[str, str]]:
    """The sources of tests without doctests, READMEs and scripts."""
    found, _ = sources(*given)
    return [source for source in found if source.kind == "repository"], {}


FEATURES = (
    Feature(
        "textbook definitions", "verification", replaced(VERIFIER, "definition_tests", lambda *_: DefinitionTests())
    ),
    Feature("doctests, READMEs and scripts", "verification", replaced(VERIFIER, "sources", _only_test_files)),
)
"""Each a run of the whole bench, for minutes or hours; `verified_by` tells most of it from one run."""


def verified_by(result: dict[str, Any]) -> dict[str, dict[str, int]]:
    """How many verified units of a run of the bench (its JSON) rest on each kind of test, and on each part of the
    strategy by which their environment was found: what switching that part off could lose at most."""
    rows = [row for paper in result["papers"].values() for row in paper["units"] if row["verdict"] == "verified"]
    parts = Counter(part for row in rows for part in (row.get("strategy") or "").split(", ") if part)
    return {"kind": dict(Counter(row["kind"] for row in rows)), "strategy": dict(parts)}
