"""Files of the repository that its tests themselves have written, so that code does not read what the repository holds.
Standard library only, Python 3.6 or later.

What code writes for itself (a cache, a result) is its own, and a test may give it a new file to read. Python tells of
each opening before it happens (PEP 578, from 3.8 on): what a file held is known until then.
"""

import hashlib
import os
import re
import sys
from threading import get_ident

from .origins import of_tests

FRAMES, LARGEST = 60, 1 << 24
_LAST = {"os.rename": 1, "os.link": 1, "os.symlink": 1, "os.truncate": 0, "os.remove": 0, "sqlite3.connect": 0}
"""Events in which a file may be changed without an opening that tells of it, and which argument names it."""


class Overwritten:
    """The files below a folder that were there, or are modules, and that tests have opened to write to."""

    def __init__(self):
        self.root, self.present, self.before = "", set(), {}  # what there was; digests of what was opened, before
        self.looking = set()  # threads

    def lay(self, paths):
        """These files are there before anything is loaded."""
        self.present = set(paths)

    def install(self, root):
        """Watch from now on, where Python can."""
        first = not self.root
        self.root = root
        if first and hasattr(sys, "addaudithook"):
            sys.addaudithook(self.audited)

    def audited(self, event, args):
        """An event of Python's."""
        if event == "open":
            path = args[0] if isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR) else None
        else:
            path = args[_LAST[event]] if event in _LAST and len(args) > _LAST[event] else None
        thread = get_ident()
        if not isinstance(path, (str, bytes, os.PathLike)) or thread in self.looking:
            return
        self.looking.add(thread)
        try:
            self.note(os.path.realpath(os.fsdecode(path)), sys._getframe(1))
        finally:
            self.looking.discard(thread)

    def note(self, path, frame):
        """Keep what a file holds that is about to be written by a test."""
        wanted = path.startswith(self.root) and path not in self.before and not of_tests(path, self.root)
        if wanted and (path in self.present or path.endswith(".py")) and self.by_test(frame):
            self.before[path] = _digest(path)

    def by_test(self, frame):
        """Whether of all files of the repository one of its tests is the last that led to this frame."""
        for _ in range(FRAMES):
            if frame is None:
                return False
            if frame.f_code.co_filename.startswith(self.root):
                return bool(of_tests(frame.f_code.co_filename, self.root))
            frame = frame.f_back
        return False

    def named(self, words):
        """The paths of those that are not as they were, and whose names are among `words` of a file of code, each a set
        of words."""
        found = set()
        for path, before in list(self.before.items()):
            name = set(re.findall(r"\w+", os.path.basename(path)[: -3 if path.endswith(".py") else None]))
            if any(name <= each for each in words) and self.differs(path, before):
                found.add(path[len(self.root) :])
        return found

    def differs(self, path, before):
        """Whether a file holds something else now."""
        self.looking.add(get_ident())
        try:
            return _digest(path) != before
        finally:
            self.looking.discard(get_ident())


def _digest(path):
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read(LARGEST)).hexdigest()
    except OSError:
        return ""


OVERWRITTEN = Overwritten()
"""Of this process."""
