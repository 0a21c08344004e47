"""What a stored "verified" rests on, looked at anew: one rule for what an import brings and for what an audit finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import ValidationError

from kg.models.execution import Execution, Judgement, Verdict, WrittenTest
from kg.models.paper import Model
from kg.verdicts.models import StoredModule, sha256_of
from kg.verdicts.rules import Lack, complaints
from kg.verdicts.seals import Seals, number_of
from kg.verdicts.statements import JUDGEMENT, SEALED, edge_statement, execution_statement, texts_of, verdict_statement

__all__ = ["Claim", "Doubt", "Ground", "demotion", "doubt", "doubt_of_edge", "no_verdict"]

Ground = Literal[
    Lack, "several executions", "incomplete", "other verdict", "other text", "other module", "other test",
    "other repository", "no verdict", "altered", "taken back", "lost notes", "sealed earlier",
    "judged elsewhere",
]  # fmt: skip
"""Why "verified" is not believed."""

JUDGED = (*JUDGEMENT, "verdict_seal", "verdict_unfinished", "test_left_out", "test_opened", "survivors", "module")
"""All that a judgement leaves on code."""


class Doubt(Model):
    """Why a verdict is not believed; `why` ends a sentence."""

    ground: Ground
    why: str


@dataclass(frozen=True)
class Claim:
    """Code that is called verified: its properties without the texts, the hashes of those that are there (`texts` as
    in `verdict_texts`), the executions that it rests on now, each as the properties of (edge, execution), and the ids
    of the repositories that it is said to be from."""

    facts: Mapping[str, Any]
    text: str | None
    module: str | None
    texts: Sequence[str] = ()
    runs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]] = ()
    repositories: Sequence[str] = ()

    @classmethod
    def of(cls, properties: Mapping[str, Any]) -> "Claim":
        """From the properties of a Code node; its edges are still to come."""
        text, module = properties.get("implementation"), properties.get("module")
        return cls(
            {name: properties.get(name) for name in ("id", "verdict_seal", *SEALED)},
            None if text is None else sha256_of(str(text)),
            None if module is None else _module_sha256(str(module)),
            texts_of(properties),
        )


def _module_sha256(text: str) -> str:
    try:
        return StoredModule.model_validate_json(text).sha256
    except ValidationError:
        return "no module"


def doubt(claim: Claim, seals: Seals | None, least_killed: float) -> Doubt | None:
    """Why a claim is not believed, None if it is; without `seals` it is only asked whether it is sound in itself."""
    facts, runs = claim.facts, claim.runs
    if len(runs) != 1:
        return (
            Doubt(ground="several executions", why="several executions are said to show it") if runs else NO_EXECUTION
        )
    ((edge, stored),) = runs
    try:
        execution = _execution(stored)
        judged = Judgement(
            code=facts["id"], verdict="verified", reason=facts["verdict_reason"], kind=facts["test_kind"],
            mutants=facts["mutants"], killed=facts["killed"], killed_by_assertion=facts["killed_by_assertion"],
            execution=execution, written=_written(facts),
        )  # fmt: skip
    except ValueError:
        return INCOMPLETE
    if not all(
        isinstance(facts[name], str) and facts[name] for name in ("text_sha256", "verdict_program", "verdict_date")
    ):
        return INCOMPLETE
    known = {facts["text_sha256"], facts["module_sha256"]} - {None}
    for complaint in complaints(judged, known, least_killed):
        return Doubt(ground=complaint.lack, why=complaint.why)
    unsealed = _unsealed(claim, edge, stored, seals) if seals else None
    return _disagreement(claim, edge, execution) or unsealed or _of_another_repository(claim)


def _written(facts: Mapping[str, Any]) -> WrittenTest | None:
    """Which model was asked for the test. Raises ValueError where that is told in part."""
    if facts.get("test_model") is None:
        return None
    told = {name: facts[f"test_{name}"] for name in ("state", "model", "prompt", "run")}
    return WrittenTest.model_validate(told)


def _disagreement(claim: Claim, edge: Mapping[str, Any], execution: Execution) -> Doubt | None:
    """What code, edge and execution say differently of one judgement."""
    facts = claim.facts
    if claim.text not in (None, facts["text_sha256"]):
        return Doubt(ground="other text", why="its text is not the one that was run")
    if claim.module not in (None, facts["module_sha256"]):
        return Doubt(ground="other module", why="its module is not the one that was run")
    if facts["code_sha256"] != execution.code_sha256:
        return Doubt(ground="other code", why="its execution is of other code")
    if facts["test_sha256"] != execution.test_sha256:
        return Doubt(ground="other test", why="its execution is of another test")
    if (edge.get("verdict"), edge.get("date")) != ("verified", facts["verdict_date"]):
        return Doubt(ground="other verdict", why="its execution is said to have shown something else")
    return None


def _unsealed(claim: Claim, edge: Mapping[str, Any], stored: Mapping[str, Any], seals: Seals) -> Doubt | None:
    facts = claim.facts
    given = (facts["verdict_seal"], edge.get("seal"), stored.get("seal"))
    code, execution = str(facts["id"]), str(stored.get("id"))
    if not all(map(seals.knows, given)):
        return ELSEWHERE
    if not number_of(given[0]):
        return Doubt(ground="sealed earlier", why="an earlier version has sealed it, with less than counts now")
    if not (
        seals.fits(given[0], *verdict_statement(code, facts, execution))
        and seals.fits(given[1], *edge_statement(code, execution, edge))
        and seals.fits(given[2], *execution_statement(stored))
        and set(claim.texts) <= set(facts["verdict_texts"] or ())
    ):
        return Doubt(ground="altered", why="it was altered since it was judged")
    if seals.taken_back(given[0], code):
        return Doubt(ground="taken back", why="this home has taken it back since, or judged the code anew")
    if lost := seals.lost_notes:
        return Doubt(ground="lost notes", why=f"{seals.notes} {lost}")
    return None


def _of_another_repository(claim: Claim) -> Doubt | None:
    home = claim.facts["repository"]
    if list(claim.repositories) == ([] if home is None else [home]):
        return None
    return Doubt(ground="other repository", why="it is said to be from another repository, or from none")


def doubt_of_edge(code: str, execution: str, edge: Mapping[str, Any], seals: Seals | None) -> Doubt | None:
    """Why an edge VERIFIED_BY that says "verified", of now or of a former judgement, is not believed."""
    if seals is None or seals.fits(edge.get("seal"), *edge_statement(code, execution, edge)):
        return None
    return Doubt(ground="altered" if seals.knows(edge.get("seal")) else "judged elsewhere", why="no seal here fits it")


def no_verdict(value: object) -> Doubt | None:
    """Why the property `verdict` of code is no verdict, None if it is one or not there."""
    known = value is None or (isinstance(value, str) and value in get_args(Verdict))
    return None if known else Doubt(ground="no verdict", why=f"{str(value)[:40]!r} is no verdict")


def demotion(found: Doubt, *, origin: object) -> dict[str, Any]:
    """What code says in place of a verdict that is not believed; None removes a property.

    Nothing of the judgement stays, but for the test of an imported block, which came with it.
    """
    said = f"called verified where it came from, but {found.why}; `xkg code verify` runs it here"
    kept = {"verdict": "unverified", "verdict_reason": said, "verdict_doubt": found.ground}
    return {**dict.fromkeys(JUDGED if origin == "imported" else (*JUDGED, "test")), **kept}


def _execution(properties: Mapping[str, Any]) -> Execution:
    """An execution from its node. Raises ValueError if it is none."""
    facts = {name: value for name, value in properties.items() if name in Execution.model_fields}
    packages, enforced = _pairs(facts.get("packages", []), " "), _pairs(facts.get("enforced", []), ": ")
    return Execution.model_validate({**facts, "packages": packages, "enforced": enforced})


def _pairs(items: object, between: str) -> dict[str, str]:
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError("no list of texts")
    return {name: rest for name, _, rest in (item.partition(between) for item in items)}


NO_EXECUTION = Doubt(ground="no execution", why="no execution shows it")
ELSEWHERE = Doubt(ground="judged elsewhere", why="it was not judged in this home, and nothing here can confirm it")
INCOMPLETE = Doubt(ground="incomplete", why="what it rests on is incomplete")
