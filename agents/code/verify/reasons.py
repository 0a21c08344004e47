"""What a person reads of the tests that were weighed: why they prove too little, and who noticed which change."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from agents.code.verify.noticing import Notice, Noticed
from agents.code.verify.running import TestRun
from agents.code.verify.varying import Narrow
from agents.code.verify.weighing import WeighedTests
from agents.code.verify.weight import Weakness, weakness
from kg.models.code import CodeUnit

__all__ = ["changes_log", "checked", "unreached", "weak_reason"]

_WRONG = {
    "shift": "numbers that are too large",
    "lower": "numbers that are too small",
    "constant": "nothing but zeros",
    "true": "True whatever it is given",
    "mean": "the mean in every place",
    "rms": "the same size in every place",
    "permuted": "its numbers in another order",
    "order": "its items in another order",
    "near": "numbers that are 4 % larger",
    "nan": "NaN for every number",
    "negated": "numbers with the other sign",
    "short": "all but the last of its items",
    "masked": "an array of which everything is masked",
    "yes": "True for every call and nothing else",
    "no": "False for every call and nothing else",
    "still": "for every call what its first one gave: they all give the same",
    "given": "what it is given",
    "given list": "what it is given, as a list",
    "given array": "what it is given, as an array",
    "echoed": "what each call is given, so that one takes back what another made",
    "sized": "what it is given and its sizes",
    "frozen": "always what it returned first",
    "first": "the first of the items that it is given",
    "part": "what is wrong in one attribute and equal all the same",
    "unwritten": "the same, and leaves as it was an argument that it changes",
}
"""What a unit does in a run with wrong results of a kind."""


_WORD = re.compile(r"[^\W\d]\w*")
NARROW = 3
"""Of what calls never vary, as many are named."""


def unreached(unit: CodeUnit, runs: Iterable[TestRun], units: Mapping[str, CodeUnit]) -> str:
    """Why no test speaks for a unit of the repository, whose `units` are given by their ids."""
    runs = [run for run in runs if run.source.kind != "property"]
    if not runs:
        return "the repository has no test that could be run, and no definition is known by its name"
    counts = Counter(run.outcome for run in runs)
    reason = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    ended = "".join(f"; the limit of {run.limit} ended {run.id}" for run in runs if run.limit)
    return f"no test of the repository reaches it ({reason}){ended}{_instead(unit, runs, units)}"


def _instead(unit: CodeUnit, runs: Iterable[TestRun], units: Mapping[str, CodeUnit]) -> str:
    """What a test reaches that names the unit: what its name leads to where the test is, as far as anybody can tell."""
    found = []
    for run in runs:
        test = units.get(run.unit)
        if run.outcome != "passed" or test is None or not {*unit.symbol.split(".")} <= {*_WORD.findall(test.text)}:
            continue
        others = [units[name] for name in sorted(run.units) if name in units and units[name].role != "test"]
        alike = [other.id for other in others if other.name == unit.name]
        found += [(not alike, run.id, alike or [other.id for other in others])] if others else []
    if not found:
        return ""
    _, test_id, reached = min(found)
    more = f" and {len(reached) - 2} more" if len(reached) > 2 else ""
    return f"; {test_id}, which names it, reaches {' and '.join(reached[:2])}{more} instead"


def weak_reason(weighed: WeighedTests, reaching: Sequence[TestRun], share: float) -> str:
    """Why the tests, of those that reach the unit, prove too little, and what would help; empty if they do not."""
    if weighed.forged:
        return "not to be trusted: something in its run wrote reports of its own"
    if not weighed.tests:
        return _unsteady(weighed)
    if weighed.denied:
        return weighed.denied
    why = weakness(weighed.weight, share, stub=weighed.stub)
    if why is None:
        return ""
    hurried = "; for more of its tests the time was too short (verify.unit_seconds)" if weighed.hurried else ""
    return _sentence(why, weighed, reaching) + hurried


def _sentence(why: Weakness, weighed: WeighedTests, reaching: Sequence[TestRun]) -> str:
    weight, tests = weighed.weight, _named(weighed.tests)
    fewer = len(weighed.tests) < len(reaching)
    of = f", {len(weighed.tests)} of the {len(reaching)} tests that reach it" if fewer else ""
    counts = f"test too weak: {weight.killed} of {weight.mutants} mutants killed by {tests}{of}"
    crashed = weight.noticed - weight.killed
    left = f"; it does not notice that {weight.survivors[0]}" if weight.survivors else ""
    if crashed:
        left = f"; {crashed} more crashed or met a limit, which counts only where assertions notice two other changes"
    kinds = " or ".join(dict.fromkeys(map(_said, weight.passing_wrong)))
    sentences: dict[Weakness, str] = {
        "blind": f"test too weak: {tests} passes whatever the unit does, also where it raises",
        "slow": f"its tests take too long: {tests} could not be run to its end while calls were watched",
        "unwatchable": f"test too weak: {tests} fails when calls are only watched: it judges more than results",
        "stub": "it does nothing, or returns a constant: there is nothing to verify",
        "wrong results pass": f"test too weak: {tests}{of}{',' * fewer} also passes where it returns {kinds}:"
        " assert its values",
        "inert": f"its result does not depend on what goes in, as far as {tests} shows",
        "end unseen": f"test too weak: {tests} also passes where its last return, in line {weight.unseen_end},"
        " gives None: assert what it returns there",
        "parameter unseen": f"test too weak: {tests} also passes where a parameter has no effect; it does not notice"
        f" that {weight.unseen_parameter}",
        "opposite unseen": f"test too weak: {tests} passes either way: it does not notice that"
        f" {weight.unseen_opposite}",
        "narrow": f"test too weak: {tests} gives only {_all(weight.hidden)}: what else it does with that no test shows",
        "too little time": f"its tests take too long: {weight.mutants} mutants could be tried (verify.unit_seconds)",
        "no mutants": "nothing can be tried on it alone: no change of it gives another result, or it breaks its users",
        "no assertion": f"{counts}, none by an assertion of a test{left}: assert what it returns, or leaves behind",
        "existence only": f"{counts}, by assertions only that there is a result at all: assert what it is",
        "only made": f"test too weak: {tests} only makes one: assert what its methods return, or leave behind",
        "few methods": f"test too weak: {tests} looks at the results of few methods{checked(weighed)}",
        "refuted": f"it does not keep what it says: {weight.refuted[0] if weight.refuted else ''}",
    }
    return sentences.get(why, counts + left)


def _said(kind: str) -> str:
    return _WRONG[kind.rstrip("0123456789 ")]


def _unsteady(weighed: WeighedTests) -> str:
    plain = [found for name, found in weighed.batch.results.items() if name.startswith("unchanged")]
    if limit := next((found.limit for found in plain if found.limit), None):
        return f"the sandbox's limit of {limit} ended its tests"
    if told := _unfit(weighed):
        return told
    first = weighed.batch.results.get("unchanged 0")
    if first and (first.ended in {"timeout", "cut"} or any(event.get("limit") for event in first.of("end"))):
        return f"its tests take too long alone: {first.seconds:.0f} s did not suffice (verify.unit_seconds)"
    if first and first.ended == "died":
        return "its tests end the process that runs them, or report themselves what came of them"
    return (
        "the tests that reach it pass at first, but not again, each time in a fresh copy: flaky, dependent on what "
        "another test leaves, or judging the text of the code and not what it does"
    )


def _unfit(weighed: WeighedTests) -> str:
    """What else than results decides how its tests end, as far as that is known."""
    if weighed.replaced:
        test, names = min(weighed.replaced.items())
        what = f"{test} replaces {names}, which the unit or its test uses"
        return f"test too weak: {what}: that is not what the repository holds"
    if weighed.textual:
        why = "fails when only the text of the unit is another one: it judges the text and not what it does"
        return f"test too weak: {_named(weighed.textual)} {why}"
    if weighed.flaky:
        return f"flaky: {_named(weighed.flaky)} passes at times, on the same code"
    return ""


def _named(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"{tests[0]} and {len(tests) - 1} more"


def checked(weighed: WeighedTests) -> str:
    """Which methods of a class were found to be tested, and which not, and what a unit returns that no test sees: a
    verdict is of what was reached; empty for a function whose results are all seen, as far as that was tried."""
    methods = weighed.weight.methods
    good = [name for name, notice in methods.items() if notice.how != Noticed.NOT]
    bad = [name for name, notice in methods.items() if notice.how == Noticed.NOT]
    said = f"; tested: {', '.join(sorted(good))}" if methods else ""
    said += f"; not tested: {', '.join(sorted(bad))}" if bad else ""
    counted = weighed.weight.counted.items()
    lines = sorted({m.line for m, notice in counted if m.kind == "none" and notice.how == Noticed.NOT})
    said += f"; no test sees what is returned in line {', '.join(map(str, lines))}" if lines else ""
    said += f"; its results are compared by {weighed.weight.compares}" if weighed.weight.compares else ""
    said += "; its tests do not look at the order of its items" if weighed.weight.unordered else ""
    return said + (f"; its tests give only {_all(weighed.weight.narrow)}" if weighed.weight.narrow else "")


def _all(narrow: Sequence[Narrow]) -> str:
    return ", ".join(map(str, narrow[:NARROW])) + (f" and {len(narrow) - NARROW} more" if narrow[NARROW:] else "")


def changes_log(weighed: WeighedTests, text: str, path: str) -> str:
    """Each change of the unit as a difference of its file, with the test that noticed it and where."""
    parts = ["=== what the tests noticed\n"]
    for kind, notice in weighed.weight.wrong.items():
        parts.append(f"--- it returns {_said(kind)}: {_told(notice)}\n")
    for name, notice in weighed.weight.methods.items():
        parts.append(f"--- method {name} returns something wrong: {_told(notice)}\n")
    lines = text.splitlines(keepends=True)
    for mutant, notice in weighed.weight.tried.items():
        parts.append(f"--- {mutant.description}: {_told(notice)}\n")
        changed = difflib.unified_diff(lines, mutant.text.splitlines(keepends=True), path, path, n=1)
        parts += [line if line.endswith("\n") else f"{line}\n" for line in list(changed)[2:]]
    return "".join(parts) + "\n"


def _told(notice: Notice) -> str:
    ways = {
        Noticed.NOT: "not noticed",
        Noticed.ASSERTION: "noticed by an assertion",
        Noticed.CRASH: "crashed",
        Noticed.TIMEOUT: "ran out of its time or memory",
        Noticed.VOID: "crashed, by a name that the change took away: tells nothing,",
    }
    if notice.how == Noticed.NOT and notice.test:
        return f"not noticed: what failed at {notice.place} is no assertion of {notice.test}"
    by = f" in {notice.test}" if notice.test else ""
    at = f" at {notice.place}" if notice.place else ""
    return f"{ways[notice.how]}{by}{at}" + (f" ({notice.message})" if notice.message else "")
