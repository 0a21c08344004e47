"""The order in which the modules of a slice are imported, where they import each other.

A circle of imports works or fails by where it is entered. The repository enters it by way of its packages'
``__init__`` files; a slice that has less in these would enter it elsewhere, so where these imported something, what of
it is in the slice is imported in the same order.
"""

from agents.code.modules.effects import Effects
from agents.code.modules.layout import Place
from agents.code.modules.taken import Taken

__all__ = ["keep_order"]


def keep_order(taken: Taken, effects: Effects) -> None:
    """Add to `taken` the imports that keep the repository's order, if some of its modules import each other."""
    if not _circle(_imports(taken, effects)):
        return
    packages = {package for place in taken.places for package in effects.packages(place)}
    started: set[Place] = set()
    for package in sorted(packages, key=lambda path: (path.count("/"), path)):
        taken.places.add(package)
        started.add(package)
        for statement, imported in effects.imports(package):
            order = [p for p in _started(imported, effects, started) if p in taken.places and p not in packages]
            if order:
                taken.ordered.setdefault(statement, []).extend(order)


def _started(place: Place, effects: Effects, started: set[Place]) -> list[Place]:
    """The modules that importing `place` starts to execute, in order, without those `started` before."""
    found: list[Place] = []
    pending = [place]
    while pending:
        at = pending.pop()
        if at in started:
            continue
        started.add(at)
        if not at.endswith("/"):
            found.append(at)
        following = [imported for _, imported in effects.imports(at)]
        pending += reversed(following)
    return found


def _imports(taken: Taken, effects: Effects) -> dict[Place, set[Place]]:
    """Who imports whom in the slice when it is imported."""
    kept = taken.statements | taken.importing | taken.links.keys()
    found: dict[Place, set[Place]] = {}
    for place in taken.places:
        wanted = {imported for statement, imported in effects.imports(place) if statement in kept}
        found[place] = wanted & taken.places
    return found


def _circle(imports: dict[Place, set[Place]]) -> bool:
    """Whether following imports leads back to where one was: what is left after taking off all that lead nowhere."""
    left = dict(imports)
    while left:
        ends = {place for place, wanted in left.items() if not wanted & left.keys()}
        if not ends:
            return True
        left = {place: wanted for place, wanted in left.items() if place not in ends}
    return False
