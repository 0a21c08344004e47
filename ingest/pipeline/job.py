"""One paper's way from its sources to a PaperRecord, and the report of it. Nothing here touches the database."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from agents.code.units import CodeBase, call_graph, file_units, read_units
from agents.execution.environments import read_declared
from agents.llm import LLM, BrokenReply
from ingest.acquire import (
    PaperSource,
    RepositoryHint,
    RepositorySource,
    acquire_paper,
    acquire_repository,
    find_repository,
)
from ingest.acquire.locations import remember, signature
from ingest.extract import StructuralExtractor
from ingest.extract.judged import JudgedExtractor, Judgement
from ingest.ground import ground
from ingest.ground.judged import Judged, Room, judge_tree, readme
from ingest.latex import ParsedPaper, parse_paper, section_texts, texts
from ingest.pipeline.results import StageResults, stage_key
from ingest.stages import Stage, before, fingerprint
from ingest.verification.basis import BasisReader
from kg.blacklist import open_blacklist
from kg.config import Settings
from kg.embeddings import Embedder, open_embedder
from kg.embeddings.nodes import embed_record
from kg.errors import InputError, XkgError
from kg.models.code import CodeUnit, Repository
from kg.models.paper import Model, PaperDoc
from kg.models.record import PaperMeta, PaperRecord, RunInfo
from kg.results.write import IngestedPaper
from kg.verdicts.basis import as_basis, parse

__all__ = ["Job", "Outcome", "RestsOn", "prepare"]


RestsOn = Mapping[str, Mapping[str, Sequence[str]]]
"""What current verdicts rest on (see kg.verdicts.basis), by repository and commit."""
NOTHING_JUDGED: RestsOn = {}
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
ASKED_BY = {"model", "temperature", "max_output_tokens", "context_tokens", "structured"}
"""What of a profile a model's answers depend on."""


