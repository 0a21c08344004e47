"""A plausible value for each parameter of the query files: parameters of one name mean one thing in all files."""

from typing import Any

from store_records import DIMENSION, MODEL

PAPER = "arxiv:2001.00001"

ROW = {
    "label": "Concept", "properties": {"id": "sample", "name": "sample"}, "element": "", "start": "", "end": "",
    "type": "CITES", "changed": True, "vector": [0.5] * DIMENSION, "citing": "", "cited": "", "id": "sample",
    "name": "sample", "aliases": [], "technique": "", "concept": "", "score": 1.0, "decided_by": "name",
}  # fmt: skip
"""One row with the keys of every query that takes rows."""

SAMPLES: dict[str, Any] = {
    "action": "merge", "arxiv_ids": ["1706.03762"], "characters": 500, "checksum": "0", "cited": True,
    "code": [PAPER], "concept": "sampling", "depth": 3, "dimension": DIMENSION, "dois": ["10.1/x"], "elements": [""],
    "endings": ["sampling"], "except_paper": "none", "fetch": 5, "former": [], "id": PAPER, "ids": [PAPER],
    "index": "technique_text", "indexes": ["technique_text"], "label": "Technique", "limit": 3, "model_id": MODEL,
    "name": "sample", "number": 1, "paper": PAPER, "prefix": f"{PAPER}#", "query": "sampling", "rows": [ROW],
    "seconds": 60, "sha256": "0", "techniques": [f"{PAPER}#t/reservoir-sampling"], "text_index": "technique_text",
    "title_keys": ["attention (n.d.)"], "vector": [0.5] * DIMENSION, "vector_index": "technique_vector",
    "when": "2026-01-01T00:00:00+00:00", "who": "someone", "why": "a reason", "words": ["sampling"],
}  # fmt: skip


def sample(parameter: str) -> Any:
    """The value; a parameter of a new name needs a line above."""
    assert parameter in SAMPLES, f"add a sample of ${parameter} to tests/store/store_samples.py"
    return SAMPLES[parameter]
