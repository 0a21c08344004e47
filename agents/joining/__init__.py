"""Techniques of two papers compared by a model: one, a variant, similar, or different."""

from agents.joining.judging import JudgedPairs, judge_pairs
from agents.joining.reply import SaidRelation

__all__ = ["JudgedPairs", "SaidRelation", "judge_pairs"]
