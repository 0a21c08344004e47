"""Values of modules and classes of the repository, and of the environment, that are set around tests: by a conftest, by
a fixture that no test asks for, or when a module of tests is imported. Standard library only, Python 3.6 or later.

What a test sets itself it shows, and beside it another may use what the repository holds. What is set around it is
hidden, and not what the repository holds. Paths and addresses say where something is, seeds and threads how it is done:
they may be anything.
"""

import ast
import copy
import os
import re
import sys
import types

from .origins import attributes
from .structure import Digest

LARGEST, AROUND = 200, " (set around the test)"
"""Values in one setting; what is added to the name of one that is not as it was."""
_CONTAINERS = (tuple, list, dict, set, frozenset)
_PLAIN = (bool, int, float, complex, str, bytes, type(None)) + _CONTAINERS
_SINGLE = (bool, int, float, str, type(None))
_ANYTHING = re.compile(r"(?i)seed|thread|worker|n_?jobs|backend|verbos|log_?level")
"""In names: how something is done, and not what."""
TEXT = "value" if sys.version_info >= (3, 8) else "s"
"""What a literal text is called in a syntax tree."""
_AROUND = ("setup", "setUp", "teardown", "tearDown", "pytest_")
"""Beginnings of the names of functions that nobody asks for."""
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+$")
_ITEMS = ("setitem", "delitem")
_MISSING = object()
"""Stands for a value that is not there."""
_CHANGING = ("add", "append", "clear", "extend", "insert", "pop", "remove", "reverse", "setdefault", "sort", "update")


class Settings:
    """What modules of the repository hold when they have been imported, and the environment before."""

    def __init__(self):
        self.held, self.environment = [], None
        self.names = set()  # of what is set around tests: attributes, and all texts
        self.by_tests = set()  # of what files of tests set anywhere, by no function of the repository
        self.is_foreign = lambda value: False  # noqa: ARG005 -- whether something is a function of tests
        self.by_conftests, self.tests = set(), {}  # the same by conftests; what modules of tests held, by their ids
        self.noted = None  # what was set when the test itself began, if that is known

    def begin(self):
        """Remember the environment."""
        self.environment = dict(os.environ)

    def remember(self, owner, prefix):
        """Keep the plain values of a module or class."""
        kept = {}
        for name, value in list(vars(owner).items()):
            if name[:2] != "__" and type(value) in _PLAIN and _is_small(value):
                try:
                    kept[name] = copy.deepcopy(value)
                except Exception:  # noqa: BLE001, S112 -- what it holds may be foreign, and raise anything
                    continue
        if kept:
            self.held.append((owner, prefix, kept))

    def remember_objects(self, module):
        """Keep the plain values of the objects that a module holds, of its own classes."""
        for name, value in list(vars(module).items()):
            held = attributes(value)
            if type(value).__module__ != module.__name__ or name[:2] == "__":
                continue
            plain = [key for base in type(value).__mro__ for key, each in vars(base).items() if type(each) in _PLAIN]
            kept = {key: _MISSING for key in plain if key[:2] != "__" and key not in held}
            small = ((key, each) for key, each in held.items() if type(each) in _PLAIN and _is_small(each))
            kept.update((key, copy.deepcopy(each)) for key, each in small)
            self.held.append((held, name + ".", kept))

    def read(self, file, module=None):
        """Note what a conftest, or a module of tests outside of them, sets, itself or by functions that it calls."""
        with open(file, "rb") as stream:
            tree = ast.parse(stream.read())
        everywhere = os.path.basename(file) == "conftest.py"
        found = _set_around(tree, everywhere)
        found |= _spoken_of(tree, vars(module)) if everywhere and module is not None else set()
        self.names |= {name for name in found if not _ANYTHING.search(name)}
        self.by_tests |= {name for name in _names_set(tree) | _words_set(tree) if not _ANYTHING.search(name)}
        self.by_conftests |= found if everywhere else set()

    def remember_test(self, module):
        """Keep the plain values of a module of tests."""
        self.remember(module, "")
        if self.held and self.held[-1][0] is module:
            self.tests[id(module)] = self.held.pop()

    def rewritten(self, module):
        """What conftests have made of the values by which a module of tests judges: the names."""
        _, _, held = self.tests.get(id(module), (module, "", {}))
        names = [name for name in self.by_conftests.intersection(held) if not _ANYTHING.search(name)]
        return {name + AROUND for name in names if _differs(vars(module).get(name), held[name])}

    def note(self):
        """Remember what is set now that a test itself begins: what it sets later is not set around it."""
        self.noted = None
        self.noted = {(id(one[1]), one[2]): _text_of(one) for one in self.changed(self.names, self.names)}

    def changed(self, names, texts):
        """Of what code uses, by the names and texts in it, what has been changed around the test: of each what people
        call it, a mapping that holds it, its name there, and what it was before, if anything."""
        found = self._different(names, texts)
        if self.noted is None:
            return found
        return [one for one in found if self.noted.get((id(one[1]), one[2])) == _text_of(one)]

    def set_by_tests(self, names):
        """The same of what is not as it was, wherever tests have set it, but for the environment."""
        return self._held_otherwise(self.by_tests.intersection(names), names, "")

    def _held_otherwise(self, wanted, names, told=AROUND):
        found = []
        for owner, prefix, held in self.held if wanted else ():
            if type(owner) is dict and prefix[:-1] not in names:
                continue
            for name in wanted.intersection(held):
                if self._differs(_held(owner).get(name, _MISSING), held[name]):
                    found.append((prefix + name + told, owner, name, [held[name]]))
        return found

    def _differs(self, now, before):
        if type(now) is dict and type(before) is dict:
            if any(self.is_foreign(now.get(key)) for key in before):
                return True
        elif self.is_foreign(getattr(now, "__func__", now)):
            return True
        return _differs(now, before)

    def _different(self, names, texts):
        found = self._held_otherwise(self.names.intersection(names), names)
        before = self.environment or {}
        for name in self.names.intersection(texts, os.environ) if self.environment is not None else ():
            was = before.get(name)
            if os.environ[name] != was and not is_place(os.environ[name]):
                found.append(("the environment's " + name + AROUND, os.environ, name, [] if was is None else [was]))
        return found


