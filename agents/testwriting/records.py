"""Records as a repository's documentation shows them: which form what a unit is given really has."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from agents.code.verify.sources import fences

__all__ = ["documented_records"]

FILES, LARGEST = 40, 200_000
"""Files of documentation that are looked through at most, and bytes of each."""
SHOWN, LONGEST, LEAST = 2, 1_200, 2
"""Examples that are shown at most, characters of each, and keys that one must share with the code."""
_KEY = re.compile(r"""\[\s*(['"])(\w+)\1\s*\](?!\s*=(?!=))|\.(?:get|pop|setdefault)\(\s*(['"])(\w+)\3""")


def documented_records(folder: Path, code: str) -> list[str]:
    """Blocks of the Markdown files below `folder` that show records with keys which `code` looks up, and not only sets,
    those with most such keys first, each with its file and the line before it."""
    keys = {found[2] or found[4] for found in _KEY.finditer(code)}
    if len(keys) < LEAST:
        return []
    found: list[tuple[int, str]] = []
    for path in _files(folder):
        text = path.read_text("utf-8", "replace")
        lines = text.split("\n")
        for _, block, line in fences(text):
            shared = _shared(block, keys)
            if len(shared) >= LEAST:
                before = next((one for one in reversed(lines[max(line - 4, 0) : line - 1]) if one.strip()), "")
                head = f"RECORDS, as {path.relative_to(folder).as_posix()} shows them: {before.strip()[:200]}"
                found.append((len(shared), f"{head}\n{block.rstrip()[:LONGEST]}"))
    return [said for _, said in sorted(found, key=lambda one: -one[0])[:SHOWN]]


def _files(folder: Path) -> Iterator[Path]:
    """Regular Markdown files that are no links, by path; nothing of hidden folders."""
    found = (
        path for path in sorted(folder.rglob("*.md"))
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not path.is_symlink() and path.resolve().is_relative_to(folder.resolve()) and path.is_file()
        and path.stat().st_size <= LARGEST
    )  # fmt: skip
    for _, path in zip(range(FILES), found, strict=False):
        yield path


def _shared(text: str, keys: Collection[str]) -> set[str]:
    """The keys that stand in quotes before a colon."""
    return {key for key in keys if re.search(rf"""(['"]){re.escape(key)}\1\s*:""", text)}
