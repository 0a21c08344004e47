"""A parsed paper as flat lists: the contract between the LaTeX layer and everyone downstream.

Every piece carries `file` (path relative to the source folder, "/" between parts) and `start`, `end`: byte offsets
into that original file, so that ``open(file, "rb").read()[start:end]`` is the piece as its author wrote it.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = [
    "Algorithm",
    "BibEntry",
    "Citation",
    "Equation",
    "Figure",
    "Label",
    "PaperDoc",
    "Paragraph",
    "ParseWarning",
    "Piece",
    "Reference",
    "Section",
    "SourceFile",
    "Span",
    "Table",
    "Theorem",
]  # fmt: skip


class Model(BaseModel):
    """Base of all boxes: immutable, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Span(Model):
    """A place in an original source file: bytes ``[start, end)`` of `file`."""

    file: str
    start: int
    end: int


class Piece(Span):
    """Something found in the source. `id` is unique in its document; `section` is the id of the innermost section."""

    id: str
    section: str | None = None


class Section(Piece):
    """A heading and what stands below it, subsections included, as far as it goes on in the heading's file.

    `number` is as printed ("3.2", "A.1"), empty for starred headings; `level` counts from 0 (part) over 1
    (section, or chapter where the document has chapters) downwards; `parent` is the id of the enclosing section.
    """

    number: str
    title: str
    level: int
    parent: str | None
    appendix: bool = False


class Paragraph(Piece):
    """Running text between blank lines or structures; `text` is readable, `title` a run-in heading if it has one."""

    text: str
    title: str = ""


class Equation(Piece):
    """One display environment. `latex` is its source without comments, the author's own commands written out;
    `env` is "equation", "align*", "$$" …

    `text` is it as readable text, which is also how its paragraph's text shows it; `context` the sentence of the
    paragraph that it stands in, empty where it stands in none.
    """

    latex: str
    env: str
    label: str | None = None
    text: str = ""
    context: str = ""


class Float(Piece):
    """What floats have in common: environment, caption as readable text, first label, raw LaTeX."""

    env: str
    caption: str = ""
    label: str | None = None
    latex: str = ""


class Algorithm(Float):
    """Pseudo-code or a program listing: algorithm, algorithmic, lstlisting, minted, verbatim in a float …"""


class Figure(Float):
    """A figure; `graphics` are the file names it includes, as written."""

    graphics: tuple[str, ...] = ()


class Table(Float):
    """A table or tabular float."""


class Theorem(Piece):
    """A theorem-like environment (theorem, lemma, definition, and what \\newtheorem declares)."""

    env: str
    title: str = ""
    label: str | None = None
    text: str = ""


class Label(Piece):
    """\\label{key}; `target` is the id of the piece it names (innermost enclosing or preceding), None if unclear."""

    key: str
    target: str | None = None


class Reference(Piece):
    """\\ref, \\eqref, \\cref …; one per key. `target` is the id of the piece it points to, None if dangling."""

    key: str
    command: str
    target: str | None = None


class Citation(Piece):
    """One citing command with all of its keys."""

    keys: tuple[str, ...]
    command: str


class BibEntry(Piece):
    """One work of the bibliography, from .bib, .bbl or thebibliography. Unknown fields are empty or None."""

    key: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    arxiv: str | None = None
    doi: str | None = None


class ParseWarning(Span):
    """Something that could not be had, and where; `file` may be the main file when no better place is known."""

    message: str


class SourceFile(Model):
    """One text file that the document was read from."""

    path: str
    sha256: str
    encoding: str


class PaperDoc(Model):
    """A whole paper. `main` is the root .tex file; `source_sha256` hashes all files read, sorted by path."""

    main: str
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    files: tuple[SourceFile, ...] = ()
    source_sha256: str = ""
    sections: tuple[Section, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    equations: tuple[Equation, ...] = ()
    algorithms: tuple[Algorithm, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    theorems: tuple[Theorem, ...] = ()
    labels: tuple[Label, ...] = ()
    references: tuple[Reference, ...] = ()
    citations: tuple[Citation, ...] = ()
    bibliography: tuple[BibEntry, ...] = ()
    warnings: tuple[ParseWarning, ...] = ()
    format: Literal["paperdoc/1"] = "paperdoc/1"
