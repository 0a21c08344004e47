"""One paper's way from its sources to a PaperRecord, and the report of it. Nothing here touches the database."""

import hashlib
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import agents.code
import cypher
import ingest
import kg
from agents.code.units import CodeBase, call_graph, read_units
from ingest.acquire import PaperMeta as SourceMeta
from ingest.acquire import (
    PaperSource,
    RepositoryHint,
    RepositorySource,
    acquire_paper,
    acquire_repository,
    find_repository,
)
from ingest.acquire.locations import remember
from ingest.extract import StructuralExtractor
from ingest.ground import ground
from ingest.latex import ParsedPaper, parse_paper, section_texts
from ingest.verification.basis import Resting
from kg.config import Settings
from kg.embeddings import open_embedder
from kg.embeddings.nodes import embed_record
from kg.errors import InputError, XkgError
from kg.models.code import Repository
from kg.models.paper import Model, PaperDoc
from kg.models.record import PaperMeta, PaperRecord, RunInfo

__all__ = ["Job", "Outcome", "fingerprint_of_program", "prepare"]


NOTHING_JUDGED: Mapping[str, frozenset[str]] = {}
PARTIAL = "partial:"
"""Begins the fingerprint of a paper of which not all could be had."""


class Job(Model):
    """What to ingest: a paper (arXiv id, folder, archive or .tex) and, if it is known, its repository.

    `slug` names a local paper and its local repository (default: made from the path). `no_repo` leaves out the code;
    `refresh` fetches again what is cached; `force` ingests even what is unchanged.
    """

    name: str
    paper: str
    slug: str | None = None
    main: str | None = None
    repo: str | None = None
    arxiv: str | None = None
    origin: str | None = None
    no_repo: bool = False
    refresh: bool = False
    force: bool = False


class Outcome(Model):
    """What became of a job before it is written. `record` is None if nothing has to be written.

    `status` is "ready", "unchanged" (same sources, same program: the graph holds it already) or "partial" (no LaTeX,
    or a repository that could not be had: what there is, is in `record`).
    """

    status: Literal["ready", "unchanged", "partial"]
    paper_id: str
    record: PaperRecord | None = None
    seconds: dict[str, float]
    warnings: tuple[str, ...] = ()


class Stopwatch:
    """Seconds by stage; what happens between stages is not counted."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to stage `name`, also when it fails."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.perf_counter() - start, 3)


@cache
def fingerprint_of_program() -> str:
    """Hash of all code and Cypher that decides what a record holds and how it is written."""
    digest = hashlib.sha256()
    for package in (cypher, kg, agents.code, ingest):
        root = Path(package.__path__[0])
        for path in sorted(p for p in root.rglob("*") if p.suffix in {".py", ".cypher", ".json", ".toml"}):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def prepare(
    job: Job, settings: Settings, known: Mapping[str, str], judged: Mapping[str, frozenset[str]] = NOTHING_JUDGED
) -> Outcome:
    """Acquire, parse, extract, ground and embed one paper.

    `known` maps the ids of the papers in the graph to their fingerprints; an equal one makes the outcome "unchanged"
    unless the job is forced. `judged` maps ids of repositories to their units that have verdicts: the record says what
    those rest on now. Raises XkgError for a paper that can't be had, or a repository that the curator named.
    What can be had only in part (no LaTeX, or the repository that the paper names is gone) is "partial" the first
    time, and an error for a paper that the graph already holds whole: nothing is taken from it for a passing fault.
    """
    watch = Stopwatch()
    with watch.stage("acquire"):
        source = acquire_paper(job.paper, settings, main=job.main, arxiv=job.arxiv, slug=job.slug, refresh=job.refresh)
    with watch.stage("parse"):
        parsed = parse_paper(source.folder, source.main) if source.folder else None
    with watch.stage("acquire"):
        repository, missing = _repository(job, settings, source, parsed)
        if repository:
            remember(settings, repository, origin=job.origin, slug=job.slug)
    warnings = [*source.warnings, *(repository.warnings if repository else ())]
    if parsed is None:
        missing = missing or InputError(f"{source.paper_id} has no LaTeX source ({source.status})")
    if missing:
        if not known.get(source.paper_id, PARTIAL).startswith(PARTIAL):
            raise missing
        warnings.append(str(missing))
    embedder = open_embedder(settings)
    fingerprint = (PARTIAL if missing else "") + _fingerprint(source, repository, embedder.model_id)
    if known.get(source.paper_id) == fingerprint and not job.force:
        return Outcome(status="unchanged", paper_id=source.paper_id, seconds=watch.seconds, warnings=tuple(warnings))

    record = PaperRecord(paper=_meta(source), doc=PaperDoc(main=""), run=_run())
    if parsed:
        warnings += [f"{w.file}:{w.start}: {w.message}" for w in parsed.doc.warnings]
        with watch.stage("techniques"):
            tree = StructuralExtractor().extract(parsed)
        record = record.model_copy(
            update={"doc": parsed.doc, "section_texts": section_texts(parsed), "techniques": tree}
        )
    if repository:
        with watch.stage("units"):
            codebase = read_units(repository.folder)
            warnings += codebase.warnings
        licence = repository.repository.licence or codebase.licence
        record = record.model_copy(
            update={
                "repository": repository.repository.model_copy(update={"licence": licence}),
                "units": codebase.units,
                "calls": tuple((c.caller, c.callee) for c in call_graph(codebase) if c.definitions == 1),
            }
        )
        if units := judged.get(repository.repository.id):
            with watch.stage("verdicts"):
                bases, uncut = _bases(repository.folder, codebase, units)
                record, warnings = record.model_copy(update={"bases": bases}), [*warnings, *uncut]
        if parsed:
            with watch.stage("ground"):
                record = record.model_copy(update={"groundings": ground(parsed, tree, codebase, embedder)})
    with watch.stage("embed"):
        record = record.model_copy(update={"vectors": embed_record(record, embedder)})
    record = record.model_copy(
        update={"warnings": tuple(warnings), "extras": {source.paper_id: {"ingest_fingerprint": fingerprint}}}
    )
    return Outcome(
        status="partial" if missing else "ready",
        paper_id=source.paper_id,
        record=record,
        seconds=watch.seconds,
        warnings=tuple(warnings),
    )


def _bases(folder: Path, codebase: CodeBase, judged: frozenset[str]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """What verdicts on these units rest on now, and warnings: a unit that can't be cut is left out, so not believed."""
    resting, bases, warnings = Resting(folder, codebase), {}, []
    for unit in codebase.units:
        if unit.id in judged:
            try:
                bases[unit.id] = resting.of(unit)[1]
            except Exception as error:  # noqa: BLE001 -- no verdict is worth failing an ingest
                warnings.append(f"{unit.id}: what its verdict rests on is not known ({type(error).__name__}: {error})")
    return bases, warnings


