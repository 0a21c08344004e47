"""A folder whose git leads to what the blacklist forbids is refused: by rewritten addresses, logs, borrowed objects."""

from collections.abc import Callable
from pathlib import Path

import pytest
from servers.git_http import commit, git

from ingest.acquire import acquire_repository
from kg.config import Settings
from kg.errors import InputError

REFUSED = r"the blacklist forbids https://github\.com/kvfrans/fre"


@pytest.fixture
def guarded(settings: Settings, tmp_path: Path) -> Settings:
    (tmp_path / "blacklist.txt").write_text("https://github.com/kvfrans/fre\n")
    return settings.replace(blacklist=(tmp_path / "blacklist.txt",), home=tmp_path / "home")


Addressed = Callable[[Path], None]


def _remote(address: str, *rule: str) -> Addressed:
    """Makes `address` the remote of a repository whose configuration has the `rule`."""

    def write(folder: Path) -> None:
        git(folder, "remote", "add", "up", address)
        git(folder, "config", *rule)

    return write


def _written(path: str, text: str) -> Addressed:
    """Writes `text` to a file below .git."""

    def write(folder: Path) -> None:
        (folder / ".git" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / ".git" / path).write_text(text)

    return write


def _rule(base: str, prefix: str, word: str = "insteadOf") -> str:
    return f'[url "{base}"]\n\t{word} = {prefix}\n'


_OWNER, _LOGGED = "https://github.com/kvfrans/", f"{'0' * 40} {'1' * 40} A <a@example.org> 1600000000 +0000"


@pytest.mark.parametrize(
    "write",
    {
        "instead": _remote("evil:fre", f"url.{_OWNER}.insteadOf", "evil:"),
        "instead of a part": _remote("evilre", f"url.{_OWNER}f.insteadOf", "evil"),
        "push instead": _remote("evil:fre", f"url.{_OWNER}.pushInsteadOf", "evil:"),
        "owner put together": _remote("x/frans/fre", "url.https://github.com/kv.insteadOf", "x/"),
        "longest": lambda folder: (
            _remote("evil:fre", "url.https://github.com/other/.insteadOf", "ev")(folder),
            git(folder, "config", f"url.{_OWNER}.insteadOf", "evil:"),
        ),
        "included": lambda folder: (
            _remote("evil:fre", "include.path", "more")(folder),
            _written("more", _rule(_OWNER, "evil:"))(folder),
        ),
        "work tree's": lambda folder: (
            _remote("evil:fre", "extensions.worktreeConfig", "true")(folder),
            _written("config.worktree", _rule(_OWNER, "evil:"))(folder),
        ),
        "continued": _written("config", '[remote "up"]\n\turl = https://github.com/kvfr\\\nans/fre\n'),
        "cloned": lambda folder: (
            git(folder, "config", f"url.{_OWNER}.insteadOf", "evil:"),
            _written("logs/HEAD", f"{_LOGGED}\tclone: from evil:fre\n")(folder),
        ),
        "remotes": _written("remotes/up", "URL: https://github.com/kvfrans/fre\n"),
        "branches": _written("branches/up", "https://github.com/kvfrans/fre#main\n"),
        "merged": _written("logs/HEAD", f"{_LOGGED}\tcommit (merge): Merge pull request #3 from kvfrans/fre\n"),
        "branch's": _written("logs/refs/heads/a/b", f"{_LOGGED}\tcommit: Take over KVFrans/fre.git\n"),
        "stash": _written("logs/refs/stash", f"{_LOGGED}\tWIP on main: copy of git@github.com:kvfrans/fre\n"),
        "late": _written("logs/HEAD", f"{_LOGGED}\tcommit: {'x' * 9000}\n" * 120 + f"{_LOGGED}\tMerge kvfrans/fre\n"),
        "submodule's": lambda folder: (
            _written("modules/lib/config", "[core]\n\tbare = false\n")(folder),
            _written("modules/lib/logs/HEAD", f"{_LOGGED}\tcommit: Merge kvfrans/fre\n")(folder),
        ),
        "alternates": _written("objects/info/alternates", "/srv/kvfrans/fre/.git/objects\n"),
        "bare": _written("objects/info/alternates", "/srv/other/x.git/objects\n/srv/KVFrans/fre.git/objects\n"),
        "relative": _written("objects/info/alternates", "../../../hidden\n"),
    }.items(),
    ids=lambda item: item[0],
)
def test_a_folder_is_known_by_what_git_would_fetch_from(
    guarded: Settings, tmp_path: Path, write: tuple[str, Addressed]
) -> None:
    commit(tmp_path / "mine", {"a.py": b"x = 1\n"})
    (tmp_path / "srv/kvfrans/fre/objects").mkdir(parents=True)
    (tmp_path / "hidden").symlink_to(tmp_path / "srv/kvfrans/fre/objects")
    write[1](tmp_path / "mine")
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository(str(tmp_path / "mine"), guarded)


def test_a_work_tree_is_known_by_its_own_log(guarded: Settings, tmp_path: Path) -> None:
    commit(tmp_path / "mine", {"a.py": b"x = 1\n"})
    git(tmp_path / "mine", "worktree", "add", "-q", str(tmp_path / "tree"))
    _written("worktrees/tree/logs/HEAD", f"{_LOGGED}\tcommit: Merge kvfrans/fre\n")(tmp_path / "mine")
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository(str(tmp_path / "tree"), guarded)


def test_a_folder_with_others_in_its_git_is_taken_and_none_of_its_git_runs(guarded: Settings, tmp_path: Path) -> None:
    honest = tmp_path / "honest"
    commit(honest, {"a.py": b"x = 1\n"}, message="Merge pull request #3 from someone/fre")
    commit(honest, {"a.py": b"x = 2\n"}, message="Merge branch 'fre' of https://github.com/kvfrans/fre-extra")
    _remote("git@github.com:other/fre", "url.https://github.com/other/.insteadOf", "git@github.com:other/")(honest)
    git(honest, "config", f"url.{_OWNER}.insteadOf", "unused:")
    git(honest, "config", "url.https://github.com/kvfrans/f.insteadOf", "git@github.com:")  # git takes the longest
    _written("objects/info/alternates", f"{tmp_path}/srv/someone/fre/.git/objects\n")(honest)
    (tmp_path / "srv/someone/fre/.git/objects").mkdir(parents=True)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "pager.config", "alias.config", "core.editor"):
        git(honest, "config", key, f"{'!' * key.startswith('alias')}touch {tmp_path}/ran")
    source = acquire_repository(str(honest), guarded)
    assert (source.folder / "a.py").read_text() == "x = 2\n"
    assert source.repository.id == "folder:honest"
    assert not (tmp_path / "ran").exists()
