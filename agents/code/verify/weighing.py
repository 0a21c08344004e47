"""Holds tests against changes of what they test: what do they notice, and how, and is that enough?"""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import SystemRandom
from typing import Any

from agents.code.mutants import WRAPPERS, Mutant, is_stub, mutants, neutral, opposites, restated, wrapped
from agents.code.verify.answering import answers_written_down
from agents.code.verify.noticing import ASSERTIONS, Attribution, Noticed, noticed
from agents.code.verify.returning import last_return
from agents.code.verify.running import TestRun, options, passing
from agents.code.verify.session import Session
from agents.code.verify.unasserted import MEANT, Meant
from agents.code.verify.varying import narrow
from agents.code.verify.weight import Weight
from agents.execution.harness import BatchRun, Job, JobResult
from agents.execution.harness.inside.hiding import hidden
from agents.execution.syntax import NotPython3, parse
from kg.config import VerifySettings
from kg.models.code import CodeUnit

__all__ = ["WeighedTests", "least_share", "weigh", "weight_of"]

UNCHANGED = 4
"""Times that tests are run on code of the same meaning, between the mutants, so that no order tells these apart."""
RESTATED = frozenset({"unchanged 1", "unchanged 3"})
"""Those of them in which the body of the unit is in other words."""
UNSAID = "unsaid order"
"""What allows for another order of items, as nothing is said of it: that tests do not look at it is told."""
ASIDE = 30.0
"""Seconds at most for the tests of a file that are run as they are meant: these may be long ones."""
METHODS = 8
"""Methods of a class that are tried one by one at most."""
SETTING = frozenset({"__set__"})
"""Methods that are tried beside public ones where calls are repeated: what is set on one object is not on another."""
MAKING = frozenset({"__init__", "__new__", "__post_init__", "__repr__", "__str__"})
"""Methods that are called where an object is only made, or shown."""
PLACES, PARTS = 3, 4
"""Arguments of a call that its result is held against; attributes of an object that are made wrong one by one."""
WRONG = (
    "shift", "lower", "constant", "true", "mean", "rms", "permuted", "order", "near", "nan", "negated", "short",
    "masked", "frozen", "first", "echoed", "unwritten", "yes", "no", "still", *(f"part {n}" for n in range(PARTS)),
    *(f"{form} {n}" for form in ("given", "given list", "given array", "sized") for n in range(PLACES)),
)  # fmt: skip
"""Wrong results of the right type and shape, and trivial ones (see ``xkg_inside.wrong``, ``values``, ``trivial``)."""


@dataclass(frozen=True)
class WeighedTests:
    """The ids of `tests` that pass each time without a change, what they notice, and the sandbox run that showed it.

    `flaky` are those that passed at times, `textual` those that failed whenever the text of the unit was another one of
    the same meaning; `replaced` tells of those that put something else in the place of what the
    unit uses of its repository what they replaced: they are left out. `forged` says that something in a run wrote
    reports of its own. `stub` says that the unit does nothing, `hurried` that these are tests of more that reach it,
    for which the time was too short; `denied` is what else its tests say of it, and do not assert.
    """

    tests: tuple[str, ...]
    weight: Weight
    batch: BatchRun
    flaky: tuple[str, ...] = ()
    replaced: Mapping[str, str] = field(default_factory=dict)
    forged: bool = False
    stub: bool = False
    textual: tuple[str, ...] = ()
    hurried: bool = False
    denied: str = ""

    @property
    def refuted(self) -> bool:
        """Whether it speaks against the unit, or against the run: no other tests outweigh that."""
        return self.forged or bool(self.denied or self.weight.refuted)

    @property
    def unchanged(self) -> JobResult | None:
        """The run of these tests without a change, if they passed: a limit that a change met is none of theirs."""
        found = self.batch.results.get("unchanged 0")
        return found if self.tests and found and found.ended == "finished" else None


