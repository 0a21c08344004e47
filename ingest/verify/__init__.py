"""Tests, mutants and verdicts: what running a unit shows."""
