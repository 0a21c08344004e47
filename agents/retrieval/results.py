"""What a judged search gives: the hits as the graph tells them, and beside them what a model makes of each."""

from enum import StrEnum
from typing import Literal

from agents.llm import Fault
from agents.retrieval.reply import Refusal, Relevance
from kg.models.paper import Model
from kg.search.results import CodeHit, TechniqueHit

__all__ = [
    "Drop",
    "Dropped",
    "Failure",
    "FailureKind",
    "Found",
    "JudgedSearch",
    "Kept",
    "Query",
    "Rejected",
    "Seen",
    "State",
    "Step",
]

State = Literal["judged", "not judged", "nothing found"]
"""Whether a model has judged the hits; "nothing found" if there were none to judge."""
Step = Literal["decompose", "rerank"]
"""The two questions, by the names of their prompts."""
FailureKind = Literal["limit reached", "model not available", "broken reply", "answer not kept", "prompt too long"]


class Drop(StrEnum):
    """Why something that a model said does not stand, or why a hit was not judged."""

    EMPTY = "technique without words"
    TOO_LONG = "technique too long"
    TWICE = "technique named twice"
    TOO_MANY = "more techniques than were asked for"
    UNKNOWN_HIT = "unknown hit"
    JUDGED_TWICE = "hit judged twice"
    NOT_JUDGED = "hit not judged"
    NOT_SHOWN = "hit not shown, for want of room"
    FALSE_QUOTE = "quote not in hit"


class Dropped(Model):
    """Something that does not stand; `said` is what the model said, or the hit that it said nothing of."""

    why: Drop
    said: str


class Failure(Model):
    """Why a question got no answer; `fault` is what was wrong with the call, None if none was made."""

    step: Step
    kind: FailureKind
    fault: Fault | None
    message: str


class Query(Model):
    """What was searched for: the task itself (first), or one of its techniques."""

    name: str
    text: str


class Found(Model):
    """That query number `query` found a hit: its `rank` among the hits of its kind, and the true scores of the search
    (see kg.search.results.Evidence)."""

    query: int
    rank: int
    score: float
    relevance: float
    cosine: float | None


class Seen(Model):
    """A hit as the graph tells it, for the query that it is nearest to, and how each query found it."""

    hit: TechniqueHit | CodeHit
    found: tuple[Found, ...]


class Kept(Seen):
    """A hit that helps. All but `hit` and `found` is the model's; `quotes` occur in what it was shown of the hit."""

    relevance: Relevance
    why: str
    guidance: str
    beware: str
    quotes: tuple[str, ...]


class Rejected(Seen):
    """A hit that does not help, and why the model says so."""

    reason: Refusal
    why: str


class JudgedSearch(Model):
    """The answer to a task. `kept` is in the model's order, direct ones first; `unjudged` are hits, in the order of the
    search, that the model was not asked about or said nothing of: all of them where `state` is "not judged".

    `searched` counts the nodes looked through by kind, `tokens_in` and `tokens_out` what the answers took when they
    were given, kept ones among them; `prompts` are the sha256 of those that were answered.
    """

    task: str
    state: State
    queries: tuple[Query, ...]
    kept: tuple[Kept, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    unjudged: tuple[Seen, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    failures: tuple[Failure, ...] = ()
    searched: dict[str, int]
    model: str
    prompts: dict[str, str]
    calls: int
    tokens_in: int
    tokens_out: int
