"""Synthetic papers of about a hundred nodes each, for `benchmarks.growth`: sections, equations, a tree of techniques,
the functions of a repository, and citations of works of which a few are cited by many.

Texts are of Zipf-distributed words, names of techniques recur among papers, vectors stand in clusters. A paper is the
same whenever it is made.
"""

from typing import Any

import numpy as np

from benchmarks.search import CLUSTERS, DIMENSION, VOCABULARY
from kg.models.code import Candidate, CodeUnit, Grounding, Repository
from kg.models.ids import code_id, piece_id, technique_id
from kg.models.paper import BibEntry, Citation, Equation, Figure, PaperDoc, Section, Span, Table
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree

__all__ = ["Papers"]

SECTIONS, EQUATIONS, TOP, PARTS, UNITS = 8, 8, 4, 3, 50
CITED, CLASSICS = 20, 20
"""Works that a paper cites, and the classics among all works: each paper cites one of five of these."""
SHARED_NAMES = 0.2
"""Share of techniques whose name other papers know, out of as many names as there are papers."""
MODEL = "synthetic/1"


class Papers:
    """Makes papers by number."""

    def __init__(self) -> None:
        random = np.random.default_rng(0)
        self._centres = random.normal(size=(CLUSTERS, DIMENSION))
        self._basis = random.normal(size=(24, DIMENSION))

    def vectors(self, random: np.random.Generator, count: int) -> np.ndarray:
        """Vectors of length one near the centres."""
        noise = random.normal(size=(count, len(self._basis))) @ self._basis
        rows = self._centres[random.integers(CLUSTERS, size=count)] + 0.15 * noise
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def record(self, number: int) -> PaperRecord:
        """Paper `number`, with vectors."""
        random = np.random.default_rng(number + 1)
        paper, home = f"local:p{number}", f"folder:r{number}"

        def text(words: int) -> str:
            return " ".join(f"w{int(n) % VOCABULARY}" for n in random.zipf(1.3, size=words))

        def name() -> str:
            if random.random() < SHARED_NAMES:
                of = int((number + 1) * random.random() ** 2)
                return f"w{of * 7 % 5000} w{of * 13 % 4999} w{of % 20_000}"
            return " ".join(f"w{int(VOCABULARY * draw**3)}" for draw in random.random(int(random.integers(2, 5))))

        sections = tuple(
            Section(id=f"s{i}", file="main.tex", start=1000 * i, end=1000 * i + 900, number=str(i + 1), title=text(4),
                    level=1, parent=None) for i in range(SECTIONS)
        )  # fmt: skip
        equations = tuple(
            Equation(id=f"eq{i}", file="main.tex", start=1000 * i + 100, end=1000 * i + 160, section=f"s{i}",
                     latex=rf"x_{i} = \sum_j {text(2)}", env="equation", text=text(5), context=text(12))
            for i in range(EQUATIONS)
        )  # fmt: skip
        units = tuple(self._unit(i, text) for i in range(UNITS))
        techniques = tuple(self._technique(i, name, text) for i in range(TOP))
        place: dict[str, Any] = {"file": "main.tex", "start": 300, "end": 400, "section": "s0"}
        doc = PaperDoc(
            main="main.tex", title=f"{text(6)} {number}", abstract=text(60), sections=sections, equations=equations,
            figures=(Figure(**place, id="f1", env="figure", caption=text(8)),),
            tables=(Table(**place, id="t1", env="table", caption=text(8)),),
            **self._cited(random, number),
        )  # fmt: skip
        tree = TechniqueTree(items=techniques)
        walked = [technique.id for technique in tree.walk()]
        ids = [
            paper, *(piece_id(paper, s.id) for s in sections), *(technique_id(paper, t) for t in walked),
            *(code_id(home, "c", unit.id) for unit in units),
        ]  # fmt: skip
        return PaperRecord(
            paper=PaperMeta(id=paper), doc=doc, section_texts={section.id: text(120) for section in sections},
            techniques=tree, repository=Repository(id=home, name=f"r{number}", commit="c", licence="MIT"), units=units,
            groundings=tuple(self._grounding(t, i, units) for i, t in enumerate(walked)),
            vectors=Vectors.of(MODEL, ids, self.vectors(random, len(ids))),
        )  # fmt: skip

    def _unit(self, number: int, text: Any) -> CodeUnit:
        body = f"def f{number}(values):\n" + "    total = sum(values)\n" * 10
        return CodeUnit(
            id=f"m{number // 10}.py#f{number}", symbol=f"f{number}", name=f"f{number}", kind="function",
            language="python", file=f"m{number // 10}.py", start=number * 300, end=number * 300 + len(body),
            line=1 + number * 12, end_line=12 + number * 12, docstring=text(10), text=body, licence="MIT",
        )  # fmt: skip

    def _technique(self, number: int, name: Any, text: Any) -> Technique:
        parts = tuple(
            Technique(id=f"t{number}-{i}", name=name(), kind="technique", score=0.4, definition=text(25),
                      spans=(Span(file="main.tex", start=1000 * number + 10, end=1000 * number + 90),))
            for i in range(PARTS)
        )  # fmt: skip
        span = Span(file="main.tex", start=1000 * number + 110, end=1000 * number + 150)
        return Technique(
            id=f"t{number}", name=name(), kind="methodology", score=0.5, definition=text(25), spans=(span,),
            children=parts,
        )  # fmt: skip

    def _grounding(self, technique: str, number: int, units: tuple[CodeUnit, ...]) -> Grounding:
        asserted = number % 2 == 0
        return Grounding(
            technique=technique, level="unit" if asserted else "none", confidence=0.9, method="fused",
            candidates=tuple(
                Candidate(unit=units[(number * 3 + i) % UNITS].id, rank=i + 1, score=0.9 - i / 10,
                          standing="asserted" if asserted and not i else "candidate")
                for i in range(3)
            ),
        )  # fmt: skip

    def _cited(self, random: np.random.Generator, number: int) -> dict[str, Any]:
        """A bibliography: some classics, and works out of as many as there are papers."""
        works = {f"c{i}" for i in range(CLASSICS) if random.random() < 0.2}
        works |= {f"p{int((4 * number + 40) * random.random())}" for _ in range(CITED - len(works))}
        entries = tuple(
            BibEntry(id=f"b{i}", key=work, file="main.bib", start=i * 100, end=i * 100 + 90, year=2000 + len(work),
                     title=f"A work called {work}", authors=("A. Author",)) for i, work in enumerate(sorted(works))
        )  # fmt: skip
        cited = Citation(
            id="cite1", file="main.tex", start=20, end=30, section="s0", keys=tuple(sorted(works)), command="cite"
        )
        return {"bibliography": entries, "citations": (cited,)}
