"""The works that a paper cites, from whatever came with it: .bib files, a .bbl, or a list in the text."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ingest.latex.bbl import printed_entries
from ingest.latex.bib import BibFile
from ingest.latex.events import Event
from ingest.latex.flat import Flat
from ingest.latex.folder import Folder
from ingest.latex.structure import Ids
from kg.models.paper import BibEntry, Citation, ParseWarning, SourceFile, Span

__all__ = ["Bibliography", "build_bibliography"]

MAX_ALL = 5_000
"""Entries taken when everything is cited by ``\\nocite{*}``."""
_STRINGS_ONLY = {"IEEEabrv", "IEEEfull", "abbrv", "strings", "jabbrv"}


@dataclass
class Bibliography:
    """Entries in the order of first citation, what went wrong, and the files they came from."""

    entries: list[BibEntry] = field(default_factory=list)
    warnings: list[ParseWarning] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)


class _Builder:
    def __init__(self, folder: Folder, flat: Flat, main: str, citations: list[Citation]) -> None:
        self.folder, self.flat, self.main = folder, flat, main
        self.base = PurePosixPath(main).parent.as_posix()
        self.result = Bibliography()
        self.wanted = dict.fromkeys(key for citation in citations for key in citation.keys)
        self.found: dict[str, BibEntry] = {}

    def missing(self) -> list[str]:
        return [key for key in self.wanted if key not in self.found and key != "*"]

    def bib(self, path: str) -> None:
        """Take what is still missing from a .bib file; everything if everything is cited."""
        try:
            source = self.folder.read(path)
        except OSError as error:
            self.warn(f"{path} can't be read: {error.strerror or error}")
            return
        file = BibFile(source)
        keys = self.missing() + (
            [key for key in file.places if key not in self.wanted][:MAX_ALL] if "*" in self.wanted else []
        )
        entries, warnings = file.entries(keys)
        self.take(entries)
        self.result.warnings += warnings
        if entries:
            self.used(path)

    def used(self, path: str) -> None:
        source = self.folder.read(path)
        if all(known.path != path for known in self.flat.files):
            self.result.files.append(SourceFile(path=path, sha256=source.sha256, encoding=source.encoding))

    def bbl(self, path: str) -> None:
        """Take the entries of a .bbl file; it was printed for this paper, so all of them count."""
        try:
            source, masked = self.folder.read(path), self.folder.masked(path)
        except OSError as error:
            self.warn(f"{path} can't be read: {error.strerror or error}")
            return

        def place(start: int, end: int) -> Span:
            return Span(file=path, start=source.byte(start), end=source.byte(end))

        if self.take(printed_entries(masked.text, masked.scan, place)):
            self.used(path)

    def take(self, entries: list[BibEntry]) -> int:
        new = [entry for entry in entries if entry.key not in self.found]
        self.found.update((entry.key, entry) for entry in new)
        return len(new)

    def warn(self, message: str, event: Event | None = None) -> None:
        span = self.flat.span(event.start, event.end) if event else self.flat.span(0, 0)
        self.result.warnings.append(ParseWarning(**span.model_dump(), message=message))

    def path(self, name: str, suffixes: tuple[str, ...]) -> str | None:
        try:
            return self.folder.resolve(name.strip().strip('"'), (self.base, ""), suffixes)
        except PermissionError:
            return None

    def printed(self) -> None:
        """The .bbl of the main file, else the only one beside it."""
        stem = str(PurePosixPath(self.main).with_suffix("").name)
        of_main = self.path(f"{stem}.bbl", ("",))
        others = sorted(
            p.relative_to(self.folder.root).as_posix() for p in (self.folder.root / self.base).glob("*.bbl")
        )
        others = [
            p for p in others if self.path(PurePosixPath(p).name, ("",)) and not PurePosixPath(p).name.startswith(".")
        ]
        if of_main or len(others) == 1:
            self.bbl(of_main or others[0])


def build_bibliography(
    folder: Folder, flat: Flat, main: str, events: list[Event], citations: list[Citation], ids: Ids
) -> Bibliography:
    """Entries from the named .bib files, then for what they lack from the .bbl, then from the text itself."""
    run = _Builder(folder, flat, main, citations)
    inline = [event for event in events if event.kind == "begin" and event.name == "thebibliography"]
    if inline:
        start = inline[0].start
        run.take(printed_entries(flat.text[start:], flat.scan[start:], lambda a, b: flat.span(start + a, start + b)))
    absent: list[tuple[str, Event]] = []
    named = [event for event in events if event.kind == "bibliography"]
    for event in named:
        for name in event.values:
            path = run.path(name, (".bib", ""))
            if path is None:
                absent += [(name, event)] if name not in _STRINGS_ONLY else []
            else:
                run.bib(path)
    if run.missing() or not run.found:
        run.printed()
    if not named and run.missing():
        for bib in sorted((folder.root / run.base).glob("*.bib"))[:10]:
            if path := run.path(bib.name, ("",)):
                run.bib(path)
    missing = run.missing()
    for name, event in absent:
        if missing:
            run.warn(f"\\{event.name} names {name!r}, which is not in the source folder", event)
    _warn_of_dangling(run, citations, missing)
    order = {key: number for number, key in enumerate(run.wanted)}
    entries = sorted(run.found.values(), key=lambda entry: order.get(entry.key, len(order)))
    run.result.entries = [entry.model_copy(update={"id": ids.of("bib", entry.key, entry.key)}) for entry in entries]
    return run.result


def _warn_of_dangling(run: _Builder, citations: list[Citation], missing: list[str]) -> None:
    """One warning for each cited key without an entry, at its first citation; one for all when there are no entries."""
    if missing and not run.found:
        run.warn("no bibliography was found for the paper's citations")
        return
    left = set(missing)
    for citation in citations:
        for key in citation.keys:
            if key in left:
                left.discard(key)
                message = f"no bibliography entry for {key!r}"
                run.result.warnings.append(
                    ParseWarning(file=citation.file, start=citation.start, end=citation.end, message=message)
                )
