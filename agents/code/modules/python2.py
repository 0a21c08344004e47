"""Python 2 source as Python 3, where a mechanical translation keeps what it does.

Syntax and library names are translated by fissix (lib2to3 as it is kept up). Python 2's ``/`` becomes a call of a
function that divides as it did. What behaves differently without any sign of it in the source (text and bytes,
ordering by ``cmp``) is not translated but named.
"""

import ast
import re
import threading
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from fissix.refactor import RefactoringTool

from agents.code.modules.check import summarise
from agents.code.modules.pyfile import PyFile
from agents.execution.syntax import NotPython3, parse

__all__ = ["Translation", "translate"]

MAX_CHARACTERS = 300_000
_FIXERS = (
    "apply basestring dict except exec execfile exitfunc filter funcattrs getcwdu has_key imports imports2 input "
    "intern itertools itertools_imports long map metaclass methodattrs ne next nonzero numliterals operator paren "
    "print raise raw_input reduce renames repr standarderror sys_exc throw tuple_params types unicode urllib xrange "
    "xreadlines zip"
)
_GONE_NAMES = frozenset({
    "xrange", "unicode", "basestring", "raw_input", "long", "unichr", "reduce", "cmp", "execfile", "reload", "apply",
    "buffer", "intern", "coerce",
})  # fmt: skip
_GONE_MODULES = frozenset({
    "cPickle", "Queue", "ConfigParser", "StringIO", "cStringIO", "urllib2", "urlparse", "Tkinter", "httplib",
    "HTMLParser", "__builtin__", "copy_reg", "SocketServer", "anydbm", "BaseHTTPServer", "SimpleHTTPServer",
    "xmlrpclib", "tkMessageBox", "md5",
})  # fmt: skip
_GONE_METHODS = re.compile(r"\.(iteritems|itervalues|iterkeys|has_key)\(")
_DIFFERENT = (
    (re.compile(r"\b(?:sort|sorted)\((?:[^()\n]*,)?\s*cmp\s*="), "sorting by cmp"),
    (re.compile(r"(?<![\w.])cmp\("), "cmp"),
    (re.compile(r"\bdef __cmp__\b"), "__cmp__"),
    (re.compile(r"\bdef __(?:get|set|del)slice__\b"), "__getslice__"),
    (re.compile(r"\.(?:encode|decode)\(\s*['\"](?:hex|base64|zlib|rot13|string[-_]escape)['\"]"), "byte codecs of str"),
    (
        re.compile(r"\bstring\.(?:maketrans|letters|lowercase|uppercase|join|atoi|atof|replace|split|strip)\b"),
        "string functions",
    ),
    (re.compile(r"^\s*raise\s+['\"]", re.M), "string exceptions"),
    (re.compile(r"(?<![\w.])(?:buffer|coerce)\("), "buffer"),
)
_HELPER = '''\
def _classic_division(a, b):
    """`a / b` as Python 2 had it: whole numbers, and arrays of them, give whole numbers."""

    def whole(x):
        kind = getattr(getattr(x, "dtype", None), "kind", None)
        return isinstance(x, int) or (kind in ("i", "u") and not type(x).__module__.startswith("pandas"))

    return a // b if whole(a) and whole(b) else a / b
'''
_SKIP = re.compile(rb"(?:[\s)\\]|#[^\n]*\n)*")
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Translation:
    """The translated file, or the problem that stands against it; neither where there is nothing to translate."""

    file: PyFile | None = None
    problem: str = ""


def translate(path: str, text: str, file: PyFile | None) -> Translation:
    """Translate `text` if it is Python 2; `file` is its reading as Python 3, None when that fails."""
    if file is not None and not _has_signs(text):
        return Translation()
    try:
        new = _refactor(text)
        parse(new)
    except NotPython3 as error:
        problem = f"is neither Python 3 nor Python 2 that can be translated ({error})" if file is None else ""
        return Translation(problem=problem)
    different = [name for pattern, name in _DIFFERENT if pattern.search(_code_only(text))]
    divided, added, unsafe = _divide_classically(new)
    if different or unsafe:
        what = ", ".join(different) or f"division in line {unsafe}"
        return Translation(problem=f"is Python 2 that no mechanical translation keeps: {what}")
    try:
        return Translation(PyFile(path, divided, translated=True, origin=_origin(text, divided, added)))
    except NotPython3 as error:
        return Translation(problem=f"is Python 2 whose translation does not parse ({error})")


