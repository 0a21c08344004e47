"""Code that asks where it runs, and so may do other things anywhere but here.

What decides counts: a condition, comparison or number that holds what the process has around it (variables of the
environment, its arguments, its user, its number, its frames, the seed of its hashes, places on the machine), a module
that is looked for by a name that is put together, a date that is written down, a test file that is looked for, and a
function that hands some of that back, or counts it. Where something is
written, how many work at it, or which Python it is asks nothing: the last is part of what a verdict rests on.
"""

import ast
import re
from collections.abc import Callable, Collection, Iterator

from agents.code.verify import circumstances
from agents.code.verify.dating import warned
from agents.code.verify.possible import last

__all__ = ["HINTS", "surroundings"]

_OF_PROCESS = {
    "currentframe", "getegid", "geteuid", "getgid", "gethostbyname", "gethostname", "getlogin", "getnode", "getpid",
    "expandvars", "faulthandler", "get_threshold", "getppid", "getprofile", "getrecursionlimit", "getswitchinterval",
    "unraisablehook", "getpwuid", "getrusage", "gettrace", "getuid", "getuser", "process_time", "_getframe",
    "process_time_ns",
}  # fmt: skip
"""What nobody hands back but to tell processes, machines and callers apart."""
_THREADS = {"current_thread", "currentThread", "get_ident", "get_native_id"}
"""The same, but for who keeps something for each thread: only what is reckoned with it counts."""
_MAIN = {"current_thread", "currentThread", "main_thread"}
"""By which tests' thread is told from others."""
_VARIABLES = {"environ", "environb", "getenv"}
_OF_IMPORTS = {"meta_path", "path_hooks", "path_importer_cache"}
_AROUND = _OF_PROCESS | _VARIABLES | _OF_IMPORTS | {"argv", "gettempdir", "isatty", "orig_argv"}
_STREAMS = {"stdin", "stdout", "stderr"}
_PRESENCE = {
    "access", "exists", "is_dir", "is_file", "isdir", "isfile", "islink", "ismount", "lexists", "lstat", "stat",
}  # fmt: skip
_ABSOLUTE = re.compile(r"^(?:/(?!dev/null)\w|~|[A-Za-z]:[\\/]|(?:\./)?tests?(?:/|$)|conftest\.py$|pytest\.ini$)")
_GLOBS = {"glob", "iglob", "rglob"}
_OF_TESTS = re.compile(r"(?:^|/)(?:conftest\.py|pytest\.ini|test_[^/]*\.py)$")
_CLOCKS = {"now", "time", "time_ns", "today", "utcnow"}
_DATES = {"date", "datetime", "datetime64", "fromisoformat", "fromtimestamp", "strptime", "Timestamp"}
_AGES = {"getctime", "getmtime", "st_ctime", "st_mtime"}
_SECONDS_OF_2001 = 1e9
HINTS = (
    *_AROUND, *_CLOCKS, *_THREADS, *_MAIN, *_PRESENCE, *_GLOBS, *_STREAMS,
    "logging.root", "modules", "hash(", "warnings", "getLogger", "__main__", *circumstances.HINTS,
)  # fmt: skip
"""What holds none of these asks nothing."""
_COUNTING = {"all", "any", "bool", "float", "int", "len", "sum"}
_CONDITIONS = (ast.If, ast.IfExp, ast.While, ast.Assert)


def surroundings(
    scope: ast.AST, variables: Collection[str] = (), is_imported: Callable[[str], bool] = lambda _: False
) -> Iterator[ast.AST]:
    """Conditions in a function, or in a statement outside of all, that hold what is around the process; what it hands
    back of that; and texts whose hash is taken, which differs from process to process. Environment `variables` that a
    verdict tells of, as the repository's own CI sets them, may be asked for, and whether a module is loaded that the
    repository imports."""
    nodes = list(ast.walk(scope))
    known, threads = _known(nodes, _OF_PROCESS), _known(nodes, _THREADS)
    given = {node.arg for node in nodes if isinstance(node, ast.arg)}
    free = circumstances.set_up(nodes)
    harmless = warned(nodes)
    yield from (node for node in nodes if id(node) not in harmless and _dates(node, given))
    yield from circumstances.decided_numbers(nodes)
    yield from (node for node in circumstances.asked_modules(nodes, is_imported) if id(node) not in free)
    yield from _of_process(nodes, free)
    for node in nodes:
        if isinstance(node, _CONDITIONS):
            asked: list[ast.AST] = [node.test]
        elif isinstance(node, ast.Compare):
            asked = [node]
            if any(map(_is_all_modules, node.comparators)) and not isinstance(node.left, ast.Constant):
                yield node
        elif isinstance(node, ast.Match):
            asked = [node.subject]
        elif isinstance(node, ast.comprehension):
            asked = list(node.ifs)
        else:
            if isinstance(node, ast.Return) and node.value and _holds(node.value, _OF_PROCESS, known | threads):
                yield node
            if isinstance(node, ast.BinOp) and _holds(node, _VARIABLES - set(variables), known) and _is_reckoned(node):
                yield node
            if isinstance(node, ast.Call) and (
                _hashes_a_text(node) or _looks_for_a_place(node) or _counts(node, known)
            ):
                yield node
            continue
        for part in asked:
            told = any(isinstance(each, ast.Constant) and each.value in variables for each in ast.walk(part))
            if _holds(part, _MAIN | (_AROUND - _VARIABLES if told else _AROUND), known):
                yield node


