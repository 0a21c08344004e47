"""Citations against the graph: which node each cited work is, and what becomes of works that are only cited."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kg.models.ids import Ref
from kg.models.labels import STATUS
from kg.results.write import Claim, Echo, KnownPaper
from kg.store import Transaction
from kg.write.citations import Work, known_as, stub_id, stub_properties
from kg.write.document import PAPER_PROPERTIES
from kg.write.existing import Existing
from kg.write.plan import Plan, VectorRows
from kg.write.slice import GraphSlice, Node

__all__ = ["plan_citations", "plan_ingested_paper", "plan_paper_removal"]

NO_VECTORS = VectorRows(None)


def _find(tx: Transaction, works: Sequence[Work], citing: str, ids: Iterable[str] = ()) -> list[KnownPaper]:
    """Papers of the graph with these ids, or that go by any name of these works; the word of `citing` set aside."""
    return tx.rows(
        KnownPaper,
        except_paper=citing,
        ids=sorted(ids),
        arxiv_ids=sorted({w.arxiv_id for w in works if w.arxiv_id}),
        dois=sorted({w.doi for w in works if w.doi}),
        title_keys=sorted({w.key for w in works if w.key}),
    )


def _claims(tx: Transaction, papers: Sequence[KnownPaper], citing: str) -> dict[str, list[Claim]]:
    """What papers other than `citing` say of these papers, by id."""
    ids = {paper.element: paper.id for paper in papers}
    found: dict[str, list[Claim]] = defaultdict(list)
    for claim in tx.row_batches(Claim, "elements", sorted(ids), except_paper=citing):
        found[ids[claim.cited]].append(claim)
    return found


def _stub(claims: Sequence[dict[str, Any]], id: str | None = None) -> Node:
    """The node of a work that is only cited, given all that is said of it."""
    properties = {**dict.fromkeys(PAPER_PROPERTIES), **stub_properties(claims), "extraction_method": "structural"}
    return Node("CitedWork", id or stub_id(claims), {**properties, "run_id": None})


def work_of(node: Node) -> Work:
    """The names an ingested paper goes by."""
    said = node.properties
    return Work(said.get("arxiv_id"), said.get("doi"), said.get("title_key") or "", said["title"], (), said.get("year"))


def plan_ingested_paper(tx: Transaction, plan: Plan, node: Node, existing: Existing, vectors: VectorRows) -> None:
    """Plan the ingested paper's own node; works cited so far that turn out to be this paper become one with it."""
    work = work_of(node)
    found = _find(tx, [work], node.id, [node.id])
    same = [p for p in found if p.id == node.id] + [p for p in known_as(work, found) if p.id != node.id]
    same = [p for p in same if p.label == "CitedWork"]
    stored = existing.nodes.get(node.ref) or (same.pop(0) if same else None)
    plan.put(node, stored, vectors)
    claims = _claims(tx, same, node.id)
    for stub in same:
        _absorb(plan, stub, node.ref, claims[stub.id])


def plan_paper_removal(tx: Transaction, plan: Plan, paper: str, existing: Existing) -> None:
    """Plan the end of an ingested paper's node: gone, or only cited where others cite it."""
    found = _find(tx, [], paper, [paper])
    for stored in found:
        claims = [claim.properties for claim in _claims(tx, found, paper)[paper]]
        if claims:
            plan.put(_stub(claims), stored, NO_VECTORS)
        else:
            plan.drop(existing.nodes["Paper", paper])


def _absorb(plan: Plan, stub: KnownPaper, into: Ref, claims: Sequence[Claim]) -> None:
    """Delete a cited work's node; whoever cites it cites `into`."""
    plan.move_citations += [(claim.citing, into, claim.properties) for claim in claims]
    plan.renamed[stub.label, stub.id] = into
    plan.drop(stub)


@dataclass
class _Target:
    """One node that this paper cites: the stored one, if any, the works that mean it, and stubs to merge into it."""

    stored: KnownPaper | None
    works: list[Work] = field(default_factory=list)
    merged: list[KnownPaper] = field(default_factory=list)

    def claim(self) -> dict[str, Any]:
        """Properties of the CITES edge."""
        keys = sorted({key for work in self.works for key in work.keys})
        return {**self.works[0].claim(), "keys": keys}


