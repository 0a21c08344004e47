"""The technique tree as nodes and edges: what belongs to what, and where the paper describes it."""

from collections import defaultdict
from collections.abc import Mapping

from kg.models.ids import Ref, technique_id
from kg.models.paper import Span
from kg.models.record import PaperRecord
from kg.models.technique import Quote, Technique, TechniqueTree
from kg.write.document import Pieces, span_text
from kg.write.slice import GraphSlice

__all__ = ["add_techniques"]


def add_techniques(graph: GraphSlice, record: PaperRecord, pieces: Pieces, run_id: str) -> None:
    """Add every technique; the top of the tree hangs on the paper, the rest on its parent, in the tree's order."""
    tree = record.techniques
    origin = {"model": tree.model or None, "prompt_sha256": (tree.model and tree.prompt) or None}
    facts = {"extraction_method": tree.method, "run_id": run_id, **origin}
    for order, item in enumerate(tree.items, start=1):
        _add(graph, item, pieces.paper[1], facts)
        graph.edge(
            "HAS_TECHNIQUE", pieces.paper, ("Technique", technique_id(pieces.paper[1], item.id)), order=order, **facts
        )
    formal = _formal(tree, pieces)
    for technique in tree.walk():
        ref: Ref = ("Technique", technique_id(pieces.paper[1], technique.id))
        for order, child in enumerate(technique.children, start=1):
            end = _add(graph, child, pieces.paper[1], facts)
            if end != ref:
                graph.edge("HAS_COMPONENT", ref, end, order=order, **facts)
        _describe(graph, ref, technique, pieces, formal[technique.id], _told_by(technique, facts))


def _formal(tree: TechniqueTree, pieces: Pieces) -> Mapping[str, Mapping[Ref, Span]]:
    """Equations and algorithms by the technique that they are of: the one whose description holds them most narrowly.

    Several have one where their narrowest descriptions are equally long. A finding states no formula.
    """
    found: dict[str, dict[Ref, Span]] = defaultdict(dict)
    spans = [
        (span, technique.id) for technique in tree.walk() if technique.kind != "finding" for span in technique.spans
    ]
    for ref, piece in pieces.formal():
        around = [
            (span.end - span.start, technique)
            for span, technique in spans
            if span.file == piece.file and span.start <= piece.start and piece.end <= span.end
        ]
        least = min((length for length, _ in around), default=0)
        for length, technique in around:
            if length == least:
                found[technique][ref] = piece
    return found


def _told_by(technique: Technique, facts: Mapping[str, str | None]) -> Mapping[str, str | None]:
    """The facts' origin for one technique: its own method, and a model only where it is the model's."""
    if technique.method in (None, facts["extraction_method"]):
        return facts
    return {**dict.fromkeys(facts), "extraction_method": technique.method, "run_id": facts["run_id"]}


def _add(graph: GraphSlice, technique: Technique, paper: str, facts: Mapping[str, str | None]) -> Ref:
    claim = technique.claim
    return graph.node(
        "Technique",
        technique_id(paper, technique.id),
        **_told_by(technique, facts),
        paper=paper,
        name=technique.name,
        aliases=technique.aliases,
        kind=technique.kind,
        status=technique.status,
        coined=technique.coined or None,
        gloss=technique.gloss or None,
        definition=technique.definition,
        weight=technique.score,
        signals=technique.signals,
        spans=tuple(span_text(span) for span in technique.spans),
        inputs=technique.inputs or None,
        outputs=technique.outputs or None,
        steps=technique.steps or None,
        subject=(claim and claim.subject) or None,
        comparator=(claim and claim.comparator) or None,
        number=(claim and claim.number) or None,
        dataset=(claim and claim.dataset) or None,
    )


def _describe(
    graph: GraphSlice, ref: Ref, technique: Technique, pieces: Pieces, formal: Mapping[Ref, Span],
    facts: Mapping[str, str | None],
) -> None:  # fmt: skip
    """Edges to what describes it, `formal` too: where, and of what is quoted the words (`quotes`, with `roles` and
    `quote_spans`)."""
    by_piece: dict[Ref, list[Span]] = defaultdict(list)
    quoted: dict[Ref, list[Quote]] = defaultdict(list)
    for span in technique.spans:
        by_piece[pieces.around(span)].append(span)
    for quote in technique.quotes:
        piece = pieces.around(quote.span)
        quoted[piece].append(quote)
        by_piece[piece] += [] if quote.span in by_piece[piece] else [quote.span]
    for piece, span in formal.items():
        by_piece[piece] = by_piece[piece] or [span]
    for piece, found in by_piece.items():
        first, quotes = found[0], quoted[piece]
        graph.edge(
            "DESCRIBED_IN",
            ref,
            piece,
            span=span_text(first),
            file=first.file,
            start=first.start,
            end=first.end,
            spans=tuple(span_text(span) for span in found),
            quotes=tuple(quote.text for quote in quotes) or None,
            roles=tuple(quote.role for quote in quotes) or None,
            quote_spans=tuple(span_text(quote.span) for quote in quotes) or None,
            **facts,
        )
