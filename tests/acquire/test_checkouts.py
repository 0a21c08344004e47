"""Repositories on one's own disk: which commit a folder is, and that nothing in it gets to run."""

import re
from pathlib import Path

import pytest
from servers.git_http import commit, git

from ingest.acquire import acquire_repository
from ingest.acquire.checkouts import acquire_local_repository
from ingest.acquire.folders import hash_files
from ingest.acquire.locations import find_again, remember, signature
from kg.config import Settings
from kg.errors import InputError


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings().replace(
        cache=tmp_path / "cache", github__api="http://127.0.0.1:9", github__git="http://127.0.0.1:9"
    )


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "My Sheep"
    commit(folder, {"a.py": b"a = 1\n", "src/b.py": b"b = 2\n", ".gitignore": b"*.log\n__pycache__\n"})
    return folder


def test_a_clean_work_tree_is_its_commit(work: Path, settings: Settings) -> None:
    (work / "run.log").write_bytes(b"ignored")
    source = acquire_repository(str(work), settings)
    assert source.folder == work
    assert (source.repository.id, source.repository.commit) == ("folder:my-sheep", git(work, "rev-parse", "HEAD"))
    assert source.warnings == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Farm/sheep.git",
        "git@github.com:Farm/sheep.git",
        "https://me:ghp_secret@github.com/Farm/sheep",
    ],
)
def test_the_id_comes_from_the_remote_without_its_secrets(work: Path, settings: Settings, url: str) -> None:
    git(work, "remote", "add", "origin", url)
    source = acquire_repository(str(work), settings)
    assert (source.repository.id, source.repository.url) == ("github:Farm/sheep", "https://github.com/Farm/sheep")
    assert "ghp_secret" not in source.model_dump_json()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda work: (work / "a.py").write_bytes(b"a = 3\n"), "a.py has changed"),
        (lambda work: (work / "src/b.py").unlink(), "src/b.py has changed"),
        (lambda work: (work / "new.py").write_bytes(b""), "new.py is not in it"),
        (lambda work: (work / "a.py").chmod(0o755), "a.py has changed"),
    ],
)  # fmt: skip
def test_a_dirty_work_tree_is_its_contents(work: Path, settings: Settings, change, words: str) -> None:  # type: ignore[no-untyped-def] # three lambdas
    clean = acquire_repository(str(work), settings).repository.commit
    change(work)
    source = acquire_repository(str(work), settings)
    assert re.fullmatch(r"sha256-[0-9a-f]{64}", source.repository.commit)
    assert words in source.warnings[0]
    assert clean[:12] in source.warnings[0]