def restore(changed, target):
    """Undo one of what was `changed`, and what the module of a function has made of the environment."""
    _, owner, name, before = changed
    if type(owner) is dict:
        owner.pop(name, None)
        owner.update((name, copy.deepcopy(value)) for value in before if value is not _MISSING)
        return
    if isinstance(owner, type) and not before:
        delattr(owner, name)
        return
    if isinstance(owner, (type, types.ModuleType)):
        now, kept = vars(owner).get(name), copy.deepcopy(before[0])
        if type(now) is dict and type(kept) is dict:  # other modules may hold the same one
            now.clear()
            now.update(kept)
        elif type(now) is list and type(kept) is list:
            now[:] = kept
        else:
            setattr(owner, name, kept)
        return
    module = getattr(target, "__globals__", {})
    set_so = _read_again(module)
    owner.pop(name, None)
    owner.update([(name, value) for value in before])
    module.update((key, value) for key, value in _read_again(module).items() if value != set_so.get(key, value))


def _read_again(module):
    """The numbers and texts that a module's text gives."""
    with open(module["__file__"], "rb") as stream:
        code = compile(stream.read(), module["__file__"], "exec")
    found = {name: module.get(name) for name in ("__name__", "__file__", "__package__", "__spec__")}
    exec(code, found)  # noqa: S102 -- in a child, where the code under test has been run already
    return {name: value for name, value in found.items() if type(value) in _SINGLE and name[:2] != "__"}


def _is_small(value):
    digest = Digest(value, LARGEST) if type(value) not in _CONTAINERS or len(value) <= LARGEST else None
    return digest is not None and digest.size <= LARGEST and not digest.opaque


def _text_of(changed):
    """The digest of what one of what was `changed` is now."""
    owner, name = changed[1:3]
    return Digest(_held(owner).get(name)).text


def _held(owner):
    """What a module, class or mapping holds by name."""
    return vars(owner) if isinstance(owner, (type, types.ModuleType)) else owner


def _differs(now, before):
    if now is _MISSING or before is _MISSING:
        return now is not before and type(now) in _PLAIN and not is_place(now)
    places = is_place(now) or is_place(before)
    digest = Digest(now)
    return not places and not digest.opaque and digest.text != Digest(before).text


def is_place(value):
    """Whether it says where something is."""
    kind = type(value)  # a value that stands for another must not be asked
    return issubclass(kind, os.PathLike) or (issubclass(kind, str) and any(mark in value for mark in "/\\@"))


def _set_around(tree, everywhere):
    found = set()
    for statement in tree.body:
        for node in _functions(statement) if not everywhere else [statement]:
            found |= _names_set(node)
    return found


def _functions(statement):
    """The functions of a statement that run around tests, or itself if it is none."""
    if isinstance(statement, ast.ClassDef):
        return [function for part in statement.body for function in _functions(part)]
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        asked = "autouse" not in "".join(map(ast.dump, statement.decorator_list))
        return [] if asked and not statement.name.startswith(_AROUND) else [statement]
    return [statement]


def _names_set(node):
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            found |= {part.attr} if isinstance(part.ctx, ast.Store) else set()
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            found.add(_last(part.value))
        elif isinstance(part, ast.Call) and getattr(part.func, "attr", "") in _CHANGING:
            found.add(_last(getattr(part.func, "value", None)))
        if isinstance(part, ast.Call) and getattr(part.func, "attr", "") in _ITEMS and part.args:
            found.add(_last(part.args[0]))
        text = getattr(part, TEXT, None) if type(part).__name__ in ("Constant", "Str") else None
        if isinstance(text, str):
            found |= {text, text.rpartition(".")[2]}
    return found - {""}


def _words_set(tree):
    """What a file may set by names that stand in texts that are run, or that it hands on as keywords to what sets."""
    found = set()  # type: set[str]
    for part in ast.walk(tree):
        if isinstance(part, ast.Call):
            every = (getattr(each, TEXT, None) for each in part.args)
            texts = [text for text in every if isinstance(text, str)]
            named = any(_DOTTED.match(text) for text in texts)
            if named or getattr(part.func, "attr", "") in ("update", "dict", "multiple"):
                found.update(word.arg for word in part.keywords if word.arg)
            if getattr(part.func, "id", "") == "exec":
                found.update(word for text in texts for word in re.findall(r"\w+", text))
    return found


def _spoken_of(tree, known):
    """What functions speak of that a file calls by the names that it knows: some of it they may set."""
    found = set()
    for part in ast.walk(tree):
        called = part.func if isinstance(part, ast.Call) else None
        value = known.get(getattr(called, "id", ""))
        owner = known.get(getattr(getattr(called, "value", None), "id", ""))
        if type(owner) is types.ModuleType:
            value = vars(owner).get(getattr(called, "attr", ""))
        found |= set(value.__code__.co_names) if type(value) is types.FunctionType else set()
    return found


def _last(node):
    """The last part of a dotted name: what is imported by itself is changed for all as well."""
    return getattr(node, "attr", getattr(node, "id", ""))


SETTINGS = Settings()
"""Of this process."""
