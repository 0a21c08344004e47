"""What the texts of a unit and of its tests tell before anything is tried: which tests can be evidence at all."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial

from agents.code.units.imports import ImportResolver
from agents.code.units.roles import file_role
from agents.code.verify import dating, surroundings
from agents.code.verify.arranging import Arranged, arranged
from agents.code.verify.asking import Questions, asks
from agents.code.verify.comparisons import of_a_text
from agents.code.verify.copies import copied
from agents.code.verify.disguised import disguised
from agents.code.verify.excusing import keeps_to_itself, skips_by
from agents.code.verify.meddling import changes, read_by_itself, sets_own, works_in_assert
from agents.code.verify.possible import Possible, last
from agents.code.verify.record import CodeHashes
from agents.code.verify.reflecting import reflecting, walks_frames
from agents.code.verify.returning import definition, hands_on, rebound
from agents.code.verify.running import TestRun
from agents.code.verify.shadowing import brought, settings_of_pytest, shadows
from agents.code.verify.unkept import unkept
from agents.execution.harness import Inputs, JobResult
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["Scrutiny"]

_WORD = re.compile(r"[^\W\d]\w*")
_SET = re.compile(r"(?m)^([^\W\d]\w*)(?: *:[^=\n]+)? *=(?!=)")
"""What a file sets itself, outside of all functions."""
_ANY = re.compile(r"\bANY\b")
_IMPORT = re.compile(r"(?m)^[ \t]*(?:import|from) +(\w+)")
_CONFTEST = re.compile(r"(?m)^[ \t]*(?:from|import)\b.*\bconftest\b|pytest_plugins|[\"'][\w./]*conftest")
"""Where a conftest is loaded that lies elsewhere."""


class Scrutiny:
    """Of the units of a repository; `text_of` gives the text of one of its `files`, of which some have no unit,
    `variables` of the environment are those that its verdicts tell of."""

    def __init__(
        self, hashes: CodeHashes, files: Iterable[str], text_of: Callable[[str], str],
        variables: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.hashes, self.text_of = hashes, cache(text_of)
        self.resolver = ImportResolver([*files, *(unit.file for unit in hashes.units.values())])
        self.possible = Possible(hashes.units.values(), self.text_of)
        self.questions = cache(lambda file: Questions(file, self.text_of(file)))
        self.dates = cache(lambda file: Questions(file, self.text_of(file), dating.datings, dating.HINTS))
        self.disguises = cache(lambda file: disguised(self.text_of(file)))
        self.changes = cache(lambda file: changes(self.text_of(file), self.resolver.tops))
        self.settings = cache(lambda file: sets_own(self.text_of(file), self.resolver.tops))
        self.arranged = cache(lambda file: arranged(self.text_of(file), file.rpartition("/")[2] == "conftest.py"))
        self.reflections = cache(lambda file, **where: reflecting(self.text_of(file), **where))
        where = partial(surroundings.surroundings, variables=variables, is_imported=self._imports)
        self.places = cache(lambda file: Questions(file, self.text_of(file), where, surroundings.HINTS))

    def of(
        self, unit: CodeUnit, passing: Sequence[TestRun], reaching: Sequence[TestRun] = ()
    ) -> tuple[list[TestRun], str]:
        """Of passing tests of a unit those that can be evidence for it; if there are none, why; `reaching` are all that
        reach it."""
        if objection := next(filter(None, self._objections(unit, passing, reaching)), ""):
            return [], objection
        copies = copied(unit, passing, self.hashes.units, self.text_of)
        rest = [run for run in passing if run.id not in copies]
        made = {run.id: place for run in rest if (place := of_a_text(unit, run, self.hashes.units, self.text_of))}
        written = [run for run in rest if run.id not in made]
        kept = [run for run in written if not self._takes_anything(run)]
        if kept:
            return kept, ""
        if made and not written:
            test, place = min(made.items())
            return [], f"test too weak: {test} holds it against what it runs of a text ({place}): assert values"
        if rest:
            test = min(run.id for run in written)
            return [], f"test too weak: {test} holds it against ANY, which equals all: assert values"
        test, place = min(copies.items())
        return [], f"test too weak: {test} holds it against a copy of itself ({place}): assert values"

    def _objections(self, unit: CodeUnit, passing: Sequence[TestRun], reaching: Sequence[TestRun]) -> Iterator[str]:
        """What speaks against a unit whatever its tests are, or nothing."""
        if asked := self._asked(unit, passing, self.questions):
            yield f"it asks whether it is tested ({asked}): what it does elsewhere no test can show"
        if asked := self._asked(unit, passing, self.dates):
            yield f"it asks for the date ({asked}): what it does on other days no test shows"
        if asked := self._asked(unit, passing, self.places):
            yield f"it asks where it runs ({asked}): what it does elsewhere no test shows"
        yield from self._of_texts(unit, passing)
        if line := rebound(unit, self.text_of(unit.file), self._brings):
            yield f"its name stands for something else than what is written there ({line})"
        if place := self._between(unit):
            yield f"what is written there may not be what runs: something stands before it ({place})"
        yield from self._denials(unit, reaching)
        node = definition(self.text_of(unit.file), unit) if unit.kind != "class" else None
        if node and (name := hands_on(node)):
            yield f"it only calls what it is given, `{name}`: what it returns is made there"
        if broken := self.broken(unit, passing):
            yield f"it does not keep what it says: {broken}"

    def broken(self, unit: CodeUnit, passing: Sequence[TestRun]) -> str:
        """What a unit says of itself that nothing in its source can do; "" if there is nothing."""
        return unkept(unit, self.hashes.units, self.possible, self._tests(passing))

    def _between(self, unit: CodeUnit) -> str:
        """Where a base class of the repository decides what its attributes are, or a decorator of the repository looks
        up by a made name what runs; "" if none does."""
        units = self.hashes.units
        waiting, seen = [units.get(unit.parent or "", unit) if unit.kind == "method" else unit], set[str]()
        while waiting:
            one = waiting.pop()
            seen.add(one.id)
            method = units.get(f"{one.id}.__getattribute__")
            if method is not None:
                return f"{method.file}:{method.line}: __getattribute__"
            names = {base.rpartition(".")[2] for base in one.bases}
            waiting += [
                other
                for other in units.values()
                if other.name in names and other.kind == "class" and other.id not in seen
            ]
        node = definition(self.text_of(unit.file), unit)
        decorators = (
            {last(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list} if node else set()
        )
        found = (other for other in units.values() if other.name in decorators and "globals()" in other.text)
        return next((f"{other.file}:{other.line}: {other.name}" for other in found), "")

    def _of_texts(self, unit: CodeUnit, passing: Sequence[TestRun]) -> Iterator[str]:
        """What the files of a unit and of its tests hide or change."""
        tests = {run.id.partition("::")[0] for run in passing}
        for file in sorted({unit.file, *(tests & self.resolver.files)}):
            if place := self.disguises(file):
                yield f"what people are shown of {file} is not what runs ({place})"
        words = {word for text in (unit.text, *self._tests(passing)) for word in _WORD.findall(text)}
        for file in sorted(self.resolver.files):
            if place := next((place for place, part in self.changes(file) if part in words), ""):
                yield f"{file} changes a library by which its tests may compute what they expect ({place})"
        for place in shadows(unit.file, tests, self.resolver, self.text_of):
            yield f"its tests get another module than its users ({place}): what it does elsewhere no test shows"
        yield from self._settings(unit, tests)
        yield from self._arranged(unit, tests)
        function = definition(self.text_of(unit.file), unit)
        if read_by_itself(function):
            yield "it reads its own documentation, in which answers may stand"
        if place := works_in_assert(function):
            yield f"it does its work in an assertion ({place}), which python -O leaves out"

    def _settings(self, unit: CodeUnit, tests: set[str]) -> Iterator[str]:
        """What conftests set of what a unit reads, of those that are loaded for the files of its tests."""
        own = {*_WORD.findall(unit.text)} & {*_SET.findall(self.text_of(unit.file))}
        for file in self._around(tests):
            found = (place for place, part, owner in self.settings(file)
                     if part in own and self._may_mean(file, owner, part, unit.file))  # fmt: skip
            if place := next(found, ""):
                yield f"{file} sets what it reads ({place}): what it does elsewhere no test shows"

    def _arranged(self, unit: CodeUnit, tests: set[str]) -> Iterator[str]:
        """What is set by a call around the tests of a unit that it, or what it calls, computes by."""
        used = [self.hashes.units[name] for name in self.hashes.closure(unit)]
        text = "\n".join(part for one in used for part in (one.text, *one.imports))
        for file in (*self._around(tests), *sorted(tests & self.resolver.files)):
            for one in self.arranged(file):
                if re.search(one.reads, text) and (not one.owner or self._is_made_so(file, one)):
                    yield f"{file} sets what it reads ({one.told}): what it does elsewhere no test shows"

    def _is_made_so(self, file: str, one: Arranged) -> bool:
        """Whether what a file sets is the repository's, and made in the way that is asked for."""
        module, _, name = one.owner.rpartition(".")
        places = self.resolver.targets(file, one.owner) | self.resolver.targets(file, module)
        made = re.compile(one.made.format(re.escape(name)))
        return any(made.search(self.text_of(place)) for place in places if place.endswith(".py"))

    def _around(self, tests: Collection[str]) -> list[str]:
        """The conftests that are loaded for files of tests: those of the folders above, or all where one is imported
        or named as a plugin."""
        every = sorted(file for file in self.resolver.files if file.rpartition("/")[2] == "conftest.py")
        if self._loads_conftests:
            return every
        return [file for file in every if any(test.startswith(file.removesuffix("conftest.py")) for test in tests)]

    @cached_property
    def _loads_conftests(self) -> bool:
        """Whether a file, or settings of pytest, name a conftest, which then may be loaded for any test."""
        if any("conftest" in text for text in settings_of_pytest(self.text_of)):
            return True
        return any(_CONFTEST.search(self.text_of(file)) for file in self.resolver.files)

    def _may_mean(self, file: str, owner: str, part: str, wanted: str) -> bool:
        """Whether `owner`, as a file imports it, may be the module in the file `wanted`: it is, or bears its name, or
        nobody knows which module it is. A package may give another module under the name of one of its own."""
        name = owner.rpartition(".")[2]
        home = wanted.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
        place = self.resolver.module(file, f"{owner}.{part}")
        if name == home or place is None or place == wanted or place not in self.resolver.files:
            return True
        if not place.endswith((f"/{name}.py", f"/{name}/__init__.py")) and place != f"{name}.py":
            return True  # a class, or what a package has under that name
        renamed = re.compile(rf"\bas +{name}\b|\b{name} *=|\b__getattr__\b|\bglobals\(|\bvars\(|\bsetattr\(")
        given = any(renamed.search(self.text_of(package)) for package in self.resolver.packages(place))
        return given or any("sys.modules" in self.text_of(each) for each in (place, *self.resolver.packages(place)))

    def _denials(self, unit: CodeUnit, reaching: Sequence[TestRun]) -> Iterator[str]:
        """What the ends of tests say against a unit that others of its tests pass with."""
        if test := self._denied(unit, (run for run in reaching if run.denies)):
            yield f"its repository denies it: {test} asserts something else of it, and is only expected to fail"
        if test := self._denied(unit, filter(_fails, reaching)):
            yield f"its repository denies it: {test} asserts something else of it, and fails"
        yield from self._excuses(unit, reaching)
        if test := self._denied(unit, (run for run in reaching if run.hidden)):
            yield f"its repository denies it: {test} asserts something of it and does not pass, and is called passed"
        if ended := min((run.id for run in reaching if run.outcome == "died" and run.last == unit.id), default=""):
            yield f"{ended} does not come to its end, as it ends the process"
        if skipped := min((run.id for run in reaching if self._skips(run)), default=""):
            yield f"{skipped} is skipped by what it calls: what it would show nobody knows"

    def distrust(
        self, unit: CodeUnit, files: Collection[str], inputs: Inputs, results: Collection[JobResult]
    ) -> str:  # fmt: skip
        """Why what was seen in the runs of a unit, of which `files` of the repository may have been read, is nothing to
        go by; "" if it is."""
        if place := self.reaching_in(unit, files, inputs, results):
            return f"not to be trusted: what is run can get at what reports on it, or at how it is written ({place})"
        if place := self.brought_to(unit, results):
            return f"its tests get another module than its users ({place}): what it does elsewhere no test shows"
        return ""

    def reaching_in(self, unit: CodeUnit, files: Collection[str], inputs: Inputs, results: Iterable[JobResult]) -> str:
        """Where code of the repository, in one of its runs or in one of its `files` that they read, may get at what
        reports on them; "" if it does not. A caller's frame is asked for by many a library, and tells no more."""
        for event in (event for result in results for event in result.of("introspected")):
            path, line = event.get("at") or ("", 0)
            path = str(path).removeprefix("repo/")
            of_caller = event.get("what") == "sys._getframe" and path in files
            if not (of_caller and not walks_frames(self.text_of(path))):
                return f"{path}:{line}: {event.get('what')}"
        for path in sorted(file for file in files if file.endswith(".py")):
            if inputs.complete and path not in inputs.read:
                continue
            tests = file_role(path, b"") == "test" or path.endswith("conftest.py")
            if place := self.reflections(path, near=tests or path == unit.file, tests=tests):
                return f"{path}:{place}"
        return ""

    def brought_to(self, unit: CodeUnit, results: Iterable[JobResult]) -> str:
        """What a unit, or what it calls, got from a file of tests in one of its runs, where users get another thing."""
        used: dict[str, set[str]] = {}
        for one in (self.hashes.units[name] for name in self.hashes.closure(unit)):
            used.setdefault(one.file, set()).update(_WORD.findall(one.text))
        return brought(used, results, self.resolver, self.text_of)

    def _brings(self, file: str, module: str, name: str) -> bool:
        """Whether a module of the repository, as `file` imports it, speaks of a name."""
        return any(name in _WORD.findall(self.text_of(place)) for place in self.resolver.targets(file, module))

    def _skips(self, run: TestRun) -> bool:
        """Whether a test was skipped by a file of the repository that is none of its tests."""
        if run.outcome != "skipped":
            return False
        raised = run.raised.frames if run.raised else ()
        ours = [path.partition("/repo/")[2] for path, _, _ in raised if "/repo/" in path]
        file = ours[-1] if ours else run.skipped_in
        return file in self.resolver.files and file_role(file, b"") != "test" and not file.endswith("conftest.py")

    def _denied(self, unit: CodeUnit, reaching: Iterable[TestRun]) -> str:
        """A test that says by its own assertion that the unit, and nothing beside it, is wrong; "" if there is none."""
        for run in reaching:
            test = self.hashes.units.get(run.unit)
            if test is not None and self._judged_alone(unit, test):
                return run.id
        return ""

    def _excuses(self, unit: CodeUnit, reaching: Iterable[TestRun]) -> Iterator[str]:
        """Tests of nothing but this unit that skip themselves, or go on, where it is not what they hold it against."""
        for run in sorted(reaching, key=lambda run: run.id):
            test = self.hashes.units.get(run.unit)
            if test is None or run.outcome not in {"passed", "skipped"} or "::" not in run.id:
                continue
            node = definition(self.text_of(test.file), test)
            if node is None or self._names_others(unit, ast.walk(node)):
                continue
            names = self._own(unit) if unit.kind == "class" else {unit.name}
            if run.outcome == "skipped" and skips_by(node, names):
                yield f"its repository denies it: {run.id} skips itself where it is not what is asserted"
            if run.outcome == "passed" and (line := keeps_to_itself(node, names)):
                yield f"its repository may deny it: {run.id} passes whether its assertion in line {line} holds or not"

    def _own(self, unit: CodeUnit) -> set[str]:
        """Names that are a unit's, or of what it consists of."""
        parts = {other.name for name, other in self.hashes.units.items() if name.startswith(f"{unit.id}.")}
        return {*unit.symbol.split("."), *parts}

    def _names_others(self, unit: CodeUnit, nodes: Iterable[ast.AST]) -> bool:
        """Whether any of these is the name of another unit of the repository."""
        others = {other.name for other in self.hashes.units.values() if other.role != "test"} - self._own(unit)
        return any(last(node) in others for node in nodes if isinstance(node, ast.Name | ast.Attribute))

    def _judged_alone(self, unit: CodeUnit, test: CodeUnit) -> bool:
        """Whether an assertion of a test calls a unit, and the test names no other of the repository."""
        try:
            nodes = [node for node in ast.walk(parse(self.text_of(test.file))) if _stands_in(test, node)]
        except NotPython3:
            return False
        asserted = [part for node in nodes if isinstance(node, ast.Assert) for part in ast.walk(node.test)]
        asserted += [
            part
            for node in nodes
            if isinstance(node, ast.Call) and last(node.func).startswith("assert")
            for argument in node.args
            for part in ast.walk(argument)
        ]
        called = {last(part.func) for part in asserted if isinstance(part, ast.Call)}
        meant = self._own(unit) if unit.kind == "class" else {unit.name}
        return bool(called & meant) and not self._names_others(unit, nodes)

    def _takes_anything(self, run: TestRun) -> bool:
        """Whether a test compares with what is equal to everything (``unittest.mock.ANY``)."""
        test = self.hashes.units.get(run.unit)
        if test is None or not _ANY.search(test.text):
            return False
        try:
            nodes = [node for node in ast.walk(parse(self.text_of(test.file))) if _stands_in(test, node)]
        except NotPython3:
            return False
        compared = (part for node in nodes if isinstance(node, ast.Compare) for part in ast.walk(node))
        return any(isinstance(part, ast.Name | ast.Attribute) and last(part) == "ANY" for part in compared)

    def _tests(self, passing: Iterable[TestRun]) -> list[str]:
        """The texts of tests, and of what they call of their own files."""
        runs = list(passing)
        reached = {name for run in runs for name in (run.unit, *run.units) if name in self.hashes.units}
        return [self.hashes.units[name].text for name in reached if self.hashes.units[name].role == "test"]

    def _imports(self, top: str) -> bool:
        """Whether code of the repository imports a module by this name, or it is one of its own; what its tests import
        is not there for others."""
        return top in self.resolver.tops or top in self._imported

    @cached_property
    def _imported(self) -> set[str]:
        code = [file for file in self.resolver.files if file_role(file, b"") != "test" and "conftest" not in file]
        return {top for file in code for top in _IMPORT.findall(self.text_of(file))}

    def _asked(self, unit: CodeUnit, passing: Iterable[TestRun], questions: Callable[[str], Questions]) -> str:
        used = {other: self.hashes.units[other] for other in self.hashes.closure(unit)}
        reached = {other for run in passing for other in run.units if other in self.hashes.units}
        left = {name: self.hashes.units[name] for name in reached - used.keys()}
        left = {name: other for name, other in left.items() if other.role != "test" and other.kind not in _WHOLE}
        while True:
            words = {word for other in used.values() for word in _WORD.findall(other.text)}
            more = {name: other for name, other in left.items() if other.name in words and name not in used}
            if not more:
                break
            used |= more
        files = {other.file for other in used.values() if other.language == "python" and other.file.endswith(".py")}
        named = {(other.file, name) for other in used.values() for name in other.imports}
        beside = {place for file, name in named for place in self.resolver.targets(file, name) if place.endswith(".py")}
        return asks(list(used.values()), files | beside, questions)


def _fails(run: TestRun) -> bool:
    """Whether an assertion failed that stands in the file of a test of the repository."""
    raised = run.raised if run.outcome == "failed" and run.source.kind != "property" else None
    if raised is None or "AssertionError" not in raised.types or not raised.frames:
        return False
    ours = [file for file, _, _ in raised.frames if "/repo/" in file]
    return bool(ours) and ours[-1].endswith(f"/{run.id.partition('::')[0]}")


def _stands_in(test: CodeUnit, node: ast.AST) -> bool:
    return test.line <= getattr(node, "lineno", 0) <= test.end_line


_WHOLE = {"script", "file"}
