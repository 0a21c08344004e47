"""The benchmark of staleness, on a history of three commits: what it counts is what happens."""

from pathlib import Path

import pytest
from histories import Laboratory, Reader

from benchmarks.staleness import History, figures, measure, table
from kg.config import Settings
from kg.store import Store

PAPER = Path(__file__).parent.parent.parent / "examples/reservoir/paper"
UNITS = [
    "lab/tables.py#total",
    "lab/calling.py#raised",
    "lab/inline.py#double",
    "lab/example.py#shift",
    "lab/none.py#no",
]


@pytest.mark.db
def test_the_fates_of_verdicts(tmp_path: Path, store: Store, server_settings: Settings) -> None:
    lab = Laboratory(tmp_path / "lab")
    older = lab.commit()
    lab.write("tests/table/cases.json", "[]")
    lab.write("lab/calling.py", (lab.folder / "lab/calling.py").read_text().replace("**", "*"))
    lab.write("lab/inline.py", "def other(x):\n    return x\n")
    lab.commit()
    history = History(lab.folder, tmp_path / "clone", PAPER)
    found = measure(history, older, "HEAD", UNITS, store, server_settings, lambda: Reader(tmp_path))
    fates = {row["unit"]: (row["older"], row["brought"], row["anew"]) for row in found["units"]}
    assert fates == {
        "lab/tables.py#total": ("verified", "stale", "verified"),
        "lab/calling.py#raised": ("verified", "stale", "failed"),
        "lab/inline.py#double": ("verified", "gone", "gone"),
        "lab/example.py#shift": ("verified", "verified", "verified"),
    }
    assert {name: count for name, count in found.items() if name != "units"} == {
        "judged": 4, "verified": 4, "kept": 1, "kept_wrongly": 0, "given_up": 2, "given_up_needlessly": 1, "gone": 1,
    }  # fmt: skip
    assert "lab/tables.py#total: verified, then stale, anew verified (tests/table/cases.json, which" in table(found)


def test_a_verdict_that_was_kept_wrongly_is_counted() -> None:
    row = {
        "unit": "a",
        "older": "verified",
        "brought": "verified",
        "why": "",
        "anew": "unverified",
        "why_anew": "no time",
    }
    assert figures([row, {**row, "older": "failed"}])["kept_wrongly"] == 1
    assert "a: verified, then verified, anew unverified (no time)" in table(figures([row]))
