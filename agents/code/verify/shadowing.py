"""Modules that tests get in the place of those that users get under the same name: one that lies beside the tests, and
one in a folder that only the settings of pytest put before others."""

import re
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress

from agents.code.units.imports import ImportResolver

__all__ = ["settings_of_pytest", "shadows"]

_IMPORT = re.compile(r"(?m)^\s*(?:import|from) +(\w+)")
_LIBRARIES = (sys.stdlib_module_names - {"test"}) | {"numpy", "pandas", "scipy", "sklearn", "sympy", "torch"}
_SETTINGS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PATHS = re.compile(r"(?m)^\s*pythonpath *= *(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)")
_PATH = re.compile(r"[^\s\"',\[\]]+")


def shadows(
    file: str, tests: Collection[str], resolver: ImportResolver, text_of: Callable[[str], str]
) -> Iterator[str]:
    """Each module that is not the one which users of a file get, with how tests come to it."""
    for test in sorted(set(tests) & resolver.files):
        root = resolver.package_root(test)
        if root and not file.startswith(root):  # what lies beside the code as well is found by everybody
            for name in _IMPORT.findall(text_of(test)):
                if name in _LIBRARIES and (place := resolver.at(root, name)) in resolver.files:
                    yield f"{test} takes {place} for the library's {name}"
            for name in _IMPORT.findall(text_of(file)):
                place = resolver.at(root, name)
                if place in resolver.files and place == resolver.absolute(file, name):
                    yield f"{file} finds {place} beside {test} alone"
    for folder in sorted(_put_first(text_of)):
        for name in _IMPORT.findall(text_of(file)) if not file.startswith(folder) else ():
            meant, first = resolver.absolute(file, name), resolver.at(folder, name)
            if first in resolver.files and meant in resolver.files and first != meant:
                yield f"pytest's pythonpath gives {first} for {meant}"


def settings_of_pytest(text_of: Callable[[str], str]) -> Iterator[str]:
    """The texts of the files of a repository that may set how pytest runs."""
    for settings in _SETTINGS:
        with suppress(OSError):  # it has none of that name
            yield text_of(settings)


def _put_first(text_of: Callable[[str], str]) -> set[str]:
    """Folders that pytest puts before others."""
    found: set[str] = set()
    for text in settings_of_pytest(text_of):
        named = (path for paths in _PATHS.findall(text) for path in _PATH.findall(paths))
        found |= {f"{path.removeprefix('./').rstrip('/')}/" for path in named}
    return found - {"./", "/"}