class Job(Model):
    """What to ingest: a paper (arXiv id, folder, archive or .tex) and, if it is known, its repository.

    `slug` names a local paper and its local repository (default: made from the path). `no_repo` leaves out the code;
    `refresh` fetches again what is cached; `force` ingests even what is unchanged. `profile` names the model that
    judges (default: the settings'; none where they name none, or with `no_model`, which also lets go of what a model
    judged of the paper before), `run` the run that its calls are counted for.
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
    profile: str | None = None
    no_model: bool = False
    run: str | None = None


class Outcome(Model):
    """What became of a job before it is written. `record` is None if nothing has to be written.

    `status` is "ready", "unchanged" (same sources, same program: the graph holds it already) or "partial" (no LaTeX,
    or a repository that could not be had, or a model whose answers were none: what there is, is in `record`).
    `judgement` is what a model's answers came to, `implementations` the figures of those about code, `dropped` how much
    of these was not true, by reason.
    """

    status: Literal["ready", "unchanged", "partial"]
    paper_id: str
    record: PaperRecord | None = None
    seconds: dict[str, float]
    processor_seconds: dict[str, float] = {}
    warnings: tuple[str, ...] = ()
    judgement: Judgement | None = None
    implementations: dict[str, int] = {}
    dropped: dict[str, int] = {}


def prepare(
    job: Job,
    settings: Settings,
    known: Mapping[str, IngestedPaper],
    rests_on: RestsOn = NOTHING_JUDGED,
) -> Outcome:
    """Acquire, parse, extract, ground and embed one paper; a stage is done again only if something of it has changed.

    `known` are the papers in the graph by id; an equal fingerprint makes the outcome "unchanged" unless the job is
    forced, which does every stage again, or a file that git ignores and a verdict `rests_on` has changed. The record
    says what is now in all places that verdicts on code of the repository rest on. Raises XkgError for a paper that
    can't be had, or a repository that the curator named. What can be had only in part (no LaTeX, or the repository that
    the paper names is gone) is "partial" the first time, and an error for a paper that the graph already holds whole:
    nothing is taken from it for a passing fault, nor because nobody named the model that has judged it.
    """
    stages = StageResults(settings, f"{job.slug} {job.paper}", forget=job.force)
    with stages.timed(Stage.ACQUIRE):
        source = acquire_paper(job.paper, settings, main=job.main, arxiv=job.arxiv, slug=job.slug, refresh=job.refresh)
    paper = source.model_dump_json(exclude={"warnings"})
    parsed = stages.of(Stage.PARSE, stage_key(Stage.PARSE, paper), lambda: _parse(source))
    with stages.timed(Stage.ACQUIRE):
        repository, missing = _repository(job, settings, source, parsed)
        if repository:
            remember(settings, repository, origin=job.origin, slug=job.slug)
    warnings = [*source.warnings, *(repository.warnings if repository else ())]
    if parsed is None:
        missing = missing or InputError(f"{source.paper_id} has no LaTeX source ({source.status})")
    held = known.get(source.paper_id)
    if missing:
        if held and not held.partial:
            raise missing
        warnings.append(str(missing))
    embedder = open_embedder(settings)
    judge = _judge(job, settings, embedder) if parsed else None
    if held and held.model and not (judge or job.no_model):
        if parsed is None and missing:
            raise missing
        raise InputError(
            f"{source.paper_id} is in the graph as the model {held.model} judged it, and no model is named",
            remedy="name its profile with --profile; `xkg ingest … --no-model` lets go of what it judged",
        )
    made_from = stage_key(
        Stage.WRITE,
        source.model_dump_json(exclude={"folder", "warnings"}),
        repository.repository.model_dump_json() if repository else "",
        embedder.model_id,
        str(missing is not None),
        *(judge.key if judge else ()),
    ).hex()
    with stages.timed(Stage.MODULES):
        places, stands = _places(repository, rests_on)
    if held and held.fingerprint == made_from and stands and not job.force:
        return Outcome(
            status="unchanged", paper_id=source.paper_id, seconds=stages.seconds,
            processor_seconds=stages.processor_seconds, warnings=tuple(warnings),
        )  # fmt: skip
    broken = None
    try:
        record, judgement, code = _record(stages, source, parsed, repository, embedder, judge)
        broken = _lost(judgement, code)
        if broken and held and not held.partial:
            raise broken
        warnings += [str(broken)] if broken else []
    except BrokenReply as error:
        if held and not held.partial:
            raise
        broken = error
        warnings.append(f"the techniques are those of structure alone: {error}")
        record, judgement, code = _record(stages, source, parsed, repository, embedder, None)
    partial = bool(missing or broken)
    facts = {"ingest_fingerprint": "" if broken else made_from, "ingest_partial": partial, "slug": job.slug}
    more = {"warnings": (*warnings, *record.warnings), "extras": {source.paper_id: facts}, "places": places}
    record = record.model_copy(update=more)
    return Outcome(
        status="partial" if partial else "ready",
        paper_id=source.paper_id,
        record=record,
        judgement=judgement,
        implementations=code.figures() if code else {},
        dropped=code.counts() if code else {},
        seconds=stages.seconds,
        processor_seconds=stages.processor_seconds,
        warnings=record.warnings,
    )


def _places(repository: RepositorySource | None, rests_on: RestsOn) -> tuple[dict[str, str], bool]:
    """What is now where verdicts on code of `repository` rest, and whether those at its commit stand on it."""
    bases = rests_on.get(repository.repository.id, {}) if repository else {}
    if repository is None or not bases:
        return {}, True
    now = BasisReader(repository.folder).present({name for basis in bases.values() for name in parse(basis)})
    return now, set(bases.get(repository.repository.commit, ())).issubset(as_basis(now))


def _parse(source: PaperSource) -> ParsedPaper | None:
    return parse_paper(source.folder, source.main) if source.folder else None


def _record(
    stages: StageResults,
    source: PaperSource,
    parsed: ParsedPaper | None,
    repository: RepositorySource | None,
    embedder: Embedder,
    judge: "_Judge | None",
) -> tuple[PaperRecord, Judgement | None, Judged | None]:
    """What the stages after acquiring and parsing make of a paper and its repository."""
    judged, code, asked = None, None, judge.key if judge else ()
    whole: tuple[CodeUnit, ...] = ()
    paper = source.model_dump_json(exclude={"warnings"})
    record = PaperRecord(paper=source.meta, doc=PaperDoc(main=""), run=_run(judge))
    if parsed:
        tree = stages.of(Stage.EXTRACT, stage_key(Stage.EXTRACT, paper), lambda: StructuralExtractor().extract(parsed))
        if judge:
            key, of_structure, judging = stage_key(Stage.JUDGE, paper, *asked), tree, judge.extractor
            judged = stages.of(
                Stage.JUDGE, key, lambda: judging.judge(parsed, of_structure, source.paper_id), lambda j: not j.lost
            )
            tree = judged.tree
            asked = (*asked, hashlib.sha256(tree.model_dump_json().encode()).hexdigest())
        record = record.model_copy(
            update={
                "doc": parsed.doc,
                "section_texts": section_texts(parsed),
                "techniques": tree,
                "warnings": tuple(f"{w.file}:{w.start}: {w.message}" for w in parsed.doc.warnings),
            }
        )
    files = f"{repository.model_dump_json()} {signature(repository.folder)}" if repository else ""
    if repository:
        folder = repository.folder
        codebase, calls = stages.of(Stage.UNITS, stage_key(Stage.UNITS, files), lambda: _units(folder))
        declared = read_declared(folder)
        facts = {
            "licence": repository.repository.licence or codebase.licence,
            "requirements": declared.requirements,
            "python": declared.python,
        }
        record = record.model_copy(
            update={
                "repository": repository.repository.model_copy(update=facts),
                "units": codebase.units,
                "calls": calls,
                "warnings": record.warnings + codebase.warnings,
            }
        )
        if parsed:
            key = stage_key(Stage.GROUND, paper, files, embedder.model_id, *asked)
            if judge:
                key = stage_key(Stage.JUDGE_CODE, paper, files, embedder.model_id, *asked)
                of, about = (parsed, tree, codebase, embedder, judge.extractor.llm), readme(folder)
                paper_id, room = source.paper_id, judge.room
                found = stages.of(
                    Stage.JUDGE_CODE, key, lambda: judge_tree(*of, paper=paper_id, readme=about, room=room),
                    lambda found: not found.judged.lost,
                )  # fmt: skip
                groundings, code = found.groundings, found.judged
            else:
                groundings = stages.of(Stage.GROUND, key, lambda: ground(parsed, tree, codebase, embedder))
            units = {unit.id: unit.file for unit in codebase.units}
            firsts = [min(g.candidates, key=lambda c: (c.rank, c.unit)) for g in groundings if g.level == "file"]
            whole = file_units(folder, codebase.units, {units[first.unit] for first in firsts})
            record = record.model_copy(update={"groundings": groundings, "units": (*codebase.units, *whole)})
    key = stage_key(Stage.EMBED, paper, files, embedder.model_id, *asked, *sorted(unit.id for unit in whole))
    vectors = stages.of(Stage.EMBED, key, lambda: embed_record(record, embedder))
    return record.model_copy(update={"vectors": vectors}), judged, code


def _lost(judgement: Judgement | None, code: Judged | None) -> BrokenReply | None:
    """What no answer came about, where the rest of the answers stands; None if nothing is missing."""
    parts, sheets = judgement.lost if judgement else (), code.lost if code else ()
    if not (parts or sheets):
        return None
    told = ((parts, "of the paper's techniques"), (sheets, "of its implementations"))
    what = " and ".join(f"{len(faults)} {of} ({', '.join(sorted(set(faults)))})" for faults, of in told if faults)
    return BrokenReply(
        f"questions without an answer: {what}; there, what is known without a model stands", fault=(*parts, *sheets)[0]
    )


@dataclass(frozen=True)
class _Judge:
    """A model that judges, and all of how it is asked that its result depends on."""

    extractor: JudgedExtractor
    room: Room
    key: tuple[str, ...]


def _judge(job: Job, settings: Settings, embedder: Embedder) -> _Judge | None:
    """The model that the job or the settings name, if they name one. Raises InputError where it can't be asked."""
    if job.no_model or not (job.profile or settings.llm.profile):
        return None
    llm, retrieved = LLM(settings, job.profile, run=job.run), settings.techniques.retrieved
    profile, shown = llm.profile.model_dump_json(include=ASKED_BY), settings.implementations.model_dump_json()
    return _Judge(
        JudgedExtractor(llm, embedder, retrieved=retrieved), Room.of(llm, settings.implementations),
        (profile, str(retrieved), shown, fingerprint(Stage.JUDGE)),
    )  # fmt: skip


