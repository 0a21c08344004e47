"""What parsing a paper gives."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from ingest.latex.flat import Flat
from ingest.latex.macros import Macros
from ingest.latex.reading import Reading
from kg.models.paper import PaperDoc

__all__ = ["ParsedPaper", "section_texts", "texts"]

_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True)
class ParsedPaper:
    """`doc` is the contract for everyone downstream, `flat` the text it was read from, `folder` its source folder.

    `reading` is the running text as words, for those who look at how things are said; `title_page` what its commands
    print; `macros` are the author's commands.
    """

    doc: PaperDoc
    flat: Flat
    folder: Path
    reading: Reading
    title_page: tuple[str, ...] = ()
    macros: Macros = field(default_factory=Macros)


def section_texts(parsed: ParsedPaper) -> dict[str, str]:
    """The readable text that stands directly in each section, by section id; subsections keep their own."""
    texts: dict[str, list[str]] = {section.id: [] for section in parsed.doc.sections}
    for paragraph in parsed.doc.paragraphs:
        if paragraph.section in texts:
            texts[paragraph.section].append(paragraph.text)
    return {key: "\n\n".join(parts) for key, parts in texts.items()}


def texts(parsed: ParsedPaper) -> list[str]:
    """All that can be read, in the order of the paper and captions last; what cites reads "[cited]"."""
    keys = {key for citation in parsed.doc.citations for key in citation.keys}

    def cited(found: re.Match[str]) -> str:
        return "[cited]" if keys.issuperset(key.strip() for key in found[1].split(";")) else found[0]

    floats = (*parsed.doc.figures, *parsed.doc.tables, *parsed.doc.algorithms)
    pieces = (*parsed.title_page, *(p.text for p in parsed.doc.paragraphs), *(f.caption for f in floats))
    return [_BRACKETS.sub(cited, piece) for piece in pieces if piece]
