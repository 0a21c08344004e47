"""What parsing a paper gives."""

from dataclasses import dataclass
from pathlib import Path

from ingest.latex.flat import Flat
from ingest.latex.reading import Reading
from kg.models.paper import PaperDoc

__all__ = ["ParsedPaper", "section_texts"]


@dataclass(frozen=True)
class ParsedPaper:
    """`doc` is the contract for everyone downstream, `flat` the text it was read from, `folder` its source folder.

    `reading` is the running text as words, for those who look at how things are said.
    """

    doc: PaperDoc
    flat: Flat
    folder: Path
    reading: Reading


def section_texts(parsed: ParsedPaper) -> dict[str, str]:
    """The readable text that stands directly in each section, by section id; subsections keep their own."""
    texts: dict[str, list[str]] = {section.id: [] for section in parsed.doc.sections}
    for paragraph in parsed.doc.paragraphs:
        if paragraph.section in texts:
            texts[paragraph.section].append(paragraph.text)
    return {key: "\n\n".join(parts) for key, parts in texts.items()}
