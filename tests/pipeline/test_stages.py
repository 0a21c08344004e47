"""A change of the program redoes the stage it belongs to and what comes after it; no source file is undeclared."""

import hashlib
import os
import pickle
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

import ingest.stages
from ingest.pipeline.job import Job, Outcome, prepare
from ingest.pipeline.results import DIGEST, StageResults, stage_key
from ingest.stages import ROOT, STAGES, VERDICT, Stage, before, fingerprint, stage_of
from kg.config import Settings
from kg.errors import InputError
from kg.models.record import CodeRefs
from kg.results.write import IngestedPaper
from kg.verdicts import as_basis

PACKAGES = ("kg", "agents", "ingest", "cypher", "prompts")
REPOSITORY = Path(__file__).parent.parent.parent
EXAMPLE = REPOSITORY / "examples/reservoir"
WHO = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
JUDGED = {"folder:r": {"c0": ("0 read streamsample/reservoir.py", "0 everything")}}

DECIDES_NOTHING = {
    "kg": "the package alone",
    "kg.blacklist": "it refuses and hides, and changes nothing",
    "kg.caching": "where things are kept",
    "kg.concepts": "concepts are made anew after every ingest",
    "kg.config": "settings are inputs of their own",
    "kg.connection": "where the graph is",
    "kg.database_errors": "what a person reads",
    "kg.errors": "what a person reads",
    "kg.files": "where things are kept",
    "kg.free_reading": "it reads, and its transaction is rolled back",
    "kg.migrations": "a graph that it changes says so itself",
    "kg.printing": "what a person reads",
    "kg.retrying": "how long is waited",
    "kg.server": "where the graph is",
    "kg.verdicts": "the gate is asked at each write of a verdict",
    "agents": "the package alone",
    "agents.llm": "what is asked and how is told by prompts, profile and schema",
    "ingest": "the package alone",
    "ingest.stages": "the declaration itself",
    "prompts": "prompts are declared file by file",
    "ingest.rewriting": "which code is rewritten and when, not what is found",
    "ingest.verification": "which code is judged and when, not what is found",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product's sources that tests may change."""
    root = tmp_path_factory.mktemp("tree")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def copied(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The fingerprints are those of the copy."""
    monkeypatch.setattr(ingest.stages, "ROOT", tree)
    ingest.stages._hash.cache_clear()
    yield tree
    ingest.stages._hash.cache_clear()


class Touched:
    """Files of the copy with a line more, as long as the block lasts."""

    def __init__(self, *files: Path) -> None:
        self.former = {file: file.read_bytes() for file in files}

    def __enter__(self) -> None:
        for file, content in self.former.items():
            file.write_bytes(content + b"\n")
        ingest.stages._hash.cache_clear()

    def __exit__(self, *_: object) -> None:
        for file, content in self.former.items():
            file.write_bytes(content)
        ingest.stages._hash.cache_clear()


def files_of(root: Path, stage: Stage) -> list[str]:
    return sorted(
        file
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
        if stage_of(file := path.relative_to(root).as_posix()) is stage
    )


def test_what_is_declared_is_there() -> None:
    for stage, declared in STAGES.items():
        assert [path for path in declared.paths if not (ROOT / path).exists()] == []
        assert files_of(ROOT, stage), stage


@pytest.mark.parametrize("stage", Stage)
def test_a_change_counts_for_its_own_stage_alone(stage: Stage, copied: Path) -> None:
    former = {each: fingerprint(each) for each in Stage}
    kinds: dict[str, str] = {Path(file).suffix: file for file in files_of(copied, stage)}
    for file in kinds.values():
        with Touched(copied / file):
            assert {each for each in Stage if fingerprint(each) != former[each]} == {stage}, file
    assert {each: fingerprint(each) for each in Stage} == former


def test_queries_that_find_units_are_inputs_of_units() -> None:
    assert any(file.endswith(".scm") for file in files_of(ROOT, Stage.UNITS))


@pytest.mark.parametrize("stage", Stage)
def test_a_verdict_rests_on_what_reads_cuts_and_runs_code(stage: Stage, copied: Path) -> None:
    former = fingerprint(*VERDICT)
    with Touched(copied / files_of(copied, stage)[0]):
        assert (fingerprint(*VERDICT) != former) == (stage in VERDICT)


def _settings(home: Path) -> Settings:
    return Settings(home=home, cache=Settings().cache)


def _prepare(home: Path, known: dict[str, IngestedPaper] | None = None, **more: object) -> Outcome:
    job = Job(name="r", slug="r", paper=str(EXAMPLE / "paper"), repo=str(EXAMPLE / "code"), **more)
    return prepare(job, _settings(home), known or {}, JUDGED)


def _done(outcome: Outcome) -> set[Stage]:
    return {Stage(name) for name in outcome.seconds} - {Stage.ACQUIRE, Stage.MODULES}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stages")


INGEST = before(Stage.WRITE)
KEPT = frozenset(INGEST) - {
    Stage.MODELS, Stage.ACQUIRE, Stage.JUDGE, Stage.JUDGE_CODE, Stage.MODULES, Stage.ENVIRONMENTS, Stage.WRITE
}  # fmt: skip
"""A model is asked only where a profile names one. Acquiring looks each time whether its sources are the same,
verdicts whether what they rest on is, and writing compares with the graph."""


LOST = r"""\documentclass{article}\title{Sorting}\begin{document}
We propose Tidal Sorting. Our code is at \url{https://gitlab.com/me/thing}.
\end{document}"""
"""A paper that names a repository which can't be had here."""


def _held(outcome: Outcome) -> dict[str, IngestedPaper]:
    """What the graph would say of it."""
    assert outcome.record
    made_from = str(outcome.record.extras[outcome.paper_id]["ingest_fingerprint"])
    return {outcome.paper_id: IngestedPaper(id=outcome.paper_id, fingerprint=made_from, partial=False, model="")}


@pytest.mark.parametrize("stage", Stage)
def test_what_a_change_redoes(stage: Stage, copied: Path, home: Path) -> None:
    whole = _prepare(home)
    with Touched(copied / files_of(copied, stage)[0]):
        changed = _prepare(home, _held(whole))
        assert changed.status == ("ready" if stage in INGEST else "unchanged")
        assert _done(changed) == {each for each in KEPT if stage in before(each)}
        if changed.record and whole.record:
            assert changed.record.groundings == whole.record.groundings


def test_nothing_is_redone_without_a_change_unless_it_is_forced(home: Path) -> None:
    whole = _prepare(home)
    assert whole.processor_seconds.keys() == whole.seconds.keys()
    again = _prepare(home)
    assert again.record == whole.record
    assert _done(again) == set()
    assert _prepare(home, _held(whole)).status == "unchanged"
    assert _done(_prepare(home, force=True)) == KEPT


@pytest.mark.parametrize("partial", [False, True])
def test_what_a_model_judged_stays_though_its_repository_is_gone(home: Path, tmp_path: Path, partial: bool) -> None:
    """Neither a missing model nor a missing repository may take what was judged."""
    (tmp_path / "main.tex").write_text(LOST)
    job = Job(name="p", slug="p", paper=str(tmp_path))
    held = {"local:p": IngestedPaper(id="local:p", fingerprint="x", partial=partial, model="judge")}
    with pytest.raises(InputError):
        prepare(job, _settings(home), held)
    assert prepare(job, _settings(home), {}).status == "partial"
    assert prepare(job.model_copy(update={"no_model": True}), _settings(home), {}).status == "partial"


def test_whole_files_that_other_answers_chose_get_vectors(tmp_path: Path) -> None:
    """Equal inputs need not give equal groundings: answers that a model did not give are asked for again."""
    first = _prepare(tmp_path)
    assert first.record
    (kept,) = tmp_path.glob(f"stages/*/{Stage.GROUND.value}")
    chosen = [one.model_copy(update={"level": "file" if one.candidates else "none"}) for one in first.record.groundings]
    content = pickle.dumps(tuple(chosen))
    kept.write_bytes(kept.read_bytes()[:DIGEST] + hashlib.sha256(content).digest() + content)
    again = _prepare(tmp_path)
    assert again.record
    assert again.record.vectors
    code = CodeRefs(again.record)
    whole = {code.unit(unit.id)[1] for unit in again.record.units if unit.kind == "file"}
    assert whole
    assert whole <= set(again.record.vectors.ids)


def test_a_changed_file_redoes_what_reads_it(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "r")
    job = Job(name="r", slug="r", paper=str(tmp_path / "r/paper"), repo=str(tmp_path / "r/code"))
    origin = job.model_copy(update={"origin": "someone/r@c1"})
    for each in (job, origin):
        prepare(each, _settings(tmp_path / "home"), {}, JUDGED)
        file = tmp_path / "r/code/streamsample/reservoir.py"
        file.write_text(file.read_text() + f"\n\ndef added_{bool(each.origin)}():\n    pass\n")
        changed = prepare(each, _settings(tmp_path / "home"), {}, JUDGED)
        assert Stage.PARSE not in _done(changed)
        assert Stage.UNITS in _done(changed)
        assert changed.record
        assert any(unit.symbol == f"added_{bool(each.origin)}" for unit in changed.record.units)
        assert bool(changed.record.places) == (each is job)


def test_a_file_that_git_ignores_counts_for_the_verdicts_that_rest_on_it(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "r")
    code = tmp_path / "r/code"
    (code / ".gitignore").write_text("ignored.json\n")
    (code / "ignored.json").write_text("1")
    for arguments in (["init", "-q"], ["add", "-A"], [*WHO, "commit", "-qm", "all"]):
        subprocess.run(["git", "-C", str(code), *arguments], check=True)
    job = Job(name="r", slug="r", paper=str(tmp_path / "r/paper"), repo=str(code))
    whole = prepare(job, _settings(tmp_path / "home"), {}, {"folder:r": {"c0": ("0 read ignored.json",)}})
    assert whole.record
    assert whole.record.repository
    judged = {"folder:r": {whole.record.repository.commit: as_basis(whole.record.places)}}
    assert prepare(job, _settings(tmp_path / "home"), _held(whole), judged).status == "unchanged"
    (code / "ignored.json").write_text("2")
    changed = prepare(job, _settings(tmp_path / "home"), _held(whole), judged)
    assert changed.status == "ready"
    assert changed.record
    assert changed.record.places != whole.record.places
    assert changed.record.repository == whole.record.repository


def _kept(tmp_path: Path) -> tuple[StageResults, Path]:
    results = StageResults(_settings(tmp_path), "p")
    key = stage_key(Stage.PARSE, "x")
    assert results.of(Stage.PARSE, key, lambda: 1) == 1
    assert results.of(Stage.PARSE, key, lambda: 2) == 1
    (file,) = (path for path in tmp_path.rglob(Stage.PARSE.value) if path.is_file())
    return results, file


def test_a_damaged_result_is_made_again(tmp_path: Path) -> None:
    results, file = _kept(tmp_path)
    content = file.read_bytes()
    for damaged in (b"", content[:40], content[:-1], content[:-1] + b"x"):
        file.write_bytes(damaged)
        assert results.of(Stage.PARSE, stage_key(Stage.PARSE, "x"), lambda: 3) == 3


class Harm:
    """Does harm when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("harm",)


def test_what_others_may_have_written_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results, file = _kept(tmp_path)
    monkeypatch.chdir(tmp_path)
    key = stage_key(Stage.PARSE, "x")
    assert results.of(Stage.PARSE, stage_key(Stage.PARSE, "y"), lambda: 0) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    content = pickle.dumps(Harm())
    file.write_bytes(key + ingest.pipeline.results.hashlib.sha256(content).digest() + content)
    file.chmod(0o666)
    assert results.of(Stage.PARSE, key, lambda: 4) == 4
    assert not (tmp_path / "harm").exists()


def _decides_nothing(module: str) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:length]) in DECIDES_NOTHING for length in range(2, len(parts) + 1)) or (
        module in DECIDES_NOTHING
    )


def _file(module: str) -> str:
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"


def test_what_decides_something_is_declared_and_imports_only_what_is_declared() -> None:
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    reached = {"ingest.pipeline.pipeline", "ingest.verification.runner"}
    reached |= {module for start in set(reached) for module in graph.find_upstream_modules(start)}
    undeclared = [m for m in sorted(reached) if stage_of(_file(m)) is None and not _decides_nothing(m)]
    assert undeclared == [], "give them to a stage of ingest.stages"
    wrong = []
    for module in sorted(graph.modules):
        if (stage := stage_of(_file(module))) is None:
            continue
        for imported in graph.find_modules_directly_imported_by(module):
            other = stage_of(_file(imported))
            if other not in before(stage) if other else not _decides_nothing(imported):
                wrong.append(f"{module} ({stage.value}) imports {imported} ({other and other.value})")
    assert wrong == []
