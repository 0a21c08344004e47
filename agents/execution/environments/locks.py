"""The versions that a repository's lock file was made with."""

import json
import re
from collections.abc import Mapping

from packaging.utils import canonicalize_name

__all__ = ["LOCKS", "locked"]

LOCKS = ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock")
_PACKAGE = re.compile(r'(?m)^\[\[package\]\]\r?\nname = "([\w.-]{1,80})"\r?\nversion = "(\d[\w.]{0,40})(?:\+[\w.]+)?"')
_EXACT = re.compile(r"==(\d[\w.]{0,40})(?:\+[\w.]+)?")


def locked(texts: Mapping[str, str]) -> dict[str, str]:
    """Versions by canonical name, of files by name; none of a package that is locked in several versions."""
    found: dict[str, set[str]] = {}
    for file, text in texts.items():
        rows = _pipfile(text) if file == "Pipfile.lock" else _PACKAGE.findall(text)
        for name, version in rows:
            found.setdefault(canonicalize_name(name), set()).add(version)
    return {name: min(versions) for name, versions in found.items() if len(versions) == 1}


def _pipfile(text: str) -> list[tuple[str, str]]:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return []
    groups = [tree.get(key) for key in ("default", "develop")] if isinstance(tree, dict) else []
    rows = [item for group in groups if isinstance(group, dict) for item in group.items()]
    given = [(name, str(row.get("version"))) for name, row in rows if isinstance(row, dict)]
    return [(name, exact[1]) for name, version in given if (exact := _EXACT.fullmatch(version))]
