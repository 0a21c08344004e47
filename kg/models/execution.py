"""What running a piece of code showed: executions, and the verdicts that rest on them."""

import hashlib
import json
from typing import Literal

from kg.models.paper import Model

__all__ = [
    "Execution",
    "FailureClass",
    "Judgement",
    "Obstacle",
    "OpenTest",
    "TestKind",
    "Verdict",
    "WrittenState",
    "WrittenTest",
    "ending",
]

Verdict = Literal["verified", "failed", "unverified", "stale"]

TestKind = Literal["repository", "doctest", "replay", "property", "imported", "written"]
"""Where a test is from: the repository's own tests; an example in a docstring or a README; a program of the repository,
run again, where its own assertions judge; the textbook definition that the unit's name names, on
arguments made here; what came with an imported graph; a language model that was shown what the paper says, and not the
code."""

WrittenState = Literal[
    "verified", "holds", "weak", "open", "untied", "does not hold", "contradicted", "broken", "refused", "declined",
    "no answer", "not asked", "out of reach",
]  # fmt: skip
"""What came of a test that a model was to write: it verifies; it holds of what other tests had verified; it holds and
notices too little; it holds but for what its words leave open, which nobody put so that it holds; it holds of a
rewrite, and could not be held against the original; an assertion of it does not hold; one does not hold of what other
tests had verified; it never came to judge, whatever was repaired; nothing of it was a
test as it may be; the model says that there is nothing to test; its reply was none; there was nothing to ask for;
nobody was asked, as a call needs what no test can give it."""


class OpenTest(Model):
    """A test function of which a model said, that was shown neither code nor results, that the words which it `quotes`
    leave open what it asserts, or are about something else (`elsewhere`), and `why`.

    `held` is what the model did not know: whether its assertions hold. `withdrawn` if it counts for nothing, neither
    for the code nor against it; else it quotes an example of this code, or is called of something `elsewhere` and
    quotes what is about this code by nature, and counts.
    """

    test: str
    quotes: tuple[str, ...]
    why: str
    held: bool
    withdrawn: bool
    elsewhere: bool = False


class WrittenTest(Model):
    """Who wrote a test, or was to: `model`, by the prompt whose file has the sha256 `prompt`, in the ledger's `run`.

    `calls` and tokens are those of its answers when they were given, `dropped` the test functions that were not taken,
    by reason, `opened` those that were called open when one did not hold.
    """

    state: WrittenState
    model: str
    prompt: str
    run: str
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dropped: dict[str, int] = {}
    opened: tuple[OpenTest, ...] = ()


FailureClass = Literal[
    "missing module",
    "missing data or weights",
    "network needed",
    "GPU needed",
    "version conflict",
    "assertion",
    "timeout",
    "memory",
    "syntax",
    "other error",
]

Obstacle = Literal[
    "notebook cell",
    "another language",
    "file too large",
    "text too long",
    "no implementation",
    "no environment",
    "no sandbox",
    "sandbox ended",
    "no time",
    "no test",
]
"""What kept code from being held against a test at all."""


class Execution(Model):
    """One run in the sandbox, kept for good.

    `id` is a hash of code, test, environment and sandbox (`backend` with what it `enforced`): see `hash`. `code_sha256`
    is of the code's own text, `closure_sha256` of it with all that it calls, "" for what stands alone. `log` is the
    sha256 of the full log in the content-addressed store. `enforced` maps each protection to how it was enforced;
    `waived` are those given up by name. `environment` is the Environment's id, `strategy` the way it was found.
    Seconds are wall seconds, `peak_memory` bytes, `date` ISO 8601 in UTC.
    """

    id: str
    code_sha256: str
    closure_sha256: str = ""
    test_sha256: str
    environment: str
    python: str
    packages: dict[str, str] = {}
    strategy: str = ""
    backend: str
    enforced: dict[str, str] = {}
    waived: tuple[str, ...] = ()
    exit_code: int | None = None
    signal: int | None = None
    limit: str | None = None
    wall_s: float = 0.0
    peak_memory: int | None = None
    log: str
    date: str

    @property
    def hash(self) -> str:
        """What `id` must be: runs of the same code and test in the same way are one execution."""
        code = (self.code_sha256, self.closure_sha256, self.test_sha256)
        sandbox = (self.backend, sorted(self.enforced.items()), sorted(self.waived))
        return hashlib.sha256(json.dumps([*code, self.environment, self.strategy, *sandbox]).encode()).hexdigest()

    def identified(self) -> "Execution":
        """The same under the id that it must have."""
        return self.model_copy(update={"id": self.hash})


def ending(exit_code: int | None, signal: int | None, limit: str | None) -> str:
    """How a run ended, in words."""
    if limit:
        return f"ended by the limit of {limit}"
    if signal is not None:
        return f"signal {signal}"
    return f"exit {exit_code}" if exit_code is not None else "its end was not recorded"


class Judgement(Model):
    """The verdict on one piece of code and why.

    `code` is the id of the Code node or unit. `reason` is one sentence a person understands. `failure` and `line`
    (``path:line``, of the code's own files where the traceback reaches them) classify what stopped it. `kind` says
    what the test is, `test` is its text or names. Of `mutants` of the unit, `killed` made the test fail,
    `killed_by_assertion` of these by an assertion; `survivors` describe the others ("line 12: < becomes <=").
    `verified` only with an execution, a passing test, and enough killed mutants. `obstacle` says what kept it from
    being tested at all; `unfinished` that its time was over first, so that another try may tell more. `written` is
    known where a model was asked for a test; it wrote `test` where `kind` says so. `left_out` are tests that it wrote
    and that may not count, each with the reason.
    """

    code: str
    verdict: Verdict
    reason: str
    failure: FailureClass | None = None
    line: str | None = None
    kind: TestKind | None = None
    test: str = ""
    mutants: int = 0
    killed: int = 0
    killed_by_assertion: int = 0
    survivors: tuple[str, ...] = ()
    execution: Execution | None = None
    obstacle: Obstacle | None = None
    unfinished: bool = False
    written: WrittenTest | None = None
    left_out: str = ""
