"""Tests of units that no test reaches, written by a language model from what the paper says, and never from the code.

The model is shown the paper's words, the unit's signature and documentation; what it writes must quote what each
assertion follows from, keeps rules that are told from its text, and then counts as any other test does: by the wrong
code that its assertions notice.
"""

from agents.testwriting.reach import LOADERS
from agents.testwriting.showing import untied
from agents.testwriting.trying import bound_anew, source_of
from agents.testwriting.writer import TestWriter

__all__ = ["LOADERS", "TestWriter", "bound_anew", "source_of", "untied"]
