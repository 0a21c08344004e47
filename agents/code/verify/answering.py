"""Answers that are written down beside the arguments of the tests, where a rule should be.

A unit that looks whether it was given this number or that one, and is tested with these numbers alone or nearly so, may
give anything for all others. Only numbers count that no rule singles out by itself: 0, 1 and -1 begin most of them.
Texts are not meant: modes and names are told apart by equality everywhere.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from agents.code.verify.returning import definition
from agents.code.verify.varying import told_of_one
from agents.execution.syntax import parse
from kg.models.code import CodeUnit

__all__ = ["answers_written_down"]

LEAST = 2
"""Different numbers that must be singled out."""
PART = 0.5
"""Of the different calls that give numbers, those with such a number."""
LARGE, DIGITS = 1_000, 6
"""Numbers beyond, and texts of as many characters, may be checksums; a number beyond in a seed may be sought."""
PACKED = 2**32
"""Numbers from which on one may hold many answers."""
_SEEDED = {"Random", "RandomState", "default_rng", "seed"}
_BY_CHANCE = re.compile(
    r"(?i)rand|seed|sampl|shuffl|draw|noise|noisy|stochast|jitter|permut|split|bootstrap|monte|simulat|rng|generat|init"
    r"|augment|dropout|epoch|chance|synthetic|fake|demo"
)
"""What says that chance has a part in it."""
_CHECKSUMS = {
    "adler32", "blake2b", "blake2s", "crc32", "crc_hqx", "fingerprint", "hash", "hexdigest", "md5", "sha1", "sha224",
    "sha256", "sha384", "sha512",
}  # fmt: skip
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def answers_written_down(text: str, unit: CodeUnit, report: Mapping[str, object]) -> str:
    """Where a function of a file with `text` singles out what its tests give it (``line 4: `a == 12` ``), by the
    `report` of the run that watched its calls; "" if it does not, or if most calls give it something else."""
    function = definition(text, unit)
    single = {(name, number): node for node, name, number in _singled(function)} if function else {}
    calls = [{(str(name), number) for name, number in call.items()} for call in told_of_one(report, "numbers")]
    met = [call for call in calls if any(part in single for part in call)]
    known = {part for call in met for part in call if part in single}
    chance = bool(_BY_CHANCE.search(f"{unit.signature} {unit.docstring}"))
    if asked := (_by_checksum(function, text) or _packed(function, text, chance)) if function else None:
        return f"line {asked.lineno}: `{ast.unparse(asked)[:60]}`"
    if len(known) < LEAST or len(met) < PART * len(calls):
        return ""
    node = min((single[part] for part in known), key=lambda one: (one.lineno, one.col_offset))
    return f"line {node.lineno}: `{ast.unparse(node)[:60]}`"


def _by_checksum(function: _Function, text: str) -> ast.expr | None:
    """Where a function holds a checksum of what it is given against several that are written down in its file: it wants
    to know some arguments from all others, and not to be read. One alone may tell whether a file is whole."""
    assigned = [node for node in ast.walk(parse(text)) if isinstance(node, ast.Assign)]
    names = {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    found: dict[int, ast.expr] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            pairs = [(node.left, node.comparators[0]), (node.comparators[0], node.left)]
        elif isinstance(node, ast.Subscript):
            pairs = [(node.slice, node.value)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            pairs = [(key, node.func.value) for key in node.args[:1]]
        else:
            continue
        for key, table in pairs:
            written = names.get(table.id, table) if isinstance(table, ast.Name) else table
            if _checksum(names.get(key.id, key) if isinstance(key, ast.Name) else key):
                found |= {one: node for one in _written_down(written) if one not in found}
    return min(found.values(), key=lambda one: (one.lineno, one.col_offset)) if len(found) >= LEAST else None


def _packed(function: _Function, text: str, chance: bool) -> ast.expr | None:
    """Where a function takes its answer out of one large number by what it is given, or, though it speaks of no
    `chance`, draws it by a seed that is made of that and of a number that is written down: with the right one any
    answers come out."""
    assigned = [node for node in parse(text).body if isinstance(node, ast.Assign)]
    large = {
        target.id for node in assigned for target in node.targets
        if isinstance(target, ast.Name) and _is_large(node.value, set())
    }  # fmt: skip
    for node in ast.walk(function):
        cut = node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.Mod) else None
        taken = isinstance(cut, ast.BinOp) and isinstance(cut.op, ast.RShift | ast.FloorDiv)
        if isinstance(cut, ast.BinOp) and taken and _is_large(cut.left, large) and _names(cut.right):
            return cut
        if isinstance(node, ast.Call) and not chance and _called(node) in _SEEDED and node.args:
            numbers = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
            if _names(node.args[0]) and any(type(number) is int and number > LARGE for number in numbers):
                return node
    return None


def _is_large(node: ast.expr, names: Collection[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value >= PACKED


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def _written_down(node: ast.expr) -> set[int]:
    """The checksums that a literal holds, by what tells them apart; none if it holds anything else. The keys of a table
    may be what is left of such when they are divided, unless they are those of all that can be left."""
    parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [node])
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    least = 0 if isinstance(node, ast.Dict) and set(values) != set(range(len(values))) else LARGE
    long = [value for value in values if (type(value) is int and value >= least) or len(str(value)) >= DIGITS]
    return set(map(hash, long)) if len(values) == len(parts) == len(long) else set()


def _checksum(node: ast.expr) -> bool:
    """Whether an expression is made of a checksum of something."""
    calls = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(getattr(one, "attr", getattr(one, "id", "")) in _CHECKSUMS for one in calls)


def _singled(function: _Function) -> Iterator[tuple[ast.expr, str, float]]:
    """Where a number is given for one number that a parameter is: the place, its name, that number. What is computed
    for it is a rule, as for an order or a dimension."""
    tables = {
        target.id: node.value
        for node in ast.walk(function) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    for node in ast.walk(function):
        if (isinstance(node, ast.If) and _gives_a_number(node.body[0])) or (
            isinstance(node, ast.IfExp) and _is_number(node.body)
        ):
            yield from _asked(node.test)
        elif isinstance(node, ast.Subscript):
            yield from _looked_up(node, node.value, [node.slice], tables)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            yield from _looked_up(node, node.func.value, node.args[:1], tables)
        elif isinstance(node, ast.Match) and isinstance(node.subject, ast.Name):
            given = [case.pattern for case in node.cases if _gives_a_number(case.body[0])]
            values = [part.value for one in given for part in ast.walk(one) if isinstance(part, ast.MatchValue)]
            yield from ((node.subject, node.subject.id, number) for value in values for number in _numbers(value))


def _asked(test: ast.expr) -> Iterator[tuple[ast.expr, str, float]]:
    """What a condition holds a parameter against."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.In):
            yield from _compared(node, node.left, node.comparators[0])
            yield from _compared(node, node.comparators[0], node.left)


def _gives_a_number(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and statement.value is not None and _is_number(statement.value)


def _is_number(node: ast.expr) -> bool:
    return _literal(node) is not None


def _compared(node: ast.expr, name: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, str, float]]:
    """A tuple of parameters is held against a tuple of numbers one by one."""
    if isinstance(name, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(name.elts, value.elts, strict=False):
            yield from _compared(node, one, other)
    elif isinstance(name, ast.Name):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]
        yield from ((node, name.id, number) for part in parts for number in _numbers(part))


def _looked_up(
    node: ast.expr, table: ast.expr, keys: list[ast.expr], tables: dict[str, ast.Dict]
) -> Iterator[tuple[ast.expr, str, float]]:
    found = tables.get(table.id) if isinstance(table, ast.Name) else table
    if not isinstance(found, ast.Dict) or not all(map(_is_number, found.values)):
        return
    for key in keys:
        for one in filter(None, found.keys):
            yield from _compared(node, key, one)


def _numbers(node: ast.expr) -> Iterator[float]:
    """The number that is written there, unless many rules begin with it."""
    value = _literal(node)
    if value is not None and value not in (0, 1, -1):
        yield value


def _literal(node: ast.expr) -> float | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if type(value) in (int, float) else None
