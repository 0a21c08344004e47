"""`xkg skill install`: where clients look, twice the same, and never over what a person has edited."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import xkg
from agents.cli.mcp import mcp
from agents.tools import TOOLS, card
from kg.config import load_settings

CLAUDE, CODEX = Path(".claude/skills/xkg/SKILL.md"), Path(".agents/skills/xkg/SKILL.md")
MCP, CONFIG = Path(".mcp.json"), Path(".codex/config.toml")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XKG_HOME")
    load_settings.cache_clear()
    yield tmp_path
    load_settings.cache_clear()


def install(*words: str, code: int = 0) -> dict[str, str]:
    done = CliRunner().invoke(xkg.cli, ["skill", "install", "--json", *words])
    assert done.exit_code == code or code, done.output
    if code:
        assert done.exception is not None
        return {}
    return {one["file"]: one["state"] for one in json.loads(done.stdout)["files"]}


def test_both_clients_find_skill_and_server() -> None:
    states = install("--exclude-paper", "1706.03762")
    assert set(states.values()) == {"written"}
    assert {str(CLAUDE), str(CODEX), str(MCP), str(CONFIG)} <= set(states)
    mine = json.loads(MCP.read_text())["mcpServers"]["xkg"]
    theirs = tomllib.loads(CONFIG.read_text())["mcp_servers"]["xkg"]
    assert theirs.pop("startup_timeout_sec") >= 30
    assert theirs == mine
    assert mine["args"] == ["mcp", "--exclude-paper", "1706.03762"]
    assert (CLAUDE.parent / "references/graph.md").read_text() == card()
    assert set(install("--exclude-paper", "1706.03762").values()) == {"unchanged"}


def test_the_server_is_told_of_the_graph_in_force(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client may give the server no variable of its own, and another folder to work in."""
    (project / "mine.toml").write_text('blacklist = ["forbidden.txt"]\n')
    for name, value in (
        ("XKG_HOME", "home"), ("XKG_CONFIG", "mine.toml"), ("NEO4J_URI", "bolt://db:7687"), ("NEO4J_USER", "reader"),
        ("NEO4J_PASSWORD", "a secret"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    install("--exclude-paper", "1706.03762")
    mine = json.loads(MCP.read_text())["mcpServers"]["xkg"]
    assert {name: mine["env"][name] for name in ("XKG_HOME", "XKG_CONFIG", "NEO4J_URI", "NEO4J_USER")} == {
        "XKG_HOME": str(project / "home"), "XKG_CONFIG": str(project / "mine.toml"), "NEO4J_URI": "bolt://db:7687",
        "NEO4J_USER": "reader",
    }  # fmt: skip
    forbidden = str(project / "forbidden.txt")
    assert mine["args"] == ["mcp", "--exclude-paper", "1706.03762", "--blacklist", forbidden]
    assert "a secret" not in MCP.read_text() + CONFIG.read_text()
    assert mcp.make_context("mcp", mine["args"][1:]).params["blacklist"] == (Path(forbidden),)


@pytest.mark.parametrize("named", ["", "XKG_BLACKLIST"])
def test_what_is_named_from_here_is_named_from_anywhere(
    named: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XKG_CONFIG", raising=False)
    (project / "xkg.toml").write_text("" if named else 'blacklist = ["a.txt", "b.txt"]\n')
    if named:
        monkeypatch.setenv(named, "a.txt:b.txt")
    install("--target", "claude")
    mine = json.loads(MCP.read_text())["mcpServers"]["xkg"]
    assert mine["args"][1:] == ["--blacklist", str(project / "a.txt"), "--blacklist", str(project / "b.txt")]
    assert mine["env"]["XKG_CONFIG"] == str(project / "xkg.toml")


def test_the_skill_is_as_both_want_it() -> None:
    install()
    head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", CLAUDE.read_text(), re.DOTALL).groups()  # type: ignore[union-attr]
    facts: dict[str, Any] = yaml.safe_load(head)
    assert set(facts) <= {"name", "description", "license", "allowed-tools", "metadata", "compatibility"}
    assert facts["name"] == CLAUDE.parent.name
    assert len(facts["description"]) <= 1024
    assert "when" in facts["description"].lower()
    assert not re.search(r"[<>]", facts["description"])
    assert len(body.splitlines()) < 500
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", body))
    assert named <= set(TOOLS)
    for file in re.findall(r"`(references/[\w.]+)`", body):
        assert (CLAUDE.parent / file).is_file()


def test_what_a_person_has_edited_is_kept() -> None:
    install()
    CLAUDE.write_text("mine")
    MCP.write_text('{"mcpServers": {"xkg": {"command": "mine"}, "other": {"command": "x"}}}')
    CONFIG.write_text(CONFIG.read_text().replace('args = ["mcp"]', 'args = ["mcp", "--limit-tokens", "900"]'))
    states = install()
    assert {states[str(file)] for file in (CLAUDE, MCP, CONFIG)} == {"kept"}
    assert states[str(CODEX)] == "unchanged"
    assert CLAUDE.read_text() == "mine"
    assert set(install("--force").values()) == {"written", "unchanged"}
    assert json.loads(MCP.read_text())["mcpServers"]["other"] == {"command": "x"}
    assert tomllib.loads(CONFIG.read_text())["mcp_servers"]["xkg"]["args"] == ["mcp"]
    assert "name: xkg" in CLAUDE.read_text()


def test_it_joins_what_is_there() -> None:
    MCP.write_text('{"mcpServers": {"other": {"command": "x"}}, "more": 1}')
    CONFIG.parent.mkdir()
    CONFIG.write_text('model = "m"\n[mcp_servers.other]\ncommand = "x"')
    install()
    told = json.loads(MCP.read_text())
    assert (set(told["mcpServers"]), told["more"]) == ({"other", "xkg"}, 1)
    config = tomllib.loads(CONFIG.read_text())
    assert (config["model"], set(config["mcp_servers"])) == ("m", {"other", "xkg"})


def test_a_block_without_its_last_newline_is_ours() -> None:
    install()
    CONFIG.write_text(CONFIG.read_text().rstrip().replace('"mcp"', '"mcp", "--limit-tokens", "900"'))
    assert install()[str(CONFIG)] == "kept"
    assert install("--force")[str(CONFIG)] == "written"
    assert tomllib.loads(CONFIG.read_text())["mcp_servers"]["xkg"]["args"] == ["mcp"]


def test_a_new_text_of_ours_is_written_over_the_old_one() -> None:
    install("--target", "claude")
    manifest = CLAUDE.parent / ".written.json"
    CLAUDE.write_text("an older text")
    import hashlib

    told = json.loads(manifest.read_text()) | {"SKILL.md": hashlib.sha256(b"an older text").hexdigest()}
    manifest.write_text(json.dumps(told))
    assert install("--target", "claude")[str(CLAUDE)] == "written"


def test_a_folder_gets_the_skill_alone(project: Path) -> None:
    states = install("--target", str(project / "out"))
    assert {Path(file).relative_to(project / "out/xkg").as_posix() for file in states} == {
        "SKILL.md", "references/graph.md", "references/claude.mcp.json", "references/codex.config.toml",
    }  # fmt: skip
    assert not MCP.exists()


@pytest.mark.parametrize(
    ("file", "text"),
    [(MCP, "{"), (MCP, "[]"), (CONFIG, "[[["), (CONFIG, "mcp_servers = 3"),
     (CONFIG, 'mcp_servers = { other = { command = "x" } }\n'), (CONFIG, "mcp_servers = {}")],
)  # fmt: skip
def test_a_file_that_cannot_be_joined_is_left(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    install(code=2)
    assert file.read_text() == text
