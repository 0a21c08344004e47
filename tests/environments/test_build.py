"""Environments from wheels: built once, whole or not at all, and nothing of them executed."""
