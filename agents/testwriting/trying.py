"""Written tests are run, and each told apart: it holds, an assertion of it does not, or it broke first."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

from agents.code.mutants import Raised
from agents.code.verify.noticing import ASSERTIONS, Attribution
from agents.code.verify.preparing import Import
from agents.code.verify.running import Reacher, Source, TestRun, run_file
from agents.code.verify.session import raised_of
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.execution.harness import BatchRun
from agents.execution.syntax import parse
from agents.testwriting.reply import Because
from agents.testwriting.returning import unreturned
from agents.testwriting.rules import Function, assertions
from kg.models.code import CodeUnit

__all__ = ["Composed", "Trial", "bound_anew", "compose", "source_of", "try_tests"]

SECONDS = 120.0
MESSAGE = 600
_HEAD = '''\
"""What the paper says of `{symbol}` of {path}: written by a language model ({model}), not by the authors."""

from xkg_inside.importing import load

{binding}
del load

{setup}
'''
_BINDING = re.compile(r"^_module = load\(.*$", re.MULTILINE)
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|[-+]?\d[\d_.]*(?:[eE][-+]?\d+)?|\b(?:True|False|None|nan|inf)\b")
_ARITY = re.compile(r"argument|values to unpack|expected at (?:most|least)|is not (?:callable|iterable|subscriptable)")
"""What is said of how something is called, and holds no value."""
_TALKING = {"TypeError", "AttributeError", "NameError", "ImportError", "ModuleNotFoundError", "UnboundLocalError"}
"""What speaks of names and types, and not of values."""
_OF_IMPORTS = {"ImportError", "ModuleNotFoundError"}
_OF_VALUES = {"ArithmeticError", "ValueError", "IndexError"}
"""What code stops with at values that it has not reckoned with; others may speak of what a stand-in lacks, or of the
machine."""
_REPOSITORY = "/work/repo/"


@dataclass(frozen=True)
class Composed:
    """A file of tests: its place below ``/work``, its text, and the first line of each function in it; `known` are the
    names by which tests can come to the repository's code."""

    path: str
    text: str
    lines: dict[str, int]
    functions: dict[str, Function]
    known: frozenset[str] = frozenset()

    def because(self, name: str, line: int) -> Because | None:
        """What the assertion of a function follows from that stands in a line of the file."""
        if name not in self.functions:
            return None
        function, at = self.functions[name], line - self.lines[name] + 1
        found = assertions(parse(function.source))
        within = [
            n for n, node in enumerate(found) if getattr(node, "lineno", 0) <= at <= getattr(node, "end_lineno", 0)
        ]
        return function.because[within[0]] if within else None


@dataclass(frozen=True)
class Trial:
    """A run of a file of tests. `holding` are runs that passed; `refuted` quotes whose assertions do not hold, by
    function; of these `stopped` are functions whose call ends with an error, by its kind, though who wrote them stands
    by it; `broken` what went wrong with the others, as a model may be told it; "" where a call of the unit may have
    returned before: that a test broke, and where, can tell what it was."""

    runs: tuple[TestRun, ...]
    holding: tuple[TestRun, ...]
    refuted: dict[str, Because | None]
    broken: dict[str, str]
    batch: BatchRun
    stopped: dict[str, str]


def compose(
    unit: CodeUnit, found: Import, bound: Sequence[str], setup: str, functions: Sequence[Function], model: str
) -> Composed:
    """The file in which `functions` judge `unit`, whose module can be had as `found` says."""
    known = {*bound, *(name for name, node in _named(parse(setup)) if _mentions(node, bound))}
    names = [
        f"{name} = {'_module.' + name if n == 0 else f'getattr(_module, {name!r}, None)'}"
        for n, name in enumerate(bound)
    ]
    binding = "\n".join([f"_module = load({unit.file!r}, {found.name!r}, {found.way!r})", *names])
    head = _HEAD.format(
        symbol=unit.symbol,
        path=unit.file,
        model=model.replace('"', "'").replace("\\", "/"),
        binding=binding,
        setup=setup.strip("\n"),
    )
    text, lines = head, dict[str, int]()
    for function in functions:
        text += "\n\n"
        lines[function.name] = text.count("\n") + 1
        text += function.source + "\n"
    return Composed(
        source_of(text).path, text, lines, {function.name: function for function in functions}, frozenset(known)
    )


def source_of(text: str) -> Source:
    """Where the text of a composed file is laid, and how it is collected."""
    path = f"tau/test_written_{sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}.py"
    return Source(path, "written", ini=False, conftest=False)


