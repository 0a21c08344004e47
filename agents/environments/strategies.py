"""Ways to an environment for a repository, in the order of trust; which one served is stored with the verdict."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path

from agents.environments.interpreters import find_interpreters
from agents.environments.models import EnvironmentFailed, EnvironmentSpec, Interpreter
from agents.environments.names import distributions, table
from kg.config import Settings, load_settings

__all__ = ["strategies"]

_GROWN_UP = timedelta(days=300)
"""Days after a Python's release until the numeric stack has wheels for it."""


def strategies(
    repo: Path | None,
    imports: Iterable[str],
    when: date | None,
    settings: Settings | None = None,  # noqa: ARG001
) -> Iterator[EnvironmentSpec]:
    """Specs to try in order; the caller stops at the first whose environment serves.

    `imports` are the third-party names that the code imports, `when` the date of the repository's commit. "numeric
    stack of the date" is left out without a date. Raises EnvironmentFailed if the machine has no Python at all.
    """
    mapped = distributions(imports)
    pythons = find_interpreters((settings or load_settings()).pythons)
    requirements = tuple(sorted(set(mapped.found.values())))
    if when:
        of_date = _of_date(pythons, when)
        yield EnvironmentSpec(
            requirements=requirements, python=of_date.minor, before=when, strategy="numeric stack of the date",
            unmapped=mapped.unmapped,
        )  # fmt: skip
    newest = _of_date(pythons, date.today())
    yield EnvironmentSpec(requirements=requirements, python=newest.minor, strategy="relaxed", unmapped=mapped.unmapped)


def _of_date(pythons: tuple[Interpreter, ...], when: date) -> Interpreter:
    """The newest Python that was grown up at `when`, else the oldest Python 3 here."""
    releases: dict[str, date] = table()["releases"]
    three = [one for one in pythons if one.key >= (3, 6)]
    if not three:
        raise EnvironmentFailed("there is no Python 3.6 or later on this machine", remedy="install one")
    fitting = [one for one in three if one.minor in releases and releases[one.minor] + _GROWN_UP <= when]
    return fitting[-1] if fitting else three[0]
