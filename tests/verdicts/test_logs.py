"""Logs are kept by their content: whole, once, and checked when they are read."""

import gzip
from pathlib import Path

import pytest

import kg.verdicts.logs
from kg.errors import InputError, ServiceError, XkgError
from kg.verdicts import LogStore


@pytest.fixture
def logs(tmp_path: Path) -> LogStore:
    return LogStore(tmp_path / "logs")


def files(logs: LogStore) -> list[Path]:
    return [path for path in logs.folder.rglob("*") if path.is_file()]


def test_what_is_put_is_read_and_kept_once(logs: LogStore) -> None:
    text = "a line\nwith ünicode \x00 and control\x1b[31m\n" * 100
    first = logs.put(text)
    assert logs.put(text.encode()) == first
    assert logs.read(first) == text
    assert files(logs) == [logs.folder / first[:2] / first[2:4] / f"{first}.gz"]
    assert logs.has(first)
    assert not logs.has("0" * 64)


def test_equal_logs_are_equal_files(tmp_path: Path) -> None:
    here, there = LogStore(tmp_path / "a"), LogStore(tmp_path / "b")
    assert here.path(here.put("x")).read_bytes() == there.path(there.put("x")).read_bytes()


@pytest.mark.parametrize(
    "damage",
    [b"", b"no gzip", gzip.compress(b"another text"), gzip.compress(b"x" * 99)[:10] + b"\xff" * 30],
    ids=["empty", "no gzip", "another text", "cut short"],
)
def test_a_damaged_log_is_never_shown_and_is_mended_by_putting_it_again(logs: LogStore, damage: bytes) -> None:
    name = logs.put("the truth")
    logs.path(name).write_bytes(damage)
    assert not logs.has(name)
    with pytest.raises(XkgError, match="damaged"):
        logs.read(name)
    assert logs.put("the truth") == name
    assert logs.read(name) == "the truth"


def test_a_cut_file_is_damage(logs: LogStore) -> None:
    name = logs.put("the truth" * 1000)
    raw = logs.path(name).read_bytes()
    logs.path(name).write_bytes(raw[: len(raw) // 2])
    with pytest.raises(XkgError, match="damaged"):
        logs.read(name)


def test_a_missing_log_and_a_name_that_is_none_are_told(logs: LogStore) -> None:
    with pytest.raises(InputError, match="not on this machine"):
        logs.read("0" * 64)
    for name in ("../../etc/passwd", "0" * 63, "A" * 64, ""):
        with pytest.raises(InputError, match="not the sha256"):
            logs.read(name)


def test_an_endless_log_keeps_its_beginning_and_end(logs: LogStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg.verdicts.logs, "LARGEST", 1000)
    text = logs.read(logs.put("begin" + "x" * 5000 + "end"))
    assert text.startswith("begin")
    assert text.endswith("end")
    assert "bytes left out" in text
    assert len(text) <= 1000


def test_a_bomb_is_not_unpacked(logs: LogStore, monkeypatch: pytest.MonkeyPatch) -> None:
    name = logs.put("x")
    logs.path(name).write_bytes(gzip.compress(bytes(3000)))
    monkeypatch.setattr(kg.verdicts.logs, "LARGEST", 1000)
    with pytest.raises(XkgError, match="damaged"):
        logs.read(name)


def test_nothing_half_is_left_when_the_disk_refuses(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file stands where the folder should be")
    with pytest.raises(ServiceError, match="can't be written"):
        LogStore(tmp_path / "logs").put("x")
