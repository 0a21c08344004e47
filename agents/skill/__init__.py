"""What makes a coding agent use the graph: a skill, and the configuration of the MCP server for Claude Code and Codex.

A skill is a folder with a SKILL.md. What was written is remembered with its sha256 beside it, so that what a person has
edited since is kept.
"""

from agents.skill.installing import TARGETS, Written, install

__all__ = ["TARGETS", "Written", "install"]