def test_a_plain_folder_is_its_contents(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "sheep" / "code"
    folder.mkdir(parents=True)
    (folder / "a.py").write_bytes(b"a")
    first = acquire_repository(str(folder), settings)
    assert first.repository.id == "folder:sheep-code"
    assert first.repository.commit.startswith("sha256-")
    (folder / "a.py").write_bytes(b"b")
    assert acquire_repository(str(folder), settings).repository.commit != first.repository.commit
    assert acquire_repository(str(folder), settings, slug="lamb").repository.id == "folder:lamb"


def test_a_plain_folder_is_another_where_a_file_becomes_executable(tmp_path: Path, settings: Settings) -> None:
    (folder := tmp_path / "sheep").mkdir()
    (folder / "run.sh").write_bytes(b"true")
    before = acquire_repository(str(folder), settings).repository.commit
    assert before == f"sha256-{hash_files(folder)}", "where none is, the hash is that of names and contents"
    (folder / "run.sh").chmod(0o755)
    assert acquire_repository(str(folder), settings).repository.commit != before
    (folder / "run.sh").chmod(0o664)
    assert acquire_repository(str(folder), settings).repository.commit == before


def test_whatever_git_is_told_of_modes_a_file_that_becomes_executable_counts(work: Path, settings: Settings) -> None:
    git(work, "config", "core.fileMode", "false")
    (work / "src/b.py").chmod(0o755)
    assert acquire_repository(str(work), settings).repository.commit.startswith("sha256-")


def test_a_folder_is_found_again_unless_a_file_of_it_has_become_executable(tmp_path: Path, settings: Settings) -> None:
    (folder := tmp_path / "sheep").mkdir()
    (script := folder / "run.sh").write_bytes(b"true")
    script.chmod(0o755)
    settings = settings.replace(home=tmp_path / "home")
    source = acquire_repository(str(folder), settings, origin="Farm/sheep@0123abcdef")
    remember(settings, source, origin="Farm/sheep@0123abcdef", slug=None)
    assert find_again(settings, "github:Farm/sheep", "0123abcdef") == folder
    before = signature(folder)
    script.chmod(0o644)
    assert signature(folder) != before
    with pytest.raises(InputError, match="has changed since it was ingested"):
        find_again(settings, "github:Farm/sheep", "0123abcdef")
    (note,) = (tmp_path / "home" / "sources").iterdir()
    note.write_text(re.sub(r'"modes-\w+"', f'"{hash_files(folder)}"', note.read_text()))
    assert find_again(settings, "github:Farm/sheep", "0123abcdef") == folder, "the note of an earlier version"


def test_a_folder_within_a_work_tree_is_not_the_work_tree(work: Path, settings: Settings) -> None:
    assert acquire_repository(str(work / "src"), settings).repository.commit.startswith("sha256-")


def test_the_users_word_on_its_origin_is_believed(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "a.py").write_bytes(b"a")
    source = acquire_repository(str(tmp_path), settings, origin="Farm/sheep@0123abcdef")
    assert (source.repository.id, source.repository.commit) == ("github:Farm/sheep", "0123abcdef")
    with pytest.raises(InputError, match="'Farm/sheep' is not owner/name@commit"):
        acquire_repository(str(tmp_path), settings, origin="Farm/sheep")


def test_bad_folders_are_named(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "void").mkdir()
    (tmp_path / "file").write_bytes(b"x")
    for name, words in {"void": "is empty", "file": "is not a folder", "none": "neither an existing folder"}.items():
        with pytest.raises(InputError, match=words):
            acquire_repository(str(tmp_path / name), settings)


def test_a_broken_git_folder_is_a_warning(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "x" / ".git").mkdir(parents=True)
    (tmp_path / "x" / "a.py").write_bytes(b"a")
    source = acquire_repository(str(tmp_path / "x"), settings)
    assert source.repository.commit.startswith("sha256-")
    assert "git can't read" in source.warnings[0]


def test_nothing_of_a_hostile_folder_runs(work: Path, tmp_path: Path, settings: Settings) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\ncat\n")
    trap.chmod(0o755)
    commit(work, {".gitattributes": b"*.py filter=trap diff=trap\n"})
    for key in (
        "core.fsmonitor", "core.hooksPath", "core.pager", "core.editor", "core.sshCommand", "core.askPass",
        "core.gitProxy",
        "filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.trap.textconv", "diff.external",
        "credential.helper", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
        "alias.ls-tree", "alias.rev-parse",
    ):  # fmt: skip
        git(work, "config", key, str(trap))
    git(work, "config", "remote.origin.url", f"ext::{trap}")
    git(work, "config", "remote.origin.promisor", "true")
    git(work, "config", "extensions.partialClone", "origin")
    (work / "a.py").touch()
    head = git(work, "rev-parse", "HEAD")
    tree = git(work, "rev-parse", "HEAD:src")
    assert acquire_repository(str(work), settings).repository.commit == head
    (work / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert "git can't read" in acquire_repository(str(work), settings).warnings[0]
    assert not (tmp_path / "sprung").exists()


def test_a_repository_does_not_say_how_it_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XKG_CONFIG", raising=False)
    folder, beside = tmp_path / "judged", tmp_path / "judged2"
    for one in (folder / "package", beside):
        one.mkdir(parents=True)
        (one / "a.py").write_text("x = 1\n")
    (folder / "xkg.toml").write_text("[verify]\nmutants = 1\n")
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match=r"xkg\.toml would set how what lies around it is read and judged"):
        acquire_local_repository(folder)
    with pytest.raises(InputError, match="run xkg from a folder outside of it"):
        acquire_local_repository(Path())
    assert acquire_local_repository(beside).repository.id == "folder:judged2"
    monkeypatch.setenv("XKG_CONFIG", str(folder / "xkg.toml"))
    assert acquire_local_repository(folder).repository.id == "folder:judged"
    monkeypatch.delenv("XKG_CONFIG")
    monkeypatch.chdir(folder / "package")
    assert acquire_local_repository(folder).repository.id == "folder:judged"
    monkeypatch.chdir(beside)
    (beside / "xkg.toml").symlink_to(folder / "xkg.toml")
    with pytest.raises(InputError, match="judged"):
        acquire_local_repository(folder)
