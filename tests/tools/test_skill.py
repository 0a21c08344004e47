"""`xkg skill install`: where clients look, twice the same, and never over what a person has edited."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import xkg
from agents.tools import TOOLS, card

CLAUDE, CODEX = Path(".claude/skills/xkg/SKILL.md"), Path(".agents/skills/xkg/SKILL.md")
MCP, CONFIG = Path(".mcp.json"), Path(".codex/config.toml")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XKG_HOME")
    return tmp_path


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


@pytest.mark.parametrize(("file", "text"), [(MCP, "{"), (MCP, "[]"), (CONFIG, "[[["), (CONFIG, "mcp_servers = 3")])
def test_a_file_that_is_none_is_left(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    install(code=2)
    assert file.read_text() == text
