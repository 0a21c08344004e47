"""Verifying: the right code, at the right commit, each verdict at once, and again only what must be.

The judges here are the far side, told what to say; everything between them and the graph is real.
"""

import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from judgements import ask

from agents.code.units import CodeBase
from agents.code.verify import Judged, Supplement
from agents.code.verify.blocks import Block
from agents.execution.sandbox import SandboxError
from ingest.cli.code import _end, _text
from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import ingest
from ingest.verification.runner import CodeVerdict, VerifyReport, select, verify
from kg.audit import audit_graph
from kg.config import Settings
from kg.connection import Connection
from kg.errors import PartialError
from kg.models.code import CodeUnit
from kg.models.execution import Execution, Judgement
from kg.store import Store
from kg.verdicts import open_logs, sha256_of
from kg.write import write_paper
from kg.xkg_json import read_graph

pytestmark = pytest.mark.db

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LOG = b"1 passed"


class Teller:
    """Says "verified" of every unit, unless told otherwise by its symbol."""

    def __init__(self, **sayings: Any) -> None:
        self.sayings = sayings
        self.asked: list[str] = []
        self.folders: set[Path] = set()
        self.lock = threading.Lock()

    def units(
        self, folder: Path, codebase: CodeBase, units: Sequence[CodeUnit], said: Mapping[str, Sequence[str]],
        more: Supplement | None,
    ) -> Callable[[CodeUnit], Judged]:  # fmt: skip
        def judge(unit: CodeUnit) -> Judged:
            with self.lock:
                self.asked.append(unit.symbol)
                self.folders.add(folder)
            return self._judged(unit.id, sha256_of(unit.text), self.sayings.get(unit.symbol))

        return judge

    def block(self, block: Block) -> Judged:
        self.asked.append(block.id)
        return self._judged(block.id, sha256_of(block.implementation), self.sayings.get("block"))

    def _judged(self, code: str, code_sha256: str, saying: Any) -> Judged:
        if isinstance(saying, Exception):
            raise saying
        if callable(saying):
            saying()
        made = Execution(
            id="", code_sha256=code_sha256, closure_sha256=sha256_of(code), test_sha256="t", environment="e",
            python="3.11", backend="bubblewrap", exit_code=0, log=sha256_of(LOG.decode()),
            date="2026-01-01T00:00:00+00:00",
        ).identified()  # fmt: skip
        more = saying if isinstance(saying, dict) else {}
        judgement = Judgement(
            **{"code": code, "verdict": "verified", "reason": "its tests pass", "kind": "repository", "mutants": 2,
               "killed": 2, "killed_by_assertion": 1, "execution": made, **more}
        )  # fmt: skip
        return Judged(judgement, LOG)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A copy of an example that a test may change; its repository's folder."""
    shutil.copytree(EXAMPLES / "reservoir", tmp_path / "reservoir")
    return tmp_path / "reservoir/code"


@pytest.fixture
def settings(server_settings: Settings) -> Settings:
    return server_settings


@pytest.fixture
def again(code: Path, settings: Settings, store: Store) -> Callable[[], None]:
    """Ingests the example (anew)."""

    def run() -> None:
        job = Job(name="r", slug="r", paper=str(code.parent / "paper"), repo=str(code), force=True)
        (report,) = ingest([job], settings, store).papers
        assert not report.error, report.error

    run()
    return run


def verified(store: Store, settings: Settings, teller: Teller, **more: Any) -> VerifyReport:
    return verify(store, settings, select(store), judges=lambda: teller, **more)


def by_name(report: VerifyReport) -> dict[str, CodeVerdict]:
    """Verdicts of units by their symbols; whole files are left out."""
    return {v.id.partition("#")[2]: v for v in report.codes if "#" in v.id}


def verdicts(connection: Connection) -> dict[str, str]:
    rows = ask(connection, "MATCH (c:Code) WHERE c.kind <> 'file' RETURN [c.symbol, c.verdict]")
    return {symbol: verdict for symbol, verdict in rows if verdict != "unverified"}


def test_each_is_judged_written_and_left_alone_the_next_time(
    again: Callable[[], None], code: Path, store: Store, settings: Settings, connection: Connection
) -> None:
    first, seen = Teller(plain={"verdict": "failed", "reason": "1 == 2", "failure": "assertion"}), []
    report = verified(store, settings, first, done=seen.append)
    found = by_name(report)
    assert sorted(first.asked) == sorted(found)
    assert first.folders == {code}
    assert {v.verdict for name, v in found.items() if name != "plain"} == {"verified"}
    assert (found["plain"].verdict, found["plain"].value()["class"]) == ("failed", "assertion")
    assert len(seen) == len(report.codes)
    assert not report.trouble
    assert audit_graph(store, logs=open_logs(settings)) == ()
    assert verdicts(connection) == {name: v.verdict for name, v in found.items()}
    (module,) = ask(connection, "MATCH (c:Code {symbol: 'merge_reservoirs'}) RETURN c.module")
    assert "streamsample/reservoir.py" in module, "what it needs is with it"

    second = Teller()
    report = verified(store, settings, second)
    assert second.asked == []
    assert {v.status for v in by_name(report).values()} == {"current"}
    assert by_name(report)["plain"].verdict == "failed"
    assert sorted(_asked_again(store, settings)) == sorted(found)
    ask(connection, "MATCH (c:Code {symbol: 'plain'}) SET c.verdict_program = 'another version'")
    assert _asked(store, settings) == ["plain"]


