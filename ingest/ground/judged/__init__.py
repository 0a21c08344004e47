"""Implementations, judged by a language model over the ranking: it chooses and quotes, both are checked."""

from ingest.ground.judged.asking import Asked, said
from ingest.ground.judged.judging import Judged, Judgement, Room, ask_all, judge_ranking, judge_tree
from ingest.ground.judged.merging import merged
from ingest.ground.judged.shown import Shelf, readme

__all__ = [
    "Asked",
    "Judged",
    "Judgement",
    "Room",
    "Shelf",
    "ask_all",
    "judge_ranking",
    "judge_tree",
    "merged",
    "readme",
    "said",
]
