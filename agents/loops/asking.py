"""How agents ask their model: one client for all, each answer a step of the trajectory, limits before each call."""

import time
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.llm import LLM, BrokenReply, BudgetExceeded, ModelUnavailable, PromptTooLong
from agents.llm.structured import form_of, read
from agents.loops.ends import Failed, Limits, Stopped
from agents.loops.trajectory import Trajectory, digest

__all__ = ["Asking"]

AGAIN = 2
"""How often more a question is asked whose reply is no answer."""

M = TypeVar("M", bound=BaseModel)


class Asking:
    """Asks for one run, about the paper with the id `paper`."""

    def __init__(self, llm: LLM, trajectory: Trajectory, limits: Limits, paper: str) -> None:
        self.llm, self.trajectory, self.limits, self.paper = llm, trajectory, limits, paper
        self._asked = 0

    @property
    def room(self) -> int:
        """Characters that a prompt may have: what the model's context leaves beside its reply, and some for form."""
        profile = self.llm.profile
        return max(6_000, 2 * (profile.context_tokens - profile.max_output_tokens))

    def ask(self, prompt: str, inputs: Mapping[str, Any], schema: type[M], stage: str) -> M:
        """The model's answer. Raises Stopped for a limit, Failed where no reply is an answer, and the errors of
        `agents.llm` that a later try may not meet."""
        replaying = self.trajectory.replaying  # what was done stands, whatever the limits are now
        if self._asked >= self.limits.steps and not replaying:
            raise Stopped("steps", f"the model was asked {self._asked} times, which is the limit")
        if self.trajectory.seconds > self.limits.seconds and not replaying:
            raise Stopped("time", f"{self.limits.seconds:g} seconds of work are over")
        self._asked += 1
        begun, left = time.monotonic(), self.limits.seconds - self.trajectory.seconds

        def work() -> dict[str, Any]:
            answer = self.llm.ask(prompt, inputs, schema, stage=stage, paper=self.paper, again=AGAIN, seconds=left)
            return {
                "text": answer.text, "tokens_in": answer.usage.tokens_in, "tokens_out": answer.usage.tokens_out,
                "cost": None if answer.cost is None else f"{answer.cost:f}", "cached": answer.cached,
                "form": form_of(schema, self.llm.profile),
            }  # fmt: skip

        try:
            step = self.trajectory.do("model", prompt, {"stage": stage, "inputs": digest(dict(inputs))}, work)
        except BudgetExceeded as error:
            raise Stopped(error.unit, error.what) from error
        except ModelUnavailable as error:
            if time.monotonic() - begun < left:
                raise
            raise Stopped("time", f"{self.limits.seconds:g} seconds of work are over ({error.what})") from error
        except BrokenReply as error:
            raise Failed("no answer", f"the model's replies to {prompt} are no answers: {error.what}") from error
        except PromptTooLong as error:
            raise Failed("too long", error.what) from error
        # As it was asked for then: the profile may be another one by now. A step from before forms were kept has none.
        return read(str(step.result["text"]), schema, str(step.result.get("form", "prompt")))