def test_a_person_reads_what_was_judged_and_what_was_not(
    again: Callable[[], None], store: Store, settings: Settings
) -> None:
    first = _text(verified(store, settings, Teller()))
    assert "#plain: verified: its tests pass" in first
    assert "not judged again" not in first
    report = verified(store, settings, Teller())
    second, last = _text(report), f"{len(report.codes)} had a verdict that still holds and were not judged again"
    assert "#plain: verified, not judged again: its tests pass" in second
    assert last in second


@pytest.mark.parametrize(
    ("error", "said", "mends"),
    [
        (SandboxError("the sandbox broke"), "the sandbox broke", True),
        (ValueError("no such thing"), "a fault of xkg: ValueError: no such thing", False),
        ({"mutants": 0, "killed": 0}, "can't be called verified", False),
    ],
)
def test_the_doctor_is_called_only_for_what_it_can_mend(
    error: object, said: str, mends: bool, again: Callable[[], None], store: Store, settings: Settings
) -> None:
    with pytest.raises(PartialError, match=said) as told:
        _end(verified(store, settings, Teller(plain=error)))
    assert ("xkg doctor" in str(told.value)) == mends


def _asked(store: Store, settings: Settings) -> list[str]:
    teller = Teller()
    verified(store, settings, teller)
    return teller.asked


def _asked_again(store: Store, settings: Settings) -> list[str]:
    teller = Teller()
    verified(store, settings, teller, force=True)
    return teller.asked


def test_workers_share_a_repository_and_give_the_same(
    again: Callable[[], None], store: Store, settings: Settings, connection: Connection
) -> None:
    teller = Teller()
    report = verified(store, settings, teller, jobs=3)
    assert sorted(teller.asked) == sorted(by_name(report))
    assert {v.verdict for v in by_name(report).values()} == {"verified"}


def test_a_verdict_whose_inputs_are_not_known_rests_on_the_whole_repository(
    again: Callable[[], None], code: Path, store: Store, settings: Settings, connection: Connection
) -> None:
    verified(store, settings, Teller(plain={"verdict": "failed", "reason": "1 == 2", "failure": "assertion"}))
    before = verdicts(connection)
    again()
    assert verdicts(connection) == before
    (code / "notes.md").write_text("a note\n")
    again()
    assert verdicts(connection) == dict.fromkeys(before.keys() - {"plain"}, "stale")
    reason = "MATCH (c:Code) WHERE c.symbol = $symbol RETURN c.verdict_reason"
    why = "its repository has changed since, and what its verdict rests on there is not known"
    assert ask(connection, reason, symbol="Reservoir") == [why]
    assert ask(connection, reason, symbol="plain") == [f"it failed, but {why}"]
    (code / "notes.md").write_text("another note\n")
    again()
    assert ask(connection, reason, symbol="plain") == [f"it failed, but {why}"], "it is taken back once"
    assert sorted(_asked(store, settings)) == sorted(before)
    assert set(verdicts(connection).values()) == {"verified"}


def test_other_code_than_was_ingested_is_never_judged(
    again: Callable[[], None], code: Path, store: Store, settings: Settings, connection: Connection
) -> None:
    file = code / "streamsample/estimate.py"
    text = file.read_text()
    file.write_text(text + "\n")
    teller = Teller()
    report = verified(store, settings, teller)
    assert teller.asked == []
    assert all("has changed since it was ingested" in v.reason for v in by_name(report).values())
    assert not report.trouble, "the reason lies with the code"
    (reason,) = ask(connection, "MATCH (c:Code {symbol: 'Reservoir'}) RETURN c.verdict + ': ' + c.verdict_reason")
    assert reason.startswith("unverified: folder:r has changed since it was ingested")
    file.write_text(text)
    assert {v.verdict for v in by_name(verified(store, settings, teller)).values()} == {"verified"}
    shutil.rmtree(code)
    report = verified(store, settings, teller, force=True)
    assert {v.verdict for v in by_name(report).values()} == {"verified"}, "what was shown stays shown"
    assert all("is gone" in v.reason for v in by_name(report).values())


def test_a_folder_that_changes_meanwhile_ends_its_judging(
    again: Callable[[], None], code: Path, store: Store, settings: Settings, connection: Connection
) -> None:
    def edit() -> None:
        (code / "new.py").write_text("x = 1\n")

    teller = Teller(plain=edit)
    report = by_name(verified(store, settings, teller))
    at = teller.asked.index("plain")
    assert {report[name].verdict for name in teller.asked[:at]} <= {"verified"}
    assert "plain" not in verdicts(connection)
    assert len(teller.asked) == at + 1


