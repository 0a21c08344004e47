"""Repositories on GitHub: PyGithub against a scripted API, git against a real git server, both on loopback."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr
from servers.git_http import GitServer, commit, git
from servers.github_shapes import NOT_FOUND, answer, rate_limited, repository
from servers.scripted import Reply, ScriptedServer

from ingest.acquire import RepositorySource, acquire_repository
from kg.config import Settings
from kg.errors import InputError, RemoteError

NAME = "Farm/sheep.py"
PLAIN = b"# $Id$\ndef shear(): pass\n"
ATTRIBUTES = b"*.py text eol=crlf ident\n"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[GitServer]:
    (tmp_path / "hub").mkdir()
    with GitServer(tmp_path / "hub").running() as server:
        yield server


@pytest.fixture
def settings(settings: Settings, hub: GitServer) -> Settings:
    return settings.replace(github__git=hub.url)


@pytest.fixture
def commits(tmp_path: Path, hub: GitServer, host: ScriptedServer) -> list[str]:
    """Two commits of NAME: a tag "v1.0" on the first, branches "main" and "topic/wool" on the second."""
    work = tmp_path / "work"
    first = commit(work, {"a.py": b"old = 1\n", "LICENSE": b"MIT License"})
    git(work, "tag", "-a", "v1.0", "-m", "one")
    second = commit(work, {"a.py": b"new = 2\n", "src/plain.py": PLAIN, ".gitattributes": ATTRIBUTES})
    git(work, "branch", "topic/wool")
    hub.publish(work, NAME)
    host.play(f"/repos/{NAME}", answer(repository(NAME, api=host.url)))
    return [first, second]


def files(source: RepositorySource) -> dict[str, bytes]:
    folder = source.folder
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def nothing_left(settings: Settings) -> bool:
    return not [path for path in (settings.cache / "repositories").rglob("*") if path.is_file()]


def test_a_repository_comes_at_one_commit_byte_for_byte(settings: Settings, commits: list[str]) -> None:
    source = acquire_repository(NAME, settings)
    assert files(source) == {
        ".gitattributes": ATTRIBUTES, "LICENSE": b"MIT License", "a.py": b"new = 2\n", "src/plain.py": PLAIN,
    }  # fmt: skip
    repository = source.repository
    assert (repository.id, repository.name, repository.commit) == (f"github:{NAME}", NAME, commits[1])
    assert (repository.url, repository.licence) == (f"https://github.com/{NAME}", "MIT")
    assert source.warnings == ()


@pytest.mark.parametrize(
    ("ref", "which"),
    [
        (f"{NAME}@v1.0", 0), (f"{NAME}@main", 1), (f"{NAME}@topic/wool", 1), (f"https://github.com/{NAME}", 1),
        (f"https://github.com/{NAME}.git", 1), (f"git@github.com:{NAME}.git", 1), (f"ssh://git@github.com/{NAME}", 1),
        (f"git://github.com/{NAME}.git", 1), (f"https://github.com/{NAME}/tree/v1.0", 0), (f"github:{NAME}", 1),
        (f"https://github.com/{NAME}/tree/topic/wool/src/deep", 1), (f"https://user:pw@github.com/{NAME}/", 1),
        (f"https://github.com/{NAME}/releases/tag/v1.0", 0), (f"https://github.com/{NAME}#readme", 1),
    ],
)  # fmt: skip
def test_a_repository_has_many_names(settings: Settings, commits: list[str], ref: str, which: int) -> None:
    assert acquire_repository(ref, settings).repository.commit == commits[which]


def test_a_commit_is_pinned_by_its_hash(host: ScriptedServer, settings: Settings, commits: list[str]) -> None:
    source = acquire_repository(f"{NAME}@{commits[0]}", settings)
    assert files(source) == {"LICENSE": b"MIT License", "a.py": b"old = 1\n"}
    host.play(f"/repos/{NAME}/commits/{commits[0][:8]}", answer({"sha": commits[0], "url": "https://api.github.com/x"}))
    assert acquire_repository(f"{NAME}@{commits[0][:8]}", settings).folder == source.folder


def test_a_second_reading_needs_no_network(
    host: ScriptedServer, hub: GitServer, settings: Settings, commits: list[str]
) -> None:
    first = acquire_repository(NAME, settings)
    asked = len(host.requests), len(hub.seen)
    assert acquire_repository(NAME, settings) == first
    assert (len(host.requests), len(hub.seen)) == asked


def test_refresh_finds_the_new_commit(tmp_path: Path, hub: GitServer, settings: Settings, commits: list[str]) -> None:
    acquire_repository(NAME, settings)
    newest = commit(tmp_path / "work", {"b.py": b"b"})
    shutil.rmtree(hub.root / f"{NAME}.git")
    hub.publish(tmp_path / "work", NAME)
    assert acquire_repository(NAME, settings).repository.commit == commits[1]
    assert acquire_repository(NAME, settings, refresh=True).repository.commit == newest
    assert acquire_repository(NAME, settings).repository.commit == newest


@pytest.mark.parametrize(("licence", "known", "warned"), [(None, None, True), ("NOASSERTION", "unknown", False)])
def test_licences_that_are_none(
    host: ScriptedServer, settings: Settings, commits: list[str], licence: str | None, known: str | None, warned: bool
) -> None:
    host.play(f"/repos/{NAME}", answer(repository(NAME, licence=licence)))
    source = acquire_repository(NAME, settings)
    assert source.repository.licence == known
    assert any("no licence" in warning for warning in source.warnings) is warned


def test_a_renamed_repository_goes_by_its_new_name(
    host: ScriptedServer, settings: Settings, commits: list[str]
) -> None:
    moved = {"message": "Moved Permanently", "url": f"{host.url}/repositories/1296269"}
    host.play("/repos/Old/flock", answer(moved, 301, {"Location": f"{host.url}/repositories/1296269"}))
    host.play("/repositories/1296269", answer(repository(NAME)))
    source = acquire_repository("Old/flock", settings)
    assert source.repository.id == f"github:{NAME}"
    assert source.warnings == (f"Old/flock is now called {NAME}",)
    assert acquire_repository("Old/flock", settings) == source


def test_a_used_up_allowance_costs_only_the_licence(
    host: ScriptedServer, settings: Settings, commits: list[str]
) -> None:
    host.play(f"/repos/{NAME}", rate_limited(1893456000))
    source = acquire_repository(NAME, settings)
    assert source.repository.licence is None
    assert "allowance of requests is used up until 00:00 UTC" in source.warnings[0]
    assert len(host.requests) == 1
    with pytest.raises(RemoteError, match=r"used up until 00:00 UTC; set GITHUB_TOKEN"):
        host.play(f"/repos/{NAME}/commits/0123abcd", rate_limited(1893456000))
        acquire_repository(f"{NAME}@0123abcd", settings)


@pytest.mark.parametrize(
    "bad", [Reply(502), Reply(503, headers={"Retry-After": "0"}), Reply(200, b'{"full_name":', cut=5), Reply(429)]
)
def test_the_api_is_asked_again(host: ScriptedServer, settings: Settings, commits: list[str], bad: Reply) -> None:
    host.play(f"/repos/{NAME}", bad, answer(repository(NAME)))
    assert acquire_repository(NAME, settings).repository.licence == "MIT"


def test_git_is_asked_again(hub: GitServer, settings: Settings, commits: list[str]) -> None:
    hub.refuse = [503]
    assert acquire_repository(NAME, settings).repository.commit == commits[1]


def test_a_dead_api_costs_only_the_licence(host: ScriptedServer, settings: Settings, commits: list[str]) -> None:
    host.play(f"/repos/{NAME}", Reply(200, b"<html>unicorn</html>", {"Content-Type": "text/html"}))
    source = acquire_repository(NAME, settings)
    assert (source.repository.licence, source.repository.commit) == (None, commits[1])
    assert "was not asked" in source.warnings[0]


def test_what_is_gone_is_said_to_be(host: ScriptedServer, hub: GitServer, settings: Settings) -> None:
    host.play("/repos/flock/gone", answer(NOT_FOUND, 404))
    with pytest.raises(InputError, match="no repository flock/gone, or it is private"):
        acquire_repository("flock/gone", settings)
    host.play("/repos/flock/blocked", answer({"message": "Repository access blocked"}, 451))
    with pytest.raises(InputError, match="legal reasons"):
        acquire_repository("flock/blocked", settings)
    host.play("/repos/flock/half", answer(repository("flock/half")))
    with pytest.raises(InputError, match="no repository flock/half, or it is private"):
        acquire_repository("flock/half", settings)
    assert nothing_left(settings)


def test_git_that_stays_away_is_a_remote_error(settings: Settings, commits: list[str]) -> None:
    with pytest.raises(RemoteError, match=f"cloning {NAME}: .* after 2 tries"):
        acquire_repository(NAME, settings.replace(github__git="http://127.0.0.1:9"))
    assert nothing_left(settings)


@pytest.mark.parametrize("at", ["nope", "f" * 40, "0123abc"])
def test_an_unknown_commit_is_named(host: ScriptedServer, settings: Settings, commits: list[str], at: str) -> None:
    host.play(f"/repos/{NAME}/commits/{at}", answer({"message": f"No commit found for SHA: {at}"}, 422))
    with pytest.raises(InputError, match=f"has no commit.*{at}"):
        acquire_repository(f"{NAME}@{at}", settings)
    assert nothing_left(settings)


def test_an_empty_repository_is_said_to_be(
    tmp_path: Path, host: ScriptedServer, hub: GitServer, settings: Settings
) -> None:
    (tmp_path / "void").mkdir()
    git(tmp_path / "void", "init", "-q")
    hub.publish(tmp_path / "void", "flock/void")
    host.play("/repos/flock/void", answer(repository("flock/void")))
    with pytest.raises(InputError, match="flock/void is empty"):
        acquire_repository("flock/void", settings)
    commit(tmp_path / "bare", {})
    hub.publish(tmp_path / "bare", "flock/bare")
    host.play("/repos/flock/bare", answer(repository("flock/bare")))
    with pytest.raises(InputError, match=r"flock/bare at \w+ has no files"):
        acquire_repository("flock/bare", settings)
    assert nothing_left(settings)


def test_a_huge_repository_is_refused(tmp_path: Path, host: ScriptedServer, hub: GitServer, settings: Settings) -> None:
    commit(tmp_path / "huge", {"zeros.bin": bytes(3_000_000)})
    hub.publish(tmp_path / "huge", "flock/huge")
    host.play("/repos/flock/huge", answer(repository("flock/huge")))
    with pytest.raises(InputError, match=r"1 files of 3 MB, more than .* 1 MB; raise XKG_REPOSITORY_LIMIT_MB"):
        acquire_repository("flock/huge", settings.replace(github__repository_limit_mb=1))
    assert nothing_left(settings)


def test_a_huge_download_is_stopped(tmp_path: Path, host: ScriptedServer, hub: GitServer, settings: Settings) -> None:
    commit(tmp_path / "huge", {f"{i}.bin": os.urandom(1_000_000) for i in range(3)})
    hub.publish(tmp_path / "huge", "flock/huge")
    host.play("/repos/flock/huge", answer(repository("flock/huge")))
    hub.stall_after = 2_000_000
    with pytest.raises(InputError, match="flock/huge is larger than 1 MB"):
        acquire_repository("flock/huge", settings.replace(github__repository_limit_mb=1))
    assert nothing_left(settings)


def test_git_has_no_longer_than_allowed(hub: GitServer, settings: Settings, commits: list[str]) -> None:
    hub.stall_after = 100
    with pytest.raises(RemoteError, match=r"took longer than 0\.5 s"):
        acquire_repository(NAME, settings.replace(github__repository_seconds=0.5))
    assert nothing_left(settings)


def test_an_interrupt_ends_git_and_leaves_nothing(hub: GitServer, settings: Settings, commits: list[str]) -> None:
    hub.stall_after = 100
    options = settings.model_dump(mode="json", include={"cache": True, "github": {"api", "git"}})
    run = "import json, sys; from ingest.acquire import acquire_repository; from kg.config import Settings; "
    run += f"acquire_repository({NAME!r}, Settings(**json.loads(sys.argv[1])))"
    child = subprocess.Popen(
        [sys.executable, "-c", run, json.dumps(options)],
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not hub.seen and time.monotonic() < deadline:
        time.sleep(0.02)
    helpers = psutil.Process(child.pid).children(recursive=True)
    assert helpers
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=30)[1].rstrip().endswith("KeyboardInterrupt")
    assert psutil.wait_procs(helpers, timeout=10)[1] == []
    assert nothing_left(settings)


def test_links_and_submodules_stay_out(
    tmp_path: Path, host: ScriptedServer, hub: GitServer, settings: Settings
) -> None:
    work = tmp_path / "odd"
    commit(work, {"a.py": b"a", "big.bin": bytes(21_000_000)})
    (work / "passwd").symlink_to("/etc/passwd")
    git(work, "update-index", "--add", "--cacheinfo", "160000", "1" * 40, "vendored")
    commit(work, {})
    hub.publish(work, "flock/odd")
    host.play("/repos/flock/odd", answer(repository("flock/odd")))
    source = acquire_repository("flock/odd", settings)
    assert files(source) == {"a.py": b"a"}
    text = " ".join(source.warnings)
    assert "links are not followed: passwd" in text
    assert "files above 20 MB are left out: big.bin" in text


def test_a_tree_that_leads_outside_is_refused(
    tmp_path: Path, host: ScriptedServer, hub: GitServer, settings: Settings
) -> None:
    work = tmp_path / "evil"
    commit(work, {"a.py": b"a"})
    blob = git(work, "hash-object", "-w", "--stdin", stdin=b"evil")
    inner = git(
        work, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=b"100644 x.py\0" + bytes.fromhex(blob)
    )
    outer = git(
        work, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=b"40000 ..\0" + bytes.fromhex(inner)
    )
    git(work, "update-ref", "refs/heads/main", git(work, "commit-tree", outer, "-m", "evil"))
    hub.publish(work, "flock/evil")
    host.play("/repos/flock/evil", answer(repository("flock/evil")))
    with pytest.raises(InputError, match=r"flock/evil was refused: its path '\.\./x\.py' leads outside"):
        acquire_repository("flock/evil", settings)
    assert nothing_left(settings)


def test_the_token_travels_in_headers_alone(
    host: ScriptedServer, hub: GitServer, settings: Settings, commits: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    token = "ghp_0123456789secret"
    private = settings.replace(github__token=SecretStr(token))
    source = acquire_repository(NAME, private)
    assert host.requests[0].headers["Authorization"] == f"token {token}"
    assert {seen["Authorization"][:6] for seen in hub.seen} == {"Basic "}
    assert not [seen for seen in hub.seen if token in seen[":path"]]
    assert token not in source.model_dump_json()
    for path in settings.cache.rglob("*"):
        assert path.is_dir() or token.encode() not in path.read_bytes()
    hub.refuse = [500] * 9
    with pytest.raises(RemoteError) as caught:
        acquire_repository(f"{NAME}@v1.0", private)
    assert token not in str(caught.value) + "".join(capfd.readouterr())


def test_a_bad_token_is_named(host: ScriptedServer, settings: Settings, commits: list[str]) -> None:
    host.play(f"/repos/{NAME}", answer({"message": "Bad credentials", "status": "401"}, 401))
    source = acquire_repository(NAME, settings)
    assert "GitHub refuses the token" in source.warnings[0]


@pytest.mark.parametrize(
    "ref",
    [
        "",
        "sheep",
        "https://gitlab.com/flock/sheep",
        "flock/sheep@--upload-pack=x",
        "flock/sheep@a..b",
        "../nowhere/x",
        "flock/..",
        "-x/y",
    ],
)
def test_nonsense_is_no_repository(settings: Settings, ref: str) -> None:
    with pytest.raises(InputError, match="neither an existing folder nor a repository on GitHub"):
        acquire_repository(ref, settings)
