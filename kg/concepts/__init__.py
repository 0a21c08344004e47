"""Concepts: the same technique across papers. Techniques keep their own words; a concept is joined to them by edges."""

from kg.concepts.curate import merge_concepts, split_concept
from kg.concepts.refresh import ConceptChanges, refresh_concepts

__all__ = ["ConceptChanges", "merge_concepts", "refresh_concepts", "split_concept"]
