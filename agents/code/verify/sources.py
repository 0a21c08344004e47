"""Where tests of a repository can come from: its test files, and the examples in its texts."""

from collections.abc import Sequence
from pathlib import Path

from agents.code.units import CodeBase
from agents.code.units.source import decode
from agents.code.verify.discover import TestFile
from agents.code.verify.layout import Layout
from agents.code.verify.running import Source

__all__ = ["sources"]

FILES = 40
"""Files with doctests that are tried at most."""
_READMES = ("readme.md", "readme.rst", "readme.txt")


def sources(folder: Path, codebase: CodeBase, layout: Layout, tests: Sequence[TestFile]) -> list[Source]:
    """Sources of tests, the best first."""
    found = [Source(f"repo/{test.path}") for test in tests if test.path in layout.known]
    examples = sorted(
        {u.file for u in codebase.units if u.language == "python" and ">>> " in u.docstring and u.file in layout.known}
    )
    found += [Source(f"repo/{file}", "doctest", ("--doctest-modules",)) for file in examples[:FILES]]
    for name in (path for path in layout.files if path.lower() in _READMES):
        if ">>> " in decode((folder / name).read_bytes())[0]:
            found.append(Source(f"repo/{name}", "doctest", (f"--doctest-glob={name}",)))
    return found
