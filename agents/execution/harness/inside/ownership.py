"""Whether what a function uses of its repository is the repository's own, or a test has put something in its place.

Standard library only, Python 3.6 or later. What each module of the repository has made (its functions and classes,
their methods, the modules that it names) is remembered when its import ends, and compared when a function is called. By
its names alone is told what a function uses, directly or through other functions of the repository. What only watches
(a spy, a cache) may stand in the place of what it calls; so may other code of the repository that put itself there,
which no code of a test names as something to set.
"""

import ast
import builtins
import functools
import importlib.machinery
import os
import re
import sys
import time
import types

from .comparing import COMPARING
from .origins import attributes, made_up, of_tests, origins, overridden
from .overwritten import OVERWRITTEN
from .reading import READING
from .settings import SETTINGS, TEXT
from .written import WRITTEN

DEEP, CALLERS, MENDED = 10, 12, 3
SECONDS = 2.0
"""After so long only the first call of a function in each test is looked at."""
REWRITTEN = "the source of %s while it is loaded"
_SPEAKING = {"open", "print", "input", "exit", "quit", "help", "breakpoint", "__import__"}
"""Builtins that speak with the world: a test may stand for it."""
_MOCKS = ("unittest.mock", "mock", "mock.mock")


class Own:
    """What the modules below `root` have made; nothing is known, and nothing found, before `install`."""

    def __init__(self):
        self.root = ""
        self.kept = {}  # of a module's or class's names: itself, its name for people, what was there by name
        self.bases = {}  # of classes: themselves, what they were derived from
        self.codes = {}  # of functions by the names that they have anywhere
        self.used = {}  # of functions that were called: what they use
        self.replaced, self.fakes = set(), None
        self.set_by_tests = set()  # names of what tests set, of whatever object
        self.looked_at, self.spent, self.asked, self.calls = set(), 0.0, {}, {}
        self.by_test, self.had_own = None, False  # what gave calls of a test other results, if none had its own
        self.home, self.rewritten, self.builtins = {}, set(), {}  # of the module of the watched unit
        self.origins = set()  # what the watched unit uses that has come from a file of tests

    def install(self, root, *loaders):
        """Remember the modules of the folder `root` that are imported from now on by these kinds of loaders."""
        self.root = root.rstrip("/") + "/"
        SETTINGS.begin()
        SETTINGS.is_foreign = lambda value: self.is_foreign(value) and not is_mock(value)
        READING.install(self.root)
        OVERWRITTEN.install(self.root)
        COMPARING.install(self.root)
        self.builtins = dict(vars(builtins))
        rewrite = [getattr(sys.modules[loader.__module__], "_rewrite_test", None) for loader in loaders]
        WRITTEN.install(self.root, *rewrite[:1] or [None])
        for loader in (importlib.machinery.SourceFileLoader,) + loaders:
            if hasattr(loader, "exec_module"):  # that of an old pytest loads in another way
                loader.exec_module = self.remembering(loader.exec_module)

    def remembering(self, execute):
        """`execute`, a loader's method, followed by a look at the module."""

        @functools.wraps(execute)
        def exec_module(loader, module):
            execute(loader, module)
            if str(vars(module).get("__file__")).startswith(self.root):
                self.remember(module)

        return exec_module

    def remember(self, module):
        """Keep what a module has made."""
        self.used.clear()
        self.keep(module, "")
        if self.is_of_tests(module.__file__):
            self.set_by_tests |= names_set_in(module.__file__)
            SETTINGS.read(module.__file__, module)
            SETTINGS.remember_test(module)
        else:
            SETTINGS.remember(module, "")
            SETTINGS.remember_objects(module)
        for name, value in list(vars(module).items()):
            if is_a(value, type) and value.__module__ == module.__name__:
                self.keep(value, value.__name__ + ".")
                self.bases[id(value)] = value, value.__bases__
                SETTINGS.remember(value, value.__name__ + ".")
                special = [item for key, item in vars(value).items() if key.startswith("__")]
                self.codes.setdefault(name, []).extend(filter(None, map(code_of, special)))

    def keep(self, owner, prefix):
        """Keep the own ones among the values of a module or class."""
        own = {}
        for name, value in list(vars(owner).items()):
            code = code_of(value)
            if code is not None and code.co_filename.startswith(self.root):
                self.codes.setdefault(name, []).append(code)
                own[name] = value, code
            elif self.is_own(value):
                own[name] = value, None
        self.kept[id(owner)] = owner, prefix, own

    def is_own(self, value):
        """Whether it is a class or module of the repository."""
        module = sys.modules.get(value.__module__) if is_a(value, type) else value
        file = vars(module).get("__file__") if is_a(module, types.ModuleType) else None
        return is_a(file, str) and str(file).startswith(self.root)

    def loading(self, frame):
        """The module of the unit is loaded, in this frame or in one above: is it what its file says?"""
        if not self.root:
            return
        self.home, code, each = frame.f_globals, frame.f_code, frame
        while each is not None and each.f_globals is self.home:
            code = each.f_code if each.f_code.co_name == "<module>" else code
            each = each.f_back
        same, file = WRITTEN.loaded_as_written(code, self.home)
        if not same:
            self.rewritten.add(REWRITTEN % file)

    def begin(self):
        """A test begins."""
        self.replaced, self.fakes, self.looked_at, self.asked, self.calls = set(), None, set(), {}, {}
        self.by_test, self.had_own = None, False
        SETTINGS.noted = None
        COMPARING.keep()

    def counted(self, name):
        """How many calls of a function this test has made, with this one."""
        self.calls[name] = self.calls.get(name, 0) + 1
        return self.calls[name]

    def check(self, target, args):
        """Look at what a function is about to use."""
        code = code_of(target)
        if not self.root or code is None or (self.spent > SECONDS and id(code) in self.looked_at):
            return
        began, first = time.perf_counter(), id(code) not in self.looked_at
        self.looked_at.add(id(code))
        if id(code) not in self.used:
            names, texts = self.names(code)
            texts |= words_of(code.co_filename) if code.co_filename.startswith(self.root) else set()
            classes = classes_of(names, target)
            found = []
            for owner, prefix, own in list(self.kept.values()):
                special = prefix and prefix[:-1] in classes
                taken = [name for name in own if name in names or (special and name.startswith("__"))]
                found += [(owner, prefix + name, name, own[name]) for name in taken]
            files = {each.co_filename for name in names for each in self.codes.get(name, ())}
            self.used[id(code)] = names, found, texts, files.union([code.co_filename])
        names, used, _, files = self.used[id(code)]
        for owner, shown, name, (value, made) in used:
            now = vars(owner).get(name)
            same = made is None or code_of(now) is made
            if not (same if now is value else self.stands_for(now, value, name)):
                self.replaced.add(shown)
            elif made is not None and not self.is_of_tests(made.co_filename) and WRITTEN.alters(made):
                self.replaced.add(REWRITTEN % made.co_filename[len(self.root) :])
        self.replaced |= self.rewritten.union(COMPARING.changed())
        self.check_names([self.home, *(vars(owner) for owner, shown, name, _ in used if shown == name)], names)
        self.check_bases(classes_of(names, target))
        self.check_modules(target, names)
        if first:
            self.origins |= origins(self.root, files, names)
            self.replaced |= OVERWRITTEN.named([words_of(file) for file in files]) if OVERWRITTEN.before else set()
            made = made_up(names, getattr(target, "__globals__", {}))
            self.replaced.update(name for name, taken in made if any(map(self.is_foreign, taken)))
        self.check_itself(target, code)
        if args:
            self.check_object(args[0], names)
        self.spent += time.perf_counter() - began

    def settings(self, target, args):
        """What a function uses that was set around its test, and what was set in any way or is done otherwise by a
        class of tests, as `Settings.changed` tells it; of a few calls a test, for the others None."""
        code = id(code_of(target))
        self.asked[code] = self.asked.get(code, 0) + 1
        if code not in self.used or self.asked[code] > MENDED:
            return [], None
        names, _, texts, _ = self.used[code]
        kinds = type(args[0]).__mro__ if args else ()
        if not any(code_of(each) is code_of(target) for kind in kinds for each in vars(kind).values()):
            kinds = ()
        nothing = []  # type: list[object]
        done = [(told, kind, name, nothing) for told, kind, name in overridden(kinds, names, self.root)]
        return SETTINGS.changed(names, texts), SETTINGS.set_by_tests(names) + done

    def note_set(self, found):
        """A call was made to which what tests have set (the names in `found`) gave another result; with None nothing
        was set, and it had its own."""
        self.had_own = self.had_own or found is None
        self.by_test = None if self.had_own else found.union(self.by_test or ())

    def check_modules(self, target, names):
        """Whether modules are used that have the names of the repository's, and no file."""
        if self.fakes is None:
            self.fakes = [(name, value) for name, value in list(sys.modules.items()) if self.is_fake(name, value)]
        there = getattr(target, "__globals__", {})
        for name, fake in self.fakes:
            held = dict(attributes(fake))
            held.update(held.get("_mock_children") or {})
            taken = [used for used in names.intersection(held, there) if held[used] is there[used]]
            if taken or name.rpartition(".")[2] in names or any(there.get(used) is fake for used in names):
                self.replaced.add(name)

    def check_bases(self, names):
        """Whether classes are used that are derived from others than they were."""
        for value, bases in list(self.bases.values()):
            if value.__bases__ is not bases and value.__name__ in names:
                self.replaced.add(value.__name__ + ".__bases__")

    def check_names(self, modules, names):
        """Whether names are used that modules, or Python, have been given from outside."""
        for held in {id(held): held for held in modules}.values():
            file = os.path.realpath(str(held.get("__file__")))
            bound, more = WRITTEN.names(file) or (names, False)
            for name in names.intersection(held).difference(bound):
                value = held[name]
                below = is_a(value, types.ModuleType) and vars(value)["__name__"] == "%s.%s" % (held["__name__"], name)
                by_itself = more and name not in self.set_by_tests and not self.is_foreign(value)
                if not below and not by_itself and name[:1] != "@" and name[:2] != "__":
                    self.replaced.add(name)
        for name in names.intersection(vars(builtins)).difference(_SPEAKING):
            now, was = vars(builtins)[name], self.builtins.get(name)
            if now is not was and (self.is_foreign(now) or (was is not None and not self.stands_for(now, was, name))):
                self.replaced.add("Python's " + name)

    def check_itself(self, target, code):
        """Whether a test has put something around the function itself, where its module or the test has its name."""
        name = getattr(target, "__name__", "")
        for owner, prefix, own in list(self.kept.values()):
            value, made = own.get(name, (None, None))
            now = vars(owner).get(name)
            if made is code and now is not value and not self.stands_for(now, value, name):
                self.replaced.add(prefix + name)
        seen, frame = set(), sys._getframe()  # type: set[types.CodeType], types.FrameType | None
        for _ in range(CALLERS):
            if frame is None:
                return
            around = frame.f_globals.get(name)
            code = getattr(around, "__code__", None) if self.is_foreign(around) else None
            if code in seen and code.co_filename != frame.f_code.co_filename:  # what a test itself wraps, it shows
                self.replaced.add(name)
            seen.add(frame.f_code)
            frame = frame.f_back

    def check_object(self, value, names):
        """Whether an object has functions of a test under the names of its class's methods."""
        held = attributes(value)
        for name in names.intersection(held):
            if self.is_foreign(held[name]):
                kept = [self.kept[id(base)] for base in type(value).__mro__ if id(base) in self.kept]
                self.replaced.update(prefix + name for _, prefix, own in kept if name in own)

    def names(self, code):
        """All names by which code uses anything, itself or through functions of the repository, and all texts in it."""
        found, texts, waiting = set(), set(), [code]  # type: set[str], set[str], list[types.CodeType]
        while waiting:
            each = waiting.pop()
            waiting += [part for part in each.co_consts if is_a(part, types.CodeType)]
            texts.update(part for part in each.co_consts if is_a(part, str))
            for name in set(each.co_names).difference(found):
                found.add(name)
                waiting += self.codes.get(name, ())
        return found, texts

    def stands_for(self, now, value, name):
        """Whether it only watches, or is other code of the repository, which has put itself there."""
        by_itself = name not in self.set_by_tests and not self.is_foreign(now)
        if by_itself and (self.in_repository(now) or self.is_own(now)):
            return True
        for _ in range(DEEP):
            if now is value:
                return True
            if is_a(now, types.FunctionType) and self.in_repository(now):
                return False
            now = watched(now)
        return False

    def in_repository(self, value):
        """Whether it is a function that was written in the repository, whatever it wraps."""
        return is_a(value, types.FunctionType) and value.__code__.co_filename.startswith(self.root)

    def is_foreign(self, value):
        """Whether it is a mock, or a function of a test."""
        value = value.__func__ if is_a(value, types.MethodType) else value
        if is_mock(value):
            return True
        file = value.__code__.co_filename if is_a(value, types.FunctionType) else ""
        if is_a(value, type):
            file = str(getattr(sys.modules.get(value.__module__), "__file__", ""))
        return self.is_of_tests(file)

    def is_of_tests(self, file):
        """Whether a file is one of the repository's tests."""
        return bool(of_tests(file, self.root))

    def is_fake(self, name, module):
        """Whether a module has no file, and one of the repository has its name."""
        file = vars(module).get("__file__") if is_a(module, types.ModuleType) else None
        if is_a(file, str) or name == "__main__" or name in sys.builtin_module_names:
            return False
        places = [place for place in sys.path if (place + "/").startswith(self.root)]
        wanted = [os.path.join(place, *name.split(".")) for place in places]
        return any(os.path.isfile(place + end) for place in wanted for end in (".py", "/__init__.py"))