def _has_signs(text: str) -> bool:
    """Whether code that parses as Python 3 was written for Python 2 alone."""
    try:
        summary = summarise(text)
    except (NotPython3, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    names = (summary.read - summary.bound - summary.tried) & _GONE_NAMES
    modules = {i.module.partition(".")[0] for i in summary.imports if not i.caught} & _GONE_MODULES
    both = re.search(r"^\s*(?:import|from) (?:six|future|past|builtins)\b|sys\.version_info|PY3", text, re.M)
    return bool(names or modules or _GONE_METHODS.search(text)) and not both


@cache
def _tool() -> RefactoringTool:
    return RefactoringTool([f"fissix.fixes.fix_{name}" for name in _FIXERS.split()])


def _refactor(text: str) -> str:
    """`text` by the fixers. Raises NotPython3 when it is no Python 2 or has what they can't convert."""
    if len(text) > MAX_CHARACTERS:
        raise NotPython3(f"longer than {MAX_CHARACTERS:,} characters")
    with _LOCK:
        tool = _tool()
        tool.fixer_log.clear()
        try:
            tree = tool.refactor_string(text if text.endswith("\n") else text + "\n", "module")
        except RecursionError as error:
            raise NotPython3("nested too deeply") from error
        except Exception as error:  # fissix lets errors of its tokenizer and parser out as they come
            raise NotPython3(" ".join(str(error).split())[:120]) from error
        refused = [entry for entry in tool.fixer_log if "convert" in str(entry)]
    if refused or tree is None:
        raise NotPython3(str(refused[0])[:120] if refused else "nothing can be read of it")
    return str(tree)


def _code_only(text: str) -> str:
    return "\n".join(line.partition("#")[0] for line in text.splitlines())


def _origin(old: str, new: str, added: range) -> tuple[int, ...]:
    """For each line of the translation the line it comes from; lines in `added` come from none (0)."""
    before, after = old.splitlines(), new.splitlines()
    rest = [line for number, line in enumerate(after, start=1) if number not in added]
    lines = [0] * len(rest)
    for tag, a, b, c, d in SequenceMatcher(None, before, rest, autojunk=False).get_opcodes():
        for at in range(c, d):
            lines[at] = min(a + (at - c), max(a, b - 1)) + 1 if tag != "insert" else max(a, 1)
    found = iter(lines)
    return tuple(0 if number in added else next(found) for number in range(1, len(after) + 1))


def _divide_classically(text: str) -> tuple[str, range, int]:
    """`text` with each division that may be one of whole numbers done as in Python 2.

    Also the lines (1-based) that were added, and the line of a division that can't be done so, 0 if there is none.
    """
    tree = parse(text)
    if any(isinstance(n, ast.ImportFrom) and n.module == "__future__" and _named(n, "division") for n in tree.body):
        return text, range(0), 0
    data = text.encode("utf-8", "replace")
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits: list[tuple[int, int, bytes]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not _is_float(node):
            between = _end(starts, node.left)
            at = between + len((_SKIP.match(data, between) or [b""])[0])
            if data[at : at + 1] != b"/":
                return text, range(0), node.lineno
            edits += [(_start(starts, node), 0, b"_classic_division("), (at, 1, b","), (_end(starts, node), 0, b")")]
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and not _is_float(node.value):
            if not _is_plain(node.target):
                return text, range(0), node.lineno
            target = data[_start(starts, node.target) : _end(starts, node.target)]
            at = data.index(b"/=", _end(starts, node.target))
            edits += [(at, 2, b"= _classic_division(" + target + b","), (_end(starts, node.value), 0, b")")]
    if not edits:
        return text, range(0), 0
    out, done = [], 0
    for place, length, new in sorted(edits, key=lambda edit: edit[0]):
        out += [data[done:place], new]
        done = place + length
    lines = b"".join([*out, data[done:]]).decode("utf-8").split("\n")
    above = _after_preamble(tree)
    helper = ["", "", *_HELPER.splitlines(), "", ""]
    return "\n".join([*lines[:above], *helper, *lines[above:]]), range(above + 1, above + 1 + len(helper)), 0


def _after_preamble(tree: ast.Module) -> int:
    """Number of lines that hold the docstring and the __future__ imports."""
    line = 0
    for number, node in enumerate(tree.body):
        docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        line = node.end_lineno or node.lineno
    return line


def _named(node: ast.ImportFrom, name: str) -> bool:
    return any(alias.name == name for alias in node.names)


def _is_float(node: ast.expr) -> bool:
    """Whether an operation has a part that makes it one of floats."""
    pending: list[ast.expr] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Constant) and isinstance(part.value, float | complex):
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "float":
            return True
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            pending += [part.left, part.right]
        elif isinstance(part, ast.UnaryOp):
            pending.append(part.operand)
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether reading `node` twice does nothing that reading it once does not."""
    allowed = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Slice, ast.Tuple, ast.expr_context)
    return all(isinstance(part, allowed) for part in ast.walk(node))


def _start(starts: list[int], node: ast.expr) -> int:
    return starts[node.lineno - 1] + node.col_offset


def _end(starts: list[int], node: ast.expr) -> int:
    return starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
