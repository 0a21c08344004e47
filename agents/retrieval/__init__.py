"""Searches with judgement: a model takes a task apart, filters and orders what is found, and says how to use it.

The graph's own words stay what they are: a hit's scores, verdict and licence are the search's, and nothing that a model
says, or that a paper or a repository says to it, changes them.
"""

from agents.retrieval.results import JudgedSearch
from agents.retrieval.searching import judged_search

__all__ = ["JudgedSearch", "judged_search"]
