"""Judging imported blocks of code: exactly as they are, implementation and test in one process, in the sandbox."""

from agents.code.verify.blocks.judge import judge_block
from agents.code.verify.blocks.models import Block
from agents.code.verify.blocks.plan import plan_environments

__all__ = ["Block", "judge_block", "plan_environments"]
