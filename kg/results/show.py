"""Rows of the show commands: papers, techniques and code with what stands around them. What is `imported` a file says,
and this home has not read it from its source."""

from contextlib import suppress
from typing import Any

from pydantic import ValidationError, field_validator

from kg.models.code import Part, Standing
from kg.models.paper import Model
from kg.results import Row
from kg.results.search import CodeFacts, GroundedCode


class Named(Model):
    """Another node by id and name."""

    id: str
    name: str | None


class Titled(Model):
    """Another paper by id and title."""

    id: str
    title: str


class NodeName(Row):
    """A node that a person may mean; `status` is a paper's."""

    id: str
    name: str
    aliases: list[str]
    status: str | None


class FoundById(NodeName):
    """A node found by its id, or by the beginning or end of it."""

    query = "show/find_by_id"


class FoundByText(NodeName):
    """A node found by its words."""

    query = "show/find_by_text"


class ImplementationRow(GroundedCode, Row):
    """Code of a technique with its evidence; `standing` says how surely it is that.

    `score` is the evidence's, `confidence` the calibrated probability of being right, `why` the share of each kind of
    evidence, `level` "unit" or "file" for what is asserted, None for all else. What a model judged does that `part` of
    the technique, by the lines of `quotes`, which carry out the places of the paper in `realises`; `disagrees` where
    model and evidence point to different code.
    """

    query = "show/list_implementations"
    standing: Standing
    rank: int | None
    confidence: float | None
    method: str | None
    why: dict[str, float]
    reason: str | None
    verdict_reason: str
    test_kind: str | None
    mutants: int
    killed: int
    origin: str | None
    language: str | None
    signature: str
    part: Part | None
    quotes: list[str]
    realises: list[str]
    disagrees: bool

    @field_validator("why", mode="before")
    @classmethod
    def _by_name(cls, shares: list[dict[str, Any]]) -> dict[str, Any]:
        return {one["name"]: one["share"] for one in sorted(shares, key=lambda one: str(one["name"]))}


class ListedPaper(Row):
    """A paper with counts of what the graph holds of it; `grounded` techniques have asserted code,
    `likely` ones no more than likely code."""

    query = "show/list_papers"
    id: str
    title: str
    authors: list[str]
    year: int | None
    status: str
    version: str | None
    techniques: int
    grounded: int
    likely: int
    code: int
    sections: int
    cites: int


class ListedTechnique(Row):
    """A technique with its place in a paper's tree: `parent` is None at the top. `code` is asserted, `likely` not."""

    query = "show/list_techniques"
    id: str
    parent: str | None
    order: int
    name: str
    gloss: str
    imported: bool
    kind: str | None
    weight: float | None
    code: list[GroundedCode]
    likely: list[GroundedCode]
    candidates: int


class CodeTechnique(Named):
    """A technique that code implements, as surely as `standing` says."""

    standing: Standing
    score: float | None
    rank: int | None
    level: str | None


class ShownExecution(Model):
    """An execution of a piece of code, and the `verdict` that it gave; the `current` one is what the code rests on.

    `packages` are "name version", `enforced` "protection: how", seconds wall seconds, `peak_memory` bytes, `log` the
    sha256 of its log.
    """

    id: str
    current: bool
    verdict: str | None
    date: str | None
    backend: str | None
    environment: str | None
    python: str | None
    packages: list[str] | None
    strategy: str | None
    enforced: list[str]
    waived: list[str]
    exit_code: int | None
    signal: int | None
    limit: str | None
    wall_s: float | None
    peak_memory: int | None
    log: str | None
    code_sha256: str | None
    test_sha256: str | None


class ShownRewrite(Model):
    """How code was rewritten: from which `source`, of which `techniques`, importing which others (`reuses`); why no
    more was asked (`stop`), what is wrong with it (`cause`), the model's first text where it is another (`draft`).

    Of `inputs` calls that the repository's tests make, `equal` gave what the original gives; `difference` is the first
    that did not, `left_out` are those of which nothing can be said. `lifted` are its parameters that the original has
    not, each with what it stands for there.
    """

    source: str | None
    techniques: list[str]
    reuses: list[str]
    rounds: int
    stop: str
    cause: str | None
    changes: list[str]
    lifted: list[str]
    draft: str | None
    fidelity: str
    inputs: int
    equal: int
    left_out: int
    difference: str


class ShownOpenTest(Model):
    """A written test that a blind reading called open (kg.models.execution.OpenTest)."""

    test: str
    quotes: tuple[str, ...]
    why: str
    held: bool
    withdrawn: bool
    elsewhere: bool = False


