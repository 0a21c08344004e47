"""What the files of a repository say, as they were before anything of it was loaded, to hold what runs against it.

Standard library only, Python 3.6 or later. An import hook may change a source while it is loaded, and a test the file
itself: what is compared is the code that runs with what the unchanged file compiles to. What an installed package makes
of it (one that checks types when a module is loaded) is honest; what the repository's own tests make of it is not.
"""

import os
import pathlib
import symtable
import time
import types

MARK = b"xkg_inside."
"""Stands in the one file that is changed so that the calls of a unit can be watched."""
_OPEN = ("import *", "globals(", "vars(", "locals(", "exec(", "setattr(", "__dict__", "sys.modules")
"""By which a module may bind more names than its text shows."""
_LOADING = ("get_data", "source_to_code", "get_code", "exec_module")
_compile, _open, _lstat, _real, _table = compile, open, os.lstat, os.path.realpath, symtable.symtable


class Written:
    """The Python files below a folder; none before `install`."""

    def __init__(self):
        self.root, self.files, self.began = "", set(), 0
        self.made, self.bound = {}, {}
        self.rewrite = None  # how pytest compiles a file of tests

    def lay(self, paths):
        """These files are there before anything is loaded. They are not looked for: what a run lists and opens is what
        its verdict rests on."""
        self.files = {_real(path) for path in paths if path.endswith(".py")}

    def install(self, root, rewrite):
        """From now on the repository's code is loaded, which may change its files."""
        self.root, self.rewrite, self.began = _real(root), rewrite, _now()

    def text(self, path):
        """What a file held before; None if it was not there, or has been changed: no program can set when that was."""
        if path not in self.files or not os.path.lexists(path) or _lstat(path).st_ctime_ns > self.began:
            return None
        with _open(path, "rb") as stream:
            return stream.read()

    def loaded_as_written(self, code, home):
        """Whether the code of the module `home` of the watched unit is what its file compiles to, as its loader may
        compile it; and the file."""
        loader = home.get("__loader__")
        named = {_real(name) for name in (code.co_filename, home.get("__file__")) if type(name) is str}
        for files in (named & self.files, self.files):
            marked = [path for path in sorted(files) if MARK in (self.text(path) or b"")]
            if marked:
                break
        for path in marked:
            if _signature(code) in self.parts(path) or self._as_tests(path, code, loader):
                return True, path[len(self.root) + 1 :]
        file = _real(code.co_filename) if not marked else marked[0]
        return _is_installed(loader), file[len(self.root) + 1 :] if file.startswith(self.root) else code.co_filename

    def alters(self, code):
        """Whether a function is not in its file, which is known; of a file that was not there before nobody knows."""
        path = _real(code.co_filename)
        return path in self.files and _signature(code) not in self.parts(path)

    def parts(self, path):
        """What a file compiles to: the module, its functions and classes; nothing of one that was changed."""
        if path not in self.made:
            text, found = self.text(path), set()
            try:
                waiting = [] if text is None else [_compile(text, path, "exec", dont_inherit=True)]
            except (SyntaxError, ValueError):
                waiting = []
            while waiting:
                each = waiting.pop()
                found.add(_signature(each))
                waiting += [part for part in each.co_consts if type(part) is types.CodeType]
            self.made[path] = found
        return self.made[path]

    def names(self, path):
        """The names that a file binds in its module, and whether it may bind others; None if that can't be told."""
        if path not in self.bound:
            text = self.text(path)
            try:
                words = None if text is None else text.decode("utf-8")
                self.bound[path] = words and (_bound(_table(words, path, "exec")), any(w in words for w in _OPEN))
            except (SyntaxError, ValueError):
                self.bound[path] = None
        return self.bound[path]

    def _as_tests(self, path, code, loader):
        if self.rewrite is None or "@pytest_ar" not in code.co_names:
            return False
        try:
            made = self.rewrite(pathlib.Path(path), getattr(loader, "config", None))[1]
        except Exception:  # noqa: BLE001 -- an old pytest is asked in another way; the names are pytest's own
            return True
        return _signature(made) == _signature(code)


def _now():
    return int(time.time() * 1e9)


def _signature(code):
    """What code does: all of it but its places in a file."""
    return (
        code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_argcount, code.co_kwonlyargcount, code.co_flags, tuple(map(_constant, code.co_consts)),
    )  # fmt: skip


def _constant(value):
    if type(value) is types.CodeType:
        return _signature(value)
    if type(value) is tuple:
        return tuple(map(_constant, value))
    return type(value).__name__, repr(sorted(map(repr, value)) if type(value) is frozenset else value)


def _bound(table):
    """The names of a module that its text binds: at its top, or in functions that say that they are global."""
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    waiting = list(table.get_children())
    while waiting:
        each = waiting.pop()
        waiting += each.get_children()
        found |= {symbol.get_name() for symbol in each.get_symbols() if symbol.is_declared_global()}
    return found


def _is_installed(loader):
    """Whether a module was loaded by a package that is installed, whose own files say how, and not by Python itself."""
    kind = type(loader)
    own = [vars(each)[name] for each in kind.__mro__ for name in _LOADING if name in vars(each)]
    codes = [one.__code__ for one in own if type(one) is types.FunctionType and "__wrapped__" not in vars(one)]
    codes = [code for code in codes if not code.co_filename.startswith("<frozen")]
    if not codes or kind.__module__.startswith("_pytest") or set(_LOADING) & set(getattr(loader, "__dict__", ())):
        return False
    there = Written()
    there.began = _now()
    for code in codes:
        path = _real(code.co_filename)
        if not os.path.isfile(path) or os.access(path, os.W_OK):
            return False
        there.files.add(path)
        if there.alters(code):
            return False
    return True


WRITTEN = Written()
"""Of this process."""
