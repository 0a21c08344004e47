"""Grounding: which units of a repository implement which techniques of its paper, and how sure that is.

`ground` does a whole technique tree; `CodeIndex`, `Query`, `rank` and `judge` do free phrases.
"""

from ingest.ground.assertion import Assertion, judge, load_calibration
from ingest.ground.grounding import ground, technique_query
from ingest.ground.index import CodeIndex
from ingest.ground.query import Query, query_from_text
from ingest.ground.rank import Ranking, rank

__all__ = [
    "Assertion",
    "CodeIndex",
    "Query",
    "Ranking",
    "ground",
    "judge",
    "load_calibration",
    "query_from_text",
    "rank",
    "technique_query",
]
