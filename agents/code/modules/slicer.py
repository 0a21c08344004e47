"""From code units to mini-packages that stand alone."""

from collections.abc import Iterable
from pathlib import Path

from agents.code.modules.check import Finding, inspect_files, third_party
from agents.code.modules.closure import Closure
from agents.code.modules.data import DataFiles
from agents.code.modules.effects import Effects
from agents.code.modules.emit import Emitter
from agents.code.modules.models import Module
from agents.code.modules.pyfile import PyFile, Statement
from agents.code.modules.repository import Repository
from agents.code.modules.selection import Selection
from agents.code.modules.slots import Slots
from agents.code.units.imports import Place
from agents.code.units.licences import Licences
from kg.models.code import CodeUnit, StoredModule

__all__ = ["Slicer"]


class Slicer:
    """Slices the units of one repository. `folder` is its root; nothing in it is run, and no link in it is followed."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository(folder)
        self.effects = Effects(self.repository)
        self.licences = Licences(folder)
        self.data = DataFiles(folder)

    def module(self, unit: CodeUnit) -> Module:
        """The unit and all it needs, as a package. What stands against it is in its `problems`; nothing is raised."""
        closure = Closure(self.repository, self.effects)
        return self._write(unit, closure.run()) if self._ask(closure, unit) else self._unreadable(unit)

    def stored(self, unit: CodeUnit) -> StoredModule | None:
        """Its module as a Code node keeps it; None where there is nothing to cut."""
        module = self.module(unit)
        return StoredModule(**module.model_dump(include=set(StoredModule.model_fields))) if module.files else None

    def _ask(self, closure: Closure, unit: CodeUnit) -> bool:
        """Make a unit a root; whether its place was found."""
        file = self.repository.file(unit.file) if unit.language == "python" else None
        if file is None:
            return False
        top = unit.symbol.partition(".")[0]
        if unit.kind in ("function", "class", "method", "constant") and (
            top in file.meanings or top in file.main_meanings
        ):
            closure.root_name(unit.file, top)
            return True
        inside = _statements(file, unit)
        if not inside:
            return False
        if unit.kind in ("script", "cell"):
            closure.limit = inside[-1]
        closure.root_statements(inside)
        return True

    def _write(self, unit: CodeUnit, selection: Selection) -> Module:
        foreign = _foreign(self.repository, selection)
        slots = Slots(self.repository, selection.places, unit.file, foreign)
        files, pieces = Emitter(self.repository, self.effects, selection, slots).files()
        translated = any(f.translated for p in selection.places if (f := self.repository.file(p)))
        return Module(
            unit=unit.id,
            language=unit.language,
            import_name=slots.dotted(unit.file),
            symbol=unit.symbol if unit.kind in ("function", "class", "method", "constant") else "",
            files=files,
            pieces=pieces,
            third_party=third_party(files),
            data=self.data.of(selection.statements),
            licence=self._licence(unit, selection.places),
            problems=_problems(self.repository, selection, slots, inspect_files(files)),
            translated="python 2" if translated else None,
        )

    def _licence(self, unit: CodeUnit, places: Iterable[Place]) -> str | None:
        """All licences of the files together; None as soon as one of them has none."""
        licences = {self.licences.nearest(place) for place in places if not place.endswith("/")}
        licences.add(unit.licence)
        known = sorted(licence for licence in licences if licence)
        return " AND ".join(known) if None not in licences else None

    def _unreadable(self, unit: CodeUnit) -> Module:
        reason = self.repository.unreadable.get(unit.file, "the unit is not found in its file")
        if unit.language != "python":
            reason = f"units of {unit.language} are not sliced"
        return Module(
            unit=unit.id,
            language=unit.language,
            import_name="",
            symbol=unit.symbol,
            files={},
            licence=unit.licence,
            problems=(f"{unit.file}: {reason}",),
        )


def _statements(file: PyFile, unit: CodeUnit) -> list[Statement]:
    """The statements that stand on the unit's lines."""
    return [
        s
        for s in file.statements
        if file.repository_line(s.line) <= unit.end_line and file.repository_line(s.end_line) >= unit.line
    ]


def _foreign(repository: Repository, selection: Selection) -> set[str]:
    """Top-level names that the slice imports from outside of the repository."""
    found: set[str] = set()
    for statement in selection.statements | selection.importing:
        for alias in statement.facts.aliases:
            if repository.target(statement.file.path, alias).kind == "external":
                found.add(alias.module.partition(".")[0])
    return found


def _problems(
    repository: Repository, selection: Selection, slots: Slots, findings: Iterable[Finding]
) -> tuple[str, ...]:
    """One sentence for each thing that is missing, sorted; whether the repository lacks it too is said."""
    paths = {slots.path(place): place for place in selection.places if not place.endswith("/")}
    found: set[str] = set()
    undefined = {(place, name) for place, name in selection.undefined}
    for (place, name), line in selection.undefined.items():
        found.add(f"undefined in the repository too: {name} ({place}:{line})")
    for (place, shown), line in selection.missing.items():
        found.add(f"not in the repository: {_shown(shown)} (imported in {place}:{line})")
    for place in selection.unreadable:
        found.add(f"{place}: {repository.unreadable.get(place, 'cannot be read')}")
    found |= {f"{place}: {repository.doubtful[place]}" for place in selection.places & repository.doubtful.keys()}
    for place, prefix in selection.computed:
        found.add(f"{place}: imports by a computed name, {prefix}…")
    for finding in findings:
        place = paths.get(finding.file, finding.file)
        if finding.kind == "name" and (place, finding.what) not in undefined:
            found.add(f"no definition in the slice: {finding.what} ({place})")
        elif finding.kind == "syntax":
            found.add(f"does not compile: {finding.what} ({place})")
        elif finding.kind == "import" and not _is_lacking(finding, place, selection):
            found.add(f"not in the slice: {finding.what} (imported in {place})")
    return tuple(sorted(found))


def _shown(shown: str) -> str:
    """A module's file and a name as a person writes them: "pkg/a.py:f" as "f of pkg/a.py"."""
    place, colon, name = shown.partition(":")
    return f"{name} of {place}" if colon else shown


def _is_lacking(finding: Finding, place: Place, selection: Selection) -> bool:
    """Whether the repository itself lacks what is not found here."""
    last = finding.what.rpartition(".")[2]
    return any(
        source == place and (shown.rpartition(":")[2].rpartition(".")[2] == last or shown.lstrip(".") in finding.what)
        for source, shown in selection.missing
    )