def classes_of(names, target):
    """The names under which a function may use classes: its own, and those in its own name."""
    return names.union(str(getattr(target, "__qualname__", "")).split("."))


def is_a(value, kinds):
    """Like `isinstance`, without asking the value: it may stand for another that is not there yet."""
    return issubclass(type(value), kinds)


def names_set_in(file):
    """The names of attributes that a file sets, also by their names as texts ("module.name")."""
    with open(file, "rb") as stream:
        parts = list(ast.walk(ast.parse(stream.read())))
    found = {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)}
    texts = (getattr(part, TEXT, None) for part in parts)
    return found.union(text.rpartition(".")[2] for text in texts if isinstance(text, str))


@functools.lru_cache(maxsize=None)
def words_of(file):
    """The words of a file; none of one that is not there."""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            return frozenset(re.findall(r"\w+", stream.read()))
    except OSError:
        return frozenset()


def is_mock(value):
    """Whether it is one of the usual mocks, or a function made of one."""
    kinds = [type(value), type(attributes(value).get("mock"))]
    return any(str(base.__module__) in _MOCKS for kind in kinds for base in kind.__mro__)


def watched(value):
    """What a mock or wrapper of a library calls and gives the result of, None if it is another thing."""
    held = attributes(value)
    mock = vars(held["mock"]) if is_mock(held.get("mock")) else held
    if not is_mock(value):
        return held.get("__wrapped__")
    effect = mock.get("_mock_side_effect")
    if effect is not None:
        return effect if is_a(effect, types.FunctionType) else None
    given = mock.get("_mock_return_value")
    return mock.get("_mock_wraps") if getattr(given, "name", None) == "DEFAULT" else None


def code_of(value):
    """The code of the function beneath all that wraps it; None if there is none."""
    for _ in range(DEEP):
        if is_a(value, types.FunctionType) and "__wrapped__" not in vars(value):
            return value.__code__
        if is_a(value, (staticmethod, classmethod, types.MethodType)):
            value = value.__func__
        elif is_a(value, property):
            value = value.fget
        else:
            held = attributes(value)
            value = held.get("__wrapped__") or held.get("func") or held.get("py_func")
    return None


OWN = Own()