class Trial:
    """Everything that `tests` of `unit`, whose file has `text`, are held against, as jobs.

    `members` are the unit's functions by name, with their first and last lines; `allow` are beginnings of kinds of
    wrong results that are none for it; `meant` are files of tests that are run as they are meant.
    """

    def __init__(
        self, unit: CodeUnit, text: str, tests: Sequence[TestRun], members: Mapping[str, tuple[int, int]],
        limit: int, promises: str = "[]", allow: Collection[str] = (), meant: Sequence[Meant] = (),
    ) -> None:  # fmt: skip
        self.unsaid, self.meant = UNSAID in allow, meant
        allow = (*allow, "order") if self.unsaid else tuple(allow)
        self.wrong = [kind for kind in WRONG if not kind.startswith(allow)]
        self.unit, self.text, self.tests, self.members, self.promises = unit, text, tests, members, promises
        inner = _inner(unit, text)
        changes = mutants(text, (unit.line, unit.end_line), limit, inner)
        ordered = [changes[i] for i in sorted(range(len(changes)), key=lambda i: (i % 4, i))]
        self.mutants = [replace(one, kind="operand") if one.line in inner else one for one in ordered]
        self.mutants += opposites(text, (unit.line, unit.end_line))
        reached = {name for run in tests for other in run.units if (name := _method(unit, other))}
        self.methods = sorted(name for name in reached if not name.startswith("_"))[:METHODS]
        self.only_made = (
            unit.kind == "class" and any(not name.startswith("_") for name in members) and reached <= MAKING
        )
        self.unseen = (last_return(text, unit), "none", Noticed.NOT)
        self.side = Attribution(unit, members, (run.source.path for run in tests))

    def jobs(self, seconds: float, each: float) -> list[Job]:
        """All within `seconds`, a test within `each`. What is needed to read the rest comes first; the rest is in an
        order that nobody can foresee."""
        longest, cold = (max(getattr(run, of) for run in self.tests) for of in ("seconds", "since_begin"))
        spent = min(seconds / 2, 4 * sum(run.seconds for run in self.tests) + 2 * cold + 30)
        self.common: dict[str, Any] = {
            **options(run.source for run in self.tests),
            "each": max(min(each, max(10.0, 5 * longest)), min(2 * cold, spent)),
            "only": sorted(run.id for run in self.tests),
            "stop": sorted(ASSERTIONS),
        }
        self.seconds = spent
        first = "unchanged 0"
        same = self._job("watched", self._wrapped("same"), requires=[first])
        watched = [
            same,
            self._job("probed", self._wrapped("probe"), requires=["watched" if same else first]),
            self._job("made to fail", self.text, requires=[first], fail=True),
            self._job("raises", self._wrapped("raise"), requires=["watched"], applies=["watched", "raise"]),
        ]
        tried = [self._wrong(f"wrong {kind}", kind, kind) for kind in self.wrong]
        tried += [self._wrong(UNSAID, "order", "order")] if self.unsaid else []
        tried += [self._wrong(f"method {name}", "shift", f"method {name}", name) for name in self.methods]
        wrong = [f"wrong {kind}" for kind in self.wrong]
        changed = [
            self._job(f"mutant {number}", mutant.text, requires=[first], unless=wrong)
            for number, mutant in enumerate(self.mutants)
        ]
        for name in (f"unchanged {number}" for number in range(1, UNCHANGED)):
            text = restated(self.text, self.unit) if name in RESTATED else self.text
            changed.append(self._job(name, text, requires=[first]))
        shuffle = SystemRandom().shuffle
        shuffle(tried)
        shuffle(changed)
        meant = [self._as_meant(f"{MEANT}{number}", one, first) for number, one in enumerate(self.meant)]
        found = [self._job(first, self.text), *watched, *tried, *changed, *meant]
        return [job for job in found if job is not None]

    def _wrapped(self, kind: str, method: str | None = None) -> str | None:
        call = f"wrapped('{hidden(kind, self.promises)}')"
        more = SETTING if kind == "probe" else frozenset[str]()
        return wrapped(self.text, self.unit, call, None if method is None else frozenset({method}), more)

    def _wrong(self, name: str, kind: str, word: str, method: str | None = None) -> Job | None:
        more: dict[str, object] = {"stop": []} if kind == "unwritten" else {}  # each test tells where it fails
        return self._job(name, self._wrapped(kind, method), requires=["watched"], applies=["watched", word], **more)

    def _as_meant(self, name: str, meant: Meant, first: str) -> Job:
        more = {"only": meant.tests, "stop": [], "aside": True, "trace": True, "requires": [first]}
        change = {"path": meant.source.path, "text": meant.text}
        seconds = min(self.seconds, ASIDE)
        return Job(name, "tests", seconds, {**self.common, **options([meant.source]), **more, "mutate": change})

    def _job(self, name: str, text: str | None, **more: object) -> Job | None:
        if text is None:
            return None
        change = {"path": f"repo/{self.unit.file}", "text": neutral(text)}
        return Job(name, "tests", self.seconds, {**self.common, "mutate": change, **more})

    def weight(self, batch: BatchRun) -> Weight:
        """What the run of the jobs showed."""
        results = batch.results
        weight = weight_of(self.mutants, batch, self.side)
        watched = results.get("watched")
        report = next(iter(watched.of("values")), {}) if watched and _clean(watched) else {}
        probed = next(iter(results["probed"].of("values")), {}) if "probed" in results else {}
        blind = any(name in results and _clean(results[name]) for name in ("made to fail", "raises"))
        wrong = {kind: results[f"wrong {kind}"] for kind in self.wrong if f"wrong {kind}" in results}
        methods = {name: results[f"method {name}"] for name in self.methods if f"method {name}" in results}
        tried = {name: noticed(result, self.side.asserts) for name, result in methods.items() if _altered(result)}
        refuted = [*map(_refuted, [*(report.get("refuted") or ()), *(probed.get("refuted") or ())])]
        if place := answers_written_down(self.text, self.unit, report):
            refuted.append(
                f"it looks for what its tests give it ({place}): what it gives for all else they do not show"
            )
        for mutant, notice in weight.tried.items():
            name = self._method_at(mutant.line)
            if name in self.methods and name not in tried and notice.how == Noticed.ASSERTION and mutant.kind != "none":
                tried[name] = notice
        return Weight(
            weight.tried,
            weight.untried,
            {kind: noticed(one, self.side.asserts) for kind, one in wrong.items() if _altered(one)},
            tried if self.unit.kind == "class" and self.methods else {},
            self.only_made,
            probed.get("depends") is False and bool(probed.get("returned")),
            blind,
            bool(watched and watched.ran and not _clean(watched)),
            bool(watched and (not watched.ran or noticed(watched).how == Noticed.TIMEOUT)),
            tuple(refuted),
            next((m.line for m, n in weight.tried.items() if (m.line, m.kind, n.how) == self.unseen), 0),
            narrow(self.text, self.unit, report),
            next(
                (str(each["compares"]) for each in (report.get("functions") or {}).values() if each.get("compares")), ""
            ),
            UNSAID in results and _altered(results[UNSAID]) and noticed(results[UNSAID]).how == Noticed.NOT,
        )

    def _method_at(self, line: int) -> str:
        """The public method of a class that a line is in, "" for none."""
        inside = (name for name, (start, end) in self.members.items() if start <= line <= end)
        return next((name for name in inside if not name.startswith("_")), "")


