"""A Python environment: what was asked for, and what was built."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path

from packaging.utils import canonicalize_name

from kg.errors import XkgError
from kg.models.paper import Model

__all__ = ["Environment", "EnvironmentFailed", "EnvironmentSpec", "Mapped"]


class Mapped(Model):
    """Imports and the distributions that provide them. `found` maps an import name as it was asked for to a PEP 508
    requirement; `unmapped` are names that no known distribution provides. Names of the standard library are in
    neither."""

    found: dict[str, str] = {}
    unmapped: tuple[str, ...] = ()


class EnvironmentSpec(Model):
    """What an environment should hold.

    `requirements` are PEP 508 strings of known distributions; `python` is "3.11" or another version on the machine.
    `before` dates the numeric stack (nothing published later is taken for it). `strategy` names the way this was
    arrived at, and is stored with the verdict. `stubs` are import names that stand-ins serve where no package does,
    `aliases` maps an import name that is gone to the one that succeeded it. `locked` are the exact versions that all
    packages should have, if that goes.
    """

    requirements: tuple[str, ...] = ()
    python: str
    before: date | None = None
    strategy: str
    stubs: tuple[str, ...] = ()
    aliases: dict[str, str] = {}
    locked: tuple[str, ...] = ()


class Environment(Model):
    """A built environment. `id` is the sha256 of interpreter version, resolved set and stubs.

    `python` is the interpreter on the host, `site` the folder to mount read-only and to put on PYTHONPATH, `standins`
    another one to come after it (`mounts` and `variables` tell a run both); `packages` the resolved versions by
    distribution name; `dropped` the requirements that can't be met here, each with the reason; `loosened` those met by
    another version than the one asked for; `built` the wheels that were built in the sandbox, of packages that have
    none; `size` is in bytes.
    """

    id: str
    spec: EnvironmentSpec
    python: Path
    python_version: str
    site: Path
    standins: Path | None = None
    packages: dict[str, str] = {}
    dropped: tuple[str, ...] = ()
    loosened: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    size: int = 0

    def told(self, names: Iterable[str]) -> str:
        """Its Python and its versions of the distributions among `names`, as a sentence."""
        wanted = {canonicalize_name(name) for name in names}
        found = [
            f"{name} {version}" for name, version in sorted(self.packages.items()) if canonicalize_name(name) in wanted
        ]
        return f"Python {self.python_version}; installed: {', '.join(found) or 'nothing'}"


class EnvironmentFailed(XkgError):
    """No such environment can be had, and the sentence says why: a conflict, no wheels, too large, no such Python."""
