"""Each query of `cypher/` on a graph of synthetic papers: by which scans it finds what it wants, and its database hits.

Queries are profiled with parameters of one paper, as commands give them; those that write are rolled back. `profiled`
gives for each its rows, its hits and the scans of its plan; `growing` are the queries whose hits grow with the graph
though what they give does not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import neo4j
import numpy as np

import cypher
from benchmarks.growth_papers import MODEL, Papers
from kg.models.ids import code_id, piece_id, technique_id
from kg.search.describe import SPECS
from kg.search.engine import CHARACTERS, DEPTH, TEXT_FETCH
from kg.search.terms import lucene_query, name_query, terms
from kg.store import Store, Withheld

__all__ = ["LEFT_OUT", "WHOLE", "Sample", "given", "growing", "profiled"]

SCANS = (
    "AllNodesScan", "NodeByLabelScan", "UnionNodeByLabelsScan", "IntersectionNodeByLabelsScan", "RelationshipsScan",
    "RelationshipTypeScan", "RelationshipTypesScan", "NodeIndexScan",
)  # fmt: skip
"""Operators, by the end of their name, that look at all of a label, a type or an index."""
WHOLE = {
    "backup/list_edges": "exports all",
    "backup/list_nodes": "exports all",
    "backup/delete_some": "empties the graph",
    "backup/list_some": "ends at the first",
    "blacklist/find_forbidden": "matches patterns with all names, while a blacklist is in force",
    "concept/list_concepts": "lists all",
    "concept/list_decisions": "lists all decisions",
    "concept/mark_unjoined": "after an import alone",
    "graph/count_all": "counts all",
    "graph/find_faults": "checks all",
    "ingest/list_fingerprints": "lists all papers, once a run",
    "prune/list_techniques": "judges all",
    "prune/read_pruned": "lists all papers pruned",
    "review/list_edges": "lists all that waits",
    "review/list_names": "lists all that waits",
    "show/list_papers": "lists all",
    "verdict/list_strange": "checks all, after an import",
    "verdict/list_verified_edges": "checks all, after an import",
}
"""Queries that are to look at everything, and why."""
LEFT_OUT = ("schema/", "browser/", "verdict/read_graph_id")
"""Queries that are of no graph, or that people begin with in Neo4j Browser: how their names begin."""
GROWTH = 2.0
"""Hits may so many times be what they were at the smaller size, where as many rows come: more would be linear."""
FEW = 2_000
"""Hits that no query is told of for."""
QUESTION = "w31 w207 w1004"


@dataclass(frozen=True)
class Sample:
    """What queries are asked about: one paper of the graph with what belongs to it."""

    number: int
    elements: dict[str, str]
    edges: list[str]
    concepts: list[str]
    vector: list[float]

    @property
    def paper(self) -> str:
        return f"local:p{self.number}"

    @property
    def home(self) -> str:
        return f"folder:r{self.number}"

    @property
    def techniques(self) -> list[str]:
        return [technique_id(self.paper, f"t{i}") for i in range(4)]

    @property
    def code(self) -> list[str]:
        return [code_id(self.home, "c", f"m0.py#f{i}") for i in range(8)]

    def pairs(self) -> list[dict[str, str]]:
        """Code with an execution that there is not."""
        return [{"start": self.elements[c], "end": self.elements[c], "seal": ""} for c in self.code]


def _sample(store: Store, number: int) -> Sample:
    paper = f"local:p{number}"
    nodes = store.read("write/read_paper_nodes", paper=paper, prefix=f"{paper}#")
    nodes += store.read("write/read_code_nodes", prefix=f"folder:r{number}@c:")
    elements = {row["id"]: row["element"] for row in nodes}
    edges = [row["element"] for row in store.read("write/read_edges", elements=[elements[paper]])]
    joined = store.read("concept/list_techniques", ids=[name for name in elements if "#t/" in name])
    concepts = sorted({row["concept"] for row in joined if row["concept"]})
    vector = Papers().vectors(np.random.default_rng(number), 1)[0]
    return Sample(number, elements, edges, concepts, [float(x) for x in vector])


def _named(s: Sample) -> dict[str, Any]:
    """Parameters by their name, where it means the same in all queries."""
    return {
        "withheld": Withheld().parameter, "paper": s.paper, "prefix": f"{s.paper}#", "id": s.techniques[0],
        "technique": s.techniques[0], "techniques": s.techniques, "code": s.code, "limit": 50, "vector": s.vector,
        "characters": CHARACTERS, "depth": DEPTH, "fetch": TEXT_FETCH, "first": DEPTH, "verdicts": [],
        "query": lucene_query(QUESTION),
        "name_query": name_query(QUESTION), "words": list(terms(QUESTION)), "model_id": MODEL, "papers": [s.paper],
        "indexes": [spec.text_index for spec in SPECS.values()], "vector_index": "technique_vector",
        "text_index": "technique_text", "index": "technique_text", "elements": list(s.elements.values()),
        "except_paper": s.paper, "everything": False, "likely": True, "cited": True, "popular": 100, "named": 5,
        "most": 10, "after": 0, "used": [],
        "sha256": "0", "again": False, "properties": {"name": "x"}, "edge": {"verdict": "failed"}, "action": "merge",
        "who": "x", "when": "2026-01-01", "why": "", "concept": "none", "former": [], "execution": "none",
        "except_code": s.code[0], "reason": "x", "only": {"papers": [s.paper], "kinds": [], "verdicts": ["verified"],
        "licences": [], "languages": []}, "label": "Technique",
        "endings": [f"{sign}t0-9" for sign in ("#t/", "#", "/", ".", ":")],
        "word": {"extraction_method": "curator"}, "name": "Another name", "type": "IMPLEMENTED_BY", "beside": s.code[0],
        "unit": "m0.py#f1", "source": s.code[0], "source_text": "x", "parts": s.code[1:3], "prefixes": [f"{s.paper}#"],
        "pattern": "(?i).*forbidden.*", "names": ["forbidden"], "arxiv_ids": [], "dois": [], "title_keys": [],
        "home": "x:", "seal": "x:0",
    }  # fmt: skip


def _techniques(s: Sample, **more: Any) -> list[dict[str, Any]]:
    return [{"technique": t, "id": t, "concept": "none", **more} for t in s.techniques]


def _relations(s: Sample, **more: Any) -> list[dict[str, Any]]:
    return [{"one": s.techniques[0], "other": s.techniques[1], "type": "SIMILAR_TO", **more}]


def _code(s: Sample, **more: Any) -> list[dict[str, Any]]:
    return [{"id": c, "element": s.elements[c], **more} for c in s.code]


def _edges(s: Sample) -> list[dict[str, Any]]:
    one, *others = (s.elements[t] for t in s.techniques)
    return [{"start": one, "end": o, "type": "NEAR", "properties": {}, "citing": one, "cited": o} for o in others]


def _works(s: Sample) -> dict[str, Any]:
    """Names of the works that a new paper cites, classics among them."""
    works = Papers().record(s.number).doc.bibliography
    keys = [" ".join(work.title.lower().split()) for work in works]
    return {"title_keys": keys, "ids": [f"local:cited-{key.replace(' ', '-')}" for key in keys]}


OWN: dict[str, Callable[[Sample], dict[str, Any]]] = {
    "backup/create_edges": lambda s: {"rows": _edges(s)},
    "backup/create_nodes": lambda _: {"rows": [{"label": "Section", "properties": {"id": "new#s"}, "vector": None}]},
    "backup/fill_works": lambda _: {"rows": []},
    "backup/find_nodes": lambda s: {"rows": [{"label": "Technique", "id": t} for t in s.techniques]},
    "backup/read_edges": lambda s: {"elements": s.edges},
    "backup/settle_executions": lambda s: {"rows": s.pairs()},
    "blacklist/find_forbidden": lambda _: {"ids": ["arxiv:0000.00000"]},
    "concept/curate_concepts": lambda s: {"ids": s.concepts},
    "concept/drop_concepts": lambda s: {"ids": s.concepts},
    "concept/find_concepts": lambda s: {"ids": s.concepts},
    "concept/list_instances": lambda s: {"ids": s.concepts},
    "concept/list_members": lambda s: {"id": s.concepts[-1] if s.concepts else ""},
    "concept/put_concepts": lambda _: {"rows": [{"id": "new", "name": "new", "aliases": []}]},
    "concept/put_instances": lambda s: {"rows": _techniques(s, score=1.0, decided_by="rules", beside=None)},
    "concept/put_keys": lambda s: {"rows": _techniques(s, keys=["a b"])},
    "concept/find_by_keys": lambda s: {"rows": _techniques(s, query='"w1 w7" OR "w2 w9"')},
    "concept/drop_instances": lambda s: {"rows": _techniques(s)},
    "concept/put_relations": lambda s: {"rows": _relations(s, properties={})},
    "concept/drop_relations": lambda s: {"rows": _relations(s)},
    "prune/remember": lambda s: {"rows": [{"paper": s.paper, "pruned": [], "level": "grounded", "sources": ""}]},
    "prune/read_sources": lambda s: {"ids": [s.paper]},
    "rewrite/list_tasks": lambda _: {"ids": None},
    "rewrite/list_rewrites": lambda s: {"ids": s.code},
    "rewrite/put_rewrite": lambda _: {"id": "new"},
    "rewrite/read_former": lambda s: {"id": s.code[0]},
    "rewrite/read_kept": lambda s: {"prefix": f"{s.home}@c:"},
    "search/describe_code": lambda s: {"ids": s.code},
    "search/describe_papers": lambda s: {"ids": [s.paper]},
    "search/describe_sections": lambda s: {"ids": [piece_id(s.paper, f"s{i}") for i in range(8)]},
    "search/find_equations": lambda _: {"limit": 10},
    "search/find_spellings": lambda _: {"rows": [{"word": "w1004", "query": "name:(w1004~1)"}]},
    "search/find_related_techniques": lambda s: {"code": s.code},
    "show/find_by_id": lambda _: {"ids": ["t0-9"]},
    "show/find_piece": lambda _: {"ids": ["s77"], "endings": ["#s77", "/s77"], "label": "Section"},
    "show/list_similar_papers": lambda s: {"id": s.paper},
    "show/read_body": lambda s: {"id": s.paper},
    "show/read_code": lambda s: {"id": s.code[0]},
    "show/read_paper": lambda s: {"id": s.paper},
    "show/read_piece": lambda s: {"id": piece_id(s.paper, "s1"), "label": "Section"},
    "verdict/demote": lambda s: {"rows": _code(s, properties={})},
    "verdict/list_code": lambda _: {"ids": None},
    "verdict/list_verified": lambda s: {"ids": s.code},
    "verdict/mark_stale": lambda s: {"rows": _code(s, verdict="stale", reason="x")},
    "verdict/note_untried": lambda s: {"rows": _code(s, reason="x")},
    "verdict/put_execution": lambda _: {"id": "new"},
    "verdict/read_paper_version": lambda s: {"id": s.paper},
    "verdict/read_specifications": lambda s: {"ids": s.code},
    "verdict/read_state": lambda s: {"id": s.code[0]},
    "verdict/read_texts": lambda s: {"ids": s.code},
    "verdict/set_seals": lambda s: {"rows": _code(s, seal="x", texts="x")},
    "verdict/set_verdict": lambda s: {"element": s.elements[s.code[0]]},
    "write/create_edges": lambda s: {"rows": _edges(s)},
    "write/create_nodes": lambda _: {"rows": [{"label": "Section", "properties": {"id": "new#s"}}]},
    "write/delete_edges": lambda s: {"elements": s.edges},
    "write/find_echoes": lambda s: {
        "rows": [{"cited": s.elements[s.paper], "title": "", "authors": [], "year": 0, "arxiv_id": "", "doi": ""}]
    },
    "write/find_papers": _works,
    "write/read_claims": lambda s: {"elements": [s.elements[s.paper]]},
    "write/move_citations": lambda s: {"rows": _edges(s)},
    "write/read_code_nodes": lambda s: {"prefix": f"{s.home}@c:"},
    "write/read_repositories": lambda s: {"ids": [s.home]},
    "write/read_repository_users": lambda s: {"ids": [s.home]},
    "write/set_vectors": lambda s: {"rows": [{"element": s.elements[t], "vector": s.vector} for t in s.techniques]},
    "write/update_edges": lambda s: {"rows": [{"element": e, "properties": {}} for e in s.edges]},
    "write/update_nodes": lambda s: {"rows": _code(s, properties={}, label="Code", more=[])},
    "xkg_json/read_papers": lambda s: {"ids": [s.paper]},
}
"""What queries are given that their parameters' names do not tell."""