class ShownCode(CodeFacts, Row):
    """A piece of code with its source; `start` and `end` are bytes, `claimed_pass_exec` is an importer's claim.

    `module` is the self-contained module that was cut for it when it was judged, a JSON object, and `text_sha256` the
    hash of the implementation then; of `mutants`, `killed` made its test fail. `test_model` was asked for a test by the
    prompt whose file has the sha256 `test_prompt`, in the run `test_run`;
    `test_left_out` is what it wrote that may not count, and why, `test_opened` what a blind reading called open.
    `imports` are those of its file, `calls` names as it calls them, `uses` what of these is known to be in the graph.
    `rewrite` tells of a rewrite, which `model` wrote; `rewrites` are those of this code.
    """

    query = "show/read_code"
    id: str
    name: str
    imported: bool
    symbol: str
    start: int | None
    end: int | None
    documentation: str
    implementation: str
    test: str
    requirements: list[str]
    claimed_pass_exec: bool | None
    failure_class: str | None
    failure_line: str | None
    test_kind: str | None
    test_model: str | None
    test_prompt: str | None
    test_run: str | None
    test_left_out: str
    test_opened: list[ShownOpenTest]
    mutants: int
    killed: int
    killed_by_assertion: int
    survivors: list[str]
    verdict_date: str | None
    text_sha256: str | None
    module: str | None
    module_sha256: str | None
    executions: list[ShownExecution]
    implements: list[CodeTechnique]
    uses: list[Named]
    used_by: list[Named]
    imports: list[str]
    bases: list[str]
    calls: list[str]
    member_of: Named | None
    members: list[Named]
    model: str | None
    rewrite: ShownRewrite | None
    rewrites: list[str]

    @field_validator("test_opened", mode="before")
    @classmethod
    def _readable(cls, stored: list[Any]) -> list[ShownOpenTest]:
        """Those that are in the form in which they are written here; a graph may be anybody's."""
        found = []
        for one in stored:
            with suppress(ValidationError):
                found.append(ShownOpenTest.model_validate_json(one) if isinstance(one, str) else one)
        return found


class PaperRepository(Model):
    """A repository of a paper; `official` if it is known to be its own, `evidence` the sentence that says so,
    `requirements` and `python` what it says that it needs."""

    id: str
    url: str | None
    commit: str | None
    licence: str | None
    official: bool | None
    evidence: str | None
    requirements: list[str]
    python: str | None


class PaperSection(Model):
    """A section of a paper; its span in bytes."""

    id: str
    number: str | None
    title: str | None
    level: int | None
    file: str | None
    start: int | None
    end: int | None


class ShownPaper(Row):
    """A paper; `warnings` are those of its reading, `cites` and `cited_by` papers of this graph."""

    query = "show/read_paper"
    id: str
    title: str
    imported: bool
    authors: list[str]
    year: int | None
    status: str
    version: str | None
    licence: str | None
    url: str | None
    comment: str | None
    abstract: str
    main: str | None
    warnings: list[str]
    repositories: list[PaperRepository]
    sections: list[PaperSection]
    cites: list[Titled]
    cited_by: list[Titled]


class TechniqueOfPaper(Named):
    """A technique and the id of its paper."""

    paper: str | None


class TechniqueConcept(Named):
    """A concept that a technique is an instance of, with the concept's other techniques."""

    score: float | None
    decided_by: str | None
    techniques: list[TechniqueOfPaper]


class DescribedIn(Named):
    """A piece of the paper that describes a technique; `span` is ``file:start-end``, `kind` "section", "equation",
    "algorithm", "figure", "table" or "paper". Of equations and algorithms there is the `latex`."""

    kind: str
    span: str | None
    latex: str | None


class ShownQuote(Model):
    """Words of the paper that name ("naming"), define ("definition") or tell more of a technique ("context"); `place`
    is the name of the piece that says them, `span` ``file:start-end``."""

    role: str
    text: str
    place: str
    span: str


class ShownTechnique(Row):
    """A technique with its surroundings; `spans` are ``file:start-end``, `signals` what it was found by.

    `subject`, `comparator`, `number` and `dataset` are what a finding compares.
    """

    query = "show/read_technique"
    id: str
    name: str
    imported: bool
    kind: str | None
    aliases: list[str]
    definition: str
    weight: float | None
    signals: list[str]
    spans: list[str]
    method: str | None
    paper: str | None
    paper_title: str
    parents: list[Named]
    components: list[Named]
    needs: list[Named]
    concepts: list[TechniqueConcept]
    described_in: list[DescribedIn]
    status: str | None
    coined: bool
    gloss: str
    inputs: list[str]
    outputs: list[str]
    steps: list[str]
    subject: str | None
    comparator: str | None
    number: str | None
    dataset: str | None
    model: str | None
    quotes: list[ShownQuote]


class Formula(Model):
    """An equation or an algorithm as it is printed."""

    id: str
    latex: str


class PlannedTechnique(Row):
    """A technique as a plan needs it: nothing of any code. `parent` is None at the top, `needs` names others that it
    rests on, `places` are ids of the sections that describe it."""

    query = "show/read_plan"
    id: str
    parent: str | None
    order: int
    name: str
    imported: bool
    kind: str | None
    definition: str
    inputs: list[str]
    outputs: list[str]
    needs: list[str]
    formulas: list[Formula]
    places: list[str]
