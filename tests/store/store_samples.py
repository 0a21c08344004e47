"""A graph in which every query finds something, and plausible values for the parameters of the query files.

Parameters of one name mean one thing in all files.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from store_records import DIMENSION, MODEL, document, paper, technique, unit

import kg.results
from kg.concepts import refresh_concepts, split_concept
from kg.models.code import Candidate, Grounding
from kg.models.record import PaperMeta, PaperRecord
from kg.models.technique import TechniqueTree
from kg.results import Row
from kg.results.backup import BackupEdge, BackupNode
from kg.results.verdict import CodeState
from kg.results.write import CreatedNode
from kg.search.filters import Only
from kg.store import Store, Withheld
from kg.write import write_paper

PAPER = "arxiv:2001.00001"
OTHER = "arxiv:2001.00002"
TECHNIQUE = f"{PAPER}#t/reservoir-sampling"
CONCEPT = "reservoir-sampling"
IMPORTED = "local:imported"
CODE = "github:someone/shared@c1:src/core.py#run"
CURATOR = {"who": "someone", "when": "2026-01-01T00:00:00+00:00", "why": "a reason"}
VECTOR = [0.5] * DIMENSION
EXECUTION = {"id": "sample-execution", "name": "passed, bubblewrap", "code_sha256": "1", "test_sha256": "2",
             "environment": "e", "python": "3.11", "packages": ["numpy 2.0"], "strategy": "declared",
             "backend": "bubblewrap", "enforced": ["network: namespace"], "waived": [], "exit_code": 0, "wall_s": 1.0,
             "log": "0" * 64, "date": "2026-01-01T00:00:00+00:00"}  # fmt: skip
VERDICT = {"verdict": "verified", "verdict_reason": "2 tests pass", "verdict_date": "2026-01-01T00:00:00+00:00",
           "verdict_program": "p", "verdict_basis": ["1 requirements"], "text_sha256": "1", "code_sha256": "1",
           "test_kind": "repository", "mutants": 4, "killed": 3, "killed_by_assertion": 2, "survivors": ["line 2"],
           "module": "{}"}  # fmt: skip
CODE_TEXT = "def run():\n    return 3\n"
REWRITE = {"origin": "rewritten", "name": "run", "symbol": "run", "file": "module_run.py", "rewritten_sha256": "0",
           "extraction_method": "curator", "repository": "github:someone/shared"}  # fmt: skip
CURRENT = {"current": True, "date": "2026-01-01T00:00:00+00:00", "verdict": "verified"}

DECISION = {"item": "sample", "kind": "name", "action": "accept", "value": "", "technique": TECHNIQUE,
            "subject": "Reservoir Sampling", "concept": "", "former": [], "techniques": [TECHNIQUE],
            **CURATOR}  # fmt: skip

RELATION = {"score": 0.5, "decided_by": "rules", "shared": ["sampl"]}

FAULTY = (
    ("Execution", {}),
    ("Section", {"file": "main.tex", "start": 9, "end": 1}),
    ("Code", {"origin": "extracted", "name": "code", "verdict": "verified"}),
    ("Repository", {}),
    ("Technique", {"name": "technique", "kind": "technique", "verdict": "verified", "unjoined": True}),
)
"""Nodes that an audit complains of."""


def fill(store: Store) -> None:
    """Two papers that share code and a concept, a curator's decision, and something for each audit to find."""
    for number in (1, 2):
        write_paper(store, paper(number, shared_repository=True))
    write_paper(store, imported())
    refresh_concepts(store)
    split_concept(store, CONCEPT, [f"{OTHER}#t/reservoir-sampling"], "Weighted sampling", **CURATOR)
    store.write("review/record_decision", id="review:sample", properties=DECISION)
    relation = {
        "one": TECHNIQUE,
        "other": f"{OTHER}#t/reservoir-sampling",
        "type": "VARIANT_OF",
        "properties": RELATION,
    }
    store.write("concept/put_relations", rows=[relation])
    rows = [{"label": label, "properties": {"id": f"faulty-{label}", **more}} for label, more in FAULTY]
    made = {node.label: node.element for node in store.write_rows(CreatedNode, rows=rows)}
    edge = {"type": "IMPLEMENTED_BY", "start": made["Technique"], "end": made["Code"], "properties": {}}
    store.write("write/create_edges", rows=[edge])
    store.write("write/set_vectors", rows=[{"element": made["Code"], "vector": VECTOR}], model_id="another")
    store.write("prune/remember", rows=[{"paper": OTHER, "pruned": ["sample"], "level": "grounded", "sources": ""}])
    store.write("verdict/anchor_notes", home="homeless:", seal="homeless:0")
    store.write("verdict/put_execution", id=EXECUTION["id"], properties=EXECUTION)
    (judged,) = store.rows(CodeState, id=CODE)
    store.write(
        "verdict/set_verdict", element=judged.element, properties=VERDICT, execution=EXECUTION["id"], edge=CURRENT
    )
    (run,) = (node.element for node in store.rows(BackupNode) if node.id == EXECUTION["id"])
    sources = {"source": CODE, "source_text": CODE_TEXT, "techniques": [TECHNIQUE], "parts": [], "edge": CURATOR}
    store.write("rewrite/put_rewrite", id=f"{CODE}~rewrite", properties=REWRITE, **sources)
    former = {"type": "VERIFIED_BY", "start": made["Code"], "end": run, "properties": CURRENT | {"current": False}}
    store.write("write/create_edges", rows=[former])