def _of_process(nodes: list[ast.AST], free: Collection[int]) -> Iterator[ast.AST]:
    """Conditions, comparisons and numbers that hold what a runner of tests changes, but those that are `free`."""
    known: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and any(map(circumstances.is_of_process, ast.walk(node.value))):
            known |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for node in nodes:
        if isinstance(node, (*_CONDITIONS, ast.Match)):
            asked: list[ast.AST] = [node.subject if isinstance(node, ast.Match) else node.test]
        elif isinstance(node, ast.comprehension):
            asked = [node.iter, *node.ifs]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _COUNTING:
            asked = list(node.args)
        else:
            asked = [node] if isinstance(node, ast.Compare) else []
        parts = [part for one in asked for part in ast.walk(one)]
        held = any(isinstance(part, ast.Name) and part.id in known for part in parts)
        if id(node) not in free and (held or any(map(circumstances.is_of_process, parts))):
            yield asked[0] if isinstance(node, ast.comprehension) else node


def _known(nodes: list[ast.AST], accessors: set[str]) -> set[str]:
    """Names that stand for what is around the process."""
    known: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and _holds(node.value, accessors, known):
            known |= {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return known


def _holds(node: ast.AST, accessors: set[str], known: set[str]) -> bool:
    """Whether what is around the process stands in an expression, itself or by a name."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute) and last(part) in accessors:
            return True
        if isinstance(part, ast.Name) and (part.id in known or part.id == "__main__"):
            return True
        if isinstance(part, ast.Attribute) and part.attr == "filters" and last(part.value) == "warnings":
            return True
        if isinstance(part, ast.Call) and last(part.func) == "type" and any(last(arg) in _STREAMS for arg in part.args):
            return True
    return False


def _is_reckoned(node: ast.BinOp) -> bool:
    """Whether it is computed with the number that a variable of the environment is, which no argument tells."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Call) and last(part.func) in ("int", "float")]
    return any(_holds(argument, _VARIABLES, set()) for part in parts for argument in part.args)


def _dates(node: ast.AST, given: Collection[str]) -> bool:
    """Whether it is asked how long it is to, or since, a date that is written down, or that of a file which is not
    among the `given` arguments."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    else:
        return False
    named = {part.id for side in sides for part in ast.walk(side) if isinstance(part, ast.Name)}
    wanted = (_is_now, _is_a_date, _is_an_age)
    clocks, dates, ages = ([side for side in sides if any(map(is_one, ast.walk(side)))] for is_one in wanted)
    dates += [] if named & set(given) else ages
    return any(clock is not date for clock in clocks for date in dates)


def _is_now(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last(node.func) in _CLOCKS


def _is_an_age(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and last(node) in _AGES


def _is_a_date(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and last(node.func) in _DATES:
        return len(node.args) > 0 and all(isinstance(each, ast.Constant) for each in node.args)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value >= _SECONDS_OF_2001


def _is_all_modules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules" and last(node.value) == "sys"


def _counts(node: ast.Call, known: set[str]) -> bool:
    """Whether a number is made of what is around the process."""
    counted = isinstance(node.func, ast.Name) and node.func.id in _COUNTING
    return counted and any(_holds(argument, _AROUND - _VARIABLES - {"argv"}, known) for argument in node.args)


def _hashes_a_text(node: ast.Call) -> bool:
    of_text = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    return of_text and isinstance(node.func, ast.Name) and node.func.id == "hash"


def _looks_for_a_place(node: ast.Call) -> bool:
    """Whether it is asked what this machine has at a place that is written down: a sandbox has not what others have."""
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))
    if last(node.func) in _GLOBS:
        return any(map(_OF_TESTS.search, texts))
    return last(node.func) in _PRESENCE and any(map(_ABSOLUTE.match, texts))