def test_a_fault_or_trouble_takes_no_others_with_it(
    again: Callable[[], None], store: Store, settings: Settings, connection: Connection
) -> None:
    report = verified(store, settings, Teller(plain=ValueError("a bug")))
    found = by_name(report)
    assert found["plain"].status == "untried"
    assert "ValueError: a bug" in found["plain"].reason
    assert {v.verdict for name, v in found.items() if name != "plain"} == {"verified"}
    assert len(report.trouble) == 1
    report = verified(store, settings, Teller(plain=SandboxError("the sandbox broke")))
    assert report.trouble == ("the sandbox broke",)
    assert ask(connection, "MATCH (c:Code {symbol: 'plain'}) RETURN c.verdict_reason") == ["the sandbox broke"]


def test_a_lie_of_the_judge_is_refused(
    again: Callable[[], None], store: Store, settings: Settings, connection: Connection
) -> None:
    report = verified(store, settings, Teller(plain={"execution": None}, Reservoir={"killed": 0}))
    assert {v.id.partition("#")[2] for v in report.codes if v.status == "untried" and "#" in v.id} == {
        "plain", "Reservoir",
    }  # fmt: skip
    assert not {"plain", "Reservoir"} & set(verdicts(connection))
    assert report.trouble


def test_the_end_of_the_time_leaves_the_rest_for_the_next_run(
    again: Callable[[], None], store: Store, settings: Settings, connection: Connection
) -> None:
    pause = threading.Event()
    teller = Teller(weighted_deviation=lambda: pause.wait(5))
    report = verified(store, settings, teller, limit_seconds=2.0)
    assert report.out_of_time
    waiting = {v.id.partition("#")[2] for v in report.codes if v.status == "waiting" and "#" in v.id}
    assert waiting
    assert not waiting & set(verdicts(connection))
    rest = Teller()
    assert not verified(store, settings, rest).out_of_time
    assert waiting <= set(rest.asked)


def test_an_unfinished_judgement_is_made_again(
    again: Callable[[], None], store: Store, settings: Settings, connection: Connection
) -> None:
    late = {"verdict": "unverified", "reason": "too slow: 3 of 12 mutants tried", "unfinished": True}
    verified(store, settings, Teller(plain=late))
    assert ask(connection, "MATCH (c:Code {symbol: 'plain'}) RETURN c.mutants") == [2]
    assert _asked(store, settings) == ["plain"]
    assert _asked(store, settings) == [], "now it has come to its end"


def test_without_a_sandbox_everything_says_so(
    again: Callable[[], None], store: Store, settings: Settings, connection: Connection, tmp_path: Path
) -> None:
    nowhere = settings.replace(execution__docker_host=f"unix://{tmp_path}/no-engine.sock")
    report = verify(store, nowhere, select(store), backend="docker")
    assert {v.status for v in report.codes} == {"untried"}
    (reason,) = report.trouble
    assert reason.startswith("no sandbox here: the Docker engine can't be used: ")
    assert ask(connection, "MATCH (c:Code {symbol: 'Reservoir'}) RETURN c.verdict_reason") == list(report.trouble)


def test_selecting(again: Callable[[], None], store: Store, settings: Settings, connection: Connection) -> None:
    usual = [row.id for row in select(store)]
    assert [row.rank for row in select(store)] == sorted(row.rank or 0 for row in select(store))
    assert not any("#Test" in id for id in usual), "tests are no implementations"
    everything = {row.id for row in select(store, everything=True)}
    assert everything > set(usual)
    assert [row.id for row in select(store, papers=["local:r"])] == usual
    assert select(store, papers=["local:none"]) == []
    assert select(store, stale=True) == []
    assert [row.id for row in select(store, ids=usual[:1])] == usual[:1]


def test_blocks_are_judged_as_they_are(
    store: Store, settings: Settings, connection: Connection, tmp_path: Path
) -> None:
    technique = '{"name": "T", "description": "", "weight": 1.0, "components": [], "code": {"implementation": "x = 1", '
    technique += '"test": "assert x == 1", "documentation": "", "package": ["numpy"], "pass_exec": true}}'
    (tmp_path / "g.json").write_text(f'{{"paper_title": "P", "techniques": [{technique}]}}')
    write_paper(store, read_graph(tmp_path / "g.json"))
    failed = {"verdict": "failed", "reason": "x is not 1", "kind": "imported", "failure": "assertion"}
    (verdict,) = verified(store, settings, Teller(block=failed)).codes
    assert (verdict.verdict, verdict.claimed, verdict.kind) == ("failed", True, "imported")
    assert _asked(store, settings) == []
    (verdict,) = verified(store, settings, Teller(block=SandboxError("broke")), force=True).codes
    assert (verdict.verdict, verdict.status) == ("failed", "untried")
