"""What of each node is embedded: one text per Paper, Section, Technique and Code node of a record."""

import re
from collections.abc import Iterator

from kg.embeddings.embedder import Embedder
from kg.models.code import CodeUnit
from kg.models.ids import piece_id, technique_id
from kg.models.record import CodeRefs, PaperRecord, Vectors
from kg.models.technique import Technique

__all__ = ["code_text", "embed_record", "technique_text"]

LIMIT = 900
"""Characters: about the 256 tokens that the model reads."""

NOT_SEARCHED = frozenset({"vendored", "generated", "minified"})


def embed_record(record: PaperRecord, embedder: Embedder) -> Vectors:
    """Vectors for all nodes of `record` that search can find, keyed by graph id."""
    pairs = list(_texts(record))
    matrix = embedder.embed([text for _, text in pairs])
    return Vectors.of(embedder.model_id, [node for node, _ in pairs], matrix.reshape(len(pairs), embedder.dimension))


def technique_text(technique: Technique) -> str:
    """Name and aliases, then the definition."""
    return f"{', '.join((technique.name, *technique.aliases[:3]))}. {technique.definition}"[:LIMIT]


def code_text(unit: CodeUnit) -> str:
    """The dotted name as words and the file's stem, or the name of what has no symbol; docstring and signature."""
    if not unit.symbol:
        return f"{unit.name}. {unit.docstring[:600]} {unit.signature}"[:LIMIT]
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[._]+", " ", unit.symbol)
    stem = unit.file.rsplit("/", 1)[-1].rsplit(".", 1)[0].replace("_", " ")
    return f"{words} ({stem}). {unit.docstring[:600]} {unit.signature}"[:LIMIT]


def _texts(record: PaperRecord) -> Iterator[tuple[str, str]]:
    paper = record.paper.id
    yield paper, f"{record.paper.title or record.doc.title}. {record.paper.abstract or record.doc.abstract}"[:LIMIT]
    for section in record.doc.sections:
        yield piece_id(paper, section.id), f"{section.title}. {record.section_texts.get(section.id, '')}"[:LIMIT]
    for technique in record.techniques.walk():
        yield technique_id(paper, technique.id), technique_text(technique)
    code = CodeRefs(record)
    for unit in record.units:
        if unit.role not in NOT_SEARCHED:
            yield code.unit(unit.id)[1], code_text(unit)
