"""LaTeX folder in, `ParsedPaper` out."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from ingest.latex.bibliography import build_bibliography
from ingest.latex.blocks import build_reading
from ingest.latex.displays import in_context
from ingest.latex.events import pair
from ingest.latex.flat import Flat
from ingest.latex.flatten import flatten
from ingest.latex.folder import Folder
from ingest.latex.front import abstract_of, authors_of, title_of, title_page_of
from ingest.latex.lexer import Lexer
from ingest.latex.macros import Macros
from ingest.latex.mainfile import choose_main
from ingest.latex.packages import load_packages
from ingest.latex.paragraphs import build_paragraphs
from ingest.latex.parsed import ParsedPaper
from ingest.latex.pieces import build_pieces
from ingest.latex.scan import Scanner
from ingest.latex.source import declared_codec
from ingest.latex.structure import Ids, build_sections
from kg.errors import InputError
from kg.models.paper import PaperDoc, ParseWarning, SourceFile

__all__ = ["parse_paper"]

MAX_WARNINGS = 500
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}")
_CLASS = re.compile(r"\\document(?:class|style)\s*(?:\[[^\[\]]*\])?\s*\{\s*([^{}]*?)\s*\}")


def _body(flat: Flat) -> tuple[int, int]:
    """Where the document's text begins and ends: by the main file's own marks, else by any, else everything."""
    begins = list(_BEGIN.finditer(flat.scan))
    begin = next((m.end() for m in begins if flat.frame(m.start()) == 0), begins[0].end() if begins else 0)
    ends = [m.start() for m in _END.finditer(flat.scan, begin)]
    end = next((at for at in ends if flat.frame(at) == 0), ends[-1] if ends else len(flat.scan))
    return begin, end


def _sum(files: Iterable[SourceFile]) -> str:
    lines = "".join(f"{file.path}\0{file.sha256}\n" for file in sorted(files, key=lambda file: file.path))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


def _warnings(flat: Flat, notes: Iterable[tuple[int, int, str]]) -> list[ParseWarning]:
    return [
        ParseWarning(**flat.span(start, end).model_dump(), message=message) for start, end, message in sorted(notes)
    ]


def parse_paper(folder: Path, main: str | None = None) -> ParsedPaper:
    """Parse the paper in `folder`; `main` names its root .tex file, which is guessed otherwise.

    Raises InputError for a missing folder or one without TeX. A broken document never raises: it gives what can be had,
    and `doc.warnings` name the places.
    """
    if not folder.is_dir():
        raise InputError("the source folder does not exist", where=str(folder), remedy="check the path")
    chosen = choose_main(Folder(folder), main)
    try:
        files = Folder(folder, declared_codec(Folder(folder).read(chosen).data))
        flat, warnings = flatten(files, chosen)
    except OSError as error:
        raise InputError(f"{chosen} can't be read: {error.strerror or error}", where=str(folder)) from error
    begin, end = _body(flat)
    macros = Macros()
    load_packages(files, flat, chosen, macros)
    lexer = Lexer(flat.scan, flat.text)
    scanner = Scanner(lexer, macros, begin, end)
    events = scanner.run()
    pairs = pair(events)
    ids = Ids()
    document_class = _CLASS.search(flat.scan)
    sections = build_sections(
        events, flat, macros, ids, document_class=document_class[1] if document_class else "", end=end
    )
    pieces = build_pieces(events, flat, macros, ids, sections, pairs)
    numbers = {section.id: section.number for section in sections.items}
    resolve = {label.key: numbers.get(label.target or "", "") for label in pieces.labels}
    paragraphs = build_paragraphs(
        events, flat, macros, ids, sections, pairs, lexer=lexer, begin=begin, end=end, resolve=resolve
    )
    works = build_bibliography(files, flat, chosen, events, pieces.citations, ids)
    sources = (
        *(SourceFile(path=source.path, sha256=source.sha256, encoding=source.encoding) for source in flat.files),
        *works.files,
    )
    doc = PaperDoc(
        main=chosen,
        title=title_of(events, flat, macros),
        abstract=abstract_of(events, pairs, flat, macros),
        authors=authors_of(events, macros),
        files=sources,
        source_sha256=_sum(sources),
        sections=tuple(sections.items),
        paragraphs=tuple(paragraphs),
        equations=in_context(pieces.equations, paragraphs, macros),
        algorithms=tuple(pieces.algorithms),
        figures=tuple(pieces.figures),
        tables=tuple(pieces.tables),
        theorems=tuple(pieces.theorems),
        labels=tuple(pieces.labels),
        references=tuple(pieces.references),
        citations=tuple(pieces.citations),
        bibliography=tuple(works.entries),
        warnings=tuple((*warnings, *_warnings(flat, scanner.notes + pairs.notes), *works.warnings)[:MAX_WARNINGS]),
    )
    reading = build_reading(lexer, macros, events, pairs, begin, end)
    return ParsedPaper(doc, flat, folder, reading, title_page_of(events, macros), macros)
