"""The one entry that clients need, in the form of each, and how it joins a file that is already there."""

import json
import os
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kg.config import config_file, load_settings, variable_in_force
from kg.errors import InputError

__all__ = ["NAME", "codex_block", "entry", "in_json", "in_toml"]

NAME = "xkg"
STARTING = 60
"""Seconds that Codex gives the server until it answers: the graph's own server may have to start first."""
BEGIN, END = "# xkg: begin", "# xkg: end"


_FOLDERS, _PLAIN = ("home", "cache"), ("neo4j.uri", "neo4j.username", "neo4j.database")
"""Settings that say which graph is meant; not the password, as these files are shared."""


def entry(options: Sequence[str]) -> dict[str, Any]:
    """How a client starts the server: this program, with `options`, on the graph and under the blacklists that are in
    force now, wherever it is started and whichever variables it is given. A password stays the client's to give."""
    beside = Path(sys.executable).with_name("xkg")
    found = shutil.which("xkg")
    command = "xkg" if found and Path(found).resolve() == beside.resolve() else str(beside)
    folders = {name: _absolute(os.environ[name]) for key in _FOLDERS if (name := variable_in_force(key))}
    plain = {name: os.environ[name] for key in _PLAIN if (name := variable_in_force(key))}
    config = {"XKG_CONFIG": _absolute(config_file())} if config_file().is_file() else {}
    forbidden = [word for file in load_settings().blacklist for word in ("--blacklist", _absolute(file))]
    env = {**folders, **config, **plain}
    return {"command": command, "args": ["mcp", *options, *forbidden], **({"env": env} if env else {})}


def _absolute(path: str | Path) -> str:
    return str(Path(path).absolute())


def in_json(text: str, mine: dict[str, Any], place: Path, *, force: bool) -> str | None:
    """`text` (a file of Claude Code) with the entry; None if it has another that is to stay. Raises InputError."""
    try:
        config = json.loads(text or "{}")
        servers = config.setdefault("mcpServers", {})
        there = servers.get(NAME)
    except (ValueError, AttributeError) as error:
        raise InputError(f"{place} is not a file of MCP servers", remedy="correct or move it") from error
    if there == mine:
        return text
    if there is not None and not force:
        return None
    servers[NAME] = mine
    return json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def codex_block(mine: dict[str, Any]) -> str:
    """The entry as Codex has it in its config.toml, between two lines by which it is found again."""
    lines = [BEGIN, f"[mcp_servers.{NAME}]", *(f"{key} = {_toml(mine[key])}" for key in ("command", "args"))]
    lines.append(f"startup_timeout_sec = {STARTING}")
    if "env" in mine:
        lines += [f"[mcp_servers.{NAME}.env]", *(f"{key} = {_toml(value)}" for key, value in mine["env"].items())]
    return "\n".join([*lines, END]) + "\n"


def in_toml(text: str, mine: dict[str, Any], place: Path, *, force: bool) -> str | None:
    """`text` (a config.toml of Codex) with the entry; None if it has another that is to stay. Raises InputError."""
    try:
        there = tomllib.loads(text).get("mcp_servers", {}).get(NAME)
    except (ValueError, AttributeError) as error:
        raise InputError(f"{place} is not a config.toml", remedy="correct or move it") from error
    if there == {**mine, "startup_timeout_sec": STARTING}:
        return text
    before, begun, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if there is None:
        joined = "\n".join(part for part in (text.rstrip(), codex_block(mine)) if part)
    elif force and begun and ended:
        joined = before + codex_block(mine) + after.removeprefix("\n")
    else:
        return None
    try:
        tomllib.loads(joined)
    except ValueError as error:
        what = f"{place} writes its `mcp_servers` in a way that nothing can be added to"
        raise InputError(what, remedy="write each server as a table, [mcp_servers.NAME]") from error
    return joined


def _toml(value: str | list[str]) -> str:
    """Strings of JSON are strings of TOML, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