def imported() -> PaperRecord:
    """A paper of another project, with a block of code."""
    grounding = Grounding(
        technique="block", level="unit", confidence=1.0, method="import",
        candidates=(Candidate(unit="src/core.py#block", rank=1, score=1.0, standing="asserted"),),
    )  # fmt: skip
    return PaperRecord(
        paper=PaperMeta(id=IMPORTED, title="Imported"), doc=document(), origin="imported", units=(unit("block"),),
        techniques=TechniqueTree(items=(technique("Block"),), method="import"), groundings=(grounding,),
    )  # fmt: skip


class Samples:
    """Values for parameters, taken from a graph that `fill` made."""

    def __init__(self, store: Store) -> None:
        self.nodes, self.edges = store.rows(BackupNode), store.rows(BackupEdge)
        code = CODE
        run, repository, section = (self._first(label) for label in ("Run", "Repository", "Section"))
        ids = [PAPER, OTHER, TECHNIQUE, f"{IMPORTED}#t/block", code, CONCEPT, repository, section]
        elements = [item.element for item in (*self.nodes, *self.edges)]
        self._alternatives: dict[str, Sequence[Any]] = {
            "id": [*ids, run],
            "prefix": [f"{PAPER}#", "github:someone/shared@c1:"],
            "label": ["Paper", "Technique", "Code", "Section"],
        }
        self._values: dict[str, Any] = CURATOR | {
            "action": "merge", "again": True, "arxiv_ids": ["1706.03762"], "beside": CODE, "characters": 500,
            "checksum": "0", "cited": True, "code": [code], "concept": CONCEPT, "depth": 3, "dimension": DIMENSION,
            "dois": ["10.1/x"], "edge": CURRENT,
            "element": next(node.element for node in self.nodes if node.id == CODE),
            "after": 0, "elements": elements, "endings": ["sampling"], "everything": True, "except_code": "none",
            "except_paper": "none", "execution": EXECUTION["id"], "fetch": 5, "first": 5, "verdicts": ["verified"],
            "former": [], "home": "homeless", "ids": ids, "seal": "homeless:0",
            "index": "technique_text", "indexes": ["technique_text"], "likely": True, "limit": 300, "model_id": MODEL,
            "name": "sample", "number": 1, "paper": PAPER, "papers": [PAPER, OTHER], "parts": [code],
            "properties": VERDICT, "source": code, "source_text": CODE_TEXT,
            "query": "sampling", "reason": "sample", "rows": [self._row()], "seconds": 60, "sha256": "0",
            "techniques": [TECHNIQUE], "text_index": "technique_text", "title_keys": ["attention (n.d.)"],
            "technique": TECHNIQUE, "type": "IMPLEMENTED_BY", "unit": CODE, "word": {"extraction_method": "curator"},
            "used": [{"id": TECHNIQUE, "times": 2}],
            "names": ["someone/shared"], "pattern": "(?is).*someone/shared.*", "prefixes": [f"{PAPER}#"],
            "withheld": Withheld().parameter, "vector": VECTOR, "vector_index": "technique_vector",
            "words": ["sampling"], "popular": 1000, "most": 5, "named": 5, "name_query": "sampling",
            "only": Only().model_dump(),
        }  # fmt: skip

    def _first(self, label: str) -> str | None:
        """The id of a sound node: the server lists nodes in no order, and some are there to be complained of."""
        return min(
            node.id for node in self.nodes if node.label == label and node.id and not node.id.startswith("faulty")
        )

    def _row(self) -> dict[str, Any]:
        """One row with the keys of every query that takes rows."""
        element = {node.id: node.element for node in self.nodes}
        return {
            "label": "Concept", "more": [], "properties": {"id": "sample", "name": "sample"},
            "element": element[TECHNIQUE],
            "start": element[PAPER], "end": element[CONCEPT], "type": "SAMPLE", "changed": True, "vector": VECTOR,
            "citing": element[PAPER], "cited": element["arxiv:1706.03762"], "title": "Attention", "authors": [],
            "year": 0, "arxiv_id": "1706.03762", "doi": "", "id": CONCEPT, "name": "sample", "aliases": [],
            "technique": TECHNIQUE, "concept": CONCEPT, "score": 1.0, "decided_by": "name", "beside": TECHNIQUE,
            "one": TECHNIQUE, "other": TECHNIQUE, "keys": ["n:sample"],
            "query": '"n:reservoirsampl" OR sampling OR step',
            "verdict": "stale", "reason": "sample", "paper": PAPER, "pruned": [TECHNIQUE], "level": "grounded",
            "sources": "", "word": "samplign",
        }  # fmt: skip

    def of(self, parameters: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Values for these parameters, several times where they can be of several kinds."""
        for name in parameters:
            known = name in self._values or name in self._alternatives
            assert known, f"add a sample of ${name} to tests/store/store_samples.py"
        choices = [self._alternatives.get(name) or [self._values[name]] for name in parameters]
        return (dict(zip(parameters, chosen, strict=True)) for chosen in product(*choices))


def result_models() -> dict[str, type[Row]]:
    """Every result model by the name of its query. Raises ValueError if a query has two."""
    todo = [Row]
    for module in pkgutil.iter_modules(kg.results.__path__):
        importlib.import_module(f"kg.results.{module.name}")
    found: dict[str, type[Row]] = {}
    while todo:
        model = todo.pop()
        todo += model.__subclasses__()
        if "query" in model.__dict__ and found.setdefault(model.query, model) is not model:
            raise ValueError(f"{model.query} has two result models")
    return found
