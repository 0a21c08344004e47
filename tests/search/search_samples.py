"""What the tests of search look through: two JSON graphs and one paper with a repository, all of our own making."""

from typing import Any

from kg.embeddings import Embedder
from kg.models.code import Candidate, CodeUnit, Grounding, Repository
from kg.models.paper import BibEntry, Citation, PaperDoc, Section
from kg.models.record import PaperMeta, PaperRecord
from kg.models.technique import Technique, TechniqueTree
from kg.search import SearchKind, SearchResult, search_kinds
from kg.store import Store

__all__ = ["HITTERS", "SAMPLING", "repository_paper", "search"]


def search(store: Store, embedder: Embedder, kind: SearchKind, query: str, **options: Any) -> SearchResult:
    """The answer of one kind alone."""
    return search_kinds(store, embedder, (kind,), query, **options)[0]


SAMPLING: dict[str, Any] = {
    "paper_title": "Sampling from Streams",
    "paper_abstract": "We keep a uniform sample of a stream whose length is unknown.",
    "paper_references": [
        "Random Sampling with a Reservoir",
        "Random Sampling with a Reservoir",
        "Counting Heavy Hitters",
    ],
    "techniques": [
        {
            "name": "Reservoir Sampling",
            "description": "Keeps k items; the n-th item replaces a random kept one with probability k/n.",
            "weight": 0.75,
            "code": {
                "implementation": "import random\n\ndef reservoir(stream, k):\n    ...\n",
                "test": "print(reservoir(range(9), 3))",
                "documentation": "Draws a uniform sample of a stream in one pass.",
                "package": [],
                "pass_exec": True,
            },
            "components": [
                {
                    "name": "Skip Counting",
                    "description": "Draws how many items to pass over from a geometric distribution.",
                    "weight": 0.25,
                    "code": None,
                    "components": [],
                },
            ],
        },
    ],
    "resources": [],
    "findings": ["Uniformity: Every item of the stream is kept with equal probability."],
    "code_file": "reservoir.py\nREADME.md",
    "code_overview": "",
}
HITTERS: dict[str, Any] = {
    "paper_title": "Counting Heavy Hitters",
    "paper_abstract": "Finding the most frequent items of a stream with few counters.",
    "paper_references": None,
    "techniques": [
        {
            "name": "Misra-Gries Summary",
            "description": "Counters are decremented together when a new item finds no free one.",
            "weight": 1.0,
            "code": None,
            "components": [],
        },
        {
            "name": "Reservoir Sampling (RS)",
            "description": "A uniform sample of the stream estimates the frequencies.",
            "weight": 1,
            "code": None,
            "components": [],
        },
    ],
    "resources": ["Zipf data without a colon"],
    "findings": [],
    "code_file": "",
    "code_overview": "```\nnone\n```",
    "extra": {"kept": [1, 1.0, None]},
}


FILE = "bloom/filter.py"
METHODS = (
    (3, "add", "Sets the bits of all hash functions for an item."),
    (12, "contains", "Whether an item may be in the set."),
)


def _method(line: int, name: str, documentation: str) -> CodeUnit:
    return CodeUnit(
        id=f"{FILE}#BloomFilter.{name}",
        symbol=f"BloomFilter.{name}",
        name=name,
        kind="method",
        language="python",
        file=FILE,
        start=10 * line,
        end=10 * line + 9,
        line=line,
        end_line=line + 5,
        docstring=documentation,
        signature=f"def {name}(self, item)",
        licence="MIT",
        text=f"def {name}(self, item):\n    return item\n",
    )


def repository_paper() -> PaperRecord:
    """A paper with a section, a technique with asserted code and candidates, and a repository under MIT."""
    section = Section(
        id="s1", file="main.tex", start=10, end=900, number="1", title="Bloom filters", level=1, parent=None
    )
    units = tuple(_method(line, name, doc) for line, name, doc in METHODS)
    return PaperRecord(
        paper=PaperMeta(id="arxiv:2101.00001", title="Approximate Set Membership", year=2021, authors=("A. Author",)),
        doc=PaperDoc(
            main="main.tex",
            sections=(section,),
            citations=(Citation(id="c", file="main.tex", start=20, end=30, keys=("v",), command="cite"),),
            bibliography=(
                BibEntry(id="b", file="main.tex", start=0, end=5, key="v", title="Random Sampling with a Reservoir"),
            ),
        ),
        section_texts={"s1": "A Bloom filter answers membership queries with false positives but no false negatives."},
        techniques=TechniqueTree(
            items=(
                Technique(
                    id="bloom-filter",
                    name="Bloom filter",
                    kind="technique",
                    definition="A bit array with k hash functions that answers set membership approximately.",
                    score=0.9,
                ),
            )
        ),
        repository=Repository(
            id="github:o/bloom", name="bloom", url="https://github.com/o/bloom", commit="c" * 40, licence="MIT"
        ),
        units=units,
        groundings=(
            Grounding(
                technique="bloom-filter",
                level="unit",
                confidence=0.93,
                method="structural",
                reason="names agree",
                candidates=(
                    Candidate(unit=f"{FILE}#BloomFilter.add", rank=1, score=0.9, standing="asserted",
                              why={"name": 0.6, "words": 0.3}),
                    Candidate(unit=f"{FILE}#BloomFilter.contains", rank=2, score=0.5, why={"name": 0.5}),
                ),
            ),
        ),
    )  # fmt: skip
