"""Judging imported blocks of code: exactly as they are, implementation and test in one process, in the sandbox."""

from agents.code.verify.blocks.block_verdict import judge_block
from agents.code.verify.blocks.plan import plan_environments
from agents.code.verify.blocks.text import Block

__all__ = ["Block", "judge_block", "plan_environments"]