def _units(folder: Path) -> tuple[CodeBase, tuple[tuple[str, str], ...]]:
    """The units of a repository, and who calls whom where that is unambiguous.

    What stands in files whose names would break or steer a line that shows them is left out.
    """
    codebase = read_units(folder)
    odd = sorted({unit.file for unit in codebase.units if _UNSHOWABLE.search(unit.file)})
    if odd:
        told = tuple(f"{file!a}: its name holds control characters; skipped" for file in odd)
        units = tuple(unit for unit in codebase.units if unit.file not in odd)
        codebase = codebase.model_copy(update={"units": units, "warnings": codebase.warnings + told})
    return codebase, tuple((c.caller, c.callee) for c in call_graph(codebase) if c.definitions == 1)


def _repository(
    job: Job, settings: Settings, source: PaperSource, parsed: ParsedPaper | None
) -> tuple[RepositorySource | None, XkgError | None]:
    """The job's repository, else the one the paper calls its own; or why that one can't be had.

    A repository that the curator named must be there: its failure is raised.
    """
    hint = find_repository(texts(parsed) if parsed else [], _known_meta(source, parsed))
    if job.repo:
        found = acquire_repository(job.repo, settings, origin=job.origin, slug=job.slug, refresh=job.refresh)
        return _named_by_curator(found, hint), None
    if job.no_repo or hint is None:
        return None, None
    try:
        open_blacklist(settings).refuse("the repository that the paper names", hint.url)
        if hint.host != "github.com":
            raise InputError(
                f"the paper's repository is on {hint.host}, which can't be fetched from",
                where=hint.url,
                remedy="clone it and give the folder with --repo",
            )
        found = acquire_repository(hint.ref, settings, refresh=job.refresh)
    except XkgError as error:
        return None, error
    return _with_evidence(found, official=True, evidence=f"{hint.where}: {hint.evidence}"), None


def _known_meta(source: PaperSource, parsed: ParsedPaper | None) -> PaperMeta:
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


def _run(judge: _Judge | None) -> RunInfo:
    versions = {"xkg": version("xkg"), "program": fingerprint(*before(Stage.WRITE))}
    return RunInfo(
        command="ingest", versions=versions | ({"model": judge.extractor.llm.profile.model} if judge else {})
    )