def _clean(result: JobResult) -> bool:
    """Whether all of a job's tests passed."""
    ends = result.of("end")
    passed = {str(event.get("test")) for event in ends} == passing(result)
    return result.ended == "finished" and result.status == 0 and bool(ends) and passed


_UNSAID = {
    "steady": "the same call does not always give the same: it returned {}",
    "confused": "what it keeps of one call it gives for another: it returned {}",
    "kept": "its answers to its tests are kept somewhere, and there are none to anything else: it returned {}",
    "table": "its answers to its tests stand in a table, and its rule gives others: it returned {}",
    "written": "what runs as {} is not what is written there: its class puts something else in its place",
    "bent": "its result compares in a way of its own ({}), so that what it holds is not what tests see",
    "aliased": "its items are one and the same object, so that what changes one changes all: it returned {}",
    "shared": "what is set on one object shows on all others: it returned {}",
    "reads": "it reads {}: what it does without its tests nobody knows",
}
"""What contradicts no words, by kind."""


def _refuted(record: object) -> str:
    """A refuted promise for people."""
    if not isinstance(record, dict):
        return "a promise"
    if words := _UNSAID.get(str(record.get("kind"))):
        return words.format(str(record.get("found"))[:300])
    said = f"its {record.get('source')} says: {str(record.get('sentence'))[:200]}"
    return f"{said}; a call returned {str(record.get('found'))[:300]}"


def _altered(result: JobResult) -> bool:
    """Whether a result was made wrong, as far as the run came to tell."""
    return result.ran and all(event.get("altered") for event in result.of("values"))


