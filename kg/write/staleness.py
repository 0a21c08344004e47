"""Verdicts that a write takes back: what was judged is no longer what the graph holds, or rests on something else."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.models.record import PaperRecord
from kg.results.verdict import BoundExecution, JudgedCode, PaperVersion, VerifiedCode
from kg.store import Transaction
from kg.verdicts.auditing import claim
from kg.verdicts.basis import SAYS, Part, block_basis, differences, parse
from kg.verdicts.grounds import doubt
from kg.verdicts.models import sha256_of
from kg.verdicts.seals import Seals, number_of
from kg.verdicts.specification import respecified, specifications
from kg.verdicts.statements import texts_of, verdict_statement
from kg.write.plan import Plan
from kg.write.slice import GraphSlice, Node

__all__ = ["outdated", "plan_executions", "plan_seals", "plan_verdicts", "seal_again", "take_back_respecified"]

CODE = "the code has changed since"
UNKNOWN = "an earlier version has judged it, and did not note all that its run may have read"
GONE = "it is no longer in its source"


def plan_verdicts(tx: Transaction, plan: Plan, graph: GraphSlice, record: PaperRecord, seals: Seals | None) -> None:
    """Plan which verdicts the write of `record` takes back, after its nodes were planned.

    Code at a commit that only other papers use is theirs: nothing of it has changed. Without `seals` nobody notes what
    is taken back, and what moves keeps a seal that no longer fits it.
    """
    matched = {element for (label, _), element in plan.elements.items() if label == "Code"}
    judged = tx.row_batches(JudgedCode, "elements", sorted(matched | plan.kept))
    nodes = {plan.elements[ref]: node for ref, node in graph.nodes.items() if ref in plan.elements}
    changed = [update.element for update in plan.update if update.changed]
    before = [row.version for row in tx.rows(PaperVersion, id=record.paper.id)] if judged else []
    plan.stale = outdated(judged, nodes, changed, record.places, _paper_change(before, record.paper.version))
    if seals:
        plan_seals(tx, plan, judged, seals)
    plan.changes.stale |= {row["id"] for row in plan.stale}


def plan_seals(tx: Transaction, plan: Plan, judged: Sequence[JudgedCode], seals: Seals) -> None:
    """Plan which verdicts are sealed anew where their code moves, and note which judgements are over.

    Over are also those of other code whose content changes or goes, whatever the graph says of them now.
    """
    lost = {row["element"] for row in plan.stale}
    standing = {row.element: row for row in judged if row.verdict == "verified" and row.element not in lost}
    moved = {standing[u.element].id: u for u in plan.update if u.element in standing}
    for row in tx.row_batches(VerifiedCode, "ids", sorted(moved)):
        update = moved[row.id]
        if found := doubt(claim(row), seals, least_killed=0.0):
            why = f"it has moved or is described anew, and {found.why}"
            plan.stale.append({"element": update.element, **_taken_back("verified", why), "id": row.id})
        else:
            plan.sealed[update.node.id] = row.properties["verdict_seal"]
    lost = {row["element"] for row in plan.stale}
    gone = tx.row_batches(JudgedCode, "elements", [*dict.fromkeys(plan.delete)])
    plan.taken_back = [(row.id, row.seal) for row in gone]
    plan.taken_back += [(row.id, row.seal) for row in judged if row.element in lost]
    came = set(plan.renamed.values())
    plan.taken_back += [
        (u.node.id, None)
        for u in plan.update
        if u.changed and u.node.label == "Code" and u.node.ref not in came and u.node.id not in plan.sealed
    ]


def seal_again(tx: Transaction, plan: Plan, seals: Seals) -> None:
    """Seal what the plan says is to be sealed anew, as the graph holds it now, under the numbers it had."""
    rows = []
    for row in tx.row_batches(VerifiedCode, "ids", sorted(plan.sealed)):
        properties = {**row.properties, "verdict_texts": texts_of(row.properties)}
        said = verdict_statement(row.id, properties, row.runs[0]["execution"]["id"])
        seal = seals.make(*said, number=number_of(plan.sealed[row.id]))
        rows.append({"id": row.id, "seal": seal, "texts": properties["verdict_texts"]})
    tx.batches("verdict/set_seals", "rows", rows)


def take_back_respecified(tx: Transaction, plan: Plan, seals: Seals | None) -> None:
    """Take back what tests showed that were written from what papers no longer say, once the plan is carried out."""
    elements = {element for (label, _), element in plan.elements.items() if label == "Code"} | plan.kept
    judged = tx.row_batches(JudgedCode, "elements", sorted(elements))
    before = {row.id: parse(row.basis).get(Part.SPECIFICATION) for row in judged if row.verdict != "stale"}
    now = specifications(tx, [code for code, digest in before.items() if digest])
    changed = [row for row in judged if respecified(before.get(row.id), now.get(row.id))]
    rows = [{"element": r.element, **_taken_back(r.verdict, SAYS[Part.SPECIFICATION]), "id": r.id} for r in changed]
    if seals:
        seals.take_back(tx, (row.seal for row in changed), (row.id for row in changed))
    tx.batches("verdict/mark_stale", "rows", rows)
    plan.changes.stale |= {row.id for row in changed}


def plan_executions(tx: Transaction, plan: Plan) -> None:
    """Plan the end of executions whose code goes, all of it."""
    for execution in tx.rows(BoundExecution, elements=[*dict.fromkeys(plan.delete)]) if plan.delete else ():
        plan.delete.append(execution.element)
        plan.changes.node("removed", ("Execution", execution.id))


def _paper_change(before: Sequence[str | None], now: str | None) -> str:
    if not before or before[0] is None or before[0] == now:
        return ""
    return f"the paper has changed since ({before[0]} is now {now or 'without version'})"


def outdated(
    judged: Iterable[JudgedCode],
    nodes: Mapping[str, Node],
    changed: Iterable[str],
    places: Mapping[str, str],
    paper_change: str,
) -> list[dict[str, Any]]:
    """Rows for verdict/mark_stale, sorted by id.

    `nodes` are the nodes of the write by the element they are stored in, `changed` the elements whose content changes,
    `places` what is now at the places of the repository that verdicts rest on, as far as it is known. `paper_change`
    says how the paper's version changed ("" if it did not).
    """
    touched = set(changed)
    rows = []
    for row in sorted(judged, key=lambda row: row.id):
        why = _why(row, nodes.get(row.element), row.element in touched, places)
        if not why and row.verdict != "failed":
            why = paper_change
        if why and row.verdict != "stale":
            rows.append({"element": row.element, **_taken_back(row.verdict, why), "id": row.id})
    return rows


def _why(row: JudgedCode, node: Node | None, changed: bool, places: Mapping[str, str]) -> str:
    """Why a verdict no longer holds, in words; "" if it does."""
    if node is None:
        return GONE
    text = str(node.properties.get("implementation", ""))
    if sha256_of(text) != row.text_sha256 if row.text_sha256 else changed:
        return CODE
    if node.properties.get("origin") == "imported":
        test, packages = str(node.properties.get("test", "")), list(node.properties.get("requirements", ()))
        return differences(row.basis, parse(block_basis(test, packages)))
    rests_on = {item.partition(" ")[2] for item in row.basis}
    if not rests_on & {Part.LINKS, Part.EVERYTHING}:
        return UNKNOWN
    basis = [item for item in row.basis if item.partition(" ")[2] != Part.SPECIFICATION]
    same_commit = node.id == row.id  # of the others, what could not be compared is not believed
    return differences([i for i in basis if not same_commit or i.partition(" ")[2] in places], places)


def _taken_back(verdict: str, why: str) -> dict[str, str]:
    if verdict == "verified":
        return {"verdict": "stale", "reason": why}
    before = "it failed, but" if verdict == "failed" else "nothing was run again:"
    return {"verdict": "unverified", "reason": f"{before} {why}"}
