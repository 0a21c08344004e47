"""What a plan is made of: candidates, each with what speaks for and against it as typed fields."""

from typing import Literal

from ingest.corpus.estimate import Estimate
from kg.models.paper import Model

__all__ = ["Candidate", "Check", "CorpusPlan", "Reference", "Rule", "Source", "State"]

Source = Literal["reference", "technique"]
Rule = Literal["target", "blacklist", "latex", "repository", "licence"]
"""Not the target or its repository; not blacklisted; has LaTeX; an own repository; whose licence is known."""
State = Literal["pass", "fail", "waived", "unknown"]


class Reference(Model):
    """A work that the target cites, and how.

    `cited` counts the sentences that cite it, `in_method` those of the target's method, `builds_on` those that say it
    builds on the work, adapts or follows it; `shared` are techniques of the target whose words the title shares,
    `overlap` the greatest share of such words. `quote` is the sentence that says most. `place` is the model's, from 1.
    """

    keys: tuple[str, ...]
    title: str
    year: int | None = None
    arxiv: str | None = None
    score: float = 0.0
    cited: int = 0
    in_method: int = 0
    builds_on: int = 0
    overlap: float = 0.0
    shared: tuple[str, ...] = ()
    quote: str = ""
    place: int | None = None


class Check(Model):
    """What one rule says of a candidate, and by what."""

    rule: Rule
    state: State
    detail: str = ""


class Candidate(Model):
    """A paper that was thought of. `paper`, `main`, `repo`, `arxiv` are as in a corpus file, `slug` its table.

    `reference` tells how the target cites it, `technique` by which name it was found, `score` ranks those of one
    source. It is `chosen` if no rule fails and it is among the best.
    """

    slug: str
    paper: str
    title: str
    source: Source
    score: float
    chosen: bool
    main: str | None = None
    repo: str | None = None
    arxiv: str | None = None
    origin: str | None = None
    reference: Reference | None = None
    technique: str = ""
    checks: tuple[Check, ...] = ()
    estimate: Estimate | None = None

    @property
    def against(self) -> tuple[Check, ...]:
        """What keeps it out."""
        return tuple(check for check in self.checks if check.state in ("fail", "unknown"))


class CorpusPlan(Model):
    """Which papers to ingest for a target, and what that will cost. `techniques` are those that were searched for."""

    target: str
    title: str
    techniques: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    estimate: Estimate
    profile: str | None = None
    warnings: tuple[str, ...] = ()
