"""What the cache of environments holds, and making room in it."""

import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from agents.execution.environments.build import MARK, folder_of
from agents.execution.environments.models import Environment
from agents.execution.environments.sdists import BUILT
from kg.caching import locked
from kg.config import Settings
from kg.models.paper import Model

__all__ = ["Kept", "Pruned", "kept_environments", "prune_environments"]

_IN_USE = 3600.0
"""Seconds after its last use in which an environment may still be mounted by a run."""
_ABANDONED = 86_400.0
"""Seconds after which a resolution's folder belongs to nobody."""


class Kept(Model):
    """An environment in the cache: `size` in bytes as if nothing were shared, `used` in UTC (ISO 8601)."""

    id: str
    python: str = ""
    strategies: tuple[str, ...] = ()
    packages: int = 0
    size: int
    used: str


class Pruned(Model):
    """What was removed, and the bytes that are left."""

    removed: tuple[str, ...]
    size: int


def kept_environments(settings: Settings) -> list[Kept]:
    """All environments, the most recently used first."""
    root = folder_of(settings)
    described: dict[str, list[Environment]] = {}
    for known in _specs(root):
        described.setdefault(known.site.parent.name, []).append(known)
    found = []
    for mark in sorted(root.glob(f"*/{MARK}")):
        folder = mark.parent
        specs = described.get(folder.name, [])
        found.append(
            Kept(
                id=folder.name,
                python=specs[0].python_version if specs else "",
                strategies=tuple(sorted({one.spec.strategy for one in specs})),
                packages=len(specs[0].packages) if specs else 0,
                size=_size(mark),
                used=datetime.fromtimestamp(mark.stat().st_mtime, UTC).isoformat(timespec="seconds"),
            )
        )
    return sorted(found, key=lambda one: (one.used, one.id), reverse=True)


def prune_environments(settings: Settings, *, everything: bool = False) -> Pruned:
    """Remove the environments that were not used for the longest time until the rest fits `execution.environments_mb`.

    None that was used in the last hour, as a run may have it mounted, unless `everything` goes. An environment that is
    gone is built again from the same lock when it is asked for; with `everything` the locks go too.
    """
    root = folder_of(settings)
    environments = kept_environments(settings)
    total = sum(one.size for one in environments)
    removed = []
    for one in reversed(environments):
        old = time.time() - datetime.fromisoformat(one.used).timestamp() > _IN_USE
        if everything or (total > settings.execution.environments_mb * 1_000_000 and old):
            with locked(settings.cache, f"environment {one.id}"):
                _remove(root / one.id)
            total -= one.size
            removed.append(one.id)
    for folder in root.glob(".*"):
        if everything or time.time() - folder.stat().st_mtime > _ABANDONED:
            shutil.rmtree(folder, ignore_errors=True)
    for name in ("locks", "own", "specs", BUILT) if everything else ():
        _remove(root / name)
    for standins in root.glob("*.standins") if everything else ():
        _remove(standins)
    return Pruned(removed=tuple(removed), size=total)


def _specs(root: Path) -> Iterator[Environment]:
    for path in sorted((root / "specs").glob("*.json")):
        try:
            yield Environment.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue


def _size(mark: Path) -> int:
    text = mark.read_text("utf-8").strip()
    return int(text) if text.isdigit() else 0


def _remove(folder: Path) -> None:
    """Out of sight at once, then away: who looks meanwhile sees no half."""
    gone = folder.with_name(f".{folder.name}.gone")
    shutil.rmtree(gone, ignore_errors=True)
    if folder.exists():
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
