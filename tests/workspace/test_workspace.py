"""An agent's own folder: what can be done in it, and that nothing leads out of it."""

import os
from pathlib import Path

import pytest

from agents.tools.workspace import BYTES, Edit, Workspace
from kg.errors import AbsentError, InputError


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "secret.txt").write_text("secret")
    made = Workspace(tmp_path / "work")
    made.apply([Edit(path="a.py", new="x = 1\ny = 1\n"), Edit(path="sub/b.py", new="z = 2\n")])
    return made


def test_what_is_written_is_listed_read_and_found(workspace: Workspace) -> None:
    assert workspace.files() == ["a.py", "sub/b.py"]
    assert workspace.read("sub/b.py") == "z = 2\n"
    assert workspace.search("Z =") == [("sub/b.py", 1, "z = 2")]
    before = workspace.digest()
    workspace.apply([Edit(path="a.py", old="x = 1", new="x = 3")])
    assert workspace.read("a.py") == "x = 3\ny = 1\n"
    assert workspace.digest() != before


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        (Edit(path="a.py", old=" = 1", new=" = 2"), "stands 2 times"),
        (Edit(path="a.py", old="nowhere", new=""), "stands 0 times"),
        (Edit(path="a.py", new="all"), "the file is there"),
        (Edit(path="c.py", old="x", new="y"), "no such file"),
        (Edit(path="big.py", new="é" * (BYTES // 2 + 1)), "too large"),
    ],
)
def test_edits_are_made_all_or_none(workspace: Workspace, edit: Edit, complaint: str) -> None:
    before = workspace.texts()
    with pytest.raises(InputError, match=complaint):
        workspace.apply([Edit(path="sub/b.py", old="z = 2", new="z = 9"), Edit(path="new.py", new="w = 1"), edit])
    assert workspace.texts() == before


def test_later_edits_see_earlier_ones_and_broken_python_is_told(workspace: Workspace) -> None:
    wrong = workspace.apply(
        [
            Edit(path="a.py", old="x = 1", new="x = 5"),
            Edit(path="a.py", old="x = 5", new="x = (6"),
            Edit(path="sub/b.py", new="whole = 1\n", whole=True),
        ]
    )
    assert workspace.read("a.py").startswith("x = (6")
    assert workspace.read("sub/b.py") == "whole = 1\n"
    assert list(wrong) == ["a.py"]
    assert "not Python" in wrong["a.py"]


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "sub/../../secret.txt", "", ".", "sub", ".hidden", ".git/config", "a\0.py",
     "a b.py", "link.txt", "folder/secret.txt", "a.py/b.py", "sub//", "a/" * 20 + "b.py"],
)  # fmt: skip
def test_nothing_leads_out(workspace: Workspace, tmp_path: Path, path: str) -> None:
    (workspace.root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (workspace.root / "folder").symlink_to(tmp_path)
    with pytest.raises(InputError):
        workspace.read(path)
    with pytest.raises(InputError):
        workspace.apply([Edit(path=path or "..", new="changed", whole=True)])
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert workspace.files() == ["a.py", "sub/b.py"]
    assert workspace.search("secret") == []


def test_no_path_is_a_file_and_a_folder(workspace: Workspace) -> None:
    before = workspace.texts()
    with pytest.raises(InputError, match="a file and a folder"):
        workspace.apply([Edit(path="new/b.py", new="x"), Edit(path="new", new="y")])
    assert workspace.texts() == before


def test_what_is_no_plain_file_is_none(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe.py")
    assert "pipe.py" not in workspace.files()
    with pytest.raises(InputError):
        workspace.read("pipe.py")
    with pytest.raises(AbsentError):
        workspace.read("nothing.py")


def test_one_file_by_two_paths_gets_both_changes(workspace: Workspace) -> None:
    workspace.apply([Edit(path="model.py", new="x = 1\na = 2\n")])
    both = [Edit(path="model.py", old="x = 1", new="x = 3"), Edit(path="./model.py", old="a = 2", new="a = 4")]
    workspace.apply(both)
    assert workspace.read("model.py") == "x = 3\na = 4\n"
