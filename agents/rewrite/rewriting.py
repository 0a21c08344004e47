"""One unit made into a module: asked for, tried, repaired, looked at; every round ends in a named state."""

from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from agents.code.mutants import unplaced
from agents.code.units.source import one_line
from agents.llm import LLM, BrokenReply, PromptTooLong
from agents.rewrite.reading import alone
from agents.rewrite.reply import Review, Rewritten
from agents.rewrite.shown import changed, undefined
from agents.rewrite.task import Cause, Finding, Rewrite, Stop, Task
from agents.rewrite.trials import Trials

__all__ = ["BYTES", "PROMPTS", "ROUNDS", "rewrite"]

LEAF, COMPOSITE, REPAIR, REVIEW = "module_leaf", "module_composite", "module_repair", "module_review"
PROMPTS = (LEAF, COMPOSITE, REPAIR, REVIEW)
STAGE = "rewrite"
ROUNDS, BYTES = 3, 52_100
"""Repairs at most, and bytes of code that are shown at most."""
REPORT, CHANGES, DEFINITION = 8_000, 50, 1_500
"""Characters of what is wrong, changes, and characters of each definition that are told at most."""


def rewrite(
    task: Task, llm: LLM, trials: Trials, *, paper: str | None, rounds: int = ROUNDS, shown: int = BYTES
) -> Rewrite:
    """The module of `task`: at most `rounds` repairs, fewer when an answer or a failure is the same as before.

    `shown` are the bytes of code that a question may hold. Raises the errors of `agents.llm` but BrokenReply and
    PromptTooLong, and SandboxError.
    """
    made = Rewrite(task)
    if (size := len(task.shown.encode()) + sum(len(part.shown.encode()) for part in task.parts)) > shown:
        made.finding = Finding(Cause.TOO_LARGE, f"{size} bytes of code would have to be shown, {shown} may be")
        return made
    asking = _Asking(made, llm, paper, trials.environment(task), trials.absent(task))
    try:
        asking.first()
        _rounds(made, asking, trials, rounds)
    except _Declined as declined:
        made.stop = Stop.DECLINED
        made.finding = made.finding or Finding(Cause.DECLINED, f"the model made none: {declined}")
    except (BrokenReply, PromptTooLong) as error:
        made.stop = Stop.NO_ANSWER
        why = error.fault if isinstance(error, BrokenReply) else error.what
        made.finding = made.finding or Finding(Cause.NO_ANSWER, f"the model's reply was none: {why}")
    finally:
        trials.clear()
    return made


def _rounds(made: Rewrite, asking: "_Asking", trials: Trials, rounds: int) -> None:
    """Try, and repair what is wrong; look at what is right, and repair once what is refused."""
    refused, sources, failures = False, {made.source}, set[str]()
    while True:
        tried = trials.of(made.task, made.source, made.lifted)
        made.finding, made.fidelity, made.judged = tried.wrong, tried.fidelity, tried.judged
        if made.finding is None and (refusal := asking.review()):
            made.finding, last, refused = refusal, refused, True
        else:
            made.finding = made.finding or _supplement(made, trials)
            if made.finding is None:
                made.stop = Stop.ACCEPTED
                return
            last = made.rounds >= rounds
        if last:
            made.stop = Stop.ROUNDS
            return
        failure = unplaced(f"{made.finding.cause} {made.finding.said} {made.finding.report}")
        if failure in failures:
            made.stop = Stop.SAME_FAILURE
            return
        failures.add(failure)
        asking.repair(made.finding)
        if made.source in sources:
            made.stop = Stop.SAME_ANSWER
            return
        sources.add(made.source)


def _supplement(made: Rewrite, trials: Trials) -> Finding | None:
    """Let a test from the paper judge what no other verifies; what is wrong by it."""
    made.judged, finding = trials.supplemented(made.task, made.source, made.lifted, made.judged)
    if made.judged and (written := made.judged.judgement.written):
        made.calls += written.calls
        made.tokens_in += written.tokens_in
        made.tokens_out += written.tokens_out
    return finding


class _Declined(Exception):
    """The model says why it makes no module."""


@dataclass
class _Asking:
    """The questions of one rewrite, counted in it."""

    made: Rewrite
    llm: LLM
    paper: str | None
    environment: str
    absent: tuple[str, ...]

    def first(self) -> None:
        """Ask for the module."""
        task = self.made.task
        inputs = {**self._about(), "packages": list(task.module.third_party), "environment": self.environment}
        if task.parts:
            inputs["parts"] = [part.shown for part in task.parts]
        self._take(COMPOSITE if task.parts else LEAF, inputs)
        self.made.draft = self.made.source

    def repair(self, finding: Finding) -> None:
        """Ask for the same without what is wrong."""
        self.made.rounds += 1
        inputs = {
            **self._about(),
            "parts": [part.shown for part in self.made.task.parts],
            "source": self.made.source,
            "lifted": self._lifted(),
            "changes": "\n".join(self.made.changes),
            "environment": self.environment,
            "cause": finding.cause.value,
            "failure": finding.failure.kind if finding.failure else "",
            "report": "\n".join(dict.fromkeys([finding.said, finding.report]))[:REPORT],
        }
        self._take(REPAIR, inputs)

    def review(self) -> Finding | None:
        """What the model that looks at it finds."""
        made = self.made
        inputs = {
            **self._about(),
            "source": made.source,
            "lifted": self._lifted(),
            "changes": "\n".join(made.changes),
            "difference": changed(made.task, made.source),
        }
        review = self._ask(REVIEW, inputs, Review)
        if review.accepted:
            return None
        what = "beyond the technique" if review.scope == "beyond" else "different from the original"
        return Finding(Cause.REVIEW, f"the review calls it {what}", review.reason)

    def _about(self) -> dict[str, Any]:
        """What every question tells of the task."""
        task = self.made.task
        return {
            "symbol": task.unit.symbol,
            "techniques": list(task.names),
            "definitions": [shorten(one, DEFINITION, placeholder=" …") for one in task.definitions],
            "undefined": ", ".join(undefined(task)),
            "absent": ", ".join(self.absent),
            "slice": task.shown,
        }

    def _lifted(self) -> list[str]:
        return [f"{one.parameter} stands for {one.stands_for}" for one in self.made.lifted]

    def _take(self, prompt: str, inputs: dict[str, Any]) -> None:
        answer = self._ask(prompt, inputs, Rewritten)
        if answer.declined and not answer.module.strip():
            raise _Declined(one_line(answer.declined))
        self.made.answer = answer.model_copy(update={"module": alone(self.made.task, answer.module)})
        self.made.changes = tuple(dict.fromkeys([*self.made.changes, *answer.changes]))[:CHANGES]

    def _ask(self, prompt: str, inputs: dict[str, Any], schema: Any) -> Any:
        self.made.calls += 1
        answer = self.llm.ask(prompt, inputs, schema, stage=STAGE, paper=self.paper)
        self.made.tokens_in += answer.usage.tokens_in
        self.made.tokens_out += answer.usage.tokens_out
        if schema is Rewritten:
            self.made.model, self.made.prompt_sha256 = answer.model, answer.prompt_sha256
        return answer.value
