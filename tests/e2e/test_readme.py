"""Every command of the README does what it says, with arXiv and GitHub played on loopback."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from e2e.command import EXAMPLES, Cli
from loops import replica
from servers.arxiv_shapes import ATOM, TAR, entry, feed, oai, tar_gz
from servers.git_http import GitServer, commit, git
from servers.github_shapes import answer, repository
from servers.model import ModelServer
from servers.scripted import Reply, ScriptedServer

from kg.connection import Connection

ROOT = EXAMPLES.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if ".venv/bin/xkg" in line]

(LISTED,) = re.findall(r'^echo "(.*)" > blacklist\.txt', README, re.MULTILINE)
SAID = {
    "Sighting": {"count": 5, "last": "dunlin", "common": "They are all birds."},
    "Decomposition": {"techniques": [{"name": "Reservoir", "query": "keep a uniform sample"}]},
    "Reranking": {"kept": [], "rejected": []},
}
"""What the model answers, by the form that is asked for."""
QUERIES = re.findall(r"```cypher\n(.*?)```", README, re.DOTALL)


def _files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def world(cli: Cli, tmp_path: Path) -> Iterator[Cli]:
    """The paper and the repository that the README names, served with the content of an example."""
    commit(tmp_path / "work", _files(EXAMPLES / "reservoir/code"))
    bare = tmp_path / "git/tensorflow/tensor2tensor.git"
    bare.parent.mkdir(parents=True)
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "work"), str(bare))
    with (
        ScriptedServer().running() as host,
        GitServer(tmp_path / "git").running() as repositories,
        ModelServer().running() as model,
    ):
        model.say(lambda body: SAID.get(replica.kind(body)) or replica.papercoder(body))
        host.play("/api/query", Reply(body=feed(entry("1706.03762v7")), headers=ATOM))
        host.play("/oai", Reply(body=oai("1706.03762")))
        host.play("/e-print/1706.03762v7", Reply(body=tar_gz(_files(EXAMPLES / "reservoir/paper")), headers=TAR))
        host.play("/repos/tensorflow/tensor2tensor", answer(repository("tensorflow/tensor2tensor")))
        yield Cli(
            cli.env
            | {
                "XKG_ARXIV_API": f"{host.url}/api/query",
                "XKG_ARXIV_EPRINT": f"{host.url}/e-print",
                "XKG_ARXIV_OAI": f"{host.url}/oai",
                "XKG_ARXIV_INTERVAL": "0",
                "XKG_GITHUB_API": host.url,
                "XKG_GITHUB_GIT": repositories.url,
                "XKG_LLM_PROFILES": json.dumps({"local": {"model": "m", "base_url": model.base_url}}),
            }
        )


@pytest.mark.e2e
@pytest.mark.db
def test_every_xkg_command_and_query_of_the_readme_runs(
    world: Cli, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(COMMANDS) >= 7
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "here"))
    shutil.copy(tmp_path / "here/corpus.toml", tmp_path / "here/my-papers.toml")
    shutil.copy(EXAMPLES.parent / "xkg.toml", tmp_path / "here")
    (tmp_path / "here/examples").symlink_to(tmp_path / "here")
    world = Cli({name: value for name, value in world.env.items() if name != "XKG_CACHE"} | _cache(tmp_path, world))
    (tmp_path / "here/blacklist.txt").write_text(LISTED)
    for command in COMMANDS:
        before, _, after = command.partition(".venv/bin/xkg")
        variables, words = dict(word.split("=", 1) for word in before.split()), shlex.split(after)
        variables |= {"XKG_LLM_PROFILE": "local"} if words[0] in ("llm", "agent") or "--verify" in words else {}
        offline = "recorded" in words
        variables |= {"XKG_CONFIG": "xkg.toml"} if offline else {}
        env = {key: value for key, value in world.env.items() if not (offline and key == "XKG_LLM_PROFILES")}
        if words[0] == "explore":
            _explore(env | variables)
            continue
        Cli(env | variables).run(*words, *(["--no-open"] if words[:2] == ["db", "browser"] else []))
    assert QUERIES
    for query in QUERIES:
        assert connection.driver.execute_query(query).records, "code of that paper was verified above"


def _explore(env: dict[str, str]) -> None:
    """`xkg explore` until its first page was seen and Ctrl-C pressed."""
    command = [sys.executable, "-m", "xkg", "explore", "--no-open", "--port", "0"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        assert "Papers" in httpx.get(serving.stdout.readline().strip(), timeout=60).text
        serving.send_signal(signal.SIGINT)
        assert serving.wait(60) == 0


def _cache(tmp_path: Path, world: Cli) -> dict[str, str]:
    """A cache without e-prints and clones of anybody else, but with what this machine has installed."""
    from kg.config import load_settings

    mine = tmp_path / "cache"
    mine.mkdir()
    for item in load_settings().cache.iterdir():
        if item.name in {"environments", "models", "sandbox", "server"}:
            (mine / item.name).symlink_to(item)
    return {"XKG_CACHE": str(mine)}


@pytest.mark.e2e
@pytest.mark.db
def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", EXAMPLES / "demo.sh"],
        env={**os.environ, "XKG_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=True,
    )
    (shown,) = re.findall(r"<!-- demo -->\n```\n(.*?)```\n<!-- /demo -->", README, re.DOTALL)
    parts = [part.strip() for part in re.split(r"^…$", shown, flags=re.MULTILINE)]
    assert parts
    for part in parts:
        assert part in done.stdout


def test_the_two_commands_of_the_readme_are_targets_that_ci_uses() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in ("demo", "test", "unit", "soak", "bench", "help"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert "make test" in (ROOT / ".ci/run").read_text()
