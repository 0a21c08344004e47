"""Verdicts on a repository with a history: what its commits change of what a run has read takes them back."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from histories import Laboratory, Reader
from judgements import ask

from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import PaperReport, ingest
from ingest.verification.runner import select, verify
from kg.config import Settings
from kg.connection import Connection
from kg.store import Store

pytestmark = pytest.mark.db

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
JUDGED = {
    "scale", "shift", "total", "convert", "known", "double", "half", "place", "count", "raised", "mode", "weight",
    "fivefold", "threefold", "cube", "numbered", "permitted", "told",
}  # fmt: skip
ANY_NAME = {"mode", "permitted", "told", "count", "numbered", "threefold"}
"""Units whose tests ask whether files are there or where links lead, or open a database that would be made if there
were none."""
ANYTHING = {"weight"}
"""Units whose tests ask for more than that."""

Change = Callable[[Laboratory], None]


@dataclass
class Lab:
    """The laboratory, and the graph that it is ingested into."""

    laboratory: Laboratory
    store: Store
    settings: Settings
    connection: Connection

    def ingest(self, *, dry_run: bool = False) -> PaperReport:
        job = Job(name="lab", slug="lab", paper=str(EXAMPLES / "reservoir/paper"), repo=str(self.laboratory.folder))
        (report,) = ingest([job], self.settings, self.store, dry_run=dry_run).papers
        assert not report.error, report.error
        return report

    def stale_after(self, change: Change) -> set[str]:
        """The units whose verdicts a commit would take back; graph and laboratory are as before."""
        change(self.laboratory)
        self.laboratory.commit()
        found = {code.partition("#")[2] for code in self.ingest(dry_run=True).stale}
        self.laboratory.git("reset", "-q", "--hard", "HEAD~1")
        self.laboratory.git("clean", "-fdq")
        return found & JUDGED

    def verify(self, **more: Any) -> None:
        """Judge all units: all of them are verified."""
        ids = ask(self.connection, "MATCH (c:Code) WHERE c.symbol IN $names RETURN c.id", names=[*JUDGED])
        report = verify(self.store, self.settings, select(self.store, ids=ids), **more)
        assert self.verdicts() == dict.fromkeys(JUDGED, "verified"), {code.name: code.reason for code in report.codes}

    def verdicts(self) -> dict[str, str]:
        rows = ask(
            self.connection, "MATCH (c:Code) WHERE c.symbol IN $names RETURN [c.symbol, c.verdict]", names=[*JUDGED]
        )
        return dict(rows)

    def reason(self, symbol: str) -> str:
        (reason,) = ask(self.connection, "MATCH (c:Code {symbol: $symbol}) RETURN c.verdict_reason", symbol=symbol)
        return str(reason)


@pytest.fixture
def lab(tmp_path: Path, store: Store, server_settings: Settings, connection: Connection) -> Lab:
    """Nothing is judged yet."""
    made = Lab(Laboratory(tmp_path / "lab"), store, server_settings, connection)
    made.ingest()
    return made


def add(path: str, body: str = "") -> Change:
    return lambda laboratory: laboratory.write(path, body)


def replace(path: str, old: str, new: str) -> Change:
    def change(laboratory: Laboratory) -> None:
        text = (laboratory.folder / path).read_text()
        assert old in text
        laboratory.write(path, text.replace(old, new))

    return change


def link(path: str, target: str) -> Change:
    return lambda laboratory: laboratory.link(path, target)


def executable(path: str) -> Change:
    return lambda laboratory: (laboratory.folder / path).chmod(0o755)


def swap(path: str, body: str) -> Change:
    """A file in place of a link or a folder."""

    def change(laboratory: Laboratory) -> None:
        laboratory.remove(path)
        laboratory.write(path, body)

    return change


def folder_for_link(laboratory: Laboratory) -> None:
    laboratory.remove("models/active")
    laboratory.write("models/active/factor.txt", "4")


LINKED: dict[str, Change] = {
    "to another file": link("links/current", "../data/six"),
    "to another folder": link("models/active", "../releases/v2"),
    "in a test's folder": link("tests/now/cases.json", "../../cases/b.json"),
    "now a file": swap("links/current", "6"),
    "now a folder": folder_for_link,
    "in place of a file": link("data/five", "six"),
    "in place of a folder": link("releases/v1", "v2"),
    "that leads nowhere": link("version", "release-8"),
    "to nowhere any longer": add("release-7"),
    "gone": lambda laboratory: laboratory.remove("version"),
    "new": link("links/other", "../data/six"),
}  # fmt: skip
"""What happens to a link."""


BREAKING: dict[str, tuple[Change, set[str]]] = {
    "the script that asserts": (replace("check_scale.py", "== 6", "== 7"), {"scale"}),
    "the README's example": (replace("README.md", "== 5", "== 6"), {"shift"}),
    "a file beside the tests": (replace("tests/table/cases.json", "6", "7"), {"total"}),
    "a module imported by a computed name": (replace("lab/unit_inch.py", "254", "2540"), {"convert"}),
    "a module that fills a registry": (replace("lab/registry/plain.py", '"plain"', '"other"'), {"known"}),
    "another one": (add("lab/registry/again.py", "from lab import registry\nregistry.KNOWN['a'] = 1\n"), {"known"}),
    "one that is gone": (lambda laboratory: (laboratory.folder / "lab/registry/plain.py").unlink(), {"known"}),
    "a test in a source file": (replace("lab/inline.py", "== 8", "== 9"), {"double"}),
    "a conftest": (add("tests/configured/conftest.py", "raise SystemExit\n"), {"half"}),
    "a conftest at the top": (add("conftest.py", "raise SystemExit\n"), JUDGED),
    "a module before another": (add("offsets.py", "START = 0\n"), JUDGED),
    "a package before another": (add("offsets/__init__.py", "START = 0\n"), JUDGED),
    "data that C code opens": (lambda laboratory: laboratory.rows("tests/data/rows.db", 1, 2, 3, 4), {"count"}),
    "the requirements": (add("requirements.txt", "numpy\n"), JUDGED),
    "code that it calls": (replace("lab/called.py", "2", "3"), {"raised"}),
    "a file that is asked for": (add("docs/strict"), {"mode"}),
    "a file that another program asks for": (add("docs/stricter"), {"told"}),
    "a file that becomes executable": (executable("docs/run.sh"), {"permitted"}),
    "the size of a file": (replace("lab/limits.txt", "2", ""), {"weight"}),
}  # fmt: skip


@pytest.mark.sandbox
def test_a_commit_takes_back_what_rests_on_it_and_nothing_else(lab: Lab) -> None:
    lab.verify()
    for what, (change, broken) in BREAKING.items():
        stale = lab.stale_after(change)
        assert broken <= stale, what
        if broken != JUDGED:
            assert stale <= broken | ANY_NAME | ANYTHING, what
    for what, change in LINKED.items():
        assert lab.stale_after(change) == JUDGED, what
    # What no run has opened changes nothing.
    assert lab.stale_after(replace("docs/guide.md", "guide", "book")) == ANYTHING
    assert lab.stale_after(replace("other/unused.py", "return x", "return 1")) == ANYTHING
    assert lab.stale_after(add("docs/more.md", "more")) == ANYTHING | ANY_NAME
    assert lab.stale_after(add("images/cat.png", "cat")) == ANYTHING | ANY_NAME
    assert lab.stale_after(add("CHANGES.txt", "new")) == ANYTHING | ANY_NAME


def test_a_person_reads_which_link_has_changed(lab: Lab, tmp_path: Path) -> None:
    lab.verify(judges=lambda: Reader(tmp_path))
    link("links/current", "../data/six")(lab.laboratory)
    lab.laboratory.commit()
    assert {code.partition("#")[2] for code in lab.ingest().stale} >= JUDGED
    assert lab.reason("half") == "links/current, a link that its run may have followed, has changed since"
    assert not lab.ingest().stale


def test_a_person_reads_what_has_changed(lab: Lab, tmp_path: Path) -> None:
    lab.verify(judges=lambda: Reader(tmp_path))
    replace("tests/table/cases.json", "6", "7")(lab.laboratory)
    add("tests/configured/conftest.py")(lab.laboratory)
    replace("lab/limits.txt", "2", "")(lab.laboratory)
    lab.laboratory.commit()
    assert {code.partition("#")[2] for code in lab.ingest().stale} == {"total", "half", "weight", *ANY_NAME}
    assert lab.reason("total") == "tests/table/cases.json, which its run read, has changed since"
    assert lab.reason("half") == (
        "files have come (tests/configured/conftest.py) since in tests/configured, where its run looked"
    )
    assert lab.reason("weight") == "its repository has changed since, and what its verdict rests on there is not known"
    assert lab.reason("mode").startswith("files have come to its repository or gone from it since")
    assert {name for name, verdict in lab.verdicts().items() if verdict == "verified"} == {
        *JUDGED - {"total", "half", "weight", *ANY_NAME}
    }
    assert not lab.ingest().stale
