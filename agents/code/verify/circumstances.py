"""What a process and its machine have around them that differs from place to place, and what code makes of it.

What only a test run has (a hook that a runner has set, modules that it has loaded, how deep its calls lie) counts in
every condition. What differs from machine to machine (its kind, its time zone, its words) counts where a number is
made of it: that a path, a library or the number of workers is chosen by it is what it is there for.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator

from agents.code.verify.possible import base_of, last

__all__ = ["HINTS", "asked_modules", "decided_numbers", "is_of_process", "is_root_logger", "set_up"]

_STREAMS = {"stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__"}
_OF_STREAMS = {"name", "mode", "newlines", "line_buffering", "write_through", "fileno"}
_STATE = {"_handlerList", "format_stack", "extract_stack", "getallocatedblocks", "lastResort", "walk_stack"}
"""By any name that leads there."""
_PARTS = {
    "sys": {"excepthook", "__excepthook__", "flags", "displayhook"},
    "threading": {"excepthook", "__excepthook__"},
    "inspect": {"stack"},
}
"""Of modules, what others call something of their own by."""
_OWN = {"__spec__", "__loader__", "__cached__"}
_OF_ROOT = {"handlers", "hasHandlers", "manager"}
_MACHINE = {
    "platform": {"machine", "node", "platform", "processor", "release", "system", "uname", "version"},
    "time": {"altzone", "timezone", "tzname"},
    "os": {"get_terminal_size", "sched_getaffinity", "uname"},
    "shutil": {"get_terminal_size"},
    "locale": {"getlocale", "localeconv", "getdefaultlocale"},
}
_LEVELS = {"isEnabledFor", "getEffectiveLevel", "ps1", "sched_getaffinity", "getlocale", "localeconv"}
_INTERACTIVE = {"ps1", "ps2", "last_traceback", "last_value", "last_type"}
_ZONED = {"localtime", "ctime", "mktime"}
_MAKING = {"float", "int", "round", "sum"}
_HOW = re.compile(r"(?i)worker|thread|proc|jobs?\b|verbos|timeout|sleep|delay|dpi|level|pin_|batch|disable")
"""In names: how something is done, and not what."""
_NOTEBOOKS = {"IPython", "ipykernel", "google", "colab", "marimo", "pyodide"}
"""What is loaded where people type, and no more by a runner of tests than by a plain call."""
_SETTING_UP = {"addHandler", "basicConfig", "debug", "dictConfig", "info", "setLevel", "warn", "warning"}
_LOGS = re.compile(r"(?i)^_?(?:root_?)?(?:log|logger|logging|warnings|root|getLogger)$")
_CLASSES = {name for name, value in vars(builtins).items() if isinstance(value, type)} | {
    "ABC", "Enum", "Generic", "Handler", "MutableMapping", "Mapping", "Path", "Protocol", "Sequence", "TestCase",
    "Thread", "namedtuple",
}  # fmt: skip
HINTS = (
    *_STATE, *_OWN, *_LEVELS, *_ZONED, "platform", "terminal_size", "timezone", "altzone", "tzname", "uname",
    "threading", "inspect", "sys", "logging", "getLogger", "home()", "expanduser", "__subclasses__", "__debug__",
)  # fmt: skip
"""What holds none of these asks nothing."""


def is_of_process(node: ast.AST) -> bool:
    """Whether an expression is, by itself, what the process has around it and nobody decides a value by."""
    if isinstance(node, ast.Name):
        return node.id in _OWN or node.id in _STATE
    if isinstance(node, ast.Attribute):
        root = node.attr in _OF_ROOT and is_root_logger(node.value)
        stream = node.attr in _OF_STREAMS and _is_stream(node.value)
        return node.attr in _STATE or root or stream or node.attr in _PARTS.get(last(node.value), ())
    if isinstance(node, ast.Call):
        named = _asked_by_name(node)
        if _module_asked(node) == "__main__":
            return True
        return bool(named and _is_stream(node.args[0]) and named in _OF_STREAMS) or _of_all_classes(node)
    return isinstance(node, ast.Subscript) and _module_asked(node) == "__main__"


def is_root_logger(node: ast.expr) -> bool:
    """Whether it is the logger of all, by whichever of its names."""
    given = node.args if isinstance(node, ast.Call) and last(node.func) == "getLogger" else [node]
    called = all(isinstance(one, ast.Constant) and one.value in (None, "", "root") for one in given)
    return called or (isinstance(node, ast.Attribute) and node.attr == "root" and last(node.value) == "logging")


def set_up(nodes: Iterable[ast.AST]) -> set[int]:
    """The parts of conditions on which logging is set up, or something said, and no more: no value hangs on them."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.If) and all(map(_only_sets_up, (*node.body, *node.orelse))):
            found |= {id(node), *(id(part) for part in ast.walk(node.test))}
    return found


def asked_modules(nodes: Iterable[ast.AST], is_imported: Callable[[str], bool]) -> Iterator[ast.AST]:
    """Questions whether a module is loaded that neither the repository imports nor the code around uses: a test runner
    loads many that a plain call does not."""
    nodes = list(nodes)
    used = {part.id for part in nodes if isinstance(part, ast.Name)}
    used |= {one.name.partition(".")[0] for part in nodes if isinstance(part, ast.Import) for one in part.names}
    used |= {(part.module or "").partition(".")[0] for part in nodes if isinstance(part, ast.ImportFrom)}
    for node in nodes:
        asked = _module_asked(node)
        top = asked.partition(".")[0]
        if top and top not in used | _NOTEBOOKS | {"__main__"} and not is_imported(top):
            yield node


