"""Which files of tests the source of a repository reads for itself. Standard library only, Python 3.6 or later."""

import ast
import builtins
import os
import re
import sys

_TESTS = re.compile(r"(^|/)(tests?|unit_?tests?)/|(^|/)(test_[^/]*|[^/]*_tests?|conftest)\.py$", re.I)
_SOURCES = re.compile(r"(^|/)(tests?|unit_?tests?|testing)/|(^|/)(tests?_[^/]*|[^/]*_tests?|conftest|test)\.py$", re.I)
"""What is a file of tests for sure; what may be one, and so reads what it likes."""
_NAMED = re.compile(r"(^|/)tests?(/|$)|(^|/)test_|conftest", re.I)
_LOOKING = re.compile(
    r"(^|/)(linecache|inspect|traceback|warnings|tokenize|ast|logging/\w+|doctest)\.py$|importlib|_pytest|^<frozen"
)
"""What reads source for messages, to import it, or to hold what runs against it."""
_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
FRAMES = 60


class Reading:
    """What the files below `root` that are no tests have opened of its tests: while they were imported, or by a name
    that stands in them."""

    def __init__(self):
        self.root, self.read = "", []  # what was read, and the names that may know of it

    def install(self, root):
        """Watch from now on, where Python can."""
        first = not self.root
        self.root = root.rstrip("/") + "/"
        if first and hasattr(sys, "addaudithook"):
            sys.addaudithook(self.opened)

    def opened(self, event, args):
        """An event of Python's."""
        if event != "open" or not isinstance(args[0], (str, bytes)):
            return
        path = os.path.realpath(os.fsdecode(args[0]))
        if path.startswith(self.root) and _TESTS.search(path[len(self.root) :]):
            self.note(sys._getframe(1), path[len(self.root) :])

    def note(self, frame, path):
        """Keep who has opened it, if that is no test and nobody else asked for it."""
        names = set()  # type: set[str]
        for _ in range(FRAMES):
            if frame is None:
                return
            code = frame.f_code
            if not names and (_LOOKING.search(code.co_filename) or code.co_filename.startswith(_OURS)):
                return
            if code.co_filename.startswith(self.root):
                if _SOURCES.search(code.co_filename[len(self.root) :]):
                    return
                if code.co_name == "<module>":
                    self.read.append((path, names | _named_at(code.co_filename, frame.f_lineno)))
                    return
                names.add(code.co_name)
                if any(isinstance(text, str) and _NAMED.search(text) for text in code.co_consts):
                    self.read.append((path, set(names)))
                    return
            frame = frame.f_back

    def told(self, target, name, used):
        """The file of tests that a function of this name has of such a reading, which uses these names; "" for none."""
        there = getattr(target, "__globals__", {})
        for path, names in self.read:
            if name in names or any(each in there for each in names.intersection(used)):
                return path
        return ""


def _named_at(file, line):
    """The names in the statement at a line of a module, but for those of Python and of imported modules."""
    with open(file, "rb") as stream:
        tree = ast.parse(stream.read())
    imports = [part for part in ast.walk(tree) if isinstance(part, (ast.Import, ast.ImportFrom))]
    known = {(alias.asname or alias.name).partition(".")[0] for part in imports for alias in part.names}
    statement = max((part for part in tree.body if part.lineno <= line), key=lambda part: part.lineno)
    names = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)}
    return names - known - set(dir(builtins))


READING = Reading()
