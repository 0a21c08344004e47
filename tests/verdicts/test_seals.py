"""The key of a home: made once, read by its owner only, and without it no seal."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kg.errors import ServiceError, XkgError
from kg.verdicts.seals import Seals, number_of
from kg.verdicts.statements import edge_statement, texts_of, verdict_statement

SAID = {"killed": 3, "packages": ["numpy 2.0"], "wall_s": 1.5, "reason": "süß \udce9", "module": None}


def test_a_seal_is_of_one_statement_by_one_key(tmp_path: Path) -> None:
    mine, theirs = Seals(tmp_path / "mine"), Seals(tmp_path / "theirs")
    seal = mine.make("verdict", SAID)
    assert mine.fits(seal, "verdict", SAID)
    assert Seals(tmp_path / "mine").fits(seal, "verdict", {**SAID, "absent": None}), "null says nothing"
    assert not mine.fits(seal, "edge", SAID)
    for change in ({"killed": 4}, {"killed": "3"}, {"wall_s": 1}, {"packages": ["numpy 2.1"]}, {"more": 1}):
        assert not mine.fits(seal, "verdict", {**SAID, **change}), change
    for other in (None, 3, [seal], "", ":", seal[:-1], seal.upper(), seal + "é"):
        assert not mine.fits(other, "verdict", SAID), other
    assert not theirs.fits(seal, "verdict", SAID), "nothing was sealed there yet"
    theirs.make("verdict", SAID)
    assert not theirs.fits(seal, "verdict", SAID)
    assert (mine.knows(seal), theirs.knows(seal)) == (True, False)


def test_looking_makes_no_key(tmp_path: Path) -> None:
    assert not Seals(tmp_path).fits("x:y", "verdict", SAID)
    assert not Seals(tmp_path).knows("x:y")
    assert list(tmp_path.iterdir()) == []


def test_many_at_once_make_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        seals = list(pool.map(lambda _: Seals(tmp_path).make("verdict", SAID), range(64)))
    assert len(set(seals)) == 1
    (key,) = tmp_path.iterdir()
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_key_that_is_none_is_told(tmp_path: Path) -> None:
    Seals(tmp_path).make("verdict", SAID)
    (tmp_path / "key").write_bytes(b"short")
    for use in (lambda: Seals(tmp_path).make("verdict", SAID), lambda: Seals(tmp_path).knows("x")):
        with pytest.raises(XkgError, match=r"the key of verdicts is damaged .*key\); bring it back, or remove it"):
            use()


def test_a_key_that_can_not_be_had_is_a_service_error(tmp_path: Path) -> None:
    (tmp_path / "logs").write_bytes(b"")
    with pytest.raises(ServiceError, match="can't be written"):
        Seals(tmp_path / "logs").make("verdict", SAID)
    (tmp_path / "key").mkdir()
    with pytest.raises(ServiceError, match="can't be read"):
        Seals(tmp_path).knows("x")


def test_the_number_of_a_judgement_is_sealed_with_it(tmp_path: Path) -> None:
    seals = Seals(tmp_path)
    first, second = (seals.make("verdict", SAID, seals.new_number()) for _ in range(2))
    assert first != second, "two judgements that say the same"
    assert seals.fits(first, "verdict", SAID)
    key, _, code = first.split(":")
    for other in (f"{key}:{number_of(second)}:{code}", f"{key}:{code}", f"{key}::{code}"):
        assert not seals.fits(other, "verdict", SAID), other
    assert number_of(seals.make("verdict", SAID)) == number_of(None) == number_of("x") == ""


def test_a_verdict_is_of_one_place_and_its_run_moves_on_with_the_commit() -> None:
    def said(code: str) -> object:
        return edge_statement(code, "x", {"verdict": "verified"})

    assert said("github:o/r@c1:src/a.py#f") == said("github:o/r@c2:src/a.py#f")
    codes = ("github:o/r@c1:src/a.py#f", "github:o/r@c1:src/b.py#f", "github:o/q@c1:src/a.py#f", "local:p#c/12")
    assert len({str(said(code)) for code in codes}) == len(codes)
    codes = (*codes, "github:o/r@c2:src/a.py#f")
    assert len({str(verdict_statement(code, {"verdict": "verified"}, "x")) for code in codes}) == len(codes)
    assert said(codes[0]) != verdict_statement(codes[0], {"verdict": "verified"}, "x")


def test_seals_hold_under_the_name_that_a_folder_had(tmp_path: Path) -> None:
    """Judged as ``local:r``, and now called ``folder:r``; a repository on GitHub, and a paper's code, have one name."""
    said = {"verdict": "verified", "date": "2026-01-01"}
    seals, number = Seals(tmp_path, "graph"), Seals(tmp_path).new_number()
    was, now = ("local:r@c1:src/a.py#f", "folder:r@c1:src/a.py#f")
    judged = verdict_statement(was, {**said, "repository": "local:r"}, "x")
    seal = seals.make(*judged, number=number)
    assert seals.fits(seal, *verdict_statement(now, {**said, "repository": "folder:r"}, "x"))
    assert seals.fits(seals.make(*edge_statement(was, "x", said)), *edge_statement(now, "x", said))
    for other in ("folder:q@c1:src/a.py#f", "folder:r@c1:src/b.py#f", "github:r@c1:src/a.py#f"):
        assert not seals.fits(seal, *verdict_statement(other, {**said, "repository": "folder:r"}, "x")), other
    assert not seals.fits(seal, *verdict_statement(now, {**said, "repository": "folder:q"}, "x"))
    seals.note([], [was])
    assert seals.taken_back(seal, now), "what was taken back under the one name is under the other"


def test_texts_are_sealed_by_their_hashes() -> None:
    assert texts_of({"documentation": None, "name": "x"}) == []
    documentation, survivors = texts_of({"documentation": "a \udce9", "survivors": ["b", "c"]})
    assert documentation.startswith("documentation ")
    assert documentation == texts_of({"documentation": "a ?"})[0], "as a graph keeps it"
    assert survivors != texts_of({"survivors": ["bc"]})[0]
