"""Why a module does not stand alone, in words."""

from collections.abc import Iterable

from agents.code.modules.check import Finding
from agents.code.modules.layout import Place
from agents.code.modules.repository import Repository
from agents.code.modules.slots import Slots
from agents.code.modules.taken import Taken

__all__ = ["describe"]


def describe(repository: Repository, taken: Taken, slots: Slots, findings: Iterable[Finding]) -> tuple[str, ...]:
    """One sentence for each thing that is missing, sorted; whether the repository lacks it too is said."""
    paths = {slots.path(place): place for place in taken.places if not place.endswith("/")}
    found: set[str] = set()
    undefined = {(place, name) for place, name in taken.undefined}
    for (place, name), line in taken.undefined.items():
        found.add(f"undefined in the repository too: {name} ({place}:{line})")
    for (place, shown), line in taken.missing.items():
        found.add(f"not in the repository: {_module(shown)} (imported in {place}:{line})")
    for place in taken.unreadable:
        found.add(f"{place}: {repository.unreadable.get(place, 'cannot be read')}")
    found |= {f"{place}: {repository.doubtful[place]}" for place in taken.places & repository.doubtful.keys()}
    for place, prefix in taken.computed:
        found.add(f"{place}: imports by a computed name, {prefix}…")
    for finding in findings:
        place = paths.get(finding.file, finding.file)
        if finding.kind == "name" and (place, finding.what) not in undefined:
            found.add(f"no definition in the slice: {finding.what} ({place})")
        elif finding.kind == "syntax":
            found.add(f"does not compile: {finding.what} ({place})")
        elif finding.kind == "import" and not _known(finding, place, taken):
            found.add(f"not in the slice: {finding.what} (imported in {place})")
    return tuple(sorted(found))


def _module(shown: str) -> str:
    """A module's file and a name as a person writes them: "pkg/a.py:f" as "f of pkg/a.py"."""
    place, colon, name = shown.partition(":")
    return f"{name} of {place}" if colon else shown


def _known(finding: Finding, place: Place, taken: Taken) -> bool:
    """Whether the repository itself lacks what is not found here."""
    last = finding.what.rpartition(".")[2]
    return any(
        source == place and (shown.rpartition(":")[2].rpartition(".")[2] == last or shown.lstrip(".") in finding.what)
        for source, shown in taken.missing
    )