def _inner(unit: CodeUnit, text: str) -> frozenset[int]:
    """Lines of a module, made for one function or class of it, in which others are defined: as in a repository, the
    unit itself is changed first, and what its helpers are given is no parameter of it."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    own = unit.symbol.partition(".")[0]
    try:
        body = parse(text).body if unit.text == text else []
    except NotPython3:
        return frozenset()
    others = [node for node in body if isinstance(node, kinds) and node.name != own]
    return frozenset(line for node in others for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _method(unit: CodeUnit, other: str) -> str:
    """The name of a method of a class by the id of its unit, "" for another unit."""
    rest = other.removeprefix(f"{unit.id}.")
    return rest if rest != other and "." not in rest else ""


def weigh(
    session: Session, unit: CodeUnit, text: str, tests: Sequence[TestRun], members: Mapping[str, tuple[int, int]], *,
    seconds: float, each: float, limit: int, promises: str = "[]", allow: Collection[str] = (),
    meant: Sequence[Meant] = (),
) -> WeighedTests:  # fmt: skip
    """Run `tests` on `unit` in its file `text` as it is, watched, with wrong results, and on each mutant.

    Each run begins with the same files, in code of another look (`neutral`, and at times `restated`). Tests that don't
    pass every time without a change are flaky, or judge the text, and others replace what the unit uses; if any do, the
    rest is weighed once more alone.
    """
    trial = Trial(unit, text, tests, members, limit, promises, allow, meant)
    batch = session.run(trial.jobs(seconds, each), seconds, preload=[WRAPPERS])
    passing, flaky = _steady(batch, tests)
    textual = _textual(batch, tests)
    replaced = _replaced(batch)
    passing -= replaced.keys()
    set_ = _replaced(batch, "set")
    if passing <= set_.keys() and (told := max((set_[test] for test in passing), default="")):
        replaced |= {test: set_[test] or told for test in passing}  # none uses what the repository holds
        passing = set()
    if passing and len(passing) < len(tests):
        tests = [run for run in tests if run.id in passing]
        trial = Trial(unit, text, tests, members, limit, promises, allow, meant)
        batch = session.run(trial.jobs(seconds, each), seconds, preload=[WRAPPERS])
        passing, more = _steady(batch, tests)
        flaky |= more
        textual |= _textual(batch, tests)
        replaced |= _replaced(batch)
        passing -= replaced.keys()
    return WeighedTests(
        tuple(run.id for run in tests if run.id in passing),
        trial.weight(batch),
        batch,
        tuple(sorted(flaky - textual)),
        replaced,
        any(result.ended == "forged" for result in batch.results.values()),
        is_stub(text, unit),
        tuple(sorted(textual)),
    )


def least_share(limits: VerifySettings, tests: Iterable[TestRun]) -> float:
    """The share of a unit's mutants that `tests` must notice: a model that has written some can be asked for more."""
    written = any(run.source.kind == "written" for run in tests)
    return max(limits.share, limits.written_share) if written else limits.share


def _replaced(batch: BatchRun, how: str = "replaced") -> dict[str, str]:
    """What tests replaced, or "set", of what the unit uses of its repository, by their ids."""
    jobs = [batch.results[name] for name in ("watched", "probed") if name in batch.results]
    ends = [event for job in jobs for event in job.of("end")]
    named = {str(event.get("test")): event[how] for event in ends if isinstance(event.get(how), list)}
    return {test: ", ".join(map(str, names))[:200] for test, names in named.items()}


def weight_of(changes: Sequence[Mutant], batch: BatchRun, side: Attribution | None = None) -> Weight:
    """How the tests of `batch` stood `changes`; one whose run is lost is not noticed, unless a limit ended it."""
    results = [(mutant, batch.results.get(f"mutant {i}")) for i, mutant in enumerate(changes)]
    asserts = side.asserts if side else (lambda _: True)
    tried = {
        mutant: noticed(result, asserts, taken_away=mutant.kind == "dropped")
        for mutant, result in results
        if result and result.ran
    }
    return Weight(tried, len(changes) - len(tried))


def _steady(batch: BatchRun, tests: Sequence[TestRun]) -> tuple[set[str], set[str]]:
    """Tests that passed each time on the code as it is, and those that passed at times."""
    unchanged = [result for name, result in batch.results.items() if name.startswith("unchanged")]
    ran = [result for result in unchanged if result.ran]
    passed = [passing(result) if result.ended != "died" else set() for result in ran]
    ids = {run.id for run in tests}
    always = ids.intersection(*passed) if passed else set()
    return always, (ids & set().union(*passed)) - always


def _textual(batch: BatchRun, tests: Sequence[TestRun]) -> set[str]:
    """Tests that pass each time on the text as it is, and never on another one of the same meaning, where they were not
    merely too slow."""
    ran = [(name, result) for name, result in batch.results.items() if name.startswith("unchanged") and result.ran]
    texts = [{*passing(result)} for name, result in ran if name not in RESTATED]
    others = [{*passing(result)} for name, result in ran if name in RESTATED]
    ended = {str(event.get("test")) for name, result in ran if name in RESTATED for event in result.of("end")
             if not event.get("limit")}  # fmt: skip
    ids = ended.intersection(run.id for run in tests)
    return ids.intersection(*texts) - set().union(*others) if texts and others else set()
