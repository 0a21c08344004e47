"""From a target paper to a corpus for it: what it builds on, and what builds on the same techniques."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from agents.llm import LLM
from ingest.acquire import CorpusEntry, PaperSource, acquire_paper, find_repository
from ingest.acquire.identifiers import parse_arxiv, parse_github
from ingest.acquire.local import existing
from ingest.corpus.estimate import Estimate, Estimator
from ingest.corpus.examining import Desk, Examined
from ingest.corpus.judging import judge_references
from ingest.corpus.models import Candidate, CorpusPlan, Reference
from ingest.corpus.references import rank_references
from ingest.extract.structural import StructuralExtractor
from ingest.latex import ParsedPaper, parse_paper, texts
from kg.blacklist import Blacklist, blacklist_of
from kg.config import Settings
from kg.errors import InputError
from kg.models.ids import numbered, slug, title_key
from kg.models.technique import Technique
from kg.words import is_specific, name_key

__all__ = ["Wanted", "make_plan"]

CORE = 5
"""Techniques of the target that are searched for."""
LOOKED_AT = 3
"""References that are looked at for each that is wanted: some have no LaTeX, some no code."""


@dataclass(frozen=True)
class Wanted:
    """What a plan is to hold: so many references, so many papers for each core technique; `at_hand` are papers that
    need not be fetched. `waive_licence` lets code of unknown licence pass, `offline` asks nobody."""

    references: int = 5
    per_technique: int = 1
    techniques: int = CORE
    at_hand: tuple[CorpusEntry, ...] = ()
    waive_licence: bool = False
    offline: bool = False


def make_plan(
    target: str, wanted: Wanted, settings: Settings, llm: LLM | None = None, *, main: str | None = None,
    repo: str | None = None, done: Callable[[str, str], None] = lambda _name, _line: None,
) -> CorpusPlan:  # fmt: skip
    """A corpus for the paper `target`, and its price. The target, its repository and that one's forks are kept out.

    With `llm` a model ranks the references. Raises InputError for a target that can't be had or has no LaTeX, and the
    errors of `agents.llm`. A candidate that can't be had is told as such.
    """
    source = acquire_paper(target, settings, main=main)
    if source.folder is None:
        raise InputError(f"{target} has no LaTeX source ({source.status})", remedy="give a folder with its LaTeX")
    parsed = parse_paper(source.folder, main or source.main)
    tree = [t for t in StructuralExtractor().extract(parsed).walk() if t.kind in ("methodology", "technique")]
    core = _core(tree, wanted.techniques)
    own = next((e.repo for e in wanted.at_hand if _same(e, source, target)), None)
    desk = Desk(
        settings, _kept_out(source, target, parsed, [repo, own]), _titles(source, parsed),
        frozenset(str(folder) for one in (repo, own) if one and (folder := existing(one))),
        tuple(e for e in wanted.at_hand if not _same(e, source, target)), wanted.offline, wanted.waive_licence,
    )  # fmt: skip
    desk.read_at_hand()
    references = rank_references(parsed, tree)
    warnings: tuple[str, ...] = ()
    if llm and references and wanted.references:
        references, warnings = judge_references(
            llm, references, title=parsed.doc.title, techniques=[t.name for t in tree], most=wanted.references,
            paper=source.paper_id,
        )  # fmt: skip
    candidates = _Candidates(desk, Estimator(settings, llm), done)
    candidates.from_references(references, wanted.references)
    candidates.from_techniques([t.name for t in core], wanted.per_technique)
    chosen = [c.estimate for c in candidates.found if c.chosen and c.estimate]
    return CorpusPlan(
        target=source.paper_id, title=parsed.doc.title or source.meta.title, techniques=tuple(t.name for t in core),
        candidates=tuple(candidates.found), estimate=Estimate.total(chosen), profile=llm.name if llm else None,
        warnings=(*warnings, *desk.warnings),
    )  # fmt: skip


def _core(techniques: Iterable[Technique], most: int) -> list[Technique]:
    """The techniques that weigh most, each name once, of those whose name can be searched for."""
    best = sorted(techniques, key=lambda t: (-t.score, t.id))
    return list({name_key(t.name): t for t in reversed(best) if is_specific(t.name)}.values())[::-1][:most]


def _same(entry: CorpusEntry, source: PaperSource, target: str) -> bool:
    """Whether an entry of a corpus file is the target."""
    found = parse_arxiv(entry.arxiv or entry.paper)
    mine = source.meta.arxiv_id or ((named := parse_arxiv(target)) and named.id)
    where = str(source.folder or "")
    return bool(found and found.id == mine) or entry.paper in (target, where) or where.startswith(f"{entry.paper}/")


def _kept_out(source: PaperSource, target: str, parsed: ParsedPaper, repositories: Sequence[str | None]) -> Blacklist:
    """The target, the repository that it calls its own, and those that are given, as a blacklist of this plan."""
    hint = find_repository(texts(parsed), source.meta)
    urls = [*repositories, hint.url if hint else None]
    names = [f"{ref.owner}/{ref.name}" for url in urls if url and (ref := parse_github(url))]
    others = [hint.url] if hint and not parse_github(hint.url) else []
    doi = [f"doi:{name}" for name in (source.meta.doi or "").split()]
    return blacklist_of([source.paper_id.removeprefix("arxiv:"), *doi, *names, *others], f"the target {target}")


def _titles(source: PaperSource, parsed: ParsedPaper) -> frozenset[str]:
    return frozenset(key for title in (source.meta.title, parsed.doc.title) if (key := title_key(title)))


class _Candidates:
    """Collects candidates, each paper once: whoever came first keeps it."""

    def __init__(self, desk: Desk, estimator: Estimator, done: Callable[[str, str], None]) -> None:
        self.found: list[Candidate] = []
        self._desk, self._estimator, self._done = desk, estimator, done
        self._known: set[str] = set()

    def from_references(self, references: Sequence[Reference], most: int) -> None:
        """The best references that can be used, and those before them that can't."""
        taken = 0
        for reference in references[: LOOKED_AT * most]:
            if taken == most:
                break
            entry = self._desk.find(reference)
            if entry and self._new(entry):
                examined = self._desk.examine(entry)
                taken += self._take(examined, reference.score, reference=reference)

    def from_techniques(self, names: Sequence[str], most: int) -> None:
        """For each technique the first papers found by its name that can be used."""
        for name in names if most else ():
            taken = 0
            for place, entry in enumerate(self._desk.by_technique(name, LOOKED_AT * most), start=1):
                if taken < most and self._new(entry):
                    taken += self._take(self._desk.examine(entry), round(1 / place, 3), technique=name)

    def _new(self, entry: CorpusEntry) -> bool:
        found = parse_arxiv(entry.arxiv or entry.paper)
        identity = found.id if found else entry.paper
        fresh = identity not in self._known
        self._known.add(identity)
        return fresh

    def _take(
        self, examined: Examined, score: float, *, reference: Reference | None = None, technique: str = ""
    ) -> bool:
        entry = examined.entry
        chosen = all(check.state in ("pass", "waived") for check in examined.checks)
        title = examined.title or (reference.title if reference else "")
        name = numbered(slug(entry.slug), {c.slug for c in self.found})
        estimate = self._estimator.estimate(examined.parsed, code=bool(examined.repository)) if chosen else None
        self.found.append(
            Candidate(
                **entry.model_dump(exclude={"slug", "plan"}),
                slug=name,
                title=title,
                score=score,
                chosen=chosen,
                source="reference" if reference else "technique",
                reference=reference,
                technique=technique,
                checks=examined.checks,
                estimate=estimate,
            )
        )
        why = ", ".join(f"{c.rule} {c.state}" for c in examined.checks if c.state != "pass") or "chosen"
        self._done(name, f"{name}: {why}")
        return chosen