def try_tests(
    unit: CodeUnit, verdicts: UnitVerdicts, composed: Composed, each: float,
    returned: Mapping[str, str] = MappingProxyType({}),
) -> Trial:  # fmt: skip
    """Run all tests of a file once, on the unit as it is. `returned` are the texts of tests that were given back, with
    how they broke: who writes one again as it was, and it breaks as it did, stands by its call."""
    session = verdicts.beside({composed.path: composed.text}).prepared.session
    if session is None:
        raise ValueError("no tests run without an environment")
    runs, batch = run_file(
        session, source_of(composed.text), Reacher(verdicts.hashes.units.values()), seconds=SECONDS, each=each
    )
    side = Attribution(unit, {unit.name}, [composed.path])
    held, refuted, broken, quiet = [], dict[str, Because | None](), dict[str, str](), list[tuple[str, str]]()
    stopped: dict[str, str] = {}
    for run in runs:
        name = _function(run)
        raised = run.raised
        if run.outcome == "passed" and unit.id in run.units:
            held.append(run)
        elif run.outcome == "passed":
            broken.setdefault(name, "it ran to its end without calling the unit")
        elif raised and ASSERTIONS & set(raised.types) and side.asserts(raised) and unit.id in run.units:
            refuted.setdefault(name, composed.because(name, _line(raised, composed.path)))
        elif (
            (function := composed.functions.get(name))
            and raised
            and _stops(raised, unit)
            and returned.get(function.source) == _report(run, unit, composed)
        ):
            refuted.setdefault(name, composed.because(name, _line(raised, composed.path)) or function.because[0])
            stopped.setdefault(name, raised.types[0])
        else:
            broken.setdefault(name, _told(run, unit, composed))
            quiet += [(name, _what(run, unit, composed))] if run.raised else []
    silent = [run for run in runs if run.raised and broken.get(_function(run)) == ""]
    if not _comes_otherwise(unit, composed):
        text = verdicts.text(unit.file)
        early = unreturned(unit, text, session, source_of(composed.text), silent, each)
        broken.update((_function(run), _report(run, unit, composed)) for run in silent if run.id in early)
    known = {said.rpartition("\n")[2] for said in broken.values() if said}
    # What broke another test in the same words, and may be told of it, gives nothing away of this one.
    broken.update((name, said) for name, said in quiet if not broken[name] and said in known)
    for name in composed.functions:
        if not any(_function(run) == name for run in runs):
            broken[name] = _uncollected(batch, composed)
    held = [run for run in held if _function(run) not in {*refuted, *broken}]
    return Trial(tuple(runs), tuple(held), refuted, broken, batch, stopped)


def _stops(raised: Raised, unit: CodeUnit) -> bool:
    """Whether it speaks of values, and the unit raised it, or what the unit calls of the repository, and nothing that a
    test hands over."""
    ours = [(file, line) for file, line, _ in raised.frames if file.startswith((_REPOSITORY, "/work/tau/"))]
    within = any(file == _REPOSITORY + unit.file and unit.line <= line <= unit.end_line for file, line in ours)
    return within and ours[-1][0].startswith(_REPOSITORY) and bool(_OF_VALUES & set(raised.types))


def _function(run: TestRun) -> str:
    """The name of the function that a test is of."""
    return run.id.rpartition("::")[2].partition("[")[0]


def _comes_otherwise(unit: CodeUnit, composed: Composed) -> bool:
    """Whether tests come to anything of the repository beside what holds the unit: that may tell what the unit does."""
    tree = parse(composed.text)
    taken = {target.id for node in tree.body if isinstance(node, ast.Assign) and _mentions(node.value, {"_module"})
             for target in node.targets if isinstance(target, ast.Name)}  # fmt: skip
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return bool(used & taken - {unit.symbol.partition(".")[0]})


def bound_anew(text: str, file: str, name: str) -> tuple[str, set[str]]:
    """A composed file that takes what it judges from another `file`, by its import `name` or, if that fails, statement
    by statement; and the names of its tests."""
    binding = "\n".join([
        "try:",
        f"    _module = load({file!r}, {name!r}, 'name')",
        "except BaseException:",
        f"    _module = load({file!r}, None, 'statements')",
    ])  # fmt: skip
    found = [node.name for node in parse(text).body if isinstance(node, ast.FunctionDef)]
    return _BINDING.sub(lambda _: binding, text, count=1), {name for name in found if name.startswith("test_")}


def _line(raised: Raised, path: str) -> int:
    """The line of the test file in which an exception was raised, or passed last."""
    return next((line for file, line, _ in reversed(raised.frames) if file.endswith(path)), 0)


