"""What the rules say of a candidate: its source is fetched and parsed, its code is only asked about."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agents.code.units.licences import Licences
from ingest.acquire import CorpusEntry, PaperSource, acquire_paper, find_repository
from ingest.acquire.arxiv_search import search_arxiv
from ingest.acquire.forbidden import check_names
from ingest.acquire.github_api import Described, describe
from ingest.acquire.identifiers import GithubRef, parse_arxiv, parse_github
from ingest.corpus.models import Check, Reference
from ingest.latex import ParsedPaper, parse_paper, texts
from kg.blacklist import Blacklist, open_blacklist
from kg.caching import load, save
from kg.config import Settings
from kg.errors import InputError, RemoteError, XkgError
from kg.files import disk_errors
from kg.models.ids import title_key
from kg.models.record import PaperMeta

__all__ = ["Desk", "Examined"]

PATIENCE = 2
"""Remote failures one after the other, after which nobody is asked any more."""


@dataclass(frozen=True)
class Examined:
    """A candidate as it was found; `parsed` is None where there is no source, `repository` where it names none."""

    entry: CorpusEntry
    title: str
    checks: tuple[Check, ...]
    parsed: ParsedPaper | None = None
    repository: str = ""


@dataclass
class Desk:
    """Looks candidates up, among the papers `at_hand` and, unless `offline`, on arXiv; `target` is kept out.

    `waive` lets code of unknown licence pass. `warnings` tell what could not be asked.
    """

    settings: Settings
    target: Blacklist
    target_titles: frozenset[str]
    target_folders: frozenset[str] = frozenset()
    at_hand: tuple[CorpusEntry, ...] = ()
    offline: bool = False
    waive: bool = False
    warnings: list[str] = field(default_factory=list)
    _failures: int = 0
    _titles: dict[str, CorpusEntry] = field(default_factory=dict)
    _texts: list[tuple[CorpusEntry, str]] = field(default_factory=list)

    def read_at_hand(self) -> None:
        """Read the papers at hand, so that they are found by title and by words."""
        for entry in self.at_hand:
            try:
                source = acquire_paper(entry.paper, self.settings, main=entry.main, arxiv=entry.arxiv, slug=entry.slug)
                parsed = parse_paper(source.folder, source.main) if source.folder else None
            except XkgError as error:
                self.warnings.append(f"{entry.slug}: {error}")
                continue
            if parsed:
                self._titles[title_key(parsed.doc.title)] = entry
                self._texts.append((entry, " ".join(parsed.reading.text().lower().split())))

    def find(self, reference: Reference) -> CorpusEntry | None:
        """The paper that a reference means: at hand, by its arXiv id, or by its very title on arXiv; or None."""
        found = parse_arxiv(reference.arxiv) if reference.arxiv else None
        for entry in self.at_hand:
            named = parse_arxiv(entry.arxiv or entry.paper)
            if found and named and named.id == found.id:
                return entry
        key = title_key(reference.title)
        if key in self._titles:
            return self._titles[key]
        if found:
            return CorpusEntry(slug=found.id.replace("/", "-"), paper=str(found))
        same = (meta for meta in self._search(reference.title, 3, title=True) if title_key(meta.title) == key)
        return next(map(_entry, same), None) if key else None

    def by_technique(self, name: str, most: int) -> Iterator[CorpusEntry]:
        """Papers that use a technique's name: those at hand that do most, then arXiv's."""
        counted = [(text.count(name.lower()), entry) for entry, text in self._texts]
        yield from (entry for count, entry in sorted(counted, key=lambda pair: -pair[0])[:most] if count > 1)
        yield from map(_entry, self._search(name, most, title=False))

    def _search(self, phrase: str, most: int, *, title: bool) -> tuple[PaperMeta, ...]:
        try:
            found = search_arxiv(phrase, self.settings, most=most, title=title, ask=not self.offline)
            self._failures = 0
        except RemoteError as error:
            self._failed(error)
            return ()
        return found

    def _failed(self, error: RemoteError) -> None:
        """Note that a host can't be asked; where nobody is to be asked that is nothing new."""
        if self.offline:
            return
        self._failures += 1
        self.warnings.append(str(error))
        if self._failures == PATIENCE:
            self.offline = True
            self.warnings.append("nobody is asked any more: only what is at hand or in the cache is looked at")

    def examine(self, entry: CorpusEntry) -> Examined:
        """The rules' word on a paper. What could not be had is "unknown", never an error."""
        forbidden = self._forbidden(entry.paper, entry.arxiv or "", f"local:{entry.slug}", entry.repo or "")
        if forbidden is None and entry.repo in self.target_folders:
            forbidden = Check(rule="target", state="fail", detail="has the target's repository")
        if forbidden:
            return Examined(entry, "", (forbidden,))
        try:
            source = self._source(entry)
            parsed = parse_paper(source.folder, source.main) if source.folder else None
        except InputError as error:
            return Examined(entry, "", (Check(rule="latex", state="fail", detail=str(error)),))
        except RemoteError as error:
            self._failed(error)
            return Examined(entry, "", (Check(rule="latex", state="unknown", detail=str(error)),))
        title = source.meta.title or (parsed.doc.title if parsed else "")
        if title_key(title) and title_key(title) in self.target_titles:
            return Examined(entry, title, (Check(rule="target", state="fail", detail="has the target's title"),))
        if parsed is None:
            return Examined(entry, title, (Check(rule="latex", state="fail", detail=source.status),))
        checks = [Check(rule="latex", state="pass", detail=f"{len(parsed.flat.text)} characters")]
        repository, more = self._code(entry, source, parsed)
        return Examined(entry, title, (*checks, *more), parsed, repository)

    def _source(self, entry: CorpusEntry) -> PaperSource:
        """The paper's source; where nobody is to be asked, only one on the disk or in the cache."""
        found = parse_arxiv(entry.paper)
        if self.offline and found and not Path(entry.paper).exists():
            home = self.settings.cache / "arxiv" / found.id.replace("/", "_")
            kept = home / (f"v{found.version}/paper.json" if found.version else "newest.json")
            if not kept.is_file():
                raise RemoteError(f"{entry.paper} is not in the cache")
        source = acquire_paper(entry.paper, self.settings, main=entry.main, arxiv=entry.arxiv, slug=entry.slug)
        self._failures = 0
        return source

    def _forbidden(self, *names: str) -> Check | None:
        if found := self.target.forbids(*names):
            return Check(rule="target", state="fail", detail=f"is, or leads to, the target's {found.text}")
        if found := open_blacklist(self.settings).forbids(*names):
            return Check(rule="blacklist", state="fail", detail=found.text)
        return None

    def _code(self, entry: CorpusEntry, source: PaperSource, parsed: ParsedPaper) -> tuple[str, list[Check]]:
        """The candidate's repository, and what is to be said of it and its licence."""
        if entry.repo and Path(entry.repo).exists():
            named = Check(rule="repository", state="pass", detail="named in the corpus file")
            return entry.repo, [named, self._licensed(Licences(Path(entry.repo)).nearest("README"))]
        doc = parsed.doc
        told = {"title": doc.title, "abstract": doc.abstract, "authors": doc.authors}
        meta = source.meta if source.meta.title else source.meta.model_copy(update=told)
        hint = find_repository(texts(parsed), meta)
        url = entry.repo or (hint.url if hint else "")
        if forbidden := self._forbidden(url):
            return url, [forbidden]
        ref = parse_github(url)
        if ref is None:
            detail = f"it is on {hint.host}" if hint else "the paper names none as its own"
            return url, [Check(rule="repository", state="fail", detail=detail)]
        evidence = hint.evidence if hint and not entry.repo else "named in the corpus file"
        return url, self._on_github(ref, evidence[:300])

    def _on_github(self, ref: GithubRef, evidence: str) -> list[Check]:
        """What GitHub says of a repository: whether it is there, what it was forked from, its licence."""
        note = self.settings.cache / "repositories" / ref.full_name / "facts.json"
        facts = load(note, Described)
        if facts is None and self.offline:
            return [Check(rule="repository", state="unknown", detail=f"{ref.full_name} was not asked for")]
        try:
            facts = facts or self._described(ref, note)
        except InputError as error:
            return [Check(rule="repository", state="fail", detail=str(error))]
        except RemoteError as error:
            self._failed(error)
            return [Check(rule="repository", state="unknown", detail=str(error))]
        names = (facts.full_name, *(facts.forked_from or ()))
        try:
            forbidden = self._forbidden(*names)
            check_names(names, self.settings, ask=not self.offline)
        except InputError as error:
            forbidden = Check(rule="blacklist", state="fail", detail=str(error))
        if forbidden:
            return [forbidden]
        return [Check(rule="repository", state="pass", detail=evidence), self._licensed(facts.licence)]

    def _described(self, ref: GithubRef, note: Path) -> Described:
        """GitHub's facts of a repository, asked for and kept."""
        facts = describe(ref, self.settings)
        self._failures = 0
        with disk_errors(self.settings.cache):
            note.parent.mkdir(parents=True, exist_ok=True)
            save(note, facts)
        return facts

    def _licensed(self, licence: str | None) -> Check:
        if licence and licence != "unknown":
            return Check(rule="licence", state="pass", detail=licence)
        return Check(rule="licence", state="waived" if self.waive else "fail", detail=licence or "none")


def _entry(meta: PaperMeta) -> CorpusEntry:
    name = meta.id.removeprefix("arxiv:")
    return CorpusEntry(slug=name.replace("/", "-"), paper=f"{name}{meta.version or ''}")
