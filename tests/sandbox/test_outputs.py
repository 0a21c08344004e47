"""What is taken from a working folder, whatever lies in it."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.execution.sandbox import SandboxError
from agents.execution.sandbox.descriptors import PipeCapture
from agents.execution.sandbox.inside.leftovers import DEEPEST, MOST_ENTRIES
from agents.execution.sandbox.outputs import Collected, collect


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "work"
    folder.mkdir()
    yield folder


def take(
    work: Path, globs: tuple[str, ...] = ("**",), most: int = 1 << 20, keep: Path | None = None, **given: bytes
) -> Collected:
    descriptor = os.open(work, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return collect(descriptor, globs, given, most, keep)
    finally:
        os.close(descriptor)


def test_regular_files_are_listed_with_sum_and_size(work: Path) -> None:
    (work / "d").mkdir()
    (work / "d" / "a").write_bytes(b"content")
    (output,) = take(work).outputs
    assert (output.path, output.size) == ("d/a", 7)
    assert output.sha256 == hashlib.sha256(b"content").hexdigest()


def test_links_pipes_and_folders_are_not_listed(work: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (work / "link").symlink_to(secret)
    (work / "folder").symlink_to(tmp_path)
    (work / "loop").symlink_to("loop")
    os.mkfifo(work / "fifo")
    (work / "empty").mkdir()
    assert take(work, keep=tmp_path / "keep") == Collected((), more=False)
    assert not (tmp_path / "keep").exists()


def test_unchanged_inputs_are_not_outputs(work: Path) -> None:
    (work / "a").write_bytes(b"1")
    (work / "b").write_bytes(b"2")
    assert [output.path for output in take(work, a=b"1", b=b"1").outputs] == ["b"]


@pytest.mark.parametrize(
    ("glob", "paths"),
    [
        ("**", ["a/b/z.txt", "a/y.txt", "x.txt"]),
        ("*.txt", ["x.txt"]),
        ("**/*.txt", ["a/b/z.txt", "a/y.txt", "x.txt"]),
        ("a/*", ["a/y.txt"]),
        ("a/**", ["a/b/z.txt", "a/y.txt"]),
        ("?.txt", ["x.txt"]),
        ("", []),
    ],
)
def test_globs_choose(work: Path, glob: str, paths: list[str]) -> None:
    (work / "a" / "b").mkdir(parents=True)
    for name in ("x.txt", "a/y.txt", "a/b/z.txt"):
        (work / name).write_text("")
    assert [output.path for output in take(work, (glob,)).outputs] == paths


def test_what_is_too_much_is_cut_and_said(work: Path) -> None:
    (work / "a").write_bytes(b"x" * 600)
    (work / "b").write_bytes(b"x" * 600)
    found = take(work, most=1000)
    assert [output.path for output in found.outputs] == ["a"]
    assert found.more


def test_what_is_too_deep_is_left_and_said(work: Path) -> None:
    place = work
    for _ in range(DEEPEST + 2):
        place /= "d"
        place.mkdir()
    (place / "a").write_text("")
    assert take(work) == Collected((), more=True)


def test_too_many_files_are_cut_and_said() -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        for number in range(MOST_ENTRIES + 1):
            os.mknod(f"{name}/{number}")
        assert take(Path(name), globs=("1",)).more


def test_what_nobody_may_read_is_read(work: Path) -> None:
    (work / "d").mkdir()
    (work / "d" / "a").write_text("x")
    (work / "d" / "a").chmod(0)
    (work / "d").chmod(0)
    assert [output.path for output in take(work).outputs] == ["d/a"]


def test_names_that_look_alike_stay_apart(work: Path, tmp_path: Path) -> None:
    for name in (b"\xff", b"\\xff", b"a\nb", b"a\\nb"):
        (work / os.fsdecode(name)).write_bytes(name)
    keep = tmp_path / "keep"
    paths = [output.path for output in take(work, keep=keep).outputs]
    assert len(set(paths)) == 4
    assert sorted(path.name for path in keep.iterdir()) == sorted(paths)


def test_a_folder_that_can_not_be_kept_in_is_told(work: Path, tmp_path: Path) -> None:
    (work / "a").write_text("")
    (tmp_path / "keep").write_text("a file")
    with pytest.raises(SandboxError, match="keep"):
        take(work, keep=tmp_path / "keep")


def test_a_pipe_is_read_up_to_its_cap_and_never_waited_for() -> None:
    reading, writing = os.pipe()
    capture = PipeCapture(reading, 5)
    capture.pump()
    assert (capture.text(), capture.ended) == ("", False)
    os.write(writing, b"abc\xff")
    capture.drain()
    assert (capture.text(), capture.over) == ("abc\ufffd", False)
    os.write(writing, b"defgh")
    capture.drain()
    assert (bytes(capture.data), capture.over, capture.ended) == (b"abc\xffd", True, False)
    os.close(writing)
    capture.drain()
    assert capture.ended
    os.close(reading)
