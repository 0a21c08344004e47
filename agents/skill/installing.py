"""Writing the skill and the configuration, and keeping what a person has edited."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from agents.skill.configuration import codex_block, entry, in_json, in_toml
from agents.tools import card
from kg.errors import InputError
from kg.files import write_file

__all__ = ["TARGETS", "Written", "install"]

Join = Callable[..., str | None]
TARGETS: dict[str, tuple[str, str, Join]] = {
    "claude": (".claude/skills", ".mcp.json", in_json),
    "codex": (".agents/skills", ".codex/config.toml", in_toml),
}
"""Where each client looks below a project: for skills, and for its MCP servers."""

MANIFEST = ".written.json"
"""What this program has written there: sha256 by file."""


class Written(BaseModel):
    """A file and what became of it; "kept" is what a person has edited."""

    file: str
    state: Literal["written", "unchanged", "kept"]


def install(target: str, folder: Path, options: Sequence[str], *, force: bool) -> list[Written]:
    """Write the skill for a client into the project `folder`, or as it is into `folder` itself if `target` names none;
    the server gets `options`. With `force` also over what a person has edited. Raises InputError."""
    mine = entry(options)
    if target not in TARGETS:
        return _skill(folder / "xkg", mine, force=force)
    skills, config, join = TARGETS[target]
    return [*_skill(folder / skills / "xkg", mine, force=force), _joined(folder / config, join, mine, force=force)]


def _skill(folder: Path, mine: dict[str, Any], *, force: bool) -> list[Written]:
    texts = {
        "SKILL.md": Path(__file__).with_name("SKILL.md").read_text(encoding="utf-8"),
        "references/graph.md": card(),
        "references/claude.mcp.json": json.dumps({"mcpServers": {"xkg": mine}}, indent=2, ensure_ascii=False) + "\n",
        "references/codex.config.toml": codex_block(mine),
    }
    former = _manifest(folder)
    done = [_put(folder / name, text, former.get(name, ""), force=force) for name, text in texts.items()]
    kept = {one.file for one in done if one.state == "kept"}
    now = {name: former.get(name, "") if str(folder / name) in kept else _sha(text) for name, text in texts.items()}
    if now != former:
        write_file(folder / MANIFEST, (json.dumps(now, indent=2) + "\n").encode())
    return done


def _manifest(folder: Path) -> dict[str, str]:
    """What was written there; nothing if the file is missing or none of ours."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _put(file: Path, text: str, former: str, *, force: bool) -> Written:
    there = _read(file)
    if there == text:
        return Written(file=str(file), state="unchanged")
    if there is not None and not force and _sha(there) != former:
        return Written(file=str(file), state="kept")
    write_file(file, text.encode())
    return Written(file=str(file), state="written")


def _joined(file: Path, join: Join, mine: dict[str, Any], *, force: bool) -> Written:
    there = _read(file)
    text = join(there or "", mine, file, force=force)
    if text is None or text == there:
        return Written(file=str(file), state="kept" if text is None else "unchanged")
    write_file(file, text.encode())
    return Written(file=str(file), state="written")


def _read(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} can't be read as text", remedy="move it away") from error


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
