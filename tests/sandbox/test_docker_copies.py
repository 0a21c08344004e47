"""Copies of folders that the user inside a container may not read: bounded, without links, whatever changes."""

import os
from pathlib import Path

import pytest

from agents.execution.sandbox import SandboxError, docker_container
from agents.execution.sandbox.docker_container import _below, _copy, _readable


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A folder of the user alone, with a file, a link that leads out of it, a pipe and a closed folder."""
    source = tmp_path / "source"
    (source / "sub").mkdir(parents=True)
    (source / "sub" / "file").write_text("text")
    (source / "link").symlink_to("/etc/hostname")
    os.mkfifo(source / "pipe")
    source.chmod(0o700)
    return source


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    folder = tmp_path / "copies"
    folder.mkdir()
    return folder


def test_a_closed_folder_is_copied_with_its_links_as_links(closed: Path, copies: Path) -> None:
    copy = Path(_readable(closed, copies))
    assert copy.parent == copies
    assert (copy / "sub" / "file").read_text() == "text"
    assert (copy / "link").is_symlink()
    assert not (copy / "pipe").exists()
    assert (copy.stat().st_mode & 0o777, (copy / "sub" / "file").stat().st_mode & 0o777) == (0o755, 0o644)


def test_a_copy_is_never_copied_into_itself(tmp_path: Path, closed: Path) -> None:
    inside = closed / "copies"
    inside.mkdir()
    copy = Path(_readable(closed, inside))
    assert sorted(path.name for path in copy.iterdir()) == ["link", "sub"]


def test_what_holds_more_than_it_said_is_too_large(copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a process's environment the kernel says that it has no bytes, as of a file that grows after it was seen."""
    environment = Path("/proc/self/environ")
    assert (environment.stat().st_size, len(environment.read_bytes()) > 10) == (0, True)
    monkeypatch.setattr(docker_container, "MOST_COPIED", 10)
    with pytest.raises(SandboxError, match="too large"):
        _readable(environment, copies)
    assert [path.stat().st_size for path in copies.iterdir()] == [11]


def test_a_file_that_has_become_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    with pytest.raises(OSError, match="symbolic links"):
        _copy(tmp_path / "link", tmp_path / "target", 1000)
    assert not (tmp_path / "target").exists()


def test_names_too_long_for_a_path_are_told(closed: Path, copies: Path) -> None:
    folder = os.open(closed, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=folder)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    with pytest.raises(SandboxError, match="can't be copied"):
        _readable(closed, copies)


def test_what_is_not_there_is_passed_over(tmp_path: Path, copies: Path) -> None:
    assert list(_below(tmp_path / "gone", copies)) == []
