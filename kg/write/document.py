"""A parsed document as Section, Equation, Algorithm, Figure and Table nodes with their order and references."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from textwrap import shorten

from kg.models.ids import Ref, piece_id, title_key
from kg.models.paper import PaperDoc, Piece, Span
from kg.models.record import PaperRecord
from kg.write.slice import GraphSlice

__all__ = ["PAPER_PROPERTIES", "Pieces", "add_document", "paper_properties", "span_text"]

PAPER_PROPERTIES = (
    "name", "title", "abstract", "authors", "year", "version", "arxiv_id", "doi", "title_key", "licence", "url",
    "categories", "comment", "main", "source_sha256", "status", "warnings", "pruned", "pruned_level", "pruned_sources",
)  # fmt: skip
"""What the writer may set on a Paper, besides the facts' origin."""

TITLE = 80
"""Characters of the name of what has none but a caption or a formula."""
FORMAL = ("Equation", "Algorithm")
FLOATS = (("Algorithm", "algorithms"), ("Figure", "figures"), ("Table", "tables"))


def span_text(span: Span) -> str:
    """A span as one string: ``file:start-end``."""
    return f"{span.file}:{span.start}-{span.end}"


class Pieces:
    """Where everything of a document is in the graph; finds the innermost piece around a span."""

    def __init__(self, paper: str) -> None:
        self.paper: Ref = ("Paper", paper)
        self.refs: dict[str, Ref] = {}
        self._by_file: dict[str, list[tuple[int, int, Ref]]] = defaultdict(list)
        self._section_of: dict[str, str | None] = {}

    def add(self, label: str, piece: Piece) -> Ref:
        """Make a stored piece known."""
        ref = (label, piece_id(self.paper[1], piece.id))
        self.refs[piece.id] = ref
        self._by_file[piece.file].append((piece.start, piece.end, ref))
        return ref

    def add_unstored(self, pieces: Iterable[Piece]) -> None:
        """Pieces that are no nodes (paragraphs, theorems) stand for their section."""
        for piece in pieces:
            self._section_of[piece.id] = piece.section

    def get(self, piece: str | None) -> Ref | None:
        """The node of a piece, or of the section around a piece that is none."""
        if piece is None:
            return None
        return self.refs.get(piece) or self.refs.get(self._section_of.get(piece) or "")

    def formal(self) -> Iterator[tuple[Ref, Span]]:
        """The equations and algorithms, with their spans."""
        for file, inside in self._by_file.items():
            for start, end, ref in inside:
                if ref[0] in FORMAL:
                    yield ref, Span(file=file, start=start, end=end)

    def around(self, span: Span) -> Ref:
        """The smallest piece that holds the whole span, else the paper."""
        inside = [
            (end - start, ref)
            for start, end, ref in self._by_file[span.file]
            if start <= span.start and span.end <= end
        ]
        return min(inside)[1] if inside else self.paper


def add_document(graph: GraphSlice, record: PaperRecord, paper: Ref, facts: Mapping[str, str]) -> Pieces:
    """Add the paper's pieces to `graph`; `facts` is what every extracted fact carries."""
    doc, pieces = record.doc, Pieces(paper[1])
    order: dict[Ref, int] = defaultdict(int)

    def place(child: Ref, parent: Ref) -> None:
        order[parent] += 1
        graph.edge(f"HAS_{child[0].upper()}", parent, child, order=order[parent], **facts)

    for section in doc.sections:
        pieces.add("Section", section)
    for section in doc.sections:
        ref = graph.node(
            *pieces.refs[section.id],
            **_span(section),
            **facts,
            paper=paper[1],
            name=f"{section.number} {section.title}".strip() or section.id,
            number=section.number,
            title=section.title,
            level=section.level,
            appendix=section.appendix,
            text=record.section_texts.get(section.id, ""),
        )
        place(ref, pieces.get(section.parent) or paper)
    for equation in doc.equations:
        ref = graph.node(
            *pieces.add("Equation", equation),
            **_span(equation),
            **facts,
            paper=paper[1],
            name=equation.label or _title(equation.text or equation.latex) or equation.id,
            latex=equation.latex,
            text=equation.text or None,
            context=equation.context or None,
            env=equation.env,
            label=equation.label,
        )
        place(ref, pieces.get(equation.section) or paper)
    for label, field in FLOATS:
        for piece in getattr(doc, field):
            ref = graph.node(
                *pieces.add(label, piece),
                **_span(piece),
                **facts,
                paper=paper[1],
                name=_title(piece.caption) or piece.label or f"{label.lower()} without a caption",
                caption=piece.caption,
                env=piece.env,
                label=piece.label,
                latex=piece.latex,
                graphics=getattr(piece, "graphics", None),
            )
            place(ref, pieces.get(piece.section) or paper)
    pieces.add_unstored((*doc.paragraphs, *doc.theorems))
    _add_references(graph, doc, pieces, facts)
    return pieces


def paper_properties(record: PaperRecord) -> dict[str, object]:
    """Properties of an ingested paper's node, without the facts' origin."""
    meta, doc = record.paper, record.doc
    notes = (f"{w.file}:{w.start}: {w.message}" for w in doc.warnings)
    title = meta.title or doc.title
    arxiv_id = meta.arxiv_id or (meta.id.removeprefix("arxiv:") if meta.id.startswith("arxiv:") else None)
    doi = meta.doi or (meta.id.removeprefix("doi:") if meta.id.startswith("doi:") else None)
    return {
        "name": title or meta.id,
        "title": title,
        "abstract": meta.abstract or doc.abstract,
        "authors": meta.authors or doc.authors,
        "year": meta.year,
        "version": meta.version,
        "arxiv_id": arxiv_id,
        "doi": doi.lower() if doi else None,
        "title_key": title_key(title, meta.year) or None,
        "licence": meta.licence,
        "url": meta.url or None,
        "categories": meta.categories or None,
        "comment": meta.comment or None,
        "main": doc.main,
        "source_sha256": doc.source_sha256,
        "status": "ingested",
        "warnings": tuple(dict.fromkeys((*record.warnings, *notes))) or None,
    }


def _title(text: str) -> str:
    """A text in a line of whole words; of one word that is too long for it, its beginning."""
    told = shorten(text, TITLE, placeholder=" …", break_on_hyphens=False)
    return told if told != "…" else " ".join(text.split())[:TITLE].rstrip()


def _span(piece: Piece) -> dict[str, object]:
    return {"file": piece.file, "start": piece.start, "end": piece.end}


def _add_references(graph: GraphSlice, doc: PaperDoc, pieces: Pieces, facts: Mapping[str, str]) -> None:
    keys: dict[tuple[Ref, Ref], set[str]] = defaultdict(set)
    for reference in doc.references:
        target = pieces.get(reference.target)
        source = pieces.get(reference.section) or pieces.paper
        if target and target != source:
            keys[source, target].add(reference.key)
    for (source, target), found in sorted(keys.items()):
        graph.edge("REFERS_TO", source, target, keys=sorted(found), **facts)
