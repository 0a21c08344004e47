"""The corpus file: a TOML table for each paper."""

import difflib
import tomllib
from pathlib import Path
from typing import Any

from ingest.acquire.identifiers import parse_arxiv, parse_github
from ingest.acquire.local import existing
from ingest.acquire.models import CorpusEntry
from kg.errors import InputError

__all__ = ["read_corpus"]

_KEYS = ("paper", "main", "repo", "arxiv", "origin")


def read_corpus(path: Path) -> tuple[CorpusEntry, ...]:
    """The papers of a corpus file, in its order.

    Keys of a table: `paper` (arXiv id, folder, archive or .tex; needed), `main` (root .tex within it), `repo`
    (owner/name, with @commit, an address, or a folder), `arxiv` (the id of a local paper), `origin`
    ("owner/name@commit": where a local `repo` folder came from) and `plan` (a table, passed by). Paths are relative to
    the file; what exists there is a path, whatever else it looks like.

    Raises InputError, naming table and key, for a file that can't be read, is not such TOML, is empty, or has unknown
    or ill-formed keys, or two tables with the same paper.
    """
    try:
        tables = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(f"corpus file {path} can't be read: {error.strerror}", remedy="check its name") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"corpus file {path} is not valid TOML: {error}", remedy="correct it") from error
    if not tables:
        raise InputError(f"corpus file {path} has no papers", remedy="add a table for each: [name] and paper = …")
    entries = tuple(_entry(path, slug, table) for slug, table in tables.items())
    seen: dict[str, str] = {}
    for entry in entries:
        identity = _identity(entry)
        if identity in seen:
            raise InputError(
                f"[{entry.slug}] and [{seen[identity]}] are the same paper, {entry.arxiv or entry.paper}",
                where=str(path),
                remedy="remove one",
            )
        seen[identity] = entry.slug
    return entries


def _identity(entry: CorpusEntry) -> str:
    found = parse_arxiv(entry.arxiv or entry.paper)
    return f"arxiv:{found.id}" if found else f"{entry.paper}:{entry.main or ''}"


def _entry(path: Path, slug: str, table: Any) -> CorpusEntry:
    if not isinstance(table, dict):
        raise InputError(
            f"{slug!r} is not a table", where=str(path), remedy=f"write a table for each paper: [{slug}] and paper = …"
        )
    plan = table.pop("plan", None)
    if plan is not None and not isinstance(plan, dict):
        raise InputError(f"[{slug}] plan is not a table", where=str(path), remedy="let `xkg corpus plan` write it")
    for key, value in table.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, 1)
            hint = f"did you mean {near[0]!r}" if near else "the keys are " + ", ".join(_KEYS)
            raise InputError(f"[{slug}] has the unknown key {key!r}", where=str(path), remedy=hint)
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"[{slug}] {key} is not a text", where=str(path), remedy="write it in quotes")
    if "paper" not in table:
        raise InputError(
            f"[{slug}] has no `paper`", where=str(path), remedy="give an arXiv id, folder, archive or .tex"
        )
    return CorpusEntry(
        slug=slug,
        paper=_place_or_name(path, slug, "paper", table["paper"]),
        main=table.get("main"),
        repo=_place_or_name(path, slug, "repo", table["repo"]) if "repo" in table else None,
        arxiv=_checked(path, slug, "arxiv", table, "an arXiv id such as 1706.03762v5"),
        origin=_checked(path, slug, "origin", table, "owner/name@commit"),
        plan=plan,
    )


def _checked(path: Path, slug: str, key: str, table: dict[str, str], wanted: str) -> str | None:
    value = table.get(key)
    if value is None:
        return None
    good = parse_arxiv(value) if key == "arxiv" else (found := parse_github(value)) and found.at
    if not good:
        raise InputError(f"[{slug}] {key} = {value!r} is not {wanted}", where=str(path), remedy="correct it")
    return value


def _place_or_name(path: Path, slug: str, key: str, value: str) -> str:
    """What a `paper` or `repo` names: a path on this disk where there is one, else an id that can be read."""
    named = parse_arxiv(value) if key == "paper" else parse_github(value)
    if place := existing(value, path.parent):
        return str(place)
    if named is None:
        wanted = (
            "neither an arXiv id nor a file or folder beside the corpus file"
            if key == "paper"
            else "neither owner/name, an address on GitHub, nor a folder"
        )
        raise InputError(
            f"[{slug}] {key} = {value!r} is {wanted}",
            where=str(path),
            remedy="correct it; paths are relative to the corpus file",
        )
    return value
