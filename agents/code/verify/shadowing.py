"""Modules that tests get in the place of those that users get under the same name: one that lies beside the tests, one
in a folder that only the settings of pytest put before others, and whatever else a run has loaded from its tests."""

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from agents.code.units.imports import ImportResolver
from agents.code.units.roles import file_role
from agents.code.verify.meddling import imported
from agents.execution.harness import JobResult
from agents.execution.syntax import NotPython3, parse

__all__ = ["brought", "settings_of_pytest", "shadows"]

_IMPORT = re.compile(r"(?m)^[ \t]*(?:import|from) +(\w+)")
_WORD = re.compile(r"[^\W\d]\w*")
_MADE = re.compile(r"(?m)^([^\W\d]\w*)(?: *:[^=\n]+)? *=(?!=)(.*)")
"""What a file makes itself, outside of all functions, and of what."""
_LIBRARIES = (sys.stdlib_module_names - {"test"}) | {"numpy", "pandas", "scipy", "sklearn", "sympy", "torch"}
_SETTINGS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PATHS = re.compile(r"(?m)^[ \t]*pythonpath *= *(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)")
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


def brought(
    used: Mapping[str, Collection[str]], results: Iterable[JobResult], resolver: ImportResolver,
    text_of: Callable[[str], str],
) -> str:  # fmt: skip
    """What code got from a file of tests in a run, other than its imports say; "" if nothing. `used` are the words of
    the code by its file: what it does not speak of it does not need."""
    origins, loaded = set[tuple[str, str, str]](), set[tuple[str, str]]()
    for event in (event for result in results for event in result.of("end")):
        origins |= {(str(row[0]), str(row[1]), str(row[2])) for row in event.get("origins", ()) if len(row) == 3}
        loaded |= {(str(row[0]), str(row[1])) for row in event.get("modules", ()) if len(row) == 2}
    for file in sorted(resolver.files.intersection(used)):
        if file_role(file, b"") == "test":
            continue
        words = {*used[file], *(word for name, made in _MADE.findall(text_of(file)) if name in used[file]
                                for word in _WORD.findall(made))}  # fmt: skip
        means = {name: meant for name, meant in _imports(text_of(file)).items() if name in words}
        got = {(means[name], place) for home, name, place in origins if home == file and name in means}
        got |= {(name if name.startswith(".") else module, place) for module, place in loaded for name in means.values()
                if _asks(resolver, file, name, module)}  # fmt: skip
        for name, place in sorted(got):
            if not _leads_to(resolver, text_of, file, name, place):
                return f"{file} gets {place} for {name.lstrip('.')}"
    return ""


def _imports(text: str) -> dict[str, str]:
    try:
        return imported(parse(text))
    except NotPython3:
        return {}


def _asks(resolver: ImportResolver, file: str, name: str, module: str) -> bool:
    """Whether an import of a file loads the module that Python has under this name."""
    if not name.startswith("."):
        return f"{name}.".startswith(f"{module}.")
    place = resolver.module(file, name) or ""
    dotted = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return dotted == module or dotted.endswith(f".{module}")


def _leads_to(resolver: ImportResolver, text_of: Callable[[str], str], file: str, name: str, place: str) -> bool:
    """Whether users who import by a name what a file does come to `place` as well: by it, or by what it imports."""
    waiting, seen = [resolver.near(file, name)], set[str]()
    while waiting:
        one = waiting.pop()
        if one == place:
            return True
        if one in resolver.files and one not in seen:
            seen.add(one)
            waiting += [resolver.near(one, each) for each in _imports(text_of(one)).values()]
    return False


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
