"""File → graph, in batches, under a mark that tells writers that the graph is not whole; importing again ends it.

A file is anybody's word: "verified" enters only where this home's seals show that it was judged here, and all else only
as an imported claim where they do not show that this home wrote it (kg.backup.foreign).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

from kg.backup.checking import CheckedFile, check_file, read_items
from kg.backup.claims import Believed, LeftOut
from kg.backup.foreign import Foreign
from kg.backup.format import unpack
from kg.blacklist import WITHHELD
from kg.errors import InputError
from kg.migrations import bind_model, bring_along
from kg.models.labels import STATUS, node_key, present_id, sublabels, work_label
from kg.models.paper import Model
from kg.results import ElementRow
from kg.results.backup import Emptied, FilledWork, ImportMark, PresentNode, RestoredEdges, RestoredNode, SomeNode
from kg.results.concept import ConceptRow
from kg.results.verdict import VerifiedCode
from kg.store import BATCH, Store
from kg.verdicts.auditing import claim
from kg.verdicts.grounds import Ground, demotion, doubt
from kg.verdicts.logs import LogStore
from kg.verdicts.seals import open_seals

__all__ = ["ImportReport", "import_graph"]

T = TypeVar("T")
Mode = Literal["empty", "merge", "replace"]
NODE_BATCH = 500


class ImportReport(Model):
    """What was read, and what of it was new in the graph.

    `demoted` counts code that the file calls verified and the graph does not, by what was amiss; `claims_dropped` what
    else had a verdict that it can't have, or is said to be from a repository that it is not from. `unverified` and
    `dropped` name each of these, `present` the nodes that were there already, all with the reason.

    `foreign_nodes` and `foreign_edges` were not written by this home as they stand, `foreign` names the first of them:
    they are marked as imported, and what they assert of code is a candidate. Of these, `decisions_dropped` counts words
    of curators that did not enter. `whole` is whether the file is one export of this home, nothing added or taken out.
    """

    file: str
    nodes: int
    edges: int
    nodes_added: int
    edges_added: int
    demoted: dict[Ground, int] = {}
    claims_dropped: int = 0
    unverified: tuple[LeftOut, ...] = ()
    dropped: tuple[LeftOut, ...] = ()
    present: tuple[LeftOut, ...] = ()
    foreign_nodes: int = 0
    foreign_edges: int = 0
    foreign: tuple[str, ...] = ()
    decisions_dropped: int = 0
    whole: bool = True


def import_graph(
    store: Store, file: Path, mode: Mode = "empty", *, logs: LogStore | None = None, least_killed: float = 0.5
) -> ImportReport:
    """Read a backup into the graph, after all of it was checked.

    What the file calls verified stays so if it was sealed with the key beside `logs` (without them nothing was), and
    is sound: see kg.verdicts.grounds. Everything else comes in as unverified, with the reason. What that key has not
    sealed as it stands is told in the report, and comes in as imported.

    What a graph of an earlier form said is brought into the present one. "empty" wants an empty graph; "merge" adds
    what is missing and leaves what is there as it is; "replace" empties the graph first. Interrupted, the same command
    goes on, and until then nobody else may write. Raises InputError for a damaged file and for a graph that is not
    empty, DatabaseError for vectors of another model; neither changes anything.
    """
    checked = check_file(file)
    resuming = _mark(store) == checked.sha256
    if mode == "empty" and not resuming and store.rows(SomeNode):
        raise InputError(
            "the graph is not empty", remedy="add --merge to keep what is there, or --replace to delete it first"
        )
    if mode != "replace" and checked.model:
        bind_model(store, *checked.model)
    store.write("backup/mark_import", sha256=checked.sha256)
    if mode == "replace":
        while store.write_rows(Emptied, limit=2 * BATCH)[0].deleted:
            pass
        if checked.model:
            bind_model(store, *checked.model)
    seals = open_seals(store, logs.folder) if logs else None
    believed = checked.claims.judged(seals, least_killed)
    foreign, present = Foreign(checked, seals), list[LeftOut]()
    added = _load(store, checked, believed, foreign, present, fresh=mode == "replace")
    bring_along(store, checked.migration)
    if mode == "merge":
        _doubt_again(store, believed, least_killed)
    if seals:
        store.transact(seals.anchor, lock=False)
    store.write("concept/mark_unjoined", everything=mode == "merge")
    store.write("backup/mark_import", sha256=None)
    report = ImportReport(
        file=str(checked.path), nodes=checked.nodes, edges=checked.edges, nodes_added=added[0], edges_added=added[1],
        demoted=dict(sorted(Counter(found.ground for found in believed.demoted.values()).items())),
        claims_dropped=len(believed.dropped), dropped=tuple(believed.dropped), present=tuple(present),
        unverified=tuple(
            LeftOut(what=f"Code {present_id('Code', code)}", why=one.why)
            for code, one in sorted(believed.demoted.items())
        ),
        foreign_nodes=foreign.counts["node"], foreign_edges=foreign.counts["edge"], foreign=tuple(foreign.first),
        decisions_dropped=foreign.decisions, whole=foreign.whole,
    )  # fmt: skip
    return _masked(report, store) if store.blacklist else report


def _masked(report: ImportReport, store: Store) -> ImportReport:
    """The same without names of what the blacklist withholds of the graph, as it is now."""
    withheld, concepts = store.observe(lambda graph: (graph.withheld, {row.id for row in graph.rows(ConceptRow)}))

    def masked(text: str) -> str:
        label, _, name = text.partition(" ")
        told = f"{label} {WITHHELD}" if label == "Concept" and name not in concepts else withheld.mask(text)
        return store.blacklist.mask(told)

    named = {
        field: [LeftOut(what=masked(one.what), why=store.blacklist.mask(one.why)) for one in getattr(report, field)]
        for field in ("unverified", "dropped", "present")
    }
    return report.model_copy(
        update={
            **{field: tuple(found) for field, found in named.items()},
            "file": store.blacklist.mask(report.file), "foreign": tuple(map(masked, report.foreign)),
        }
    )  # fmt: skip


def _mark(store: Store) -> str | None:
    rows = store.rows(ImportMark)
    return rows[0].importing if rows else None


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def _load(
    store: Store, checked: CheckedFile, believed: Believed, foreign: Foreign, present: list[LeftOut], *, fresh: bool
) -> tuple[int, int]:
    """How many nodes and edges were added; the nodes that were there already are put to `present`."""
    elements: dict[tuple[str, str], str] = {}
    nodes_added = edges_added = 0
    for batch in _batches((item for item in read_items(checked.path) if "node" in item), NODE_BATCH):
        rows = [row for item in batch if (row := _node_row(item, believed, foreign))]
        keys = [{"label": row["label"], "id": row["properties"]["id"]} for row in rows]
        known = store.rows(PresentNode, rows=[k for k in keys if not fresh or k["label"] == "IndexInfo"])
        cited = {node.id: node.element for node in known if (node.label, node.stands_as) == ("Paper", "CitedWork")}
        known = [node for node in known if node.id not in cited]
        elements |= {node_key(node.label, node.id): node.element for node in known}
        present += [LeftOut(what=f"{node.label} {node.id}", why="it is in the graph already") for node in known]
        new = [row for row in rows if node_key(row["label"], row["properties"]["id"]) not in elements]
        filled, created = list[dict[str, Any]](), list[dict[str, Any]]()
        for row in new:
            element = cited.get(row["properties"]["id"]) if row["label"] == "Paper" else None
            (filled if element else created).append({**row, "element": element})
        made: list[ElementRow] = [*store.write_rows(FilledWork, rows=filled)] if filled else []
        made += store.write_rows(RestoredNode, rows=created) if created else []
        elements |= {node_key(node.label, node.id): node.element for node in made}
        nodes_added += len(made)
    demoted: list[dict[str, Any]] = []
    for batch in _batches((item for item in read_items(checked.path) if "edge" in item), BATCH):
        rows, runs = [], []
        for item in batch:
            if believed.misplaced(item):
                continue
            properties, current = believed.edge(item)
            ends = {end: elements.get(node_key(*item[end])) for end in ("start", "end")}
            if (entering := foreign.edge(item, properties)) is None or None in ends.values():
                continue
            kind, properties = entering
            into = rows if kind == item["edge"] else demoted
            into.append({"type": kind, **ends, "properties": properties})
            if current:
                runs.append({**ends, "seal": believed.claims.seals.get(item["start"][1], "")})
        edges_added += store.write_rows(RestoredEdges, rows=rows)[0].created
        store.write("backup/settle_executions", rows=runs)
    for rows in _batches(demoted, BATCH):
        edges_added += store.write_rows(RestoredEdges, rows=rows)[0].created
    return nodes_added, edges_added


def _doubt_again(store: Store, believed: Believed, least_killed: float) -> None:
    """What was believed may have met an execution of the graph's own that shows something else; what was not, a verdict
    of the graph's own."""
    told = {present_id("Code", code): code for code in believed.doubts}
    for batch in _batches(told, NODE_BATCH):
        for row in store.rows(VerifiedCode, ids=batch):
            del believed.demoted[told[row.id]]
    for batch in _batches((present_id("Code", code) for code in believed.verified), NODE_BATCH):
        rows, seals = [], []
        for row in store.rows(VerifiedCode, ids=batch):
            if found := doubt(claim(row), believed.seals, least_killed):
                rows.append({"id": row.id, "properties": demotion(found, origin=row.properties.get("origin"))})
                seals.append(row.properties.get("verdict_seal"))
                believed.demoted[row.id] = found
        if believed.seals:
            store.transact(partial(believed.seals.take_back, seals=seals), lock=False)
        store.write("verdict/demote", rows=rows)


def _node_row(item: dict[str, Any], believed: Believed, foreign: Foreign) -> dict[str, Any] | None:
    """A row of backup/create_nodes; a vector that was stored as float32 becomes float32 again."""
    packed = dict(item["properties"])
    is_vector = isinstance(packed.get("embedding"), dict)
    vector = unpack(packed.pop("embedding")) if is_vector else None
    properties = {key: unpack(value) for key, value in packed.items()}
    properties = believed.node(item["node"], {**properties, "id": item["id"]})
    if (entering := foreign.node(item, properties, judged=believed.founded(item["id"]))) is None:
        return None
    label = work_label(item["node"], entering)
    entering |= {"status": STATUS[label]} if label in STATUS else {"id": present_id(label, item["id"])}
    if isinstance(home := entering.get("repository"), str):
        entering["repository"] = present_id("Repository", home)
    return {"label": label, "more": sublabels(label, entering), "properties": entering, "vector": vector}
