"""A repository's code units: functions, classes, methods, scripts and notebook cells, with their place and facts."""

from agents.code.units.calls import Call, call_graph
from agents.code.units.codebase import CodeBase, read_units
from agents.code.units.files import Limits
from agents.code.units.whole import file_units

__all__ = ["Call", "CodeBase", "Limits", "call_graph", "file_units", "read_units"]
