"""The technique tree as nodes and edges: what belongs to what, and where the paper describes it."""

from collections import defaultdict
from collections.abc import Mapping

from kg.models.ids import Ref, technique_id
from kg.models.paper import Span
from kg.models.record import PaperRecord
from kg.models.technique import Technique
from kg.write.document import Pieces, span_text
from kg.write.slice import GraphSlice

__all__ = ["add_techniques"]


def add_techniques(graph: GraphSlice, record: PaperRecord, pieces: Pieces, run_id: str) -> None:
    """Add every technique; the top of the tree hangs on the paper, the rest on its parent, in the tree's order."""
    facts = {"extraction_method": record.techniques.method, "run_id": run_id}
    for order, item in enumerate(record.techniques.items, start=1):
        _add(graph, item, pieces.paper[1], facts)
        graph.edge(
            "HAS_TECHNIQUE", pieces.paper, ("Technique", technique_id(pieces.paper[1], item.id)), order=order, **facts
        )
    for technique in record.techniques.walk():
        ref: Ref = ("Technique", technique_id(pieces.paper[1], technique.id))
        for order, child in enumerate(technique.children, start=1):
            end = _add(graph, child, pieces.paper[1], facts)
            if end != ref:
                graph.edge("HAS_COMPONENT", ref, end, order=order, **facts)
        _describe(graph, ref, technique.spans, pieces, facts)


def _add(graph: GraphSlice, technique: Technique, paper: str, facts: Mapping[str, str]) -> Ref:
    return graph.node(
        "Technique",
        technique_id(paper, technique.id),
        **facts,
        paper=paper,
        name=technique.name,
        aliases=technique.aliases,
        kind=technique.kind,
        definition=technique.definition,
        weight=technique.score,
        signals=technique.signals,
        spans=tuple(span_text(span) for span in technique.spans),
    )


def _describe(graph: GraphSlice, ref: Ref, spans: tuple[Span, ...], pieces: Pieces, facts: Mapping[str, str]) -> None:
    by_piece: dict[Ref, list[Span]] = defaultdict(list)
    for span in spans:
        by_piece[pieces.around(span)].append(span)
    for piece, found in by_piece.items():
        first = found[0]
        graph.edge(
            "DESCRIBED_IN",
            ref,
            piece,
            span=span_text(first),
            file=first.file,
            start=first.start,
            end=first.end,
            spans=tuple(span_text(span) for span in found),
            **facts,
        )
