"""Techniques of a paper, grounded in the units of its repository."""

from agents.code.units import CodeBase
from ingest.ground.assertion import Assertion, judge, load_calibration
from ingest.ground.features import Embeds
from ingest.ground.index import CodeIndex
from ingest.ground.query import Query, query_from_text
from ingest.ground.rank import MAX_SCORE, Ranking, rank
from ingest.ground.words import spelled
from ingest.latex import ParsedPaper
from kg.models.code import Candidate, Grounding, Standing
from kg.models.technique import Technique, TechniqueTree

__all__ = ["CANDIDATES", "METHOD", "UNGROUNDED_KINDS", "candidate", "ground", "grounding", "technique_query"]

CANDIDATES = 5
METHOD = "fused/3"
"""Name of this way of grounding, stored with each edge; a change that moves scores gets a new number."""

LEAST = 0.1
"""Confidence below which nothing is a candidate: where so little speaks for the first, the others are noise."""
LEAST_SHARE = 0.5
"""Share of the first one's score that a further candidate has at least.

On the hand labels, both together take a sixth of all candidates, a third of those of techniques without code; a right
unit is among five for 90.4 % of the labels, not 91.2 %. From a paper's own techniques it is for 68.0 %, not 68.8 %, and
398 of 2,120 candidates go.
"""

AFTER = 2_600
"""Characters of the flat text from a span's start on whose words are taken."""

UNGROUNDED_KINDS = frozenset({"finding", "resource"})


def technique_query(technique: Technique, parsed: ParsedPaper) -> Query:
    """A technique's name and aliases, with its definition and the text from its best span on that was read.

    The text goes on past the span's end: short windows would look fuller of the code's words than long ones.
    """
    text = technique.definition
    for span in technique.spans:
        start = parsed.flat.locate(span.file, span.start)
        if start is not None:
            text = f"{text}\n{parsed.reading.text(start, start + AFTER)}"
            break
    return query_from_text(technique.id, technique.name, text, technique.aliases)


def ground(parsed: ParsedPaper, tree: TechniqueTree, codebase: CodeBase, embedder: Embeds) -> tuple[Grounding, ...]:
    """A grounding for each technique of `tree`, parents first: at most five candidates, and how sure the first is; none
    where too little speaks for any.

    Findings and resources compete for units like all others, but none is asserted or likely theirs. Deterministic.
    """
    techniques = list(tree.walk())
    queries = [technique_query(technique, parsed) for technique in techniques]
    ranking = rank(CodeIndex(codebase), queries, spelled(parsed.reading.text()), embedder)
    assertions = judge(ranking, load_calibration())
    return tuple(
        grounding(technique, ranking, number, assertion)
        for number, (technique, assertion) in enumerate(zip(techniques, assertions, strict=True))
    )


def grounding(technique: Technique, ranking: Ranking, number: int, assertion: Assertion) -> Grounding:
    """What our own evidence says of a technique, which is query `number` of the ranking."""
    level, standing, reason = assertion.level, assertion.standing, assertion.reason
    if technique.kind in UNGROUNDED_KINDS and (level, standing) != ("none", "candidate"):
        level, standing = "none", "candidate"
        reason = f"a {technique.kind} is not implemented by one unit; nearest is {reason}"
    return Grounding(
        technique=technique.id,
        level=level,
        confidence=round(assertion.unit, 4),
        method=METHOD,
        candidates=_candidates(ranking, number, standing) if level == "file" or assertion.unit >= LEAST else (),
        reason=reason,
    )


def _candidates(ranking: Ranking, number: int, first: Standing) -> tuple[Candidate, ...]:
    rows = ranking.order(number, CANDIDATES) if ranking.index.units else []
    found = [
        candidate(ranking, number, row, place, first if place == 1 else "candidate")
        for place, row in enumerate(rows, start=1)
    ]
    return tuple(each for each in found if each.rank == 1 or each.score >= LEAST_SHARE * found[0].score)


def candidate(ranking: Ranking, number: int, row: int, place: int, standing: Standing = "candidate") -> Candidate:
    """A row of the ranking, at `place` of it for query `number`, with its evidence."""
    return Candidate(
        unit=ranking.index.units[row].id,
        rank=place,
        score=round(min(1.0, max(0.0, float(ranking.scores[number, row]) / MAX_SCORE)), 4),
        standing=standing,
        why=ranking.why(number, row),
    )