def _uncollected(batch: BatchRun, composed: Composed) -> str:
    """Why a file gave no tests, as a model may be told it. Its setup may have called the unit, or a test before this
    one: only an import of the file's own that fails says nothing of what came of it."""
    result = batch.results.get(composed.path)
    if result is None or not result.ran:
        return "it was not run: there was no time left for the tests"
    imports = {node.lineno for node in parse(composed.text).body if isinstance(node, ast.Import | ast.ImportFrom)}
    for event in result.of("collect"):
        raised = raised_of(event.get("raised"))
        ours = [line for file, line, _ in raised.frames if file.startswith("/work/")] if raised else []
        if raised and raised.types[0] in _OF_IMPORTS and len(ours) == 1 and ours[0] in imports:
            return f"the file can't be loaded: {raised.types[0]}: {raised.message[:MESSAGE]}"
    return "it was not run: the sandbox ended before its turn, or the file could not be loaded"


def _told(run: TestRun, unit: CodeUnit, composed: Composed) -> str:
    """What a model is told of a test that broke: kind, places and, as far as it can't give away what was returned, the
    message; nothing once a call may have returned. Lines of the repository are named by their function, never shown."""
    if unit.id in run.units and not _at_the_first_call(run, composed):
        return ""
    return _report(run, unit, composed)


def _report(run: TestRun, unit: CodeUnit, composed: Composed) -> str:
    """The places of what a test raised, and the kind."""
    if run.raised is None:
        ended = {"timeout": "it took too long", "died": "it ended the process", "skipped": "it was skipped"}
        return ended.get(run.outcome, f"it ended as {run.outcome}")
    source = composed.text.splitlines()
    places = []
    for file, line, name in run.raised.frames:
        if file.endswith(composed.path) and 0 < line <= len(source):
            places.append(f"in {name}: {source[line - 1].strip()}")
        elif "/repo/" in file:
            places.append(f"in {name} of {file.rpartition('/repo/')[2]}")
    return "\n".join([*places[-6:], _what(run, unit, composed)])


def _what(run: TestRun, unit: CodeUnit, composed: Composed) -> str:
    """The kind of what a test raised, and of its message what may be told; on one line."""
    if run.raised is None:
        return ""
    kind = run.raised.types[0]
    message = " ".join(run.raised.message.split())[:MESSAGE]
    if unit.id in run.units:
        own = not run.raised.frames or run.raised.frames[-1][0].endswith(composed.path)
        told = message if _ARITY.search(message) and not own else _blanked(message, composed)
        message = told if kind in _TALKING or not own else ""
    return f"{kind}: {message}".removesuffix(": ")


def _blanked(message: str, composed: Composed) -> str:
    """Without values, but for names that the test itself spells."""
    return _LITERAL.sub(lambda said: said[0] if said[0].strip("'\"`").isidentifier() and said[0][0] in "'\"`"
                        and said[0].strip("'\"`") in composed.text else "#", message)  # fmt: skip


def _at_the_first_call(run: TestRun, composed: Composed) -> bool:
    """Whether a test broke within the first call that it makes of the repository's code, itself or by helpers of its
    setup, so that none had returned."""
    name = _function(run)
    places = [line for file, line, _ in (run.raised.frames if run.raised else ()) if file.endswith(composed.path)]
    if name not in composed.functions or not run.raised or run.raised.frames[-1][0].endswith(composed.path):
        return False
    written = [node for node in parse(composed.text).body if isinstance(node, ast.FunctionDef)]
    passed = [next((f for f in written if f.lineno <= line <= (f.end_lineno or 0)), None) for line in places]
    return passed[:1] == [next((f for f in written if f.name == name), None)] and all(
        function is not None and _first_mentions(function.body, composed.known, line)
        for function, line in zip(passed, places, strict=True)
    )


def _first_mentions(body: Sequence[ast.stmt], known: Collection[str], line: int) -> bool:
    """Whether a line is in the first statement of a function that comes to the repository's code, and does so once."""
    first = next((node for node in body if _mentions(node, known)), None)
    if not isinstance(first, ast.Assign | ast.Expr | ast.Assert | ast.Return) or _mentions(first, known) != 1:
        return False
    loops = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    return first.lineno <= line <= (first.end_lineno or 0) and not any(isinstance(n, loops) for n in ast.walk(first))


def _mentions(node: ast.AST, names: Collection[str]) -> int:
    """How often one of these names stands in it."""
    return sum(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


def _named(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """What stands at the top of a module, under its names."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            yield from ((one.id, node) for t in node.targets for one in ast.walk(t) if isinstance(one, ast.Name))
