"""Concepts: the same technique across papers. Techniques keep their own words; a concept is joined to them by edges.

What is not the same is told by other edges: a technique is a variant of another, or similar to it.
"""

from kg.concepts.curate import keep_apart, make_one, merge_concepts, split_concept
from kg.concepts.judged import Judgement, record_judgement
from kg.concepts.refresh import RULES, ConceptChanges, refresh_concepts
from kg.concepts.relations import ASKED

__all__ = [
    "ASKED",
    "RULES",
    "ConceptChanges",
    "Judgement",
    "keep_apart",
    "make_one",
    "merge_concepts",
    "record_judgement",
    "refresh_concepts",
    "split_concept",
]
