"""What a distribution really provides, seen in its wheel."""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.execution.environments.models import EnvironmentFailed, Interpreter
from agents.execution.environments.uv import NoNetwork, run_uv
from kg.config import Settings

__all__ = ["providing", "top_levels"]

_MOST = 20
_SECONDS = 120.0


def providing(
    names: Sequence[str], lines: Iterable[str], pythons: Sequence[Interpreter], settings: Settings
) -> dict[str, str]:
    """Which of the requirements `lines` provides which of the imports `names`, as their wheels show.

    For distributions that only the repository vouches for: each is unpacked without its dependencies, looked at, and
    used for nothing if it does not provide what is imported.
    """
    wanted = {name.partition(".")[0] for name in names}
    found: dict[str, str] = {}
    if not wanted:
        return found
    for line in list(lines)[:_MOST]:
        provided = _unpacked(line, pythons, settings)
        found |= {name: line for name in names if name.partition(".")[0] in provided and name not in found}
    return found


def top_levels(site: Path) -> frozenset[str]:
    """The import names at the top of a site folder."""
    entries = (entry for entry in site.iterdir() if not entry.name.startswith((".", "_")))
    names = {
        entry.name.partition(".")[0]
        for entry in entries
        if (entry.is_dir() and "." not in entry.name) or entry.name.endswith((".py", ".so"))
    }
    return frozenset(name for name in names if name.isidentifier()) - {"bin"}


def _unpacked(line: str, pythons: Sequence[Interpreter], settings: Settings) -> frozenset[str]:
    """The top-level names of a requirement's wheel, empty if there is none."""
    root = settings.cache / "environments"
    root.mkdir(parents=True, exist_ok=True)
    name = canonicalize_name(Requirement(line).name)
    for wish in dict.fromkeys((line, name)):
        for python in (pythons[-1], pythons[len(pythons) // 2]):
            with tempfile.TemporaryDirectory(prefix=".resolve-", dir=root) as folder:
                try:
                    run_uv(
                        "pip", "install", wish, "--no-deps", "--no-build", "--target", "site", "--quiet",
                        "--python", str(python.executable),
                        folder=Path(folder), seconds=_SECONDS,
                    )  # fmt: skip
                except NoNetwork:
                    return frozenset()
                except EnvironmentFailed:
                    continue
                return top_levels(Path(folder) / "site")
    return frozenset()
