"""From where what the code of a repository uses has come, as far as tests have brought it: from one of their files, or
from a module that they have made. Standard library only, Python 3.6 or later.

Whether that is what the import says, which stands in the code, is told outside, where all files are known.
"""

import dis
import importlib.machinery
import re
import sys
import types

_TEST = re.compile(r"(^|/)(tests?|testing|unit_?tests?)/|(^|/)(tests?_[^/]*|[^/]*_tests?|conftest|test)\.py$", re.I)

_STAND_IN = b"xkg_standin"
"""In the text of a package that only says that it is not there."""
_NOTHING = {"LOAD_CONST", "NOP", "POP_TOP", "RESUME", "RETURN_CONST", "RETURN_VALUE"}
"""What code does that does nothing."""
_FOR_OTHERS = re.compile(r"(?i)overrid|overwrit|sub-?class|derived|hook|implement|default|abstract")
"""In what is said of a method that is there for others to do in their own way."""


def of_tests(file, root):
    """The path below the folder `root` of a file that is one of the repository's tests; "" for another."""
    path = file[len(root) :] if file.startswith(root) else ""
    return path if _TEST.search(path) else ""


def origins(root, files, names):
    """Of what `files`, which are no tests, call by one of `names`: the file, the name, and the file of tests that has
    made it."""
    found = set()  # type: set[tuple[str, str, str]]
    for module in list(sys.modules.values()):
        file = file_of(module)
        if file not in files or of_tests(file, root):
            continue
        held = vars(module)
        for name in names.intersection(held):
            place = of_tests(_made_in(held[name]), root)
            found.update([(file[len(root) :], name, place)] if place else ())
    return found


def loaded(root):
    """The names of modules that are files of tests, with these."""
    every = ((name, of_tests(file_of(module), root)) for name, module in list(sys.modules.items()))
    return sorted([name, place] for name, place in every if place and name != "__main__")


def made_up(names, there):
    """Modules that are nowhere to be found and of which code with the globals `there` uses functions: the name, and
    these."""
    used = [there[name] for name in names.intersection(there)]
    for name, module in list(sys.modules.items()):
        if file_of(module) or name == "__main__" or name in sys.builtin_module_names:
            continue
        held = attributes(module)
        taken = [held[each] for each in names.intersection(held) if type(held[each]) is types.FunctionType]
        if any(each is module or any(each is one for one in taken) for each in used) and taken and not _is_there(name):
            yield name, taken


def overridden(kinds, names, root):
    """Of the classes of an object those methods by one of `names` that a class of tests has in the place of one of the
    repository that is made to run: the name for people, the class of tests, the name."""
    found = []
    for at, kind in enumerate(kinds):
        if not of_tests(_made_in(kind), root):
            continue
        for name in names.intersection(vars(kind)):
            below = (each for each in kinds[at + 1 :] if name in vars(each) and not of_tests(_made_in(each), root))
            own = next(below, None)
            if own is not None and _made_in(own).startswith(root) and _is_concrete(vars(own)[name]):
                found.append((own.__name__ + "." + name, kind, name))
    return found


def _is_concrete(method):
    """Whether a method does something of its own, and does not say that others may do it."""
    method = getattr(method, "__func__", method)
    code = getattr(method, "__code__", None)
    if type(code) is not types.CodeType or getattr(method, "__isabstractmethod__", False):
        return False
    if _FOR_OTHERS.search(str(method.__doc__)) or "NotImplementedError" in code.co_names:
        return False
    done = [(each.opname, each.argval) for each in dis.get_instructions(code)]
    return any(name not in _NOTHING or (name.endswith("_CONST") and value is not None) for name, value in done)


def _is_there(name):
    """Whether a package could be imported, if tests had made none; a stand-in for one that can't be had is none."""
    try:
        spec = importlib.machinery.PathFinder.find_spec(name.partition(".")[0])
        if spec is None or not spec.origin or not spec.origin.endswith(".py"):
            return spec is not None
        with open(spec.origin, "rb") as stream:
            return _STAND_IN not in stream.read(200)
    except (ImportError, ValueError, OSError):
        return True


def file_of(module):
    """The file of a module, "" for what has none, or is none."""
    file = vars(module).get("__file__") if issubclass(type(module), types.ModuleType) else None
    return file if type(file) is str else ""


def _made_in(value):
    """The file in which a module, class or function is written."""
    if type(value) is types.FunctionType:
        return value.__code__.co_filename
    return file_of(sys.modules.get(value.__module__) if issubclass(type(value), type) else value)


def attributes(value):
    """What an object holds, without asking it."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return {}
    return held if type(held) is dict else {}
