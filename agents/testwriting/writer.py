"""Asks a model for tests of a unit, has them repaired where they broke, read where one fails, and weighed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from pydantic import BaseModel

from agents.code.mutants import is_stub
from agents.code.units.imports import ImportResolver
from agents.code.verify.record import Judged
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.llm import LLM, Answer, BrokenReply, PromptTooLong
from agents.testwriting.cases import changing, left_out
from agents.testwriting.interface import Interface, interface
from agents.testwriting.reach import out_of_reach
from agents.testwriting.records import documented_records
from agents.testwriting.reply import NOTHING, Because, ReviewedTests, UnitTests
from agents.testwriting.review import Ground, listed, opened, quoted, reading_of
from agents.testwriting.rules import Rules
from agents.testwriting.setups import needed
from agents.testwriting.showing import counted, is_verified, shown_by, sources
from agents.testwriting.tables import foreign_tables, untried
from agents.testwriting.trying import Composed, Trial, compose, source_of, try_tests
from agents.testwriting.work import Work, unnoticed
from kg.models.code import CodeUnit
from kg.models.execution import Judgement, WrittenState, WrittenTest
from kg.verdicts.specification import UNSPECIFIED, Specification
from prompts import prompt

__all__ = ["TestWriter"]

FIRST, AGAIN, MORE, REVIEW = "unit_test", "unit_test_again", "unit_test_more", "unit_test_review"
ROUNDS = 2
"""Times that broken tests may be written anew."""
READINGS = 2
"""Blind readings at most: of what is written after the first, what does not hold is read as well."""
MORES = 3
"""Times that more tests may be asked for where those that hold notice too little, as long as each time less is left."""
_NO_PAPER = "Nothing: no paper speaks of this unit, so what its documentation says is all there is to go by."
"""Of code that no paper speaks of: its documentation, which every question has, is what it is held against."""
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class _Case:
    """A unit as it was judged, by its rules, what it is to be held against, what every question tells of it, what its
    tests can be from, and the seconds that a check of its mutants may take."""

    judged: Judged
    verdicts: UnitVerdicts
    specification: Specification
    rules: Rules
    inputs: Mapping[str, str]
    ground: Ground
    seconds: float


class TestWriter:
    """Writes tests with the model of `llm` for those units that have `specifications`, by their ids.

    It is a supplement of the Verifier: called with what was judged, it gives that, or what its tests showed beyond.
    `documented` gives a unit with the documentation that is shown of it; of its parameters `lifted` says which
    expressions of another text they stand for. With `challenge` it asks about what is verified, too: what the paper
    says, or its documentation where no paper speaks of it, is held against it, and takes the verdict away where it does
    not hold. Safe to share among threads. Raises the errors of `agents.llm` but `BrokenReply` and `PromptTooLong`.
    """

    def __init__(
        self, llm: LLM, specifications: Mapping[str, Specification],
        documented: Callable[[CodeUnit], CodeUnit] = lambda unit: unit,
        lifted: Mapping[str, str] = MappingProxyType({}), *, challenge: bool = False,
    ) -> None:  # fmt: skip
        self.llm, self.specifications, self.documented, self.lifted = llm, specifications, documented, lifted
        self.challenge = challenge

    def __call__(self, unit: CodeUnit, judged: Judged, verdicts: UnitVerdicts, seconds: float) -> Judged:
        if not self._wants(judged.judgement):
            return judged
        known, specification = self._asks(unit, judged, verdicts)
        if known is None or specification is None:
            return self._with(judged, "not asked", Work())
        found = verdicts.prepared.imports.get(unit.file)
        failures = found.failures if found else ()
        if why := out_of_reach(unit, verdicts.hashes.units, verdicts.text(unit.file), failures):
            return self._with(judged, "out of reach", Work(), f"no test can call it: {why}")
        work = Work(source="the paper" if specification.text else "its documentation")
        case = self._case(unit, judged, verdicts, known, specification, seconds)
        try:
            trial, composed = self._written(work, case)
        except (BrokenReply, PromptTooLong) as error:
            work.calls += 1
            again = isinstance(error, BrokenReply)
            return self._with(judged, "no answer", work, f"its reply was no answer: {error.what}", unfinished=again)
        made, left = self._judged(case, work, trial, composed)
        return self._strengthened(case, work, made, left) if left else made

    def noted(self, judged: Judged) -> Judged:
        """With a note that nobody asked, on what was never to be asked about."""
        if not self._wants(judged.judgement) or judged.judgement.written:
            return judged
        return self._with(judged, "not asked", Work())

    def _wants(self, told: Judgement) -> bool:
        """Whether tests could tell more of it."""
        return not told.unfinished and (
            told.verdict == "unverified" or (self.challenge and told.verdict == "verified" and told.kind != "written")
        )

    def _asks(
        self, unit: CodeUnit, judged: Judged, verdicts: UnitVerdicts
    ) -> tuple[Interface | None, Specification | None]:
        """What there is to be shown; nothing if there is no need, or no way, to ask."""
        specification = self.specifications.get(unit.id)
        if specification is None and is_verified(judged) and self._is_documented(unit, verdicts):
            specification = UNSPECIFIED
        session = verdicts.prepared.session
        if specification is None or session is None or not judged.imported or judged.judgement.obstacle not in {
            None, "no test",
        } or is_stub(verdicts.text(unit.file), unit):  # fmt: skip
            return None, None
        units = {name: self.documented(one) for name, one in verdicts.hashes.units.items()}
        shown = self.documented(unit)
        resolver = ImportResolver(one.file for one in units.values())
        return interface(shown, units, resolver, self.lifted, verdicts.text(unit.file)), specification

    def _is_documented(self, unit: CodeUnit, verdicts: UnitVerdicts) -> bool:
        """Whether a unit has documentation, or the class that it is a method of."""
        owner = verdicts.hashes.units.get(unit.parent or "")
        return any(self.documented(one).docstring.strip() for one in (unit, owner) if one)

    def _case(
        self, unit: CodeUnit, judged: Judged, verdicts: UnitVerdicts, known: Interface, specification: Specification,
        seconds: float,
    ) -> _Case:  # fmt: skip
        environment = verdicts.prepared.session.environment if verdicts.prepared.session else None
        inputs = {
            "specification": specification.text or _NO_PAPER,
            "unit": "\n\n".join([known.text, *documented_records(verdicts.folder, unit.text)]),
            "bound": ", ".join(known.bound),
            "about": environment.told(known.worth) if environment else "",
        }
        documentation = f"{self.documented(unit).docstring}\n{known.stated}"
        rules = Rules(unit, verdicts.text(unit.file), known, f"{specification.text}\n{documentation}")
        ground = Ground(unit, specification, documentation, is_verified(judged))
        return _Case(judged, verdicts, specification, rules, inputs, ground, seconds)

    def _written(self, work: Work, case: _Case) -> tuple[Trial | None, Composed | None]:
        """Ask, and have what comes back run and mended."""
        work.take(self._ask(FIRST, {}, case, work, UnitTests).value, case.rules)
        return self._mended(work, case)

    def _mended(self, work: Work, case: _Case) -> tuple[Trial | None, Composed | None]:
        """Run what keeps the rules, and have the rest written anew as long as that changes anything."""
        told: set[str] = set()
        trial: Trial | None = None
        composed: Composed | None = None
        for turn in range(ROUNDS + 1):
            trial, composed = self._tried(work, case)
            failures = work.told
            if not failures or turn == ROUNDS or failures in told:
                break
            told.add(failures)
            so_far = {"setup": work.setup, "standing": work.standing, "failures": failures}
            try:
                answer = self._ask(AGAIN, so_far, case, work, UnitTests)
            except (BrokenReply, PromptTooLong):
                work.calls += 1
                break
            work.again()
            work.take(answer.value, case.rules)
        work.drop()
        return trial, composed

    def _strengthened(self, case: _Case, work: Work, made: Judged, left: str) -> Judged:
        """The verdict `made` on tests that hold and notice too little, or that with more tests, which are asked for
        with what is `left` unnoticed, and again as long as these leave less."""
        for _ in range(MORES):
            before, seen = set(work.kept), left
            so_far = {"setup": work.setup, "standing": work.standing, "unnoticed": left, "withdrawn": work.choices}
            try:
                answer = self._ask(MORE, so_far, case, work, UnitTests)
            except (BrokenReply, PromptTooLong):
                work.calls += 1
                break
            work.go_on()
            work.take(answer.value, case.rules)
            trial, composed = self._mended(work, case)
            if set(work.kept) == before:
                break
            made, left = self._judged(case, work, trial, composed)
            if not left:
                return made
            if left == seen:
                break
        update = {"written": self._about("weak", work)}
        return replace(made, judgement=made.judgement.model_copy(update=update))

    def _ask(self, name: str, so_far: Mapping[str, str], case: _Case, work: Work, schema: type[M]) -> Answer[M]:
        inputs = {**case.inputs, **so_far}
        answer = self.llm.ask(name, inputs, schema, stage=FIRST, paper=case.specification.paper)
        work.calls += 1
        work.tokens.update(tokens_in=answer.usage.tokens_in, tokens_out=answer.usage.tokens_out)
        return answer

    def _tried(self, work: Work, case: _Case) -> tuple[Trial | None, Composed | None]:
        """Run what is kept; what breaks is no longer."""
        rules, verdicts = case.rules, case.verdicts
        trial: Trial | None = None
        composed: Composed | None = None
        while work.kept:
            unit, found = rules.unit, verdicts.prepared.imports[rules.unit.file]
            functions = list(work.kept.values())
            setup = needed(work.setup, [function.source for function in functions])
            composed = compose(unit, found, rules.known.bound, setup, functions, self.llm.profile.model)
            trial = try_tests(unit, verdicts, composed, verdicts.settings.verify.test_seconds, work.returned)
            if not trial.broken:
                break
            work.broken += [(work.kept.pop(name), said) for name, said in trial.broken.items() if name in work.kept]
        return (trial, composed) if work.kept else (None, None)

    def _withdraws(self, work: Work, case: _Case, refuted: Mapping[str, Because | None]) -> bool | None:
        """Have tests that nobody has read, if one of them does not hold, read by whoever is told neither code nor
        results; whether that takes any away, None if it tells nothing of them. Raises BrokenReply and PromptTooLong."""
        unread = work.unread
        if work.readings == READINGS or not refuted.keys() & unread.keys():
            return False
        work.readings += 1
        work.read |= {function.source for function in unread.values()}
        setup = needed(work.setup, [function.source for function in unread.values()])
        answer = self._ask(REVIEW, {"setup": setup, "tests": listed(unread.values())}, case, work, ReviewedTests)
        found = opened(answer.value, unread, refuted, case.ground, len(work.kept) - len(unread))
        return None if found is None else work.withdraw(found, refuted)

    def _put_otherwise(
        self, work: Work, case: _Case, trial: Trial, composed: Composed | None
    ) -> tuple[Trial | None, Composed | None]:
        """Have tests that did not hold, and whose words leave open what they assert, put once so that these fix it."""
        told = "\n\n".join(f"{function.source}\n--> OPEN: {why}" for function, why in work.unsettled)
        so_far = {"setup": work.setup, "standing": work.standing, "failures": told}
        try:
            answer = self._ask(AGAIN, so_far, case, work, UnitTests)
        except (BrokenReply, PromptTooLong):
            work.calls += 1
            return trial, composed
        work.go_on()
        work.take(answer.value, case.rules)
        return self._mended(work, case)

    def _read(
        self, case: _Case, work: Work, trial: Trial | None, composed: Composed | None
    ) -> tuple[Trial | None, Composed | None, Judged | None]:
        """The tests that readings leave, where one did not hold; the judgement that stays where what is verified
        already is not to be doubted by these: nobody read them, or their words leave all open."""
        verified, again, why = is_verified(case.judged), False, ""
        while trial and trial.refuted:
            try:
                withdrawn = self._withdraws(work, case, trial.refuted)
            except BrokenReply:
                work.calls, withdrawn, again = work.calls + 1, None, True
            except PromptTooLong:
                withdrawn = None
            if withdrawn is None and verified:
                why = "one that does not hold was read by nobody"
                return trial, composed, self._with(case.judged, "no answer", work, why, unfinished=again)
            if not withdrawn:
                break
            trial, composed = self._tried(work, case)
            if trial is None and verified and not work.broken:
                why = "is withdrawn, as its words leave open what it asserts"
            if trial and not trial.refuted and work.unsettled and not verified:
                trial, composed = self._put_otherwise(work, case, trial, composed)
            work.drop()
        return trial, composed, self._with(case.judged, "open", work, why) if why else None

    def _judged(self, case: _Case, work: Work, trial: Trial | None, composed: Composed | None) -> tuple[Judged, str]:
        """The verdict that the tests give, and what they do not notice where that is all that is wrong with them."""
        judged = case.judged
        trial, composed, stays = self._read(case, work, trial, composed)
        if stays is not None:
            return stays, ""
        if trial is None or composed is None:
            return self._without(judged, work), ""
        beside = case.verdicts.beside({composed.path: composed.text}, trial.holding)
        if trial.refuted:
            said = "; ".join(quoted(because.quote for because in trial.refuted.values() if because))
            stops = ", ".join(sorted({*trial.stopped.values()}))
            said = f"{f'stops with {stops}' if stops else 'does not hold'}: {said or 'an assertion of it'}"
            shown = beside.unproven(case.rules.unit, said, trial.runs, trial.batch)
            found = self._with(shown_by(judged, shown, composed), "does not hold", work, said)
            return (self._contradicting(judged, found) if is_verified(judged) else found), ""
        if is_verified(judged):
            return self._with(judged, "holds", work, f"holds, too ({counted(len(trial.holding))})"), ""
        return self._weighed(case, work, trial, composed, beside)

    def _weighed(
        self, case: _Case, work: Work, trial: Trial, composed: Composed, beside: UnitVerdicts
    ) -> tuple[Judged, str]:
        """The verdict on tests that hold, and what they do not notice."""
        judged, unit, specification = case.judged, case.rules.unit, case.specification
        found = beside.of(unit, case.seconds, specification.sentences)
        tables = foreign_tables(unit, beside)
        source, known = source_of(composed.text), case.inputs["unit"]
        left, why = left_out(unit, beside, source, trial.holding, known, tables)
        open_ = work.unsettled
        if found.judgement.verdict == "verified" and not why and open_:
            said = f"holds, but for {counted(len(open_))} that nobody put so that every reading of the words allows it"
            return self._with(shown_by(judged, found, composed), "open", work, said), ""
        if found.judgement.verdict == "verified" and not why:
            one = found.judgement
            reason = (
                f"verified by a test written from {sources(composed, specification)} by {self.llm.profile.model}, "
                f"not by the authors: {one.killed} of {one.mutants} mutants noticed ({len(trial.holding)} tests)"
                f"{reading_of(work.opened)}{untried(tables)}"
            )
            written = self._about("verified", work)
            update = {"reason": reason, "test": composed.text, "written": written, "left_out": work.left_out}
            return replace(found, judgement=one.model_copy(update=update), reached=judged.reached), ""
        why = why if found.judgement.verdict == "verified" else found.judgement.reason
        weak = self._with(shown_by(judged, found, composed), "weak", work, f"holds, but {why}")
        where = changing(beside.text(unit.file), known)
        return weak, unnoticed(found.judgement, [one.told for one in left], where)

    def _contradicting(self, judged: Judged, found: Judged) -> Judged:
        """What was `found` to contradict a verdict, with what it contradicts."""
        told = found.judgement
        reason = f"{told.reason}; by other tests it would be verified: {judged.judgement.reason}"
        written = told.written and told.written.model_copy(update={"state": "contradicted"})
        return replace(found, judgement=told.model_copy(update={"reason": reason, "written": written}))

    def _without(self, judged: Judged, work: Work) -> Judged:
        """The judgement that stays where no test is left."""
        if work.nothing:
            said = "it gave up its tests" if work.dropped else "it wrote no test"
            return self._with(judged, "declined", work, f"{said}: {NOTHING[work.nothing].format(source=work.source)}")
        broken = bool(work.broken or work.silent)
        why = "it broke before it could judge" if broken else "none of its tests may count"
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(work.dropped.items()))
        said = f"{why} ({reasons or 'it wrote none'})"
        return self._with(judged, "broken" if broken else "refused", work, said, left_out=work.left_out)

    def _with(
        self, judged: Judged, state: WrittenState, work: Work, why: str = "", *, unfinished: bool = False,
        left_out: str = "",
    ) -> Judged:  # fmt: skip
        """The judgement that stays, and why a written test changes nothing of it; `left_out` are tests that may not
        count."""
        told, reason = judged.judgement, judged.judgement.reason
        if why:
            said = f"a test written from {work.source} by {self.llm.profile.model} {why}"
            if state == "out of reach":
                said = why
            elif state not in {"does not hold", "holds", "open", "weak"}:
                said = f"{self.llm.profile.model} was asked for a test: {why}"
            said += reading_of(work.opened)
            reason = said if told.obstacle == "no test" or told.kind == "written" else f"{reason}; {said}"
        update = {"reason": reason, "written": self._about(state, work), "unfinished": told.unfinished or unfinished}
        return replace(judged, judgement=told.model_copy(update={**update, "left_out": left_out or work.open}))

    def _about(self, state: WrittenState, work: Work) -> WrittenTest:
        return WrittenTest(
            state=state,
            model=self.llm.profile.model,
            prompt=prompt(FIRST).sha256,
            run=self.llm.run,
            calls=work.calls,
            tokens_in=work.tokens["tokens_in"],
            tokens_out=work.tokens["tokens_out"],
            dropped=dict(work.dropped),
            opened=work.opened,
        )
