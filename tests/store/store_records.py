"""Small paper records for tests, made from seeds: every number is another paper, the same number the same one."""

import hashlib

import numpy as np

from kg.models.code import Candidate, CodeUnit, Grounding, Repository
from kg.models.ids import code_id, piece_id, technique_id
from kg.models.paper import BibEntry, Citation, Equation, PaperDoc, Reference, Section, Span
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree

DIMENSION = 384
MODEL = "test-model"


def vector(text: str) -> np.ndarray:
    """A unit vector that is the same for the same text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    found = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    return found / np.linalg.norm(found)


def unit(symbol: str, file: str = "src/core.py", start: int = 0, text: str = "", **more) -> CodeUnit:
    """A function of that dotted name."""
    body = text or f"def {symbol.rsplit('.', 1)[-1]}():\n    return {len(symbol)}\n"
    return CodeUnit(
        id=f"{file}#{symbol}", symbol=symbol, name=symbol.rsplit(".", 1)[-1], language="python",
        file=file, start=start, end=start + len(body), line=start // 40 + 1, end_line=start // 40 + 2, text=body,
        **{"kind": "function", "licence": "MIT", **more},
    )  # fmt: skip


def whole_file(*units: CodeUnit) -> CodeUnit:
    """The file that these units stand in."""
    first, text = units[0], "\n".join(unit.text for unit in units)
    return first.model_copy(
        update={"id": first.file, "symbol": "", "name": first.file.rpartition("/")[2], "kind": "file", "start": 0,
                "line": 1, "end": max(u.end for u in units), "end_line": max(u.end_line for u in units), "text": text}
    )  # fmt: skip


def repository(name: str = "demo", commit: str = "c1", **more) -> Repository:
    """A repository of the test's own."""
    return Repository(id=f"github:someone/{name}", name=name, commit=commit, licence="MIT", official=True, **more)


def technique(name: str, *children: Technique, span: tuple[int, int] = (20, 60), **more) -> Technique:
    """A technique described at `span` of main.tex."""
    return Technique(
        **{"id": name.lower().replace(" ", "-"), "kind": "technique", **more}, name=name, score=0.5, children=children,
        definition=f"{name} is defined here.", spans=(Span(file="main.tex", start=span[0], end=span[1]),),
    )  # fmt: skip


def entry(key: str, title: str = "", **more) -> BibEntry:
    """A bibliography entry."""
    return BibEntry(id=f"bib-{key}", file="main.bib", start=0, end=9, key=key, title=title, **more)


def document(*entries: BibEntry, title: str = "A paper", text: str = "v1") -> PaperDoc:
    """Two sections, an equation, a reference to it, and citations of all `entries`."""
    at = {"file": "main.tex"}
    cited = (
        Citation(id="c1", **at, start=30, end=40, section="s1", keys=tuple(e.key for e in entries), command="cite"),
    )
    return PaperDoc(
        main="main.tex", title=title, abstract=f"About {title}.", authors=("A. Author",),
        source_sha256=hashlib.sha256(text.encode()).hexdigest(),
        sections=(
            Section(id="s1", **at, start=0, end=500, number="1", title="Method", level=1, parent=None),
            Section(id="s1.1", **at, start=200, end=400, number="1.1", title="Details", level=2, parent="s1"),
        ),
        equations=(
            Equation(id="e1", **at, start=220, end=260, section="s1.1", latex="x", env="equation", label="eq", text="x",
                     context="Sampling gives x."),
        ),
        references=(Reference(id="r1", **at, start=100, end=110, section="s1", key="eq", command="ref", target="e1"),),
        citations=cited if entries else (), bibliography=entries,
    )  # fmt: skip


def with_vectors(record: PaperRecord) -> PaperRecord:
    """The record with a vector for the paper, every section, technique and unit."""
    paper = record.paper.id
    ids = [paper, *(piece_id(paper, s.id) for s in record.doc.sections)]
    ids += [technique_id(paper, t.id) for t in record.techniques.walk()]
    if record.repository:
        ids += [code_id(record.repository.id, record.repository.commit, u.id) for u in record.units]
    ids = sorted(set(ids))
    keys = [key.replace(record.repository.commit, "") if record.repository else key for key in ids]
    return record.model_copy(update={"vectors": Vectors.of(MODEL, ids, np.stack([vector(k) for k in keys]))})


def paper(number: int = 1, *, version: int = 1, commit: str = "c1", shared_repository: bool = False) -> PaperRecord:
    """A whole paper: techniques, code, groundings, citations. Another version changes some of each."""
    name = "shared" if shared_repository else f"repo{number}"
    home = repository(name, commit)
    units = [
        unit("run", start=0),
        unit("step", start=100),
        unit("helper" if shared_repository else f"helper{number}", start=200),
    ]
    techniques = [
        technique(f"Paper {number} Method", technique(f"Inner step {number}", span=(220, 260))),
        technique("Reservoir Sampling", aliases=("RS",)),
    ]
    if version > 1:
        units[1] = unit("step", start=110, text="def step():\n    return 'other'\n")
        units.append(unit(f"added{version}", start=300))
        techniques.append(technique(f"Extra {version}"))
    units.append(whole_file(*units))
    entries = [
        entry("gelman", "A very well known book on data analysis", year=2013),
        entry("own", f"Title of paper number {number * 5 % 7} of this corpus", year=2020),
        entry("arx", "Attention", arxiv="1706.03762"),
    ]
    record = PaperRecord(
        paper=PaperMeta(id=f"arxiv:2001.{number:05}", title=f"Title of paper number {number} of this corpus", year=2020,
                        version=f"v{version}"),
        doc=document(*entries, title=f"Paper {number}", text=f"{number} {version}"),
        section_texts={"s1": f"Text of {number}.", "s1.1": "Details."},
        techniques=TechniqueTree(items=tuple(techniques)),
        repository=home, units=tuple(units), calls=((units[0].id, units[1].id),),
        groundings=(
            Grounding(technique="reservoir-sampling", level="unit", confidence=0.9, method="fused", reason="name",
                      candidates=(Candidate(unit=units[0].id, rank=1, score=0.8, standing="asserted",
                                            why={"lexical": 0.5}),
                                  Candidate(unit=units[1].id, rank=2, score=0.3))),
            Grounding(technique=f"paper-{number}-method", level="file", confidence=0.7, method="fused",
                      candidates=(Candidate(unit=units[1].id, rank=1, score=0.6),)),
            Grounding(technique=f"inner-step-{number}", level="none", confidence=0.1, method="fused",
                      candidates=(Candidate(unit=units[2].id, rank=1, score=0.2, standing="likely"),)),
        ),
    )  # fmt: skip
    return with_vectors(record)
