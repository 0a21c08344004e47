"""Ways to an environment for a repository, in the order of trust; which one served is stored with the verdict."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.execution.environments.dating import date_of, python_of_date, python_of_pins
from agents.execution.environments.declared import Declared, read_declared
from agents.execution.environments.interpreters import find_interpreters
from agents.execution.environments.models import EnvironmentFailed, EnvironmentSpec
from agents.execution.environments.names import (
    distribution_name,
    distributions,
    former_standard_library,
    known_distributions,
    table,
)
from agents.execution.sandbox.interpreter import Interpreter
from kg.config import Settings, load_settings

__all__ = ["STRATEGIES", "strategies"]

STRATEGIES = (
    "repository pins",
    "numeric stack of the date",
    "relaxed",
    "renamed successors",
    "repository pins, stand-ins for what is missing",
    "relaxed, stand-ins for what is missing",
)
"""All names of strategies, in the order in which they are tried."""


def strategies(
    repo: Path | None, imports: Iterable[str], when: date | None, settings: Settings | None = None
) -> Iterator[EnvironmentSpec]:
    """Specs to try in order; the caller stops at the first whose environment serves.

    `imports` are the third-party names that the code and its tests import, `when` the date of the repository's commit;
    without one it is guessed from the repository's pins and change log (`date_of`). A strategy that would give what an
    earlier one gave is left out. Raises EnvironmentFailed if the machine has no Python 3.
    """
    settings = settings or load_settings()
    seen: set[str] = set()
    for spec in _Ways(repo, tuple(imports), when, settings).all():
        content = spec.model_dump_json(exclude={"strategy"})
        if content not in seen:
            seen.add(content)
            yield spec


@dataclass
class _Base:
    """Requirements that several strategies start from."""

    requirements: tuple[str, ...]
    python: Interpreter
    before: date | None = None
    locked: tuple[str, ...] = ()


class _Ways:
    def __init__(self, repo: Path | None, imports: tuple[str, ...], when: date | None, settings: Settings) -> None:
        self.settings = settings
        self.imports = imports
        self.declared = read_declared(repo) if repo else Declared()
        self.pythons = _usable(find_interpreters(settings.execution.pythons), imports)
        mapped = distributions(imports)
        self.found, self.unmapped = mapped.found, mapped.unmapped
        self.when = when or date_of(repo, self.declared, self.pythons, settings)

    def all(self) -> Iterator[EnvironmentSpec]:
        pins = self._pins() if self.declared.requirements else None
        relaxed = _Base(self._free(), self._newest())
        if pins:
            yield self._spec("repository pins", pins)
        if self.when:
            dated = python_of_date(self._allowed(), self.when)
            yield self._spec("numeric stack of the date", _Base(self._free(), dated, self.when))
        yield self._spec("relaxed", relaxed)
        yield from self._successors(relaxed)
        absent = tuple(sorted({name.partition(".")[0] for name in (*self.found, *self.unmapped)}))
        if pins:
            yield self._spec("repository pins, stand-ins for what is missing", pins, absent)
        yield self._spec("relaxed, stand-ins for what is missing", relaxed, absent)

    def _spec(
        self, strategy: str, base: _Base, stubs: tuple[str, ...] = (), aliases: dict[str, str] | None = None
    ) -> EnvironmentSpec:
        lines = {*base.requirements, *_seed(base)}
        return EnvironmentSpec(
            requirements=tuple(sorted(lines)), python=base.python.minor, before=base.before,
            strategy=strategy, stubs=stubs, aliases=aliases or {}, locked=base.locked,
        )  # fmt: skip

    def _pins(self) -> _Base:
        """The repository's requirements, those of its tests that are imported or plug-ins, and what it forgot."""
        wanted = {distribution_name(line) for line in self.found.values()}
        plugins = {distribution_name(line) for line in table()["plugins"]}
        lines: dict[str, str] = {}
        for line in (*self.declared.requirements, *self.declared.testing):
            name, renamed = _renamed(line)
            needed = line in self.declared.requirements and name in known_distributions()
            if name in wanted or name in plugins or (needed and name not in table()["tools"]):
                lines.setdefault(name, renamed)
        for line in self.found.values():
            lines.setdefault(distribution_name(line), line)
        numeric = [line for name, line in lines.items() if name in table()["numeric"]["names"]]
        python = python_of_pins(self._allowed(), numeric, self.when, self.settings)
        return _Base(tuple(lines.values()), python, locked=self.declared.locked)

    def _free(self) -> tuple[str, ...]:
        """What is imported, with the extras that the repository asks for, and the plug-ins of its tests."""
        plugins = {distribution_name(line) for line in table()["plugins"]}
        declared = dict(map(_renamed, (*self.declared.testing, *self.declared.requirements)))
        extras = {name: Requirement(line).extras for name, line in declared.items()}
        return (
            *(_with_extras(line, extras.get(distribution_name(line), set())) for line in self.found.values()),
            *(declared.keys() & plugins),
        )

    def _successors(self, base: _Base) -> Iterator[EnvironmentSpec]:
        tops = {name.partition(".")[0] for name in self.imports}
        renamed = {name: row for name, row in table()["successors"].items() if name in tops}
        if renamed:
            lines = (
                *self._without(base, tuple(renamed)).requirements,
                *(row["requirement"] for row in renamed.values()),
            )
            aliases = {name: row["name"] for name, row in renamed.items()}
            yield self._spec("renamed successors", _Base(lines, base.python), aliases=aliases)

    def _without(self, base: _Base, names: tuple[str, ...]) -> _Base:
        """The base without the distributions that serve nothing but these imports."""
        served = {line for name, line in self.found.items() if name.partition(".")[0] in names}
        others = {line for name, line in self.found.items() if name.partition(".")[0] not in names}
        lines = tuple(line for line in base.requirements if line not in served or line in others)
        return _Base(lines, base.python, base.before)

    def _allowed(self) -> tuple[Interpreter, ...]:
        """The Pythons that the repository says it runs on, or all."""
        asked = self.declared.python_set
        return tuple(one for one in self.pythons if asked.contains(one.version, prereleases=True)) or self.pythons

    def _newest(self) -> Interpreter:
        return python_of_date(self._allowed(), date.today())


