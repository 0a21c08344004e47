"""Writing and removing one paper: one transaction each, which tells what it changed."""

from kg.errors import InputError
from kg.migrations import bind_model
from kg.models.record import PaperRecord
from kg.results.verdict import PaperVersion
from kg.results.write import KnownRun, OrphanRemoved
from kg.store import Store, Transaction
from kg.verdicts.logs import LogStore
from kg.verdicts.seals import open_seals
from kg.write.apply import apply_plan
from kg.write.build import build_slice, run_id, run_node
from kg.write.changes import Changes, ChangesBuilder
from kg.write.citations import cited_works
from kg.write.cite_plan import plan_citations, plan_ingested_paper, plan_paper_removal
from kg.write.curated import as_curated
from kg.write.existing import read_existing
from kg.write.plan import Plan, VectorRows, plan_edges, plan_nodes
from kg.write.pruned import without_pruned
from kg.write.rewrites import with_rewrites
from kg.write.slice import Edge, GraphSlice
from kg.write.staleness import plan_executions, plan_verdicts, seal_again, take_back_respecified

__all__ = ["remove_paper", "write_paper"]


def write_paper(store: Store, record: PaperRecord, *, dry_run: bool = False, logs: LogStore | None = None) -> Changes:
    """Make the graph say what `record` says of its paper; returns what changed. `dry_run` only tells.

    What vanished from the record is removed, unless a curator touched it; a curator's word is never overwritten.
    Verdicts that the write takes back are noted beside `logs` before it takes effect; those that hold are sealed for
    the new place of their code.
    Raises DatabaseError when the vectors are of another model than the graph's, ServiceError when another writer
    doesn't come to an end; in both cases nothing is changed.
    """
    graph = build_slice(record)
    works = cited_works(record.doc)
    vectors = VectorRows(record.vectors)
    repository = record.repository
    wanted = (repository.id, repository.commit) if repository else None
    node = graph.nodes["Paper", record.paper.id]
    seals = open_seals(store, logs.folder) if logs else None

    def plan(tx: Transaction) -> Plan:
        made = Plan(ChangesBuilder(record.paper.id))
        existing = read_existing(tx, record.paper.id, wanted)
        whole = as_curated(tx, without_pruned(tx, made, graph, record), record.paper.id)
        with_rewrites(tx, whole, existing, wanted)
        plan_ingested_paper(tx, made, node, existing, vectors)
        plan_nodes(tx, made, whole, existing, wanted, vectors)
        plan_citations(tx, made, whole, node, works, existing, record.paper.id, run_id(record))
        plan_edges(made, whole, existing)
        plan_verdicts(tx, made, whole, record, seals)
        plan_executions(tx, made)
        run = run_node(record)
        if not made.changes.build().empty and not tx.rows(KnownRun, id=run.id):
            made.put(run, None, vectors)
            brought = [node.ref, *(ref for ref in whole.nodes if ref[0] == "Repository")]
            made.add_edges(Edge("MADE", run.ref, ref) for ref in brought)
        return made

    def work(tx: Transaction) -> Changes:
        made = plan(tx)
        if seals:
            seals.take_back(tx, (seal for _, seal in made.taken_back), (code for code, _ in made.taken_back))
        apply_plan(tx, made, record.vectors)
        if seals:
            seal_again(tx, made, seals)
        take_back_respecified(tx, made, seals)
        return made.changes.build()

    if dry_run:
        return store.observe(lambda tx: plan(tx).changes.build())
    if record.vectors and record.vectors.ids:
        bind_model(store, record.vectors.model_id, record.vectors.dimension)
    return store.transact(work)


def remove_paper(store: Store, paper: str, *, dry_run: bool = False) -> Changes:
    """Take an ingested paper out of the graph with all that only it needed; where others cite it, it stays as cited.

    A curator's words on it go too. Raises InputError if there is no such ingested paper, or a blacklist is in force.
    """
    store.demand_whole("removing a paper")

    def plan(tx: Transaction) -> Plan:
        existing = read_existing(tx, paper, None)
        if not tx.rows(PaperVersion, id=paper):
            raise InputError(f"there is no ingested paper {paper}", remedy="`xkg paper list` shows what there is")
        made, nothing = Plan(ChangesBuilder(paper)), GraphSlice()
        plan_paper_removal(tx, made, paper, existing)
        plan_nodes(tx, made, nothing, existing, None, VectorRows(None), keep_curated=False)
        plan_citations(tx, made, nothing, None, (), existing, paper, "")
        plan_edges(made, nothing, existing)
        plan_executions(tx, made)
        return made

    def work(tx: Transaction) -> Changes:
        made = plan(tx)
        apply_plan(tx, made, None)
        for orphan in tx.rows(OrphanRemoved, paper=paper):
            made.changes.node("removed", (orphan.label, orphan.id))
        return made.changes.build()

    return store.observe(lambda tx: plan(tx).changes.build()) if dry_run else store.transact(work)
