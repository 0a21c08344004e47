"""A repository's code units: functions, classes, methods, scripts and notebook cells, with their place and facts."""

from ingest.units.calls import Call, call_graph
from ingest.units.codebase import CodeBase
from ingest.units.files import Limits
from ingest.units.reader import read_units

__all__ = ["Call", "CodeBase", "Limits", "call_graph", "read_units"]