def _seed(base: _Base) -> tuple[str, ...]:
    """What every environment held until Python 3.12: libraries of then import it without asking for it."""
    libraries = {distribution_name(line) for line in base.requirements} - {"pytest"}
    return (table()["renamed"]["pkg_resources"],) if libraries and "setuptools" not in libraries else ()


def _with_extras(line: str, extras: set[str]) -> str:
    requirement = Requirement(line)
    requirement.extras |= extras
    return str(requirement)


def _usable(pythons: tuple[Interpreter, ...], imports: Iterable[str]) -> tuple[Interpreter, ...]:
    """Python 3.6 and later, and none that has lost a module of the standard library that is imported."""
    three = tuple(one for one in pythons if one.key >= (3, 6))
    if not three:
        raise EnvironmentFailed("there is no Python 3.6 or later on this machine", remedy="install one")
    gone = former_standard_library()
    tops = {name.partition(".")[0] for name in imports}
    limits = [tuple(map(int, gone[top].split("."))) for top in tops if gone.get(top, "3") != "3"]
    return tuple(one for one in three if all(one.key < limit for limit in limits)) or three


def _renamed(line: str) -> tuple[str, str]:
    """A requirement's canonical name and the requirement, by the name that can be installed here."""
    name = canonicalize_name(Requirement(line).name)
    if name in table()["mistaken"]:
        other = table()["mistaken"][name]
        return other, other
    other = table()["instead"].get(name)
    return (other, re.sub(r"^[A-Za-z0-9._-]+", other, line)) if other else (name, line)