def _repository(
    job: Job, settings: Settings, source: PaperSource, parsed: ParsedPaper | None
) -> tuple[RepositorySource | None, XkgError | None]:
    """The job's repository, else the one the paper calls its own; or why that one can't be had.

    A repository that the curator named must be there: its failure is raised.
    """
    hint = find_repository([parsed.flat.text] if parsed else [], _known_meta(source, parsed))
    if job.repo:
        found = acquire_repository(job.repo, settings, origin=job.origin, slug=job.slug, refresh=job.refresh)
        return _named_by_curator(found, hint), None
    if job.no_repo:
        return None, None
    if hint is None:
        return None, None
    if hint.host != "github.com":
        return None, InputError(
            f"the paper's repository is on {hint.host}, which can't be fetched from",
            where=hint.url,
            remedy="clone it and give the folder with --repo",
        )
    try:
        found = acquire_repository(hint.ref, settings, refresh=job.refresh)
    except XkgError as error:
        return None, error
    return _with_evidence(found, official=True, evidence=f"{hint.where}: {hint.evidence}"), None


def _known_meta(source: PaperSource, parsed: ParsedPaper | None) -> SourceMeta:
    """What the source says of itself, and the document where the source is silent (every local one is)."""
    if parsed is None or source.meta.title:
        return source.meta
    doc = parsed.doc
    return source.meta.model_copy(update={"title": doc.title, "abstract": doc.abstract, "authors": doc.authors})


def _named_by_curator(found: RepositorySource, hint: RepositoryHint | None) -> RepositorySource:
    """Official only if the paper names it too: a curator may also give somebody else's implementation."""
    name = found.repository.id.removeprefix("github:").casefold()
    if hint and hint.host == "github.com" and hint.ref.partition("@")[0].casefold() == name:
        return _with_evidence(found, official=True, evidence=f"named by the curator; {hint.where}: {hint.evidence}")
    return _with_evidence(found, official=False, evidence="named by the curator")


def _with_evidence(found: RepositorySource, *, official: bool, evidence: str) -> RepositorySource:
    repository: Repository = found.repository.model_copy(update={"official": official, "evidence": evidence})
    return found.model_copy(update={"repository": repository})


def _fingerprint(source: PaperSource, found: RepositorySource | None, model_id: str) -> str:
    repository = found.repository.model_dump_json() if found else ""
    parts = (fingerprint_of_program(), source.model_dump_json(exclude={"folder", "warnings"}), repository, model_id)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _meta(source: PaperSource) -> PaperMeta:
    meta = source.meta
    return PaperMeta(
        id=source.paper_id,
        title=meta.title,
        abstract=meta.abstract,
        authors=meta.authors,
        year=meta.year,
        version=source.version,
        arxiv_id=meta.arxiv,
        doi=meta.doi,
        licence=meta.licence,
        url=meta.url,
        categories=meta.categories,
        comment=meta.comment,
    )


def _run() -> RunInfo:
    return RunInfo(command="ingest", versions={"xkg": version("xkg"), "program": fingerprint_of_program()[:12]})
