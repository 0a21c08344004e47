"""Rows of searches: candidates, their neighbours, and what a hit shows of its node."""

from kg.models.code import Standing
from kg.models.paper import Model
from kg.results import Row


class WordCount(Model):
    """In how many nodes of a full-text index a word occurs; so `common` are those in more than were counted."""

    index: str
    word: str
    documents: int
    common: bool


class SearchState(Row):
    """What a search must know first; `totals` counts nodes by kind of search, `model_id` is None without vectors."""

    query = "search/read_state"
    model_id: str | None
    totals: dict[str, int]
    frequencies: list[WordCount]


class CandidateRow(Row):
    """A node that is near the query's vector (`near`), matches its words (Lucene's `score`), or both.

    `cosine` is exact, None for a node without vector, `context` that of what stands around it; `texts` are those in
    which words are looked for. `kind` and `role` are empty for nodes that have none.
    """

    query = "search/find_candidates"
    id: str
    name: str
    aliases: list[str]
    kind: str
    role: str
    near: bool
    score: float | None
    cosine: float | None
    context: float | None
    texts: list[str]


class Fitting(Row):
    """A node that is as a search is narrowed to."""

    query = "search/keep_only"
    id: str


class SpelledNames(Row):
    """The names in which a word like one of a query's may stand."""

    query = "search/find_spellings"
    word: str
    names: list[str]


class Neighbour(Row):
    """A node beside one that was found (`source`): how they are related, and how strongly, 0 to 1."""

    source: str
    relation: str
    id: str
    name: str
    kind: str
    role: str
    strength: float
    cosine: float | None
    texts: list[str]


class RelatedTechnique(Neighbour):
    """A technique of the same concept, of the same tree, or that found code implements."""

    query = "search/find_related_techniques"


class RelatedCode(Neighbour):
    """Code that is asserted for a found technique, likely its implementation, or one of its candidates."""

    query = "search/find_related_code"


class RelatedPaper(Neighbour):
    """The paper of a found technique."""

    query = "search/find_related_papers"


class RelatedSection(Neighbour):
    """A section that describes a found technique."""

    query = "search/find_related_sections"


class Described(Row):
    """What every hit shows; `text` is the beginning of what the node says; if `imported`, that is a file's word."""

    id: str
    name: str
    text: str
    imported: bool


class GroundedCode(Model):
    """Code of a technique, where it stands, and its score: the evidence's, or, where a model judged it, the probability
    of being right, as a unit that the evidence knows nothing of may be asserted; 1 by a curator's word."""

    id: str
    name: str
    score: float | None
    level: str | None
    verdict: str
    licence: str | None
    repository: str | None
    commit: str | None
    file: str | None
    line: int | None
    end_line: int | None


class TechniqueFacts(Model):
    """What a search shows of a technique; `candidates` counts code that may implement it but is not asserted to."""

    kind: str
    aliases: tuple[str, ...]
    paper: str
    paper_title: str
    candidates: int


class DescribedTechnique(TechniqueFacts, Described):
    """A technique with its best code: what is asserted, and what is likely."""

    query = "search/describe_techniques"
    code: list[GroundedCode]
    likely: list[GroundedCode]


class CodeFacts(Model):
    """What every view of a piece of code shows; `line` is 0 where it is not known, `test_state` what came of tests that
    a model was asked for: of what the repository's own tests verify, "holds" where these hold, too."""

    kind: str
    language: str
    origin: str
    role: str
    verdict: str
    verdict_reason: str
    test_state: str | None
    licence: str | None
    repository: str | None
    url: str | None
    commit: str | None
    file: str
    line: int
    end_line: int
    signature: str


class DescribedCode(CodeFacts, Described):
    """A piece of code with the names of techniques that it implements, and of those that it likely does."""

    query = "search/describe_code"
    implements: tuple[str, ...]
    likely: tuple[str, ...]


class PaperFacts(Model):
    """What a search shows of a paper; `techniques` counts those at the top of its tree."""

    authors: tuple[str, ...]
    year: int | None
    techniques: int


class DescribedPaper(PaperFacts, Described):
    """A paper with the beginning of its abstract."""

    query = "search/describe_papers"


class SectionFacts(Model):
    """What a search shows of a section; `file`, `start` and `end` are its span in bytes of the paper's source."""

    paper: str
    paper_title: str
    number: str
    file: str
    start: int
    end: int


class DescribedSection(SectionFacts, Described):
    """A section with the beginning of its text."""

    query = "search/describe_sections"


class HitText(Row):
    """What a technique or a piece of code says at length, each text cut at a number of characters."""

    query = "search/read_texts"
    id: str
    text: str
    implementation: str


class VerifiedPair(CodeFacts, Row):
    """A technique and code of it that the graph calls verified; `id` and `name` are the code's, `standing` says how
    surely it is the technique's ("asserted", "likely"), `score` by which evidence."""

    query = "search/list_pairs"
    technique: str
    technique_name: str
    definition: str
    paper: str
    paper_title: str
    standing: Standing
    score: float | None
    id: str
    name: str
    imported: bool
