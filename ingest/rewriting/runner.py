"""Making modules of a graph's code, one after another, components first; each is written as soon as it is there."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from agents.code.verify import Judged
from agents.code.verify.record import untried
from agents.execution.harness import Inputs
from agents.execution.sandbox import Sandbox, SandboxError, open_sandbox
from agents.llm import LLM, BudgetExceeded
from agents.rewrite import Part, Rewrite, Stop, Task, Trials, rewrite
from agents.rewrite.rewriting import PROMPTS
from agents.rewrite.task import signatures
from ingest.ground.words import sentences
from ingest.rewriting.order import Wanted, module_file
from ingest.stages import VERDICT, Stage, fingerprint
from ingest.verification.tasks import SharedRepository
from kg.caching import locked
from kg.config import Settings
from kg.errors import XkgError
from kg.models.execution import Judgement
from kg.models.paper import Model
from kg.results.rewrite import ModuleState, StoredRewrite
from kg.store import Store
from kg.verdicts import Evidence, StoredModule, open_logs, sha256_of, write_judgement
from kg.verdicts.specification import Specification, specifications
from kg.write.rewrites import RewriteNode, rewrite_id, write_rewrite
from prompts import prompt

__all__ = ["CodeRewrite", "RewriteReport", "rewrite_all"]


class CodeRewrite(Model):
    """What is known of the module of one piece of code after a run.

    `status` is "rewritten" (in this run), "current" (nothing that it rests on has changed), "untried" (it could not be
    tried: `reason` says why) or "paused" (a limit was reached, or no valid reply came: running it again goes on).
    `state` is None where there is no module. Tokens are those that the answers took when they were given.
    """

    id: str
    module: str
    name: str
    techniques: tuple[str, ...]
    status: Literal["rewritten", "current", "untried", "paused"]
    state: ModuleState | None = None
    verdict: str = "unverified"
    reason: str = ""
    cause: str | None = None
    stop: str = ""
    fidelity: str = "unknown"
    inputs: int = 0
    equal: int = 0
    difference: str = ""
    rounds: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class RewriteReport(Model):
    """One line for each piece of code that was asked for, components first; what went wrong here; whether a limit of
    what a model may spend was reached."""

    codes: tuple[CodeRewrite, ...]
    trouble: tuple[str, ...] = ()
    out_of_budget: str = ""


@dataclass
class _Run:
    """What all modules of a run share."""

    store: Store
    settings: Settings
    llm: LLM
    sandbox: Sandbox
    rounds: int
    shown: int
    done: Callable[[CodeRewrite], None]
    found: dict[str, CodeRewrite] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)

    def tell(self, line: CodeRewrite) -> None:
        self.found[line.id] = line
        self.done(line)


def rewrite_all(
    store: Store, settings: Settings, everything: Sequence[Wanted], asked: set[str], llm: LLM, *, rounds: int,
    shown: int, backend: str | None = None, done: Callable[[CodeRewrite], None] = lambda _: None,
) -> RewriteReport:  # fmt: skip
    """Make modules of `asked`, which are among `everything`, and write each as it comes; what is current is left alone.

    Killed at any moment, what is written stands, and no answer that was kept is asked for again. Raises the errors of
    `agents.llm` but BrokenReply, PromptTooLong and BudgetExceeded, SandboxError where no sandbox works.
    """
    run = _Run(store, settings, llm, open_sandbox(settings, backend), rounds, shown, done)
    pins = dict.fromkeys(each.pin for each in everything if each.code in asked)
    over = ""
    for pin in pins:
        here = [each for each in everything if each.pin == pin]
        if not over:
            try:
                _Repository(run, pin, here, asked).all()
            except BudgetExceeded as error:
                over = str(error)
            except SandboxError as error:
                run.trouble.append(str(error))
                _leave(run, here, asked, "untried", str(error))
        if over:
            _leave(run, here, asked, "paused", over)
    lines = tuple(run.found[each.code] for each in everything if each.code in run.found)
    return RewriteReport(codes=lines, trouble=tuple(dict.fromkeys(run.trouble)), out_of_budget=over)


def _leave(run: _Run, here: Iterable[Wanted], asked: set[str], status: Literal["untried", "paused"], why: str) -> None:
    """Tell of all that nothing was told of yet."""
    for each in here:
        if each.code in asked and each.code not in run.found:
            run.tell(CodeRewrite(**_about(each), status=status, reason=why))


class _Repository:
    """The modules of one repository."""

    def __init__(self, run: _Run, pin: tuple[str, str], here: Sequence[Wanted], asked: set[str]) -> None:
        self.run, self.here, self.asked = run, here, asked
        self.shared = SharedRepository(run.settings, *pin)
        self.stored = {row.source: row for row in run.store.rows(StoredRewrite, ids=[each.code for each in here])}
        self.prefix = f"{pin[0]}@{pin[1]}:"
        name = f"rewriting {pin[0]}@{pin[1]}"
        self.scratch = run.settings.cache / "rewriting" / hashlib.sha256(name.encode()).hexdigest()[:16]
        self.trials: Trials | None = None
        self.specified = specifications(run.store, [each.code for each in here])
        self.name = name

    def all(self) -> None:
        """Make them, components first."""
        try:
            self.shared.open()
        except XkgError as error:
            self.run.trouble.append(str(error))
            _leave(self.run, self.here, self.asked, "untried", str(error))
            return
        with locked(self.run.settings.cache, self.name):
            for each in self.here:
                self._one(each)

    def _one(self, each: Wanted) -> None:
        task, licence, why = self._task(each)
        if task is None:
            self._tell(each, CodeRewrite(**_about(each), status="untried", reason=why))
            return
        key, row = self._key(task, self.specified.get(each.code)), self.stored.get(each.code)
        if row is not None and row.key == key and row.program is not None and row.verdict != "stale":
            self._keep(each, task, row.implementation, row.documentation, row.state)
            self._tell(each, _current(each, row))
        elif each.code in self.asked:
            trials = self._trials()
            if trials.session is None:
                why = f"no environment can be had: {trials.problem}"
                self.run.trouble.append(why)
                self._tell(each, CodeRewrite(**_about(each), status="untried", reason=why))
                return
            made = rewrite(
                task, self.run.llm, trials, paper=each.rows[0].paper, rounds=self.run.rounds, shown=self.run.shown
            )
            self._tell(each, self._take(each, made, key, licence))

    def _tell(self, each: Wanted, line: CodeRewrite) -> None:
        """Tell of what was asked for."""
        if each.code in self.asked:
            self.run.tell(line)

    def _trials(self) -> Trials:
        """The repository's environment, prepared for all that are asked for when the first is tried."""
        if self.trials is None:
            units = [self.shared.units.get(each.code.removeprefix(self.prefix)) for each in self.here]
            whole = [unit for unit in units if unit is not None and unit.language == "python"]
            said = {code.removeprefix(self.prefix): one for code, one in self.specified.items()}
            run, shared = self.run, self.shared
            self.trials = Trials(
                shared.folder, shared.codebase, whole, run.sandbox, run.settings, self.scratch, run.llm, said
            )
        return self.trials

    def _task(self, each: Wanted) -> tuple[Task | None, str | None, str]:
        """What is to be asked, and the licence of the code; or why it can't be."""
        unit = self.shared.units.get(each.code.removeprefix(self.prefix))
        if unit is None or sha256_of(unit.text) != sha256_of(each.rows[0].implementation):
            return None, None, "it differs from its repository's; ingest its paper again"
        if unit.language != "python" or unit.kind not in ("function", "class", "method"):
            return None, None, "only functions, classes and methods of Python code are made into modules"
        module = self.shared.slicer.module(unit)
        if not module.files or not module.symbol:
            return None, None, "no module can be cut for it"
        rows = sorted(each.rows, key=lambda row: row.technique)
        definitions = tuple(dict.fromkeys(row.definition for row in rows if row.definition))
        return (
            Task(
                unit,
                StoredModule(**module.model_dump(include=set(StoredModule.model_fields))),
                module_file(each.code, unit.symbol),
                tuple(row.name for row in rows),
                definitions,
                tuple(part for text in definitions for part in sentences(text)),
                tuple(self.run.parts[part] for part in each.parts if part in self.run.parts),
            ),
            module.licence,
            "",
        )

    def _key(self, task: Task, specification: Specification | None) -> str:
        """The hash of all that a module depends on."""
        run, profile = self.run, self.run.llm.profile
        what = [
            fingerprint(*VERDICT, Stage.REWRITE, Stage.WRITE_TESTS), profile.model, profile.temperature,
            profile.max_output_tokens, [prompt(name).sha256 for name in PROMPTS], task.unit.text, task.module.sha256,
            task.names, task.definitions, [sorted(part.files.items()) for part in task.parts], run.rounds, run.shown,
            specification.digest if specification else "",
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()

    def _keep(self, each: Wanted, task: Task, source: str, documentation: str, state: ModuleState) -> None:
        """Let others use a module that is good."""
        if state != "failed":
            files = task.files(source)
            self.run.parts[each.code] = Part(task.names[0], task.file, task.unit.symbol, files, documentation)

    def _take(self, each: Wanted, made: Rewrite, key: str, licence: str | None) -> CodeRewrite:
        """Write a module and its verdict; what is no module is only told of."""
        found = made.finding
        told = {
            "cause": found.cause if found else None, "stop": made.stop, "rounds": made.rounds, "calls": made.calls,
            "tokens_in": made.tokens_in, "tokens_out": made.tokens_out,
            **made.fidelity.model_dump(exclude={"found", "left_out"}), "fidelity": made.fidelity.found,
        }  # fmt: skip
        line = CodeRewrite(**_about(each), **told, status="rewritten", reason=found.said if found else "")
        if made.stop == Stop.NO_ANSWER:
            return line.model_copy(update={"status": "paused"})
        if made.answer is None:
            return line.model_copy(update={"state": "failed"})
        try:
            self._write(each, made, _judged(made, rewrite_id(each.code)), key, licence)
        except XkgError as error:
            self.run.trouble.append(str(error))
            return line.model_copy(update={"status": "untried", "reason": str(error)})
        (row,) = self.run.store.rows(StoredRewrite, ids=[each.code])
        self._keep(each, made.task, made.source, made.answer.documentation.text, row.state)
        return line.model_copy(update={"state": row.state, "verdict": row.verdict, "reason": row.verdict_reason})

    def _write(self, each: Wanted, made: Rewrite, judged: Judged, key: str, licence: str | None) -> None:
        """The module, then its verdict: a process that is killed between them makes both again, without a question."""
        task, answer, fidelity, used = made.task, made.answer, made.fidelity, made.task.used(made.source)
        if answer is None:
            raise ValueError("there is no module to write")
        node = RewriteNode(
            source=each.code, source_text=each.rows[0].implementation,
            techniques=tuple(sorted({row.technique for row in each.rows})),
            parts=tuple(rewrite_id(part) for part in each.parts if self.run.parts.get(part) in used),
            repository=each.pin[0], commit=each.pin[1], paper=each.rows[0].paper, symbol=task.unit.symbol,
            kind=task.unit.kind, file=task.file, text=answer.module,
            signature=next(iter(signatures(answer.module)), task.unit.signature),
            documentation=answer.documentation.text, licence=licence, model=made.model,
            prompt_sha256=made.prompt_sha256, key=key, rounds=made.rounds, stop=made.stop,
            cause=made.finding.cause if made.finding else None, changes=made.changes, draft=made.draft,
            lifted=tuple(f"{one.parameter}: {one.stands_for}" for one in made.lifted),
            fidelity=fidelity.found, inputs=fidelity.inputs, equal=fidelity.equal, left_out=fidelity.left_out,
            difference=fidelity.difference,
        )  # fmt: skip
        evidence = self._evidence(made, judged, self.specified.get(each.code))
        logs = open_logs(self.run.settings)
        write_rewrite(self.run.store, node, logs)
        if judged.judgement.execution:
            logs.put(judged.log)
        least = self.run.settings.verify.share
        write_judgement(self.run.store, judged.judgement, evidence, logs, least_killed=least)

    def _evidence(self, made: Rewrite, judged: Judged, specification: Specification | None) -> Evidence:
        """What a verdict on a module was made from: its files, and what its runs have read of the repository itself."""
        files = made.task.files(made.source)
        names = {"import_name": made.task.file.removesuffix(".py"), "symbol": made.task.unit.symbol}
        module = StoredModule(
            **names, files=files, third_party=made.task.module.third_party, data=made.task.module.data
        )
        inputs = judged.inputs and Inputs(
            judged.inputs.read - files.keys(), judged.inputs.listed, judged.inputs.complete
        )
        unit = made.task.unit.model_copy(update={"text": made.source})
        judged = replace(judged, inputs=inputs)
        return self.shared.evidence(unit, judged, module=module, specification=specification)


def _judged(made: Rewrite, code: str) -> Judged:
    """The verdict on a module: what its runs showed, and never what a model said of it."""
    found, judged = made.finding, made.judged
    if found is None:
        judged = judged or Judged(untried(code, "no test", "it can't be put in the place of the original to be tested"))
        return replace(judged, judgement=judged.judgement.model_copy(update={"code": code}))
    failure = found.failure
    judgement = Judgement(
        code=code,
        verdict="failed",
        reason=f"{found.cause}: {found.said}",
        failure=failure.kind if failure else None,
        line=failure.line if failure else None,
        execution=judged.judgement.execution if judged else None,
    )
    return Judged(judgement, judged.log if judged else b"")


def _about(each: Wanted) -> Mapping[str, object]:
    techniques = tuple(sorted({row.technique for row in each.rows}))
    return {"id": each.code, "module": rewrite_id(each.code), "name": each.rows[0].unit_name, "techniques": techniques}


def _current(each: Wanted, row: StoredRewrite) -> CodeRewrite:
    told = row.model_dump(include={"verdict", "cause", "stop", "fidelity", "inputs", "equal", "difference"})
    return CodeRewrite(**_about(each), **told, status="current", state=row.state, reason=row.verdict_reason)
