"""A Python environment: what was asked for, and what was built."""

from datetime import date
from pathlib import Path

from kg.errors import XkgError
from kg.models.paper import Model

__all__ = ["Environment", "EnvironmentFailed", "EnvironmentSpec"]


class EnvironmentSpec(Model):
    """What an environment should hold.

    `requirements` are PEP 508 strings of known distributions; `python` is "3.11" or another version on the machine.
    `before` dates the numeric stack (nothing published later is taken for it). `strategy` names the way this was
    arrived at, and is stored with the verdict. `stubs` are import names to be served by inert stand-ins.
    """

    requirements: tuple[str, ...] = ()
    python: str
    before: date | None = None
    strategy: str
    stubs: tuple[str, ...] = ()


class Environment(Model):
    """A built environment. `id` is the sha256 of interpreter version, resolved set and stubs.

    `python` is the interpreter on the host, `site` the folder to mount read-only and to put on PYTHONPATH;
    `packages` the resolved versions by distribution name; `unmapped` the import names that no known distribution
    provides; `size` is in bytes.
    """

    id: str
    spec: EnvironmentSpec
    python: Path
    python_version: str
    site: Path
    packages: dict[str, str] = {}
    unmapped: tuple[str, ...] = ()
    size: int = 0


class EnvironmentFailed(XkgError):
    """No such environment can be had, and the sentence says why: a conflict, no wheels, too large, no such Python."""
