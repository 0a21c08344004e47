"""A repository's code units as Code nodes, and the grounding of techniques in them."""

import re
from collections.abc import Mapping
from typing import Any

from kg.models.code import Candidate, CodeUnit, Grounding
from kg.models.ids import Ref, technique_id
from kg.models.record import CodeRefs, PaperRecord
from kg.write.slice import GraphSlice

__all__ = ["add_code", "split_identifiers"]

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
MOST_WORDS = 150


def split_identifiers(text: str) -> str:
    """The words of the identifiers of `text` ("mergeSort" → merge sort): lower case, each once, in their order."""
    words: dict[str, None] = {}
    for match in WORD.finditer(text):
        if len(match[0]) > 1:
            words[match[0].lower()] = None
            if len(words) == MOST_WORDS:
                break
    return " ".join(words)


def add_code(graph: GraphSlice, record: PaperRecord, paper: Ref, run_id: str) -> None:
    """Add repository, units, members of classes, calls, and what groundings assert or hold possible."""
    facts = {"extraction_method": "import" if record.origin == "imported" else "structural", "run_id": run_id}
    refs, repository = CodeRefs(record), record.repository
    home: Ref | None = None
    if repository:
        home = graph.node(
            "Repository",
            repository.id,
            name=repository.name,
            url=repository.url or None,
            commit=repository.commit,
            licence=repository.licence,
            forked_from=repository.forked_from or None,
            requirements=repository.requirements or None,
            python=repository.python or None,
            **facts,
        )
        graph.edge(
            "HAS_REPOSITORY",
            paper,
            home,
            official=repository.official,
            evidence=repository.evidence,
            commit=repository.commit,
            **facts,
        )
    for unit in record.units:
        _add_unit(graph, refs.unit(unit.id), unit, record, facts, home)
    for unit in record.units:
        if unit.parent and refs.knows(unit.parent):
            graph.edge("HAS_MEMBER", refs.unit(unit.parent), refs.unit(unit.id), **facts)
    for caller, callee in record.calls:
        if refs.knows(caller) and refs.knows(callee) and caller != callee:
            graph.edge("USES", refs.unit(caller), refs.unit(callee), **facts)
    for grounding in record.groundings:
        _ground(graph, grounding, record, refs, run_id)


def _add_unit(
    graph: GraphSlice, ref: Ref, unit: CodeUnit, record: PaperRecord, facts: Mapping[str, str], home: Ref | None
) -> None:
    repository = record.repository
    graph.node(
        *ref,
        **facts,
        name=unit.name or unit.symbol,
        symbol=unit.symbol,
        kind=unit.kind,
        language=unit.language,
        role=unit.role,
        file=unit.file,
        start=unit.start,
        end=unit.end,
        line=unit.line,
        end_line=unit.end_line,
        parent=unit.parent,
        signature=unit.signature,
        documentation=unit.docstring,
        implementation=unit.text,
        bases=unit.bases or None,
        calls=unit.calls or None,
        imports=unit.imports or None,
        identifiers=split_identifiers(f"{unit.symbol} {unit.text}"),
        licence=unit.licence or (repository.licence if repository else None),
        origin=record.origin,
        repository=repository.id if repository else None,
        commit=repository.commit if repository else None,
    )
    if home:
        graph.edge("FROM_REPOSITORY", ref, home, **facts)


def _ground(graph: GraphSlice, grounding: Grounding, record: PaperRecord, refs: CodeRefs, run_id: str) -> None:
    technique: Ref = ("Technique", technique_id(record.paper.id, grounding.technique))
    known = [c for c in grounding.candidates if refs.knows(c.unit)]
    if technique not in graph.nodes or not known:
        return
    made = {"method": grounding.method, "extraction_method": "import" if grounding.method == "import" else "structural"}
    judged = {"method": "llm", "extraction_method": "llm", "model": grounding.model, "prompt_sha256": grounding.prompt}
    facts: dict[str, Any] = {**made, "run_id": run_id}
    ranked = sorted(known, key=lambda c: (c.rank, c.unit))
    said: dict[str, Any] = {"confidence": grounding.confidence, "reason": grounding.reason}
    if grounding.level == "file":
        whole = refs.file(ranked[0].unit)
        graph.edge("IMPLEMENTED_BY", technique, whole, **_evidence(ranked[0]), **facts, level="file", **said)
    for candidate in ranked:
        end, evidence = refs.unit(candidate.unit), _evidence(candidate) | facts | (judged if candidate.judged else {})
        told = said if candidate.standing != "candidate" else {}
        if candidate.judged:
            told = {"confidence": candidate.confidence, "reason": candidate.reason}
        if candidate.standing == "asserted":
            graph.edge("IMPLEMENTED_BY", technique, end, **evidence, level="unit", **told)
        else:
            graph.edge("MAY_BE_IMPLEMENTED_BY", technique, end, **evidence, standing=candidate.standing, **told)


def _evidence(candidate: Candidate) -> dict[str, Any]:
    return {
        "score": candidate.score, "rank": candidate.rank, "part": candidate.part,
        "quotes": candidate.quotes or None, "realises": candidate.realises or None,
        "disagrees": candidate.disagrees or None, **{f"why_{name}": share for name, share in candidate.why.items()},
    }  # fmt: skip
