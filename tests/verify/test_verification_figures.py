"""The benchmark counts what it says: shares add up, and what was not tried is neither verified nor failed."""

from typing import Any

from benchmarks.ablation.verify import verified_by
from benchmarks.verification import figures, table


def entry(verdict: str, **more: Any) -> dict[str, Any]:
    plain = {"reason": "", "kind": None, "class": None, "mutants": 0, "killed": 0, "tried": True}
    return {"verdict": verdict, **plain, "imports": True, "reached": False, **more}


def test_counts() -> None:
    found = figures(
        [
            entry("verified", kind="repository", mutants=8, killed=5, reached=True),
            entry("verified", kind="property", mutants=4, killed=4),
            entry("unverified", kind="repository", mutants=8, killed=3, reached=True),
            entry("failed", **{"class": "missing module"}, imports=False),
            entry("unverified", reason="nothing here runs tests of go code; it compiles", tried=False, imports=False),
        ]
    )
    assert {key: found[key] for key in ("n", "imports", "reached", "verified", "failed", "untried")} == {
        "n": 5, "imports": 3, "reached": 2, "verified": 2, "failed": 1, "untried": 1,
    }  # fmt: skip
    assert found["unverified"] == 1
    assert found["kinds"] == {"repository": 1, "property": 1}
    assert found["classes"] == {"missing module": 1}
    assert found["why_untried"] == {"nothing here runs tests of go code": 1}
    assert (found["mutants"], found["killed"], found["half_or_more"]) == (20, 12, 2)


def test_table_has_a_line_for_each_paper() -> None:
    one = figures([entry("verified", kind="doctest")]) | {"seconds": 1.5}
    text = table(one | {"papers": {"some": one}})
    assert [line.split()[0] for line in text.splitlines()[1:]] == ["some", "all"]


def test_what_verdicts_rest_on_is_counted_from_their_evidence() -> None:
    one = figures([entry("verified", kind="property"), entry("failed", strategy="pins")])
    units = [
        entry("verified", kind="property", strategy="pins"),
        entry("verified", kind="repository", strategy="pins, own wheel"),
        entry("failed", strategy="pins", **{"class": "assertion"}),
    ]
    assert verified_by({"papers": {"some": one | {"units": units}}}) == {
        "kind": {"property": 1, "repository": 1},
        "strategy": {"pins": 2, "own wheel": 1},
    }
