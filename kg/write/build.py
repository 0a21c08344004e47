"""PaperRecord → the part of the graph it stands for. Pure: no database, no clock, the same record the same slice."""

import hashlib
import json

from kg.models.record import PaperRecord
from kg.write.code import add_code
from kg.write.dependencies import add_dependencies
from kg.write.document import add_document, paper_properties
from kg.write.siblings import with_distinct_siblings
from kg.write.slice import GraphSlice, Node
from kg.write.techniques import add_techniques

__all__ = ["build_slice", "run_id", "run_node"]


def run_id(record: PaperRecord) -> str:
    """Id of the run: a hash of what went in and of what worked on it, so that repeating it is no new run."""
    repository = record.repository
    what = {
        "command": record.run.command,
        "versions": record.run.versions,
        "paper": [record.paper.id, record.paper.version, record.doc.source_sha256],
        "repository": [repository.id, repository.commit] if repository else None,
    }
    return f"run:{hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:32]}"


def run_node(record: PaperRecord) -> Node:
    """The Run node of this record."""
    repository = record.repository
    properties = {
        "name": f"{record.run.command} {record.paper.id}",
        "command": record.run.command,
        "versions": [f"{name} {version}" for name, version in sorted(record.run.versions.items())],
        "paper": record.paper.id,
        "paper_version": record.paper.version,
        "source_sha256": record.doc.source_sha256,
        "repository": repository.id if repository else None,
        "commit": repository.commit if repository else None,
    }
    return Node("Run", run_id(record), properties)


def build_slice(record: PaperRecord) -> GraphSlice:
    """Nodes and edges of the record, without its citations (they depend on which papers the graph knows)."""
    graph, run = GraphSlice(), run_id(record)
    record = with_distinct_siblings(record)
    facts = {"extraction_method": "import" if record.origin == "imported" else "structural", "run_id": run}
    paper = graph.node("Paper", record.paper.id, **paper_properties(record), **facts)
    pieces = add_document(graph, record, paper, facts)
    add_techniques(graph, record, pieces, run)
    add_code(graph, record, paper, run)
    add_dependencies(graph, record, run)
    by_id = {ref[1]: ref for ref in reversed(graph.nodes)}
    for node, extra in record.extras.items():
        if node in by_id:
            found = graph.nodes[by_id[node]]
            graph.nodes[by_id[node]] = Node(
                found.label, found.id, {**dict.fromkeys(found.absent), **found.properties, **extra}
            )
    return graph
