"""Concepts: the same technique across papers. Techniques keep their own words; a concept is joined to them by edges."""

from kg.concepts.curate import keep_apart, make_one, merge_concepts, split_concept
from kg.concepts.refresh import ConceptChanges, refresh_concepts

__all__ = ["ConceptChanges", "keep_apart", "make_one", "merge_concepts", "refresh_concepts", "split_concept"]
