"""What the project's own wheel has for a module that was cut out of its repository: no build makes it here."""

from collections.abc import Iterable
from pathlib import Path

from agents.execution.environments import Rescue

__all__ = ["own_parts"]


def own_parts(files: Iterable[str], rescued: Iterable[Rescue]) -> dict[str, Path]:
    """Place in the module → file of the wheel, for each of the wheel's files that belongs to a package of the module.

    `files` are the module's paths. The folder that a repository keeps its packages in ("src") is no part of them.
    """
    packages = {path.partition("/")[0] for path in files if "/" in path}
    found: dict[str, Path] = {}
    for rescue in rescued:
        for target, source in rescue.taken.items() if rescue.site else ():
            parts = target.split("/")
            start = next((i for i, part in enumerate(parts[:-1]) if part.removesuffix(".libs") in packages), None)
            if start is not None and rescue.site:
                found["/".join(parts[start:])] = rescue.site / source
    return found
