"""Code made into modules by a model: asked for, run, repaired, held against the code it was made from, and judged."""

from agents.rewrite.rewriting import rewrite
from agents.rewrite.task import Cause, Part, Rewrite, Stop, Task
from agents.rewrite.trials import Trials

__all__ = ["Cause", "Part", "Rewrite", "Stop", "Task", "Trials", "rewrite"]