def _targets(works: Sequence[Work], known: Sequence[KnownPaper], citing: Work, gone: set[str]) -> list[_Target]:
    """Works by the node they mean; those that mean the citing paper itself are left out."""
    by_id = {paper.id: paper for paper in known}
    targets: dict[str, _Target] = {}
    into: dict[str, str] = {}
    for work in works:
        found = known_as(work, known)
        if citing.same_as(work) or any(paper.id in gone for paper in found):
            continue
        fresh = stub_id([work.claim()])
        best = found[0] if found else by_id.get(fresh)
        name = best.id if best else fresh
        target = targets.setdefault(into.get(name, name), _Target(best))
        target.works.append(work)
        for other in found[1:]:
            if other.label == "CitedWork" and other.id != name and other.id not in into:
                into[other.id] = into.get(name, name)
                target.merged.append(other)
                if merged := targets.pop(other.id, None):
                    target.works += merged.works
                    target.merged += merged.merged
    return list(targets.values())


SAID = {"title": "", "authors": [], "year": 0, "arxiv_id": "", "doi": ""}
"""What of a claim a cited work's properties follow from, and what stands for its absence."""


def _said(claim: dict[str, Any]) -> dict[str, Any]:
    return {name: claim.get(name) or nothing for name, nothing in SAID.items()}


def _unmoved(tx: Transaction, targets: Sequence[_Target], existing: Existing, citing: str) -> set[str]:
    """Ids of cited works that stay as they are, as nothing new is said of them: what is known of a work that many cite
    need not be read for each."""
    before = {edge.end_id: _said(edge.properties) for edge in existing.edges if edge.type == "CITES"}
    stubs = [
        (target.stored, _said(target.claim())) for target in targets
        if target.stored and target.stored.label == "CitedWork" and target.stored.content_hash
        and len(target.works) == 1 and not target.merged
    ]  # fmt: skip
    rows = [{"cited": stub.element, **said} for stub, said in stubs if stub.id not in before]
    echoed = {echo.element for echo in tx.row_batches(Echo, "rows", rows, except_paper=citing)}
    return {stub.id for stub, said in stubs if before.get(stub.id) == said or stub.element in echoed}


def plan_citations(
    tx: Transaction, plan: Plan, graph: GraphSlice, paper: Node | None, works: Sequence[Work], existing: Existing,
    citing: str, run_id: str,
) -> None:  # fmt: skip
    """Add a CITES edge for each work to `graph`, and plan the nodes of works that are, or were, only cited."""
    before = {edge.end_id for edge in existing.edges if edge.type == "CITES"}
    known = _find(tx, works, citing, sorted(before | {stub_id([work.claim()]) for work in works}))
    gone = {ref[1] for ref in plan.renamed if ref[0] in STATUS} | {citing}
    settled: set[str] = set()
    targets = _targets(works, known, work_of(paper), gone) if paper else []
    unmoved = _unmoved(tx, targets, existing, citing)
    claims = _claims(tx, [p for p in known if p.label == "CitedWork" and p.id not in unmoved], citing)
    for target in targets:
        end = _settle(plan, target, claims, {p.id for p in known}, unmoved)
        settled |= {p.id for p in (target.stored, *target.merged) if p}
        facts = {"extraction_method": "structural", "run_id": run_id}
        graph.edge("CITES", ("Paper", citing), end, **target.claim(), **facts)
    forgotten = [p for p in known if p.id in before - settled - gone and p.label == "CitedWork"]
    _forget(tx, plan, forgotten, claims, citing)


def _settle(plan: Plan, target: _Target, claims: dict[str, list[Claim]], taken: set[str], unmoved: set[str]) -> Ref:
    """Plan the node of a target; its reference. An id that another paper has is not taken from it."""
    stored = target.stored
    if stored and (stored.label == "Paper" or stored.id in unmoved):
        end: Ref = stored.label, stored.id
        plan.elements[end] = stored.element
    else:
        said = [claim.properties for p in (stored, *target.merged) if p for claim in claims[p.id]]
        said += [work.claim() for work in target.works]
        ids = {p.id for p in (stored, *target.merged) if p}
        keep = stored.id if stored and stub_id(said) in taken - ids else None
        node = _stub(said, keep)
        plan.put(node, stored, NO_VECTORS)
        end = node.ref
    for stub in target.merged:
        _absorb(plan, stub, end, claims[stub.id])
    return end


def _forget(
    tx: Transaction, plan: Plan, stubs: Sequence[KnownPaper], claims: dict[str, list[Claim]], citing: str
) -> None:
    """Plan what becomes of cited works that `citing` cites no more: what others say of them, or nothing."""
    left = {stub.id: [claim.properties for claim in claims[stub.id]] for stub in stubs}
    taken = {p.id for p in _find(tx, [], citing, {stub_id(said) for said in left.values() if said})}
    for stub in stubs:
        if said := left[stub.id]:
            plan.put(_stub(said, stub.id if stub_id(said) in taken else None), stub, NO_VECTORS)
        elif not stub.curated:
            plan.drop(stub)
