"""What is to be made into a module, and what became of it."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from agents.code.mutants import Failure
from agents.code.verify import Judged
from agents.execution.syntax import NotPython3, parse
from agents.rewrite.fidelity import Fidelity
from agents.rewrite.reply import Lifted, Rewritten
from kg.models.code import CodeUnit, StoredModule

__all__ = ["Cause", "Finding", "Part", "Rewrite", "Stop", "Task", "signatures"]


class Cause(StrEnum):
    """What was found wrong with a rewrite."""

    TOO_LARGE = "too large"
    """What would have to be shown is beyond the byte budget; nothing was asked."""
    NO_ANSWER = "no answer"
    """The model's reply was none, or a question did not fit into its context."""
    DECLINED = "declined"
    """The model says that no such module can be made."""
    NOT_PYTHON = "not Python"
    NAME_MISSING = "name missing"
    """It does not define what it is to stand for."""
    INTERFACE = "interface"
    """What it takes is neither what the original takes nor what that finds, loads or opens."""
    NOT_ALONE = "not alone"
    """It uses names or modules that it does not have."""
    OVERREACH = "overreach"
    """It uses what reaches outside (files, processes, network, imports by text), and the original does not."""
    DOES_NOT_RUN = "does not run"
    """It can't be imported in the sandbox."""
    UNFAITHFUL = "unfaithful"
    """On the same inputs it does something else than the original."""
    TESTS_FAIL = "tests fail"
    """Tests that pass with the original fail with it."""
    REVIEW = "refused by review"
    """The model that looked at it found it beyond the technique, or different."""


class Stop(StrEnum):
    """Why no more was asked for."""

    ACCEPTED = "accepted"
    ROUNDS = "rounds used up"
    SAME_ANSWER = "same answer"
    """The model said again what it had said before."""
    SAME_FAILURE = "same failure"
    """What was wrong did not change."""
    NOT_ASKED = "not asked"
    NO_ANSWER = "no answer"
    DECLINED = "declined"


@dataclass(frozen=True)
class Finding:
    """What is wrong with a rewrite: `said` in one sentence for people, `report` all that helps to mend it; `failure` is
    its class and place, where something was run."""

    cause: Cause
    said: str
    report: str = ""
    failure: Failure | None = None


@dataclass(frozen=True)
class Part:
    """The module of a component: its `file` and all `files` that it needs, itself among them, by path."""

    name: str
    file: str
    symbol: str
    files: Mapping[str, str]
    documentation: str

    @property
    def shown(self) -> str:
        """How it is shown to a model: what is imported from where, its signatures, its documentation."""
        module = self.file.removesuffix(".py")
        lines = [f"from {module} import {self.symbol.partition('.')[0]}", *signatures(self.files[self.file])]
        return "\n".join([f"# {self.name}", *lines, self.documentation])


@dataclass(frozen=True)
class Task:
    """`unit` with its slice, to be rewritten as the module `file`. `names` and `definitions` are of the techniques that
    it implements, `said` the sentences of these, `parts` the modules of their components."""

    unit: CodeUnit
    module: StoredModule
    file: str
    names: tuple[str, ...]
    definitions: tuple[str, ...]
    said: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def top(self) -> str:
        """The name at the top of the module that must be there."""
        return self.unit.symbol.partition(".")[0]

    @property
    def shown(self) -> str:
        """The slice as a model sees it: its files one after another."""
        files = self.module.files.items()
        return "\n".join(f"# file {path}\n{text.rstrip()}\n" for path, text in files if text.strip())

    def files(self, source: str) -> dict[str, str]:
        """All files that the module needs, with `source` as its own."""
        found = {path: text for part in self.used(source) for path, text in part.files.items()}
        return {**found, self.file: source}

    def used(self, source: str) -> tuple[Part, ...]:
        """The components that `source` mentions."""
        return tuple(part for part in self.parts if re.search(rf"\b{part.file.removesuffix('.py')}\b", source))


@dataclass
class Rewrite:
    """What became of a task. `source` is the last text of the module, `draft` the first; `changes` what the
    model says that it changed, in all answers; `finding` what is wrong with it, None if nothing is; `judged` the
    verdict on it in the place of the original, where that was tried.

    Tokens are those that the answers took when they were given, of kept ones too.
    """

    task: Task
    stop: Stop = Stop.NOT_ASKED
    answer: Rewritten | None = None
    draft: str = ""
    changes: tuple[str, ...] = ()
    finding: Finding | None = None
    fidelity: Fidelity = field(default_factory=Fidelity)
    judged: Judged | None = None
    rounds: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""
    prompt_sha256: str = ""

    @property
    def source(self) -> str:
        """The module's text; "" if there is none."""
        return self.answer.module if self.answer else ""

    @property
    def lifted(self) -> tuple[Lifted, ...]:
        """What it takes as arguments that the original finds, loads or opens; nothing if it is called as that is."""
        return self.answer.lifted if self.answer else ()


def signatures(source: str) -> list[str]:
    """The first lines of a module's public functions and classes, and of the methods of these."""
    try:
        tree = parse(source)
    except NotPython3:
        return []
    return list(_heads(tree.body, ""))


def _heads(body: Iterable[ast.stmt], indent: str) -> Iterable[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            not node.name.startswith("_") or node.name in ("__init__", "__call__")
        ):
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            yield f"{indent}def {node.name}({ast.unparse(node.args)}){returns}: ..."
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield f"{indent}class {node.name}:"
            yield from _heads(node.body, indent + "    ")
