"""Nothing that the blacklist forbids is acquired, whatever way leads there; GitHub and arXiv are played on loopback."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from blacklist.disguises import PAPER_WAYS, REPOSITORY_WAYS
from servers.arxiv_shapes import ATOM, TAR, TEX, entry, feed, oai, tar_gz
from servers.git_http import GitServer, commit, git
from servers.github_shapes import answer, repository
from servers.scripted import Reply, ScriptedServer

from ingest.acquire import acquire_paper, acquire_repository
from ingest.acquire.locations import find_again, remember
from ingest.pipeline.job import Job, prepare
from kg.config import Settings
from kg.errors import InputError, RemoteError

FORBIDDEN, PAPER = "kvfrans/fre", "2402.17135"
FILES = {"fre.py": b"def encode(states):\n    return states\n", "README.md": b"# Encoding\n"}
REFUSED = r"the blacklist forbids https://github\.com/kvfrans/fre"
PAPERS = ["as it is", "version", "arXiv", "page", "pdf", "export", "id"]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[GitServer]:
    (tmp_path / "hub").mkdir()
    with GitServer(tmp_path / "hub").running() as server:
        yield server


@pytest.fixture
def open_settings(settings: Settings, hub: GitServer, tmp_path: Path) -> Settings:
    """Settings without a blacklist."""
    return settings.replace(github__git=hub.url, home=tmp_path / "home")


@pytest.fixture
def guarded(open_settings: Settings, tmp_path: Path, publish: "Publish") -> Settings:
    """The same with one; the forbidden repository is there."""
    file = tmp_path / "blacklist.txt"
    file.write_text("https://github.com/kvfrans/fre ")
    publish(FORBIDDEN, FILES)
    return open_settings.replace(blacklist=(file,))


Publish = Callable[..., str]


@pytest.fixture
def publish(tmp_path: Path, hub: GitServer, host: ScriptedServer) -> Publish:
    """Puts a repository on the played GitHub; `facts` are further words of its API. Returns the commit."""

    def put(name: str, files: dict[str, bytes], **facts: object) -> str:
        work = tmp_path / "work" / name
        head = commit(work, files)
        hub.publish(work, name)
        host.play(f"/repos/{name}", answer(repository(name, api=host.url) | facts))
        return head

    return put


def cached(settings: Settings) -> list[str]:
    return [path.name for path in (settings.cache / "repositories").rglob("*") if path.suffix == ".py"]


@pytest.mark.parametrize("way", REPOSITORY_WAYS)
def test_no_way_of_writing_it_is_acquired(guarded: Settings, hub: GitServer, way: str) -> None:
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository(REPOSITORY_WAYS[way], guarded)
    assert hub.seen == []
    assert cached(guarded) == []


def test_without_a_list_and_beside_it_all_is_as_ever(
    guarded: Settings, open_settings: Settings, publish: Publish
) -> None:
    assert acquire_repository(FORBIDDEN, open_settings).repository.forked_from == ()
    publish("kvfrans/fre-extra", {"a.py": b"x = 1\n", "README.md": b"We thank kvfrans/fre.\n"})
    assert acquire_repository("kvfrans/fre-extra", guarded).repository.id == "github:kvfrans/fre-extra"


def test_what_was_cached_before_is_refused(guarded: Settings, open_settings: Settings) -> None:
    acquire_repository(FORBIDDEN, open_settings)
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository(FORBIDDEN, guarded)


def test_a_former_name_that_github_redirects_is_refused(
    guarded: Settings, hub: GitServer, host: ScriptedServer
) -> None:
    host.play("/repos/old/name", Reply(301, headers={"Location": f"{host.url}/repos/{FORBIDDEN}"}))
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository("old/name", guarded)
    assert hub.seen == []


def test_the_present_name_is_refused_where_the_list_has_the_former(
    guarded: Settings, host: ScriptedServer, publish: Publish
) -> None:
    publish("lab/encoder", FILES)
    host.play(f"/repos/{FORBIDDEN}", Reply(301, headers={"Location": f"{host.url}/repos/lab/encoder"}))
    for _ in range(2):
        with pytest.raises(InputError, match=r"once kvfrans/fre"):
            acquire_repository("lab/encoder", guarded)
    assert len(host.asked(f"/repos/{FORBIDDEN}")) == 1


@pytest.mark.parametrize(
    "facts",
    [
        {"fork": True, "parent": {"full_name": "KVFrans/fre"}, "source": {"full_name": "KVFrans/fre"}},
        {"fork": True, "parent": {"full_name": "some/fork"}, "source": {"full_name": FORBIDDEN}},
    ],
    ids=["fork", "fork of a fork"],
)
def test_a_fork_is_refused_also_where_it_was_cached_before(
    guarded: Settings, open_settings: Settings, publish: Publish, facts: dict[str, object]
) -> None:
    publish("some/thing", {"a.py": b"x = 1\n"}, **facts)
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository("some/thing", guarded)
    assert cached(guarded) == []
    forked_from = acquire_repository("some/thing", open_settings).repository.forked_from or ()
    assert FORBIDDEN in map(str.lower, forked_from)
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository("some/thing", guarded)


def test_a_fork_of_who_knows_what_is_refused(guarded: Settings, publish: Publish) -> None:
    publish("some/thing", {"a.py": b"x = 1\n"}, fork=True)
    with pytest.raises(InputError, match="does not say of what"):
        acquire_repository("some/thing", guarded)


def test_what_github_does_not_describe_is_not_fetched(
    guarded: Settings, hub: GitServer, host: ScriptedServer, publish: Publish
) -> None:
    publish("some/thing", {"a.py": b"x = 1\n"})
    host.play("/repos/some/thing", answer({"message": "down"}, 503))
    with pytest.raises(RemoteError):
        acquire_repository("some/thing", guarded)
    assert hub.seen == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", "This is a mirror of [fre](https://github.com/kvfrans/fre).\n"),
        ("README.rst", "A fork of\nhttps://github.com/KVFrans/FRE.git\nwith fixes\n"),
        ("README", "    git clone git@github.com:kvfrans/fre\n"),
        ("readme.md", "[![CI](https://img.shields.io/badge/a)](https://github.com/kvfrans/fre/actions)\n"),
        ("setup.py", "setup(name='x', url='https://github.com/kvfrans/fre')\n"),
        ("pyproject.toml", "[project.urls]\nHomepage = 'https://github.com/kvfrans/fre'\n"),
        ("CITATION.cff", "repository-code: https://github.com/kvfrans/fre\n"),
    ],
)
def test_a_copy_that_says_so_is_refused(guarded: Settings, publish: Publish, name: str, text: str) -> None:
    publish("some/copy", {"a.py": b"x = 1\n", name: text.encode()})
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository("some/copy", guarded)
    assert cached(guarded) == []


def test_the_same_files_or_the_same_commit_are_refused(
    guarded: Settings, open_settings: Settings, publish: Publish, tmp_path: Path
) -> None:
    known = acquire_repository(FORBIDDEN, open_settings)
    publish("some/copy", FILES)
    shutil.copytree(known.folder, tmp_path / "plain")
    git(tmp_path, "clone", "-q", str(tmp_path / "work" / FORBIDDEN), str(tmp_path / "cloned"))
    git(tmp_path / "cloned", "remote", "remove", "origin")
    shutil.rmtree(tmp_path / "cloned/.git/logs")
    for ref in ("some/copy", str(tmp_path / "plain"), str(tmp_path / "cloned")):
        with pytest.raises(InputError, match="the same as another"):
            acquire_repository(ref, guarded)


@pytest.mark.parametrize("remote", ["origin", "upstream"])
@pytest.mark.parametrize(
    "url", ["git@github.com:kvfrans/fre.git", "https://ghproxy.com/https://github.com/KVFrans/fre", "/srv/kvfrans/fre"]
)
def test_a_clone_is_known_by_its_remotes(guarded: Settings, tmp_path: Path, remote: str, url: str) -> None:
    commit(tmp_path / "mine", {"a.py": b"x = 1\n"})
    git(tmp_path / "mine", "remote", "add", remote, url)
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository(str(tmp_path / "mine"), guarded)


def test_a_clone_is_known_by_its_logs_and_submodules(guarded: Settings, tmp_path: Path) -> None:
    for name in ("cloned", "fetched", "host"):
        commit(tmp_path / name, {"a.py": b"x = 1\n"})
    source = tmp_path / "kvfrans" / "fre"
    commit(source, FILES)
    git(tmp_path, "clone", "-q", str(source), str(tmp_path / "logged"))
    git(tmp_path / "logged", "remote", "remove", "origin")
    git(tmp_path / "fetched", "fetch", "-q", str(source))
    git(tmp_path / "host", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source), "lib")
    (tmp_path / "host" / ".gitmodules").unlink()
    git(tmp_path / "cloned", "worktree", "add", "-q", str(tmp_path / "tree"))
    git(tmp_path / "cloned", "remote", "add", "up", "https://github.com/kvfrans/fre")
    for name in ("logged", "fetched", "host", "tree"):
        with pytest.raises(InputError, match=REFUSED):
            acquire_repository(str(tmp_path / name), guarded)


def test_a_folder_is_known_by_its_origin_and_its_path(guarded: Settings, tmp_path: Path) -> None:
    for place in ("plain", "kvfrans/fre", "kvfrans-fre-0123abc"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "a.py").write_text("x = 1\n")
    with pytest.raises(InputError, match=REFUSED):
        acquire_repository(str(tmp_path / "plain"), guarded, origin="KVFrans/fre@main")
    (tmp_path / "link").symlink_to(tmp_path / "kvfrans/fre")
    for place in ("kvfrans/fre", "kvfrans-fre-0123abc", "link"):
        with pytest.raises(InputError, match=REFUSED):
            acquire_repository(str(tmp_path / place), guarded)
    assert acquire_repository(str(tmp_path / "plain"), guarded).repository.id == "folder:plain"


def test_code_that_was_ingested_before_is_not_found_again(guarded: Settings, open_settings: Settings) -> None:
    source = acquire_repository(FORBIDDEN, open_settings)
    remember(open_settings, source, origin=None, slug=None)
    assert find_again(open_settings, source.repository.id, source.repository.commit).is_dir()
    with pytest.raises(InputError, match=REFUSED):
        find_again(guarded, source.repository.id, source.repository.commit)


@pytest.fixture
def archive(host: ScriptedServer) -> None:
    host.play(
        "/api/query", Reply(body=feed(entry(f"{PAPER}v2", extra="<arxiv:doi>10.1000/fre</arxiv:doi>")), headers=ATOM)
    )
    host.play("/oai", Reply(body=oai(PAPER)))
    host.play(f"/e-print/{PAPER}v2", Reply(body=tar_gz({"main.tex": TEX}), headers=TAR))


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("line", [PAPER, f"https://arxiv.org/abs/{PAPER}v1", f"https://doi.org/10.48550/arXiv.{PAPER}"])
def test_no_way_to_a_forbidden_paper(settings: Settings, host: ScriptedServer, tmp_path: Path, line: str) -> None:
    (tmp_path / "list").write_text(line)
    acquire_paper(PAPER, settings)
    asked = len(host.requests)
    guarded = settings.replace(blacklist=(tmp_path / "list",))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/main.tex").write_bytes(TEX)
    for way in PAPERS:
        with pytest.raises(InputError, match="the blacklist forbids"):
            acquire_paper(PAPER_WAYS[way], guarded, refresh=True)
    with pytest.raises(InputError, match="the blacklist forbids"):
        acquire_paper(str(tmp_path / "mine"), guarded, arxiv=f"{PAPER}v1")
    assert acquire_paper(str(tmp_path / "mine"), guarded).paper_id == "local:mine"
    assert len(host.requests) == asked


@pytest.mark.usefixtures("archive")
def test_a_paper_is_known_by_its_doi_before_its_source_is_fetched(
    settings: Settings, host: ScriptedServer, tmp_path: Path
) -> None:
    (tmp_path / "list").write_text("doi:10.1000/FRE")
    guarded = settings.replace(blacklist=(tmp_path / "list",))
    with pytest.raises(InputError, match="the blacklist forbids"):
        acquire_paper(PAPER, guarded)
    assert host.asked(f"/e-print/{PAPER}v2") == []
    acquire_paper(PAPER, settings)
    with pytest.raises(InputError, match="the blacklist forbids"):
        acquire_paper(PAPER, guarded)


@pytest.mark.parametrize("link", ["github.com/kvfrans/fre", "gitlab.com/kvfrans/fre", "bitbucket.org/KVfrans/fre"])
def test_a_paper_comes_without_the_forbidden_repository_that_it_names(
    guarded: Settings, hub: GitServer, tmp_path: Path, link: str
) -> None:
    (tmp_path / "mine").mkdir()
    text = rf"\begin{{abstract}}Our code is available at \url{{https://{link}}}.\end{{abstract}}"
    (tmp_path / "mine/main.tex").write_bytes(TEX.replace(b"We count.", text.encode()))
    outcome = prepare(Job(name="mine", slug="mine", paper=str(tmp_path / "mine")), guarded, {})
    assert outcome.status == "partial"
    assert outcome.record is not None
    assert outcome.record.repository is None
    assert any("the blacklist forbids" in warning for warning in outcome.warnings)
    with pytest.raises(InputError, match=REFUSED):
        prepare(Job(name="mine", slug="mine", paper=str(tmp_path / "mine"), repo=f"https://{link}.git"), guarded, {})
    assert hub.seen == []
    assert "kvfrans" not in json.dumps(cached(guarded))
