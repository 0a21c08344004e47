"""From the names that code imports to the distributions that provide them, by a curated table and by nothing else.

An import name says nothing about who owns the distribution of that name, so what is not in the table is never
installed; it is reported.
"""

import re
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.execution.environments.models import Environment, Mapped

__all__ = [
    "absence",
    "conda_names",
    "distribution_name",
    "distributions",
    "former_standard_library",
    "is_known",
    "is_standard",
    "known_distributions",
    "known_part",
    "requirement_of",
    "table",
]


_MODULE = re.compile(r"No module named '([\w.]+)'")
_COMPILED = {".c", ".cc", ".cpp", ".cu", ".cxx", ".f", ".f90", ".pyx", ".rs"}
"""Suffixes of the sources of modules that an extension makes."""


@cache
def table() -> dict[str, Any]:
    """The curated data: see the comments of ``distributions.toml``."""
    return tomllib.loads(
        resources.files("agents.execution.environments").joinpath("distributions.toml").read_text("utf-8")
    )


def is_standard(name: str) -> bool:
    """Whether a (dotted) name belongs to the standard library of this or an older Python."""
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names or top in former_standard_library()


def former_standard_library() -> dict[str, str]:
    """Modules that have left the standard library, by the first version without them ("imp": "3.12")."""
    gone: dict[str, str] = table()["gone"]
    return gone


def distributions(imports: Iterable[str]) -> Mapped:
    """The distributions that provide `imports` (dotted names, the longest known part counts), sorted by name.

    Names of the standard library, of Python 2's too, are left out. Malformed names are reported as unmapped.
    """
    found, unmapped = {}, []
    for name in sorted(set(imports)):
        if is_standard(name):
            continue
        requirement = requirement_of(name)
        if requirement:
            found[name] = requirement
        else:
            unmapped.append(name)
    return Mapped(found=found, unmapped=tuple(unmapped))


def known_part(name: str) -> str:
    """The longest part of a dotted import that a distribution of its own is known for ("torch.utils.tensorboard"), else
    its first."""
    renamed: dict[str, str] = table()["renamed"]
    parts = name.split(".")
    return next((part for end in range(len(parts), 1, -1) if (part := ".".join(parts[:end])) in renamed), parts[0])


def is_known(name: str) -> bool:
    """Whether a top-level name is the standard library's or that of a distribution in the table."""
    return is_standard(name) or requirement_of(name) is not None


def requirement_of(name: str) -> str | None:
    """The PEP 508 requirement that provides the import `name`, None if no known distribution does."""
    renamed: dict[str, str] = table()["renamed"]
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        part = ".".join(parts[:end])
        if part in renamed:
            return renamed[part]
    return _same().get(parts[0])


@cache
def _same() -> dict[str, str]:
    return {name: str(canonicalize_name(name)) for name in table()["same"]}


def distribution_name(requirement: str) -> str:
    """The canonical name in a PEP 508 requirement."""
    return str(canonicalize_name(Requirement(requirement).name))


@cache
def known_distributions() -> frozenset[str]:
    """The canonical names of all distributions that the table knows."""
    listed = (*table()["same"], *table()["renamed"].values(), *table()["tools"], *table()["plugins"])
    return frozenset(distribution_name(line) for line in listed)


@cache
def conda_names() -> dict[str, str]:
    """conda's package names and those on PyPI, where the table knows them."""
    others: dict[str, str] = table()["conda"]
    return {name: name for name in known_distributions()} | others


def _to_compile(folder: Path, module: str) -> str:
    """The file of a repository that `module` is compiled from, "" if there is none."""
    below = module.replace(".", "/")
    found = (file.relative_to(folder).as_posix() for file in folder.glob(f"**/{below}.*") if file.suffix in _COMPILED)
    return min(found, default="")


def absence(environment: Environment, message: str, folder: Path | None = None) -> str:
    """Why the module that the ``No module named`` of `message` names is missing, "" if nothing is known of it.

    `folder` is the repository: a module that it has only in a language to be compiled is its own, whatever an index has
    under that name.
    """
    match = _MODULE.search(message)
    if match is None:
        return ""
    if folder and (source := _to_compile(folder, match[1])):
        return f"it is the repository's own, to be compiled from {source}; extensions are not compiled here"
    known = distributions([match[1]])
    if known.unmapped:
        return f"no distribution is known that provides {match[1]}"
    wanted = {canonicalize_name(Requirement(line).name) for line in known.found.values()}
    for entry in environment.dropped:
        line, _, why = entry.partition(": ")
        if canonicalize_name(re.split(r"[^\w.-]", line, maxsplit=1)[0]) in wanted:
            return why
    return ""