def given(query: cypher.Query, s: Sample) -> dict[str, Any]:
    """The parameters of a query."""
    own = OWN.get(query.name)
    named = {**_named(s), "ids": s.techniques, **(own(s) if own else {})}
    return {name: named[name] for name in query.params}


def _operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("children", ()):
        yield from _operators(child)


def profiled(store: Store, number: int) -> dict[str, dict[str, Any]]:
    """Of each query, asked about paper `number`: rows, hits, the largest of its operators, scans."""
    found = {}
    sample = _sample(store, number)
    with store._session(neo4j.WRITE_ACCESS) as session:  # the only door to plans
        for name, query in cypher.queries().items():
            if name.startswith(LEFT_OUT):
                continue
            with session.begin_transaction() as transaction:
                result = transaction.run("PROFILE " + query.text, given(query, sample))
                list(result)  # rows that are not fetched are not in the profile
                found[name] = _told(result.consume().profile or {})
                transaction.rollback()
    return found


def _told(profile: dict[str, Any]) -> dict[str, Any]:
    operators = [(op["operatorType"].partition("@")[0], op["args"].get("DbHits", 0)) for op in _operators(profile)]
    largest = max(operators, key=lambda one: one[1])
    return {
        "rows": profile["args"].get("Rows", 0), "hits": sum(hits for _, hits in operators), "most": largest[0],
        "scans": sorted({kind for kind, hits in operators if hits > 1 and kind.endswith(SCANS)}),
    }  # fmt: skip


def growing(small: dict[str, dict[str, Any]], large: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Queries that are not to look at everything, and hit more in the larger graph than what they give explains; or
    that scan."""
    return {
        name: {"hits": [before["hits"], now["hits"]], "rows": [before["rows"], now["rows"]], "scans": now["scans"]}
        for name, now in large.items()
        if (before := small.get(name)) and name not in WHOLE
        and (now["scans"] or now["hits"] > FEW + GROWTH * before["hits"] * max(1, now["rows"] / max(1, before["rows"])))
    }  # fmt: skip