def decided_numbers(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Where a number is made of what differs from machine to machine."""
    nodes = list(nodes)
    free = {
        id(node) for node in nodes if isinstance(node, ast.keyword | ast.Assign | ast.AnnAssign) and _says_how(node)
    }
    free = {id(node.value) for node in nodes if id(node) in free and hasattr(node, "value")}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[*given]) if name in _MAKING | {"len"}:
                compared = [part for each in given for part in ast.walk(each) if isinstance(part, ast.Compare)]
                asked = name in _MAKING and (any(map(_holds_machine, compared)) or any(map(_is_mode, given)))
                if asked or (name == "len" and any(_holds_machine(each, {"platform"}) for each in given)):
                    yield node
            case ast.IfExp() if _holds_machine(node.test) and _is_number(node.body, node.orelse):
                if id(node) not in free:
                    yield node
            case ast.BinOp() | ast.Subscript():
                sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.slice]
                if any(isinstance(side, ast.Compare | ast.BoolOp) and _holds_machine(side) for side in sides):
                    yield node
            case ast.If() if _holds_machine(node.test) and _numbers_set(node):
                yield node
            case ast.Compare() if any(map(_is_home, ast.walk(node))) or any(map(_is_zoned, ast.walk(node))):
                yield node


def _is_stream(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _STREAMS and last(node.value) == "sys"


def _asked_by_name(node: ast.Call) -> str:
    """The name for which ``hasattr`` or ``getattr`` asks."""
    asked = last(node.func) in {"getattr", "hasattr"} and len(node.args) > 1
    name = node.args[1] if asked else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""


def _of_all_classes(node: ast.Call) -> bool:
    """Whether it is asked which classes derive from one that is everybody's: a test runner brings its own."""
    asked = isinstance(node.func, ast.Attribute) and node.func.attr == "__subclasses__"
    return asked and isinstance(node.func, ast.Attribute) and last(node.func.value) in _CLASSES


def _only_sets_up(node: ast.stmt) -> bool:
    if isinstance(node, ast.Pass) or not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return isinstance(node, ast.Pass)
    called = node.value.func
    if isinstance(called, ast.Name):
        return called.id == "print"
    owner = called.value if isinstance(called, ast.Attribute) else called
    named = last(owner.func if isinstance(owner, ast.Call) else owner)
    return last(called) in _SETTING_UP and bool(_LOGS.match(named))


def _module_asked(node: ast.AST) -> str:
    """The name, as it is written, of a module of which is asked whether it is loaded; "" if none is."""
    match node:
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn()], comparators=[where]):
            if isinstance(where, ast.Call) and last(where.func) == "keys" and isinstance(where.func, ast.Attribute):
                where = where.func.value
            return name if _is_modules(where) else ""
        case ast.Call(func=ast.Attribute(attr=called, value=where), args=[ast.Constant(value=str(name)), *_]):
            return name if called in {"get", "__contains__", "__getitem__"} and _is_modules(where) else ""
        case ast.Subscript(value=where, slice=ast.Constant(value=str(name)), ctx=ast.Load()):
            return name if _is_modules(where) else ""
    return ""


def _is_modules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules" and last(node.value) == "sys"


def _holds_machine(node: ast.AST, of: Iterable[str] = (*_MACHINE, "")) -> bool:
    """Whether what differs from machine to machine stands in an expression, of certain modules."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            home = last(part.value)
            if home in of and part.attr in _MACHINE.get(home, ()):
                return True
            if "" in of and part.attr in _LEVELS:
                return True
        if "" in of and isinstance(part, ast.Name) and (part.id in _LEVELS or part.id == "__debug__"):
            return True
        if "" in of and isinstance(part, ast.Call) and _asked_by_name(part) in _INTERACTIVE:
            return base_of(part.args[0]) == "sys"
    return False


def _is_mode(node: ast.expr) -> bool:
    """Whether it is said, by itself, in which way Python was started, or how much is logged."""
    parts = node.values if isinstance(node, ast.BoolOp) else [node]
    parts = [part.operand if isinstance(part, ast.UnaryOp) else part for part in parts]
    said = [part for part in parts if isinstance(part, ast.Name | ast.Call)]
    return any(_holds_machine(part, {""}) for part in said)


def _is_number(*nodes: ast.AST | None) -> bool:
    """Whether numbers that are written down are reckoned with; what is given to a call may be anything."""
    waiting = [node for node in nodes if node is not None]
    while waiting:
        node = waiting.pop()
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return True
        waiting += ast.iter_child_nodes(node) if not isinstance(node, ast.Call | ast.Subscript) else ()
    return False


def _numbers_set(node: ast.If) -> bool:
    """Whether a branch sets or hands back a number that says what is computed."""
    setting = (one for one in (*node.body, *node.orelse)
               if isinstance(one, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return))  # fmt: skip
    return any(_is_number(one.value) and not _says_how(one) for one in setting)


def _says_how(node: ast.AST) -> bool:
    """Whether what it gives a value to says how something is done, by its name."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return bool(_HOW.search(last(target) or str(getattr(node, "arg", "") or "")))


def _is_home(node: ast.AST) -> bool:
    """Whether it is somebody's home, which is not that of who gives a path."""
    if not isinstance(node, ast.Call):
        return False
    if last(node.func) == "home" and isinstance(node.func, ast.Attribute) and last(node.func.value) == "Path":
        return True
    parts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return last(node.func) == "expanduser" and any(part.startswith("~") for part in parts)


def _is_zoned(node: ast.AST) -> bool:
    """Whether it is asked which time it is here at a time that is written down: that is the zone, and no more."""
    given = node.args if isinstance(node, ast.Call) and last(node.func) in _ZONED else []
    return bool(given) and all(isinstance(one, ast.Constant | ast.Tuple) for one in given)
